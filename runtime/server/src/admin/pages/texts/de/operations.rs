//! The operations of management in German: those that every noun has alike, and those about who comes and how the service is.

use super::super::api::{Operations, OperationsOfNouns};

/// Nouns as they stand in sentences: one of them, and all.
pub(super) const NOUNS: &[(&str, [&str; 2])] = &[
    ("Area", ["Einen Bereich", "Bereiche"]),
    ("ManagedSchema", ["Ein Schema", "Schemas"]),
    ("ManagedDataset", ["Einen Datenbestand", "Datenbestände"]),
    ("Domain", ["Eine Datendomäne", "Datendomänen"]),
    ("Role", ["Eine Rolle", "Rollen"]),
    ("User", ["Einen Benutzer", "Benutzer"]),
    ("ApiKey", ["Einen API-Schlüssel", "API-Schlüssel"]),
    ("App", ["Eine Anwendung", "Anwendungen"]),
    ("Webhook", ["Einen Webhook", "Webhooks"]),
];

/// `{one}` and `{all}` are the noun's.
pub(super) const OF_NOUNS: OperationsOfNouns = &[
    (
        "list",
        "{all} auflisten",
        "In der Reihenfolge der Entstehung, seitenweise.",
        "Braucht die Erlaubnis, {all} zu sehen.",
    ),
    (
        "create",
        "{one} anlegen",
        "Was so nicht sein kann, ist 400, und `problems` nennt alles, was daran falsch ist, jeweils mit seinem JSON-Pfad; ein vergebener Name ist 409. Niemand gibt Rechte, die er nicht hat.",
        "Braucht die Erlaubnis, {all} anzulegen.",
    ),
    (
        "get",
        "{one} ansehen",
        "Wie die Liste es zeigt.",
        "Braucht die Erlaubnis, {all} zu sehen.",
    ),
    (
        "update",
        "{one} ändern",
        "Gibt alle Eigenschaften neu: Was fehlt, hat seine Vorgabe, nicht den Wert von vorher. Kommt eine `version` mit und gilt inzwischen eine andere, oder ist der Name vergeben: 409.",
        "Braucht die Erlaubnis, {all} zu ändern.",
    ),
    (
        "delete",
        "{one} löschen",
        "Gilt sofort.",
        "Braucht die Erlaubnis, {all} zu löschen.",
    ),
    (
        "restore",
        "{one} wiederherstellen",
        "Holt zurück, was gelöscht war, mit allem, was darunter ist. 409, wo der Name inzwischen vergeben ist.",
        "Braucht die Erlaubnis, {all} zu löschen.",
    ),
    (
        "enable",
        "{one} einschalten",
        "Gilt schon für die nächste Anfrage.",
        "Braucht die Erlaubnis, {all} zu ändern.",
    ),
    (
        "disable",
        "{one} ausschalten",
        "Gilt schon für die nächste Anfrage.",
        "Braucht die Erlaubnis, {all} zu ändern.",
    ),
];

/// Those of nouns that may have to stay.
pub(super) const THAT_STAY: Operations = &[
    (
        "deleteDomain",
        "Eine Datendomäne löschen",
        "Gilt sofort. 409, wo sie bleiben muss, weil etwas sie braucht.",
        "Braucht die Erlaubnis, Datendomänen zu löschen.",
    ),
    (
        "deleteRole",
        "Eine Rolle löschen",
        "Gilt sofort. 409, wo sie bleiben muss: Sie wird gebraucht oder ist die letzte ihrer Art.",
        "Braucht die Erlaubnis, Rollen zu löschen.",
    ),
    (
        "deleteUser",
        "Einen Benutzer löschen",
        "Gilt sofort. 409, wo er bleiben muss, weil er der letzte seiner Art ist.",
        "Braucht die Erlaubnis, Benutzer zu löschen.",
    ),
];

