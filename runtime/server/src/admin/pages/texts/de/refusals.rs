//! What was refused, in German.

use super::super::sentences::Sentences;

pub(super) const ALL: &[Sentences] = &[
    REFUSALS,
    super::wrong::WRONG,
    super::files::FILES,
    super::searches::SEARCH,
    super::searches::BETWEEN,
    super::work::JOBS,
    super::work::ROLES,
    super::work::FORMS_OF_FILES,
    super::work::WEBHOOKS,
    super::work::ASKED,
];

/// Why something can't be done now, or not by whoever asked.
const REFUSALS: Sentences = &[
    (
        "the browser tells by `Origin` that another site sent this; where a proxy stands between, it must pass on `Host`, or the service be told its address (`--public-url`)",
        "Ihr Browser meldet, dass eine andere Website das geschickt hat; getan wurde nichts. War es doch diese Seite, so steht ein Proxy dazwischen: Er muss `Host` weitergeben, oder der Betreiber setzt --public-url",
    ),
    (
        "a change by cookie needs the session's token in the header `{}`",
        "Diese Seite wurde unter einer anderen Anmeldung geöffnet, oder vor zu langer Zeit; geändert wurde nichts. Laden Sie sie neu und versuchen Sie es noch einmal",
    ),
    (
        "{} can't be the name of a table: {} keeps names that begin with {} for itself",
        "{0} kann keine Tabelle heißen: {1} behält Namen, die mit {2} beginnen, für sich",
    ),
    (
        "{} has {} active fields, and a table of {} has {} columns at most",
        "{0} hat {1} aktive Felder, und eine Tabelle von {2} hat höchstens {3} Spalten",
    ),
    (
        "there is no such {}",
        "Das gibt es nicht oder nicht mehr: {w0}",
    ),
    (
        "there is {} named {} already; choose another name",
        "Der Name {1} ist schon vergeben ({w0}); wählen Sie einen anderen",
    ),
    (
        "you have a saved view named {} here already; choose another name",
        "Sie haben hier schon eine Ansicht mit dem Namen {0}; wählen Sie einen anderen",
    ),
    (
        "you have {} saved views, as many as may be; delete one",
        "Sie haben {0} Ansichten, mehr gehen nicht; löschen Sie eine",
    ),
    (
        "there is a tenant named {} already; choose another name",
        "Der Name {0} ist schon vergeben (Organisation); wählen Sie einen anderen",
    ),
    (
        "the version is {} by now, not {}; read it again",
        "Jemand anderes hat es inzwischen geändert (Stand {0} statt {1}); laden Sie die Seite neu",
    ),
    (
        "someone else changed it meanwhile; read it again",
        "Jemand anderes hat es inzwischen geändert; laden Sie die Seite neu",
    ),
    (
        "{} earlier secrets of this key still work; wait until one of them has ended, or end them all with `graceSeconds` 0",
        "{0} frühere Geheimnisse dieses Schlüssels gelten noch; warten Sie, bis eines abgelaufen ist, oder machen Sie einen anderen Schlüssel",
    ),
    (
        "another request changed the data object at the same moment; nothing was deleted, so try again",
        "Jemand anderes hat den Datensatz im selben Moment geändert; nichts wurde gelöscht, versuchen Sie es erneut",
    ),
    (
        "the dataset has no data object of this id; it may have been deleted",
        "Diesen Datensatz gibt es hier nicht; vielleicht wurde er gelöscht",
    ),
    (
        "the record is deleted; restore it first",
        "Der Datensatz ist gelöscht; stellen Sie ihn zuerst wieder her",
    ),
    (
        "the record has no such version, or it is not kept any more",
        "Diesen Stand hat der Datensatz nicht, oder er wird nicht mehr aufgehoben",
    ),
    (
        "another record has the primary key by now; change that one first",
        "Inzwischen hat ein anderer Datensatz den Primärschlüssel; ändern Sie zuerst den",
    ),
    (
        "the schema's primary key is another by now; make the record anew",
        "Der Primärschlüssel des Schemas ist inzwischen ein anderer; legen Sie den Datensatz neu an",
    ),
    (
        "which field is the primary key, its activity, type and formats can change only while the schema's datasets hold no live records; delete the records first, or make another schema",
        "Welches Feld Primärschlüssel ist, ob er aktiv ist, sein Typ und seine Formate lassen sich nur ändern, solange die Datenbestände des Schemas keine Datensätze enthalten; löschen Sie diese zuerst oder legen Sie ein anderes Schema an",
    ),
    (
        "which field is the primary key, its activity, type and formats can change only while the schema's datasets hold no live records, and the deleted dataset {} holds some; restore it first and delete them, or make another schema",
        "Welches Feld Primärschlüssel ist, ob er aktiv ist, sein Typ und seine Formate lassen sich nur ändern, solange die Datenbestände des Schemas keine Datensätze enthalten, und der gelöschte Datenbestand {0} enthält welche; stellen Sie ihn zuerst wieder her und löschen Sie diese, oder legen Sie ein anderes Schema an",
    ),
    (
        "the store has no place for another dataset",
        "Der Speicher hat keinen Platz für einen weiteren Datenbestand",
    ),
    (
        "the schema {} names this domain; change that first",
        "Das Schema {0} nennt diese Domäne; ändern Sie zuerst das",
    ),
    (
        "the deleted schema {} names this domain; restore that and change it first",
        "Das gelöschte Schema {0} nennt diese Domäne; stellen Sie es wieder her, und ändern Sie es zuerst",
    ),
    (
        "the schema {} of a deleted area names this domain; restore the area and change the schema first",
        "Das Schema {0} eines gelöschten Bereichs nennt diese Domäne; stellen Sie den Bereich wieder her, und ändern Sie zuerst das Schema",
    ),
    (
        "a schema that you do not see names this domain; have that changed first",
        "Ein Schema, das Sie nicht sehen, nennt diese Domäne; lassen Sie es zuerst ändern",
    ),
    (
        "built-in roles stay as they are; make a role of your own",
        "Mitgelieferte Rollen bleiben, wie sie sind; legen Sie eine eigene an",
    ),
    (
        "{} keys, clients or users have this role; take it from them first",
        "{0} Schlüssel, Clients oder Benutzer haben diese Rolle; nehmen Sie sie ihnen zuerst",
    ),
    (
        "the tenant would be left without an administrator; make another user one first",
        "Die Organisation hätte keinen Administrator mehr; machen Sie zuerst einen anderen Benutzer dazu",
    ),
    (
        "the tenant has or had areas, and nothing of them may be lost; keep it",
        "Die Organisation hat oder hatte Bereiche, von denen nichts verloren gehen darf; behalten Sie sie",
    ),
    (
        "no role of the caller allows to {} {}",
        "Ihnen fehlt das Recht, {r1} {v0}. Bitten Sie einen Administrator um eine Rolle, die es hat",
    ),
    (
        "the values of `{}` are personal, and stay so; to show them takes a role with view of `PERSONAL DATA`",
        "Die Werte von {0} sind personenbezogen und bleiben es; um sie zu zeigen, braucht es das Recht, persönliche Daten zu sehen",
    ),
    (
        "the caller may not {} in this area",
        "Ihnen fehlt das Recht, in diesem Bereich etwas {v0}. Bitten Sie einen Administrator um Zugang",
    ),
    (
        "the caller can't give or take what it does not have itself: {}",
        "Geben oder nehmen können Sie nur Rechte, die Sie selbst haben; Ihnen fehlt das Recht, {g0}",
    ),
    (
        "only an administrator sees how the service is",
        "Wie es dem Dienst geht, sieht nur ein Administrator",
    ),
    (
        "only an administrator sees how the service is set up",
        "Wie der Dienst eingerichtet ist, sieht nur ein Administrator",
    ),
    (
        "only an administrator sees what the tenant has in all",
        "Was die Organisation insgesamt hat, sieht nur ein Administrator",
    ),
    (
        "only an administrator may purge",
        "Endgültig entfernen darf nur ein Administrator",
    ),
    (
        "only users have sessions and passwords",
        "Nur Benutzer haben Sitzungen und Passwörter",
    ),
    (
        "only who asked for a job may download what came of it",
        "Was aus einem Auftrag wurde, darf nur herunterladen, wer ihn gab",
    ),
    (
        "your own password and e-mail address change in your session, and with the password you have",
        "Ihr Passwort und Ihre E-Mail-Adresse ändern Sie in Ihrem Konto, mit dem bisherigen Passwort",
    ),
    (
        "the tenant may have {} {}, and this would be more; {}, or ask the operator for more",
        "Die Organisation darf {0} haben ({w1}), und das wären mehr; {s2}, oder fragen Sie, wer den Dienst betreibt",
    ),
    (
        "delete some (those of deleted datasets count, too: restore such a dataset to delete them)",
        "löschen Sie welche (auch die gelöschter Datenbestände zählen: stellen Sie so einen wieder her, um sie zu löschen)",
    ),
    (
        "take files out of records and have deleted records with files purged, which makes room a day later",
        "nehmen Sie Dateien aus Datensätzen und lassen Sie gelöschte Datensätze mit Dateien endgültig entfernen, was einen Tag später Platz macht",
    ),
    (
        "delete schemas that nobody needs",
        "löschen Sie Schemas, die niemand braucht",
    ),
    (
        "delete schemas and data domains that nobody needs",
        "löschen Sie Schemas und Domänen, die niemand braucht",
    ),
    (
        "delete those that nobody needs",
        "löschen Sie welche, die niemand braucht",
    ),
    (
        "take codes out of data domains",
        "nehmen Sie Codes aus Domänen",
    ),
    (
        "end some, or wait until some have run out",
        "beenden Sie welche, oder warten Sie, bis welche abgelaufen sind",
    ),
    (
        "delete files of jobs that have ended",
        "löschen Sie Dateien beendeter Aufträge",
    ),
    (
        "the tenant has {} jobs that wait or are being sent already; wait until one of them began, or cancel one",
        "Schon {0} Aufträge warten oder werden gesendet; warten Sie, bis einer begonnen hat, oder brechen Sie einen ab",
    ),
    (
        "this job wrote no records, so there is nothing to undo",
        "Dieser Auftrag hat keine Datensätze geändert; es gibt nichts rückgängig zu machen",
    ),
    (
        "the job has not ended; cancel it first, or wait",
        "Der Auftrag ist nicht zu Ende; brechen Sie ihn zuerst ab oder warten Sie",
    ),
    (
        "changes since the job was asked for are not kept any more, so it can't be undone",
        "Änderungen seit diesem Auftrag werden nicht mehr aufgehoben, deshalb lässt er sich nicht zurücknehmen",
    ),
    (
        "the file may have personal values, which its maker may not see any more; export anew",
        "Die Datei enthält vielleicht personenbezogene Werte, die Sie nicht mehr sehen dürfen; exportieren Sie neu",
    ),
    (
        "the file may have values of a field that became personal since, which its maker may not see",
        "Die Datei enthält vielleicht Werte eines Feldes, das seither personenbezogen ist und das Sie nicht sehen dürfen",
    ),
    (
        "the job has no such file: it has not ended, made none, or the file was removed since",
        "Diese Datei hat der Auftrag nicht: Er ist nicht zu Ende, hat keine gemacht, oder sie wurde entfernt",
    ),
    (
        "you have a second factor; remove it before you take another",
        "Sie haben schon einen zweiten Faktor; entfernen Sie ihn zuerst",
    ),
    (
        "a second factor is required of you, so you can't remove it; if you lost it, ask who manages users",
        "Ein zweiter Faktor ist für Sie vorgeschrieben, Sie können ihn nicht entfernen; haben Sie ihn verloren, wenden Sie sich an die Benutzerverwaltung",
    ),
    (
        "another second factor was begun meanwhile; confirm that one, or begin anew",
        "Inzwischen wurde ein anderer zweiter Faktor begonnen; bestätigen Sie den, oder beginnen Sie von vorn",
    ),
    (
        "no second factor waits to be confirmed",
        "Kein zweiter Faktor wartet auf seine Bestätigung",
    ),
    (
        "this invitation is none, was used, or has ended; ask who manages users for another",
        "Diese Einladung gibt es nicht, sie wurde benutzt oder ist abgelaufen; bitten Sie um eine neue",
    ),
    (
        "the password was changed at the same moment",
        "Das Passwort wurde im selben Moment geändert",
    ),
    (
        "passwords are tried too often, or too many at a time; try again after the seconds in `Retry-After`",
        "Zu viele Versuche mit Passwörtern; warten Sie eine Weile und versuchen Sie es dann erneut",
    ),
    (
        "the service is not ready for this; try again after the seconds in `Retry-After`",
        "Der Dienst ist dafür noch nicht bereit; versuchen Sie es gleich noch einmal",
    ),
    (
        "the search took longer than it may; look for less, or try again after the seconds in `Retry-After`",
        "Die Suche hat zu lange gedauert; suchen Sie nach weniger oder versuchen Sie es gleich noch einmal",
    ),
    (
        "the service has no memory to spare for this now; try again after the seconds in `Retry-After`",
        "Der Dienst hat dafür gerade keinen Speicher frei; versuchen Sie es gleich noch einmal",
    ),
    (
        "the body is larger than {} bytes; send less",
        "Das ist größer als {0} Bytes; senden Sie weniger",
    ),
    (
        "the body has {} values, and to read them would take {} bytes of memory, not {}; send less at once",
        "Das sind {0} Werte; sie zu lesen bräuchte {1} Bytes Speicher, mehr als {2}. Senden Sie weniger auf einmal",
    ),
    (
        "the form is larger than {} bytes: it has {}, and nothing of it was saved; send less",
        "Das Formular ist größer als {0} Bytes: Es hat {1}, und nichts davon wurde gespeichert; senden Sie weniger",
    ),
    (
        "the form has more than {} inputs, and nothing of it was saved; send fewer",
        "Das Formular hat mehr als {0} Eingaben, und nichts davon wurde gespeichert; senden Sie weniger",
    ),
    (
        "the body must be a form; send it from the page",
        "Das ist kein Formular; senden Sie es von der Seite aus",
    ),
    (
        "the body must not be compressed; send it without `Content-Encoding`",
        "Das darf nicht komprimiert sein; senden Sie es ohne `Content-Encoding`",
    ),
    (
        "`cells` is no array of rows, each an array of texts",
        "`cells` ist keine Liste von Zeilen, von denen jede eine Liste von Texten ist",
    ),
    (
        "must be a JSON object, with a list of objects as its `fields`",
        "muss ein JSON-Objekt sein, mit einer Liste von Objekten als `fields`",
    ),
    (
        "this service sends no webhooks",
        "Dieser Dienst sendet keine Webhooks",
    ),
    ("it did not arrive: {}", "Es kam nicht an: {s0}"),
    ("it answered {}", "die Antwort war {0}"),
    (
        "its changes are not kept any more",
        "Seine Änderungen werden nicht mehr aufgehoben",
    ),
    (
        "`{}`, who asked for it, may not do this any more; {}",
        "`{0}`, der Auftraggeber, darf das nicht mehr: {s1}",
    ),
    (
        "`{}`, who asked for it, may not do this any more; no role of the caller allows to {} {}",
        "`{0}`, der Auftraggeber, hat nicht mehr das Recht, {r2} {v1}",
    ),
    (
        "`{}`, who asked for it, may not do this any more; the caller may not {} in this area",
        "`{0}`, der Auftraggeber, hat nicht mehr das Recht, in diesem Bereich etwas {v1}",
    ),
    (
        "`{}`, who asked for it, is revoked, switched off or has ended, so nothing more is done by it",
        "`{0}`, der Auftraggeber, ist widerrufen, ausgeschaltet oder abgelaufen; deshalb geschieht nichts mehr in seinem Namen",
    ),
    (
        "its dataset is gone: {}",
        "Seinen Datenbestand gibt es nicht mehr: {s0}",
    ),
    (
        "the change that it was asked about: {}",
        "Die Änderung, nach der gefragt wurde: {s0}",
    ),
    (
        "the store failed; the log of the service has the cause",
        "Der Speicher hat versagt; die Ursache steht im Protokoll des Dienstes",
    ),
    (
        "the search index, by which it finds its records, can't be brought up to date; the log has the cause",
        "Der Suchindex, mit dem er seine Datensätze findet, lässt sich nicht auf den neuesten Stand bringen; die Ursache steht im Protokoll",
    ),
    (
        "the program ended {} times while it was at work on this, and it came no further; the log has the cause",
        "Das Programm endete {0} Mal mitten in der Arbeit daran, ohne voranzukommen; die Ursache steht im Protokoll",
    ),
    (
        "the command that worked on it was killed, and it ended with it; what it wrote until then stays, and can be undone",
        "Der Befehl, der daran arbeitete, wurde abgebrochen, und der Auftrag endete mit ihm; was er bis dahin geschrieben hat, bleibt und lässt sich zurücknehmen",
    ),
    (
        "the search index is behind, or files have no place now; the log of the service has the cause",
        "Der Suchindex ist im Rückstand, oder Dateien haben gerade keinen Platz; die Ursache steht im Protokoll des Dienstes",
    ),
    (
        "the search took longer than it may; look for less, or do it again later",
        "Die Suche hat zu lange gedauert; suchen Sie nach weniger oder versuchen Sie es später noch einmal",
    ),
    (
        "work on it broke off by a mistake of the program; the log has the cause",
        "Die Arbeit daran brach durch einen Fehler des Programms ab; die Ursache steht im Protokoll des Dienstes",
    ),
    (
        "it failed; why is not kept any more, because a record was purged",
        "Er ist fehlgeschlagen; warum, wird nicht mehr aufgehoben, weil ein Datensatz endgültig entfernt wurde",
    ),
    (
        "a record of the dataset was purged while this ran, so its files and what it told of values were removed",
        "Während er lief, wurde ein Datensatz dieses Datenbestands endgültig entfernt; deshalb sind seine Dateien und was er von Werten sagte entfernt",
    ),
    (
        "a record of the dataset was purged while this ran, so its files and what it told of values were removed; ask for it again",
        "Während er lief, wurde ein Datensatz dieses Datenbestands endgültig entfernt; deshalb sind seine Dateien und was er von Werten sagte entfernt. Fordern Sie ihn noch einmal an",
    ),
    (
        "the schema or its data domains changed again and again while it was imported; send the file anew",
        "Das Schema oder seine Datendomänen änderten sich während des Imports immer wieder; senden Sie die Datei neu",
    ),
    (
        "the schema changed again and again while it was exported; ask for it anew",
        "Das Schema änderte sich während des Exports immer wieder; exportieren Sie neu",
    ),
];
