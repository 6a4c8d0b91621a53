//! What goes wrong with jobs, files and webhooks, and what is refused to few, in German.

use super::super::sentences::Sentences;

/// What the roles are for that every tenant has.
pub(super) const ROLES: Sentences = &[
    ("may do everything", "darf alles"),
    ("works with data", "arbeitet mit Daten"),
];

/// Why a job failed, or left something as it is.
pub(super) const JOBS: Sentences = &[
    (
        "it failed, and why may quote values that you do not see: who asked for it is told",
        "Er ist fehlgeschlagen, und warum, nennt vielleicht Werte, die Sie nicht sehen: Wer ihn wollte, erfährt es",
    ),
    (
        "the service has no place for files of jobs",
        "Der Dienst hat keinen Ort für Dateien von Aufträgen",
    ),
    (
        "its file is not in the folder of the server that took it, so it waits for the server that has it; where that is gone for good, cancel the job and send the file again",
        "Die Datei liegt nicht im Ordner des Servers, der den Auftrag übernommen hat; er wartet auf den Server, der sie hat. Gibt es diesen nicht mehr, brechen Sie den Auftrag ab und schicken Sie die Datei noch einmal",
    ),
    (
        "the data domain is gone: {}",
        "Die Domäne gibt es nicht mehr: {s0}",
    ),
    (
        "{} can't be written: {}",
        "{w0} lässt sich nicht schreiben: {o1}",
    ),
    (
        "{} can't be opened: {}",
        "{w0} lässt sich nicht öffnen: {o1}",
    ),
    (
        "it has {} of the {} bytes that were written",
        "sie hat {0} der {1} Bytes, die geschrieben waren",
    ),
    (
        "a stored record can't be read; run `fieldstone check`",
        "Ein gespeicherter Datensatz lässt sich nicht lesen; führen Sie `fieldstone check` aus",
    ),
    (
        "the schema contradicts itself",
        "Das Schema widerspricht sich",
    ),
    ("it has no options", "Er sagt nicht, was zu tun ist"),
    (
        "the schema changed meanwhile: a name that it was asked for by means another field now, or none; ask for it anew",
        "Das Schema hat sich inzwischen geändert: Ein Name, der dabei angegeben war, meint jetzt ein anderes Feld oder keines; fangen Sie neu an",
    ),
    (
        "its writes were the request's own, and it ended with that",
        "Er schrieb mit der Anfrage selbst und ist mit ihr zu Ende",
    ),
    (
        "another record has its primary key of then",
        "ein anderer Datensatz hat seinen damaligen Primärschlüssel",
    ),
    (
        "another record has the form that its primary key would get",
        "ein anderer Datensatz hat die Form, die sein Primärschlüssel bekäme",
    ),
    (
        "another record has the form that the primary key of {} would get",
        "ein anderer Datensatz hat die Form, die der Primärschlüssel von {0} bekäme",
    ),
    (
        "the file has the primary key of {} in another form than it is stored, so the record stays",
        "die Datei hat den Primärschlüssel von {0} in anderer Form, als er gespeichert ist; der Datensatz bleibt deshalb",
    ),
    (
        "these lines have the primary key or id of a line before, and each was compared with what is stored, not with that line: {}",
        "diese Zeilen haben den Primärschlüssel oder die Kennung einer Zeile davor, und jede wurde mit dem verglichen, was gespeichert ist, nicht mit jener Zeile: {0}",
    ),
    (
        "the file has more rows than are remembered: keys that come twice are not named from line {} on",
        "die Datei hat mehr Zeilen, als gemerkt werden: ab Zeile {0} werden Schlüssel, die zweimal vorkommen, nicht genannt",
    ),
    (
        "its version of then is not kept any more",
        "sein damaliger Stand wird nicht mehr aufgehoben",
    ),
    (
        "a column can't be written",
        "Eine Spalte lässt sich nicht schreiben",
    ),
    (
        "a record can't be read",
        "Ein Datensatz lässt sich nicht lesen",
    ),
    (
        "the Excel file can't be written",
        "Die Excel-Datei lässt sich nicht schreiben",
    ),
    (
        "the Parquet file can't be written",
        "Die Parquet-Datei lässt sich nicht schreiben",
    ),
    (
        "the storage refuses: {}",
        "Die Ablage der Dateien lehnt ab: {0}",
    ),
    (
        "the storage does not answer as it should: {}",
        "Die Ablage der Dateien antwortet nicht, wie sie soll: {0}",
    ),
    (
        "the storage does not answer within {} seconds",
        "Die Ablage der Dateien antwortet nicht binnen {0} Sekunden",
    ),
];