pub(super) const OWN: Operations = &[
    (
        "signIn",
        "Mit einem Passwort anmelden",
        "Ein Browser bekommt seine Sitzung als Cookie und sendet `csrfToken` mit jeder Änderung in `X-CSRF-Token`. Ein Programm bittet mit `token` um das Token der Sitzung und sendet es in `Authorization`. Nichts unterscheidet einen unbekannten Benutzer von einem falschen Passwort. Nach 10 falschen von einer Adresse: 429 mit `Retry-After`.",
        "",
    ),
    (
        "setUp",
        "Den ersten Mandanten und seinen Administrator anlegen",
        "Ohne Anmeldung und nur, solange es keinen Mandanten gibt: mit dem `code`, den das Programm dem gezeigt hat, der es gestartet hat; er gilt einmal und bis zum Ende des Programms; wo sich Server eine Datenbank teilen, sieben Tage und bei jedem von ihnen. 403 bei einem anderen Code, 404, wo das Programm keinen anbietet, 409, sobald es einen Mandanten gibt. Versuche sind begrenzt wie die an einem Passwort.",
        "",
    ),
    (
        "whoAmI",
        "Zeigen, wer der Aufrufer ist",
        "Der Aufrufer, wie auch immer er sich ausweist, und das Token, das Änderungen eines Browsers brauchen.",
        "",
    ),
    (
        "signOut",
        "Abmelden",
        "Beendet die Sitzung, die fragt; ein Schlüssel oder Token bleibt, wie es ist.",
        "",
    ),
    (
        "getTenant",
        "Den Mandanten des Aufrufers ansehen",
        "Jeder, der sich anmelden darf, darf ihn sehen.",
        "",
    ),
    (
        "getQuotas",
        "Die Grenzen des Mandanten ansehen, und was er davon nutzt",
        "Jede Grenze ist eine Einstellung des Betreibers. Was eine überschreiten würde, ist 403 `QUOTA_EXCEEDED`.",
        "Für Administratoren.",
    ),
    (
        "getHealth",
        "Ansehen, wie es dem Dienst geht",
        "Ob er schreiben kann, wie weit der Suchindex ist und wann der Server sich zuletzt gesichert hat.",
        "Für Administratoren.",
    ),
    (
        "getSettings",
        "Ansehen, wie der Dienst eingerichtet ist",
        "Jede Einstellung mit den Namen ihres Schalters, ihrer Variablen und ihres Schlüssels in der Datei, mit dem, was gilt und woher das kommt. Von Geheimnissen und Orten der Maschine heißt es nur, dass sie gesetzt sind. Geändert wird davon hier nichts: Das sagt, wer den Dienst betreibt, beim Start.",
        "Für Administratoren.",
    ),
    (
        "carryOutOperation",
        "Ausführen, worum ein Befehl des Programms bittet, etwa ein Manifest anwenden",
        "Was die Befehle des Programms mit `--server` senden; Programm und Server haben dieselbe Version. Die Arbeit geht weiter, während die Antwort kommt, ein Objekt je Zeile: wie weit eine Datei ist, abgelehnte Datensätze und zuletzt das Ergebnis, oder warum es abbrach. Jeder Schritt wird nach den Rechten des Aufrufers beurteilt, in seinem Mandanten. Ein Inhalt hat höchstens 64 MiB (eine Einstellung) und höchstens ein Viertel des Speichers für Anfragen.",
        "",
    ),
    (
        "listAudit",
        "Das Protokollbuch auflisten: wer was im Katalog geändert hat, das Neueste zuerst",
        "Wer wann was getan hat, mit dem, was vorher und nachher anders ist; persönliche Werte und Geheimnisse fehlen. Eine Seite kann weniger Einträge haben als möglich, solange es einen `nextPageKey` gibt.",
        "Braucht `AUDIT`, sehen; Einträge über Bereiche, die nicht freigegeben sind, fehlen.",
    ),
    (
        "changePassword",
        "Das eigene Passwort ändern; beendet alle eigenen Sitzungen",
        "Das neue hat 12 Zeichen bis 1.024 Bytes und ist keines, das eine Million Versuche finden.",
        "Braucht das bisherige Passwort.",
    ),
    (
        "changeEmail",
        "Die eigene E-Mail-Adresse ändern",
        "",
        "Braucht das eigene Passwort.",
    ),
    (
        "proveSession",
        "Das Passwort noch einmal bestätigen, für Änderungen, die das verlangen",
        "Änderungen an Benutzern, Rollen, Schlüsseln und Anwendungen verlangen von einer Sitzung das Passwort, wenn es vor mehr als 15 Minuten gezeigt wurde (eine Einstellung): 403 `PROOF_REQUIRED`. Hiermit wird es gezeigt, mit einem `code`, wo es einen zweiten Faktor gibt.",
        "",
    ),
    (
        "beginSecondFactor",
        "Das Geheimnis eines zweiten Faktors holen, den dann ein Code bestätigt",
        "Das Geheimnis ist für eine Authenticator-App (RFC 6238: sechs Ziffern, 30 Sekunden, SHA-1) und wird nur dieses Mal gezeigt. Es gilt erst, wenn es bestätigt ist.",
        "",
    ),
    (
        "confirmSecondFactor",
        "Den eigenen zweiten Faktor in Kraft setzen; gibt die Wiederherstellungscodes",
        "Von da an verlangt das Anmelden einen Code, und die anderen Sitzungen des Benutzers sind beendet. Die Wiederherstellungscodes werden nur dieses Mal gezeigt; jeder gilt einmal.",
        "",
    ),
    (
        "removeSecondFactor",
        "Den eigenen zweiten Faktor entfernen",
        "Von da an genügt zum Anmelden das Passwort.",
        "",
    ),
    (
        "listSessions",
        "Die eigenen Sitzungen auflisten",
        "Mit den Adressen, von denen sie begonnen wurden. Keine zeigt ihr Geheimnis.",
        "",
    ),
    (
        "endSession",
        "Eine eigene Sitzung beenden",
        "Sie ist sofort und endgültig vorbei.",
        "",
    ),
    (
        "inviteUser",
        "Einen Benutzer mit einer Einladung anlegen",
        "Legt einen Benutzer an, der sein Passwort selbst wählt. Der Code wird nur dieses Mal gezeigt, zum Weitergeben, und gilt einmal, sieben Tage lang. Niemand gibt Rechte, die er nicht hat.",
        "Braucht die Erlaubnis, Benutzer anzulegen.",
    ),
    (
        "inviteUserAgain",
        "Einem Benutzer eine Einladung geben",
        "Für einen Benutzer, der nicht rechtzeitig war oder sein Passwort vergessen hat. Sein Passwort und eine frühere Einladung gelten nicht mehr, und seine Sitzungen enden.",
        "Braucht die Erlaubnis, Benutzer zu ändern.",
    ),
    (
        "acceptInvitation",
        "Mit einer Einladung ein Passwort wählen",
        "Gibt dem Benutzer einer Einladung das Passwort, das er gewählt hat. 404 bei einem Code, der keiner ist, schon gebraucht wurde oder abgelaufen ist.",
        "",
    ),
    (
        "endSessionsOfUser",
        "Alle Sitzungen eines Benutzers beenden",
        "Sie sind sofort vorbei.",
        "Braucht die Erlaubnis, Benutzer zu ändern.",
    ),
    (
        "endOtherSessions",
        "Alle eigenen Sitzungen beenden außer der, die fragt",
        "Für den, der fürchtet, dass ein anderer eine hat.",
        "",
    ),
    (
        "removeSecondFactorOfUser",
        "Den zweiten Faktor eines Benutzers entfernen, der ihn verloren hat",
        "Für einen Benutzer, der seine Authenticator-App und die Wiederherstellungscodes verloren hat.",
        "",
    ),
    (
        "rotateApiKey",
        "Einem API-Schlüssel ein neues Geheimnis geben; das alte gilt noch eine Weile",
        "Der neue Schlüssel wird nur dieses Mal gezeigt. Der bisherige gilt noch `graceSeconds`: einen Tag, wenn nichts anderes gesagt ist, höchstens 30 Tage; frühere behalten ihre eigene Frist. Mit 0 enden alle sofort. 409, wo noch acht gelten.",
        "",
    ),
    (
        "renewSecretOfWebhook",
        "Einem Webhook ein neues Geheimnis geben",
        "Das neue Geheimnis wird nur dieses Mal gezeigt; was ab jetzt gesendet wird, ist damit signiert.",
        "",
    ),
    (
        "getWebhookDelivery",
        "Ansehen, wie es um die Zustellungen eines Webhooks steht",
        "Wann zuletzt etwas zugestellt wurde und was noch einmal versucht wird, seit wann und warum.",
        "",
    ),
    (
        "listDeadLetters",
        "Die Zustellungen auflisten, die ein Webhook aufgegeben hat, die älteste zuerst",
        "Was 12-mal versucht und dann beiseitegelegt wurde, mit dem Grund des letzten Versuchs.",
        "Braucht die Erlaubnis, Webhooks zu sehen.",
    ),
    (
        "resendDeadLetter",
        "Eine Zustellung noch einmal senden, die ein Webhook aufgegeben hat",
        "Sendet die Änderungen, wie sie aufbewahrt sind, mit neuer Signatur. Was ankommt, ist erledigt; 409 sagt, warum es nicht ankam, oder dass die Änderungen nicht mehr da sind oder der Webhook den Datenbestand nicht mehr hat.",
        "",
    ),
    (
        "discardDeadLetter",
        "Eine Zustellung verwerfen, die ein Webhook aufgegeben hat",
        "Nichts davon wird mehr gesendet; die Datensätze und ihre Änderungen bleiben, wie sie sind.",
        "",
    ),
    (
        "renewSecretOfApp",
        "Einer Anwendung ein neues Geheimnis geben",
        "Das neue Geheimnis wird nur dieses Mal gezeigt; das bisherige endet sofort, und damit auch die Tokens, die es geholt hat.",
        "",
    ),
];
