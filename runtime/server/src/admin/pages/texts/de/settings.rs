//! The texts of how the service is set up in German, with what the settings of the server do.

use super::super::settings::{About, SettingTexts};
use super::settings_of_work::OF_WORK;

pub(super) const TEXTS: SettingTexts = SettingTexts {
    about: &[OF_SERVER, OF_WORK],
    groups: GROUPS,
    counted_days: ["Tag", "Tage"],
    counted_hours: ["Stunde", "Stunden"],
    counted_seconds: ["Sekunde", "Sekunden"],
    from_default: "Vorgabe",
    from_environment: "aus der Umgebung",
    from_file: "aus der Einstellungsdatei",
    from_flag: "von der Kommandozeile",
    not_set: "nicht gesetzt",
    off: "aus",
    on: "an",
    none_set: "Für alles gilt die Vorgabe.",
    only_set: "Nur, was von der Vorgabe abweicht",
    title: "Wie der Dienst eingerichtet ist",
    untold: "gesetzt, wird nicht gezeigt",
    what: "Das legt fest, wer den Dienst betreibt, wenn er startet: mit einer Option auf der Kommandozeile, mit einer Umgebungsvariablen oder in der Einstellungsdatei, in der alles so heißt wie die Option, ohne die Striche. Eine Option gilt vor einer Variablen, und die vor der Datei. Geheimnisse und Orte auf dem Rechner, etwa Ordner, werden nicht gezeigt.",
};

const GROUPS: &[(&str, &str)] = &[
    ("Settings of the server", "Server"),
    ("Settings of uploaded files", "Hochgeladene Dateien"),
    ("Settings of quotas", "Grenzen je Organisation (Mandant)"),
    ("Settings of jobs", "Aufträge"),
    ("Settings of webhooks", "Webhooks"),
    ("Settings of backups", "Sicherungen"),
    ("Settings of retention", "Wie lange etwas bleibt"),
    ("Settings of traces", "Traces"),
    ("Settings of every command", "Ordner und Protokoll"),
    ("Settings of a database", "Datenbank"),
];