/// What is wrong with a file that is read, and with how one is to be written.
pub(super) const FORMS_OF_FILES: Sentences = &[
    (
        "a JSON array must begin with [",
        "eine JSON-Liste muss mit [ beginnen",
    ),
    (
        "an element of the array is missing here",
        "hier fehlt ein Element der Liste",
    ),
    (
        "the element that begins here has no end",
        "das Element, das hier beginnt, hat kein Ende",
    ),
    (
        "the array has no end: ] is missing",
        "die Liste hat kein Ende: ] fehlt",
    ),
    (
        "something follows the array",
        "auf die Liste folgt noch etwas",
    ),
    (
        "Excel files are not read here; export the sheet as CSV",
        "Excel-Dateien werden hier nicht gelesen; exportieren Sie das Blatt als CSV",
    ),
    (
        "the first row may have the names of the columns and can't be read: {}; mend it, or say that it has none",
        "Die erste Zeile enthält vielleicht die Namen der Spalten und lässt sich nicht lesen: {o0}; berichtigen Sie sie oder sagen Sie, dass sie keine enthält",
    ),
    (
        "the Excel file is of the old kind (.xls), or has a password; save it as .xlsx without one",
        "Die Excel-Datei ist von der alten Art (.xls) oder hat ein Passwort; speichern Sie sie als .xlsx ohne Passwort",
    ),
    (
        "a Parquet file is written, not read; make it CSV, NDJSON or Excel",
        "Parquet-Dateien werden geschrieben, nicht gelesen; machen Sie CSV, NDJSON oder Excel daraus",
    ),
    (
        "it is packed twice; unpack it once",
        "sie ist doppelt komprimiert; entpacken Sie sie einmal",
    ),
    (
        "it is packed in another way ({}); unpack it, or pack it with gzip or zstd",
        "sie ist auf andere Art komprimiert ({0}); entpacken Sie sie oder komprimieren Sie sie mit gzip oder zstd",
    ),
    (
        "it is an archive ({}); unpack it, and send each file by itself",
        "sie ist ein Archiv ({0}); entpacken Sie es und senden Sie jede Datei für sich",
    ),
    (
        "it is {}, and no table; make it CSV, NDJSON or Excel",
        "sie ist {s0} und keine Tabelle; machen Sie CSV, NDJSON oder Excel daraus",
    ),
    ("a SQLite database", "eine SQLite-Datenbank"),
    ("a program", "ein Programm"),
    ("a picture", "ein Bild"),
    ("a PDF document", "ein PDF-Dokument"),
    (
        "it is no text, for it has characters that none has, such as U+0000; make it CSV, NDJSON or Excel, or say what its text is encoded in",
        "sie ist kein Text, denn sie hat Zeichen, die keiner hat, wie U+0000; machen Sie CSV, NDJSON oder Excel daraus oder nennen Sie ihren Zeichensatz",
    ),
    (
        "it is JSON over several lines; write each record on a line of its own, or all of them as one array",
        "sie ist JSON über mehrere Zeilen; schreiben Sie jeden Datensatz in eine eigene Zeile oder alle als ein Array",
    ),
    ("as many rows or columns", "so viele Zeilen oder Spalten"),
    (
        "every field of the schema is personal; it takes a role with view of `PERSONAL DATA`",
        "Jedes Feld des Schemas ist personenbezogen; dafür braucht es das Recht, persönliche Daten zu sehen",
    ),
    (
        "must be `ndjson`, `csv`, `xlsx` or `parquet`",
        "muss NDJSON, CSV, Excel oder Parquet sein",
    ),
    (
        "{} is packed already; leave it out",
        "{w0} ist schon gepackt; lassen Sie es weg",
    ),
    (
        "goes without `query`; leave one of them out",
        "geht nicht zusammen mit einer Abfrage; lassen Sie eines weg",
    ),
    (
        "is blank; leave it out for all records, or ask for `*`",
        "ist leer; lassen Sie die Abfrage für alle Datensätze weg, oder fragen Sie nach *",
    ),
    (
        "has more than {} records; ask by `query`",
        "hat mehr als {0} Datensätze; wählen Sie sie durch eine Abfrage",
    ),
    (
        "has {} lines; send {} at most at a time",
        "hat {0} Zeilen; senden Sie höchstens {1} auf einmal",
    ),
    (
        "a line before this one is about the same record; try each of them on its own",
        "Eine Zeile davor betrifft denselben Datensatz; probieren Sie jede für sich",
    ),
];

