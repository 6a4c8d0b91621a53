//! What settings do in German: those of files, quotas, jobs, webhooks, backups, retention and traces, those of every
//! command, and those of a database.

use super::super::settings::About;

pub(super) const OF_WORK: About = &[
    ("file-bytes-max", "Größe einer Datei höchstens"),
    ("link-seconds", "Wie lange ein Download-Link gilt"),
    (
        "orphan-seconds",
        "Wie lange eine Datei bleibt, die kein Datensatz nennt",
    ),
    (
        "s3-bucket",
        "Bucket eines S3-kompatiblen Speichers für Dateien; ohne ihn liegen sie im Datenordner",
    ),
    (
        "s3-prefix",
        "Womit die Namen aller Objekte im Bucket beginnen",
    ),
    (
        "s3-endpoint",
        "Adresse des Speichers, wenn es nicht der von Amazon ist",
    ),
    ("s3-region", "Region des Speichers"),
    (
        "s3-access-key-id",
        "Kennung des Zugangsschlüssels des Speichers",
    ),
    (
        "s3-secret-access-key-file",
        "Datei mit dem Zugangsschlüssel des Speichers, `-` für die Standardeingabe",
    ),
    (
        "s3-secret-access-key",
        "Zugangsschlüssel des Speichers, aus der Umgebung oder der Einstellungsdatei; auf der Kommandozeile wird er abgelehnt, weil `ps` ihn zeigt",
    ),
    ("quota-records", "Datensätze, die ein Mandant haben darf"),
    (
        "quota-file-bytes",
        "Größe aller Dateien, die ein Mandant haben darf",
    ),
    (
        "quota-schema-versions",
        "Stände von Schemas, die ein Mandant haben darf, alle Schemas zusammen",
    ),
    (
        "quota-domain-codes",
        "Codes von Datendomänen, die ein Mandant haben darf, alle zusammen",
    ),
    (
        "quota-sessions",
        "Sitzungen, die die Benutzer eines Mandanten haben dürfen",
    ),
    (
        "quota-job-bytes",
        "Größe aller Dateien von Aufträgen, die ein Mandant haben darf: was gesendet, exportiert und abgewiesen wurde",
    ),
    (
        "quota-catalog-bytes",
        "Größe aller Schemas mit ihren Ständen und aller Datendomänen, die ein Mandant haben darf: Sie stehen im Arbeitsspeicher und brauchen dort zwei- bis dreimal so viel",
    ),
    (
        "quota-resources",
        "Bereiche, die ein Mandant haben darf, und ebenso viele Schemas, Datenbestände, Datendomänen, Rollen, Benutzer, API-Schlüssel und Clients",
    ),
    ("quota-webhooks", "Webhooks, die ein Mandant haben darf"),
    (
        "job-workers",
        "Aufträge, an denen gleichzeitig gearbeitet wird, alle Mandanten zusammen",
    ),
    (
        "job-running-max",
        "Aufträge eines Mandanten, an denen gleichzeitig gearbeitet wird. Ohne diese Einstellung hat einer von mehreren Mandanten alle aus --job-workers bis auf einen, und der einzige alle",
    ),
    (
        "job-waiting-max",
        "Aufträge eines Mandanten, die warten dürfen",
    ),
    (
        "import-bytes-max",
        "Größe einer Datei höchstens, die zum Importieren gesendet wird, so wie sie gesendet wird",
    ),
    (
        "import-unpacked-times",
        "Auf das Wievielfache ihrer Größe eine komprimierte Datei oder Arbeitsmappe beim Importieren höchstens anwachsen darf; auf 512 MiB in jedem Fall",
    ),
    (
        "no-revalidation",
        "Fehler von Datensätzen stehen lassen, wenn sich ihr Schema oder eine Datendomäne ändert, bis der Datensatz wieder geschrieben wird",
    ),
    (
        "job-files-days",
        "Wie lange Exporte und abgewiesene Zeilen heruntergeladen werden können",
    ),
    (
        "webhooks-to-private-addresses",
        "Webhooks auch an Adressen dieser Maschine und eigener Netze senden; wer Webhooks anlegen darf, erreicht sie dann",
    ),
    (
        "webhook-dead-days",
        "Nach welcher Zeit ein Webhook ausgeschaltet wird, bei dem nichts ankommt",
    ),
    (
        "backup-dir",
        "Ordner für Sicherungen, die der Dienst selbst macht, am besten auf einem anderen Datenträger, oder `s3://BUCKET/PREFIX` in einem S3-kompatiblen Speicher, mit den Angaben der Dateien; ohne ihn macht er keine",
    ),
    (
        "backup-every",
        "Wie viel Zeit von einer Sicherung zur nächsten vergeht",
    ),
    (
        "backup-keep",
        "Wie viele Sicherungen bleiben: Mit einer neuen gehen die ältesten; 0 für alle",
    ),
    (
        "backup-keep-days",
        "Nach welcher Zeit Sicherungen gehen, die neueste ausgenommen; ohne Angabe nur die, die über --backup-keep hinausgehen",
    ),
    (
        "keep-changes-days",
        "Wie lange Änderungen von Datensätzen bleiben: ihre Geschichte, und was erfahren kann, wer ihnen folgt; ohne Angabe für immer. Mit `--backup-dir` wird eine Änderung erst entfernt, wenn sie in einer Sicherung ist",
    ),
    (
        "keep-audit-days",
        "Wie lange das Protokollbuch bleibt; ohne Angabe für immer",
    ),
    (
        "keep-deleted-days",
        "Nach welcher Zeit gelöschte Datensätze endgültig entfernt werden; ohne Angabe nie",
    ),
    (
        "traces-to",
        "Sammler, an den Traces von Anfragen gesendet werden, mit OTLP über HTTP, wie `http://127.0.0.1:4318`; ohne ihn gibt es keine",
    ),
    (
        "traces-percent",
        "Wie viele von hundert Anfragen, die ohne Trace kommen, einen beginnen; wer mit einem kommt, hat entschieden",
    ),
    ("data", "Der Datenordner"),
    (
        "allow-plain-links",
        "Speicher (--s3-endpoint), Webhooks, Traces (--traces-to) und Server (--server) auf anderen Maschinen ohne Verschlüsselung benutzen: Wer dazwischen ist, liest, was gesendet wird, und kann es ändern",
    ),
    (
        "signing-secret-file",
        "Datei mit den Signaturgeheimnissen; ohne sie fieldstone.secret im Datenordner. Wo keine ist, wird sie angelegt",
    ),
    (
        "format",
        "Wie Ergebnisse und Fehler ausgegeben werden: für Menschen, oder als ein JSON-Dokument auf der Standardausgabe",
    ),
    (
        "breached-passwords",
        "Liste von Passwörtern, die anderswo bekannt wurden und die niemand wählen soll: SHA-1 in Hex, eines je Zeile, geordnet, wie solche Listen verteilt werden. Gesucht wird darin, wo sie liegt, sie darf also viele Gigabyte haben",
    ),
    (
        "log",
        "Was protokolliert wird: error, warn, info, debug oder trace, auch nach Räumen (`info,store=debug`)",
    ),
    (
        "log-format",
        "Wie die Zeilen des Protokolls geschrieben werden",
    ),
    (
        "log-sample",
        "Von so vielen gelungenen Lesezugriffen steht einer im Protokoll; was schreibt, abgelehnt wird oder scheitert, steht immer darin",
    ),
    (
        "database",
        "Datenbank, die das Protokoll von PostgreSQL spricht (`postgres://USER@HOST/NAME`, mehrere Hosts mit Komma) und den Speicher anstelle des Datenordners hält; beliebig viele Server dürfen sie teilen. Ein Passwort darin wird auf der Kommandozeile abgelehnt, weil `ps` es zeigt",
    ),
    (
        "database-password-file",
        "Datei mit dem Passwort der Datenbank, `-` für die Standardeingabe",
    ),
    (
        "database-root-certificates",
        "Wurzelzertifikate (PEM), mit denen die Datenbank zeigt, wer sie ist, mit `sslmode=require` in ihrer Adresse; ohne sie die, denen die Maschine vertraut",
    ),
    (
        "database-connections",
        "Verbindungen zur Datenbank höchstens",
    ),
    (
        "database-answer-seconds",
        "Wie lange die Datenbank ohne Antwort bleiben darf, bevor eine Verbindung zu ihr als verloren gilt",
    ),
];