const OF_SERVER: About = &[
    (
        "listen",
        "Adresse, an der der Dienst lauscht; Port 0 nimmt einen freien",
    ),
    (
        "metrics-listen",
        "Adresse, an der Messwerte für Prometheus stehen, unter /metrics; ohne sie wird nicht gemessen. Wer sie erreicht, sieht die Werte und keine Daten von Mandanten",
    ),
    (
        "store-warn-bytes",
        "Größe von Speicher und Suchindex, ab der das Protokoll sagt, dass eine Maschine zu wenig sein könnte, und ab vier Fünfteln, dass es bald so weit ist; 0 für nie. Von einer Datenbank sagt es nichts",
    ),
    (
        "demo",
        "Den Demo-Mandanten laden, wenn es ihn nicht gibt: echte Flughäfen, Länder, Sprachen …",
    ),
    (
        "demo-records",
        "Wie viele Kunden für die Demo erfunden werden, die dann ein Auftrag importiert; 0 für keine",
    ),
    (
        "read-only",
        "Nur lesen: Geschrieben und verwaltet wird nichts, und der Datenordner bleibt, wie er ist, auch auf einem Datenträger, der nicht beschrieben werden kann",
    ),
    (
        "public-url",
        "Adresse, unter der Clients den Dienst erreichen, für Links und Location hinter einem Proxy; ohne sie die, an der er lauscht",
    ),
    (
        "tls-cert",
        "Zertifikatskette (PEM) für HTTPS; wird neu gelesen, wenn sie sich ändert, und bei SIGHUP",
    ),
    ("tls-key", "Der private Schlüssel des Zertifikats (PEM)"),
    (
        "page-size",
        "Einträge einer Seite, wenn die Anfrage nichts sagt",
    ),
    ("page-size-max", "Einträge einer Seite höchstens"),
    (
        "page-bytes",
        "Größe der Datensätze, bei der eine Seite endet, obwohl mehr folgt: begrenzt, was eine Seite an Speicher braucht",
    ),
    (
        "record-cache-bytes",
        "Arbeitsspeicher für Datensätze, die schon über den Primärschlüssel gesucht wurden; 0 für keinen. Ungesagt ein Achtel des Arbeitsspeichers, höchstens 32 MiB",
    ),
    (
        "page-cache-bytes",
        "Arbeitsspeicher für Seiten von Datensätzen, die schon gelesen wurden; 0 für keinen. Ungesagt ein Sechzehntel des Arbeitsspeichers, höchstens 40 MiB",
    ),
    (
        "memory-budget-bytes",
        "Arbeitsspeicher, den Anfragen, Seiten und Antworten zusammen haben; was keinen Platz findet, wird mit 503 beantwortet. Ungesagt ein Achtel des Arbeitsspeichers, höchstens 96 MiB",
    ),
    ("body-bytes-max", "Größe einer Anfrage höchstens"),
    (
        "operation-bytes-max",
        "Größe dessen, was ein Befehl von anderswo sendet (`--server`), höchstens: ein Manifest mit seinen Dateien. Nie mehr als ein Viertel von --memory-budget-bytes, also höchstens 24 MiB, wo das nicht gesetzt ist",
    ),
    (
        "bulk-bytes-max",
        "Größe einer Anfrage höchstens, die vieles auf einmal schreibt. Nie mehr als ein Viertel von --memory-budget-bytes, also höchstens 24 MiB, wo das nicht gesetzt ist",
    ),
    (
        "body-seconds",
        "Wie lange ein Client seine Anfrage senden darf",
    ),
    (
        "search-seconds",
        "Wie lange eine Suche dauern darf, auch wenn sie erst auf den Index wartet",
    ),
    (
        "head-seconds",
        "Wie lange der Beginn einer Verbindung und der Kopf einer Anfrage dauern dürfen; so lange bleibt auch eine Verbindung ohne Anfrage offen",
    ),
    (
        "stop-seconds",
        "Wie lange laufende Anfragen noch haben, wenn der Dienst anhält",
    ),
    (
        "session-idle-seconds",
        "Wie lange eine Sitzung unbenutzt bleiben darf; nach zwölf Stunden endet sie in jedem Fall",
    ),
    (
        "proof-seconds",
        "Wie lange eine Sitzung Benutzer, Rollen, Schlüssel und Anwendungen ändern darf, ohne dass nach dem Passwort gefragt wird",
    ),
    (
        "initial-password-hours",
        "Wie lange ein Passwort gilt, das jemand anderes gewählt hat und das geändert werden muss; 0 für immer",
    ),
    (
        "cors-origin",
        "Herkunft (Schema, Host und Port), deren Seiten den Dienst fragen dürfen; mehrere mit Komma. Ohne sie darf es keine fremde Seite",
    ),
    (
        "requests-per-second-max",
        "Anfragen je Sekunde an die Datenschnittstelle, die ein Zugang im Mittel stellen darf; ohne Angabe beliebig viele",
    ),
    (
        "trusted-proxy",
        "Netz (10.1.0.0/16) oder Adresse von Proxys, denen geglaubt wird, wessen Anfrage sie weiterreichen (X-Forwarded-For); mehrere mit Komma. Ohne Angabe gilt eine Anfrage als die dessen, der sich verbindet",
    ),
    (
        "pages-path",
        "Pfad, unter dem diese Anwendung steht; mit `none` gibt es sie nicht",
    ),
    (
        "accept-bearer",
        "Auch `Bearer <Zugang>` in Authorization annehmen, wie es übliche OAuth-Clients senden; sonst gilt ein Zugang mit Vorsatz nicht",
    ),
    (
        "connections-max",
        "Gleichzeitige Verbindungen; weitere bekommen 503 und werden geschlossen. Nie mehr, als die Grenze offener Dateien zulässt. Ungesagt so viele, wie diese und der Arbeitsspeicher hergeben, höchstens 4096",
    ),
    (
        "connections-per-address-max",
        "Gleichzeitige Verbindungen von einer Adresse (bei IPv6 von einem Netz mit 64 Bit); weitere bekommen 503 und werden geschlossen. Ungesagt ein Viertel von allen. Hinter einem Proxy haben alle dessen Adresse",
    ),
    (
        "answer-seconds",
        "Wie lange ein Client nichts von seiner Antwort nehmen darf, bevor die Verbindung endet",
    ),
    (
        "answer-bytes-per-second-min",
        "Wie viel seiner Antwort ein Client je Sekunde nehmen muss, auf die Dauer gesehen",
    ),
];