/// Why something did not arrive at an address.
pub(super) const WEBHOOKS: Sentences = &[
    (
        "what is known of its deliveries can't be read, so nothing is sent; delete the webhook and make it anew",
        "Was von seinen Zustellungen bekannt ist, lässt sich nicht lesen; gesendet wird deshalb nichts. Löschen Sie den Webhook und legen Sie ihn neu an",
    ),
    (
        "what was kept of it can't be read, so it can't be sent; discard it",
        "Was davon aufgehoben war, lässt sich nicht lesen und also nicht senden; verwerfen Sie es",
    ),
    (
        "changes went by their age before they were delivered",
        "Änderungen gingen wegen ihres Alters, bevor sie zugestellt waren",
    ),
    (
        "the change is not as it was written: the disk changed it; `fieldstone check` tells more",
        "Die Änderung ist nicht, wie sie geschrieben wurde: Der Datenträger hat sie verändert; `fieldstone check` sagt mehr",
    ),
    (
        "the address is not of the public network; its operator may allow that (--webhooks-to-private-addresses)",
        "Die Adresse liegt nicht im öffentlichen Netz; wer den Dienst betreibt, kann das erlauben (--webhooks-to-private-addresses)",
    ),
    (
        "it did not answer in time",
        "die Antwort kam nicht rechtzeitig",
    ),
    (
        "there was no connection: {}",
        "keine Verbindung kam zustande: {o0}",
    ),
    (
        "the connection broke off: {}",
        "die Verbindung brach ab: {o0}",
    ),
    (
        "its dataset, or what that is in, is deleted; restore it, or discard these changes",
        "Der Datenbestand dazu ist gelöscht, oder sein Schema oder Bereich; stellen Sie ihn wieder her oder verwerfen Sie diese Änderungen",
    ),
    (
        "its dataset is not one of the webhook any more; add it again, or discard these changes",
        "Der Datenbestand dazu gehört nicht mehr zum Webhook; nehmen Sie ihn wieder auf oder verwerfen Sie diese Änderungen",
    ),
    (
        "it answered 410: it wants no more",
        "die Antwort war 410: Dort will man nichts mehr",
    ),
    (
        "must be `{}` and 24 to 64 bytes in base64",
        "muss aus `{0}` und 24 bis 64 Bytes in base64 bestehen",
    ),
];

/// What can't be done by whoever asked, or as it was asked.
pub(super) const ASKED: Sentences = &[
    (
        "there is a tenant already, so nothing was set up; sign in",
        "Dieser Dienst wurde schon eingerichtet, jetzt wurde nichts getan; melden Sie sich an",
    ),
    (
        "this service offers no set-up; make the first tenant on its machine with `fieldstone init`",
        "Dieser Dienst lässt sich hier nicht einrichten; das tut, wer ihn betreibt, auf seinem Rechner mit `fieldstone init`",
    ),
    (
        "this is not the code that the service showed when it was started",
        "Das ist nicht der Code, den der Dienst zeigte, als er gestartet wurde",
    ),
    (
        "the database went away while this was written, so whether it was done is not known; read it when the service is there again, before you send it once more",
        "Die Datenbank ging weg, während das geschrieben wurde; ob es geschah, ist nicht bekannt. Sehen Sie nach, wenn der Dienst wieder da ist, bevor Sie es noch einmal senden",
    ),
    (
        "this address does not have this method; the header `Allow` names those it has",
        "Diese Adresse nimmt eine solche Anfrage nicht an",
    ),
    (
        "there is no business area of this id",
        "Diesen Bereich gibt es nicht oder nicht mehr",
    ),
    (
        "the business area has no schema of this id",
        "Dieses Schema gibt es im Bereich nicht oder nicht mehr",
    ),
    (
        "the schema has no dataset of this id",
        "Diesen Datenbestand gibt es zum Schema nicht oder nicht mehr",
    ),
    ("{} in the area {}", "in einem dieser Bereiche etwas {v0}"),
    (
        "{} in all areas, also those that are made later",
        "in allen Bereichen, auch späteren, etwas {v0}",
    ),
    (
        "this key works until {}, and what it makes, or gives rights, a secret or another end, may not work longer: only keys can be made by it, with an `expiresAt` until then or `endsWithMaker`",
        "Dieser Schlüssel gilt bis {0}; was er anlegt oder womit er Rechte, ein Geheimnis oder ein anderes Ende gibt, darf nicht länger gelten",
    ),
    (
        "this key ends with who made it, and so must what it makes, or gives rights or a secret: only keys can be made by it, with `endsWithMaker`",
        "Dieser Schlüssel endet mit dem, der ihn angelegt hat; was er anlegt oder womit er Rechte oder ein Geheimnis gibt, muss ebenso enden",
    ),
    (
        "can't be true here, because the operator has no end; give `expiresAt`",
        "geht hier nicht, denn wer den Dienst betreibt, hat kein Ende; geben Sie einen Zeitpunkt an",
    ),
    (
        "must be a moment such as 2026-01-31T00:00:00Z",
        "muss ein Zeitpunkt sein wie 2026-01-31T00:00:00Z",
    ),
    (
        "must be an action of the trail, such as `create`",
        "muss eine Handlung des Protokolls sein wie `create`",
    ),
    (
        "must be a kind of the trail, such as `api_key`",
        "muss eine Art des Protokolls sein wie `api_key`",
    ),
    (
        "must be the id of a field, of {} characters at most",
        "muss die Id eines Feldes sein, aus höchstens {0} Zeichen",
    ),
    (
        "only users have saved views",
        "Nur Benutzer haben gespeicherte Ansichten",
    ),
    (
        "`query` is required; say what to look for",
        "Die Abfrage fehlt; sagen Sie, wonach gesucht wird",
    ),
    (
        "`{}` stands twice; send it once",
        "`{0}` steht zweimal da; senden Sie es einmal",
    ),
];
