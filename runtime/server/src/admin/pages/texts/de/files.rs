//! What is wrong with files, rows and searches, in German.

use super::super::sentences::Sentences;

pub(super) const FILES: Sentences = &[
    (
        "the file can't be read: {}; send CSV, Excel, NDJSON or JSON",
        "Die Datei lässt sich nicht lesen ({o0}); nehmen Sie CSV, Excel, NDJSON oder JSON",
    ),
    (
        "the file can't be read: {}",
        "Die Datei lässt sich nicht lesen: {o0}",
    ),
    ("the Excel file: {}", "die Excel-Datei: {o0}"),
    ("it has too many parts", "sie hat zu viele Teile"),
    (
        "it is none but {}; leave its format out",
        "sie ist keine, sondern {s0}; lassen Sie das Format weg",
    ),
    (
        "it is none but an archive of another kind, as .ods and .zip are; save the sheet as .xlsx",
        "sie ist keine, sondern ein Archiv anderer Art, wie .ods und .zip es sind; speichern Sie das Blatt als .xlsx",
    ),
    ("CSV text", "CSV-Text"),
    ("JSON text", "JSON-Text"),
    (
        "it unpacks to more than {} bytes; send it in parts",
        "sie entpackt sich zu mehr als {0} Bytes; senden Sie sie in Teilen",
    ),
    ("it can't be read", "sie lässt sich nicht lesen"),
    (
        "it is damaged or cut off; save it anew, and send it whole",
        "sie ist beschädigt oder abgeschnitten; speichern Sie sie neu und senden Sie sie ganz",
    ),
    ("is damaged", "ist beschädigt"),
    (
        "it is packed, and cut off before its end; send it whole",
        "sie ist komprimiert und vor ihrem Ende abgeschnitten; senden Sie sie ganz",
    ),
    (
        "it is packed, and damaged; pack it anew",
        "sie ist komprimiert und beschädigt; komprimieren Sie sie neu",
    ),
    (
        "something that is not packed stands behind what is; take it away, or pack all of it",
        "hinter dem Komprimierten steht etwas, das nicht komprimiert ist; entfernen Sie es oder komprimieren Sie alles",
    ),
    (
        "it is packed with a dictionary; pack it without one",
        "sie ist mit einem Wörterbuch komprimiert; komprimieren Sie sie ohne eines",
    ),
    (
        "it is packed with too large a window; pack it with a smaller one",
        "sie ist mit einem zu großen Fenster komprimiert; komprimieren Sie sie mit einem kleineren",
    ),
    (
        "its rows are not in order",
        "ihre Zeilen sind nicht der Reihe nach",
    ),
    (
        "the Excel file: {}: {}; export the sheet as CSV",
        "die Excel-Datei: {0}: {o1}; speichern Sie das Blatt als CSV",
    ),
    (
        "unpacks to more than {} bytes",
        "entpackt sich zu mehr als {0} Bytes",
    ),
    (
        "shares more texts than can be read",
        "hat mehr gemeinsame Texte, als gelesen werden können",
    ),
    (
        "counts more texts than it can hold",
        "nennt mehr Texte, als darin Platz haben",
    ),
    (
        "has a cell of more than 16 MiB",
        "hat eine Zelle mit mehr als 16 MiB",
    ),
    ("is not in UTF-8", "ist nicht in UTF-8"),
    (
        "has a comment or a section of plain text",
        "enthält einen Kommentar oder einen Abschnitt rohen Textes",
    ),
    (
        "has a tag with a long name",
        "hat ein Tag mit einem zu langen Namen",
    ),
    (
        "`days` must be a whole number from 1 to {}",
        "`days` muss eine ganze Zahl von 1 bis {0} sein",
    ),
    (
        "its rows have more than {} columns together",
        "ihre Zeilen haben zusammen mehr als {0} Spalten",
    ),
    (
        "it has too many values, or too many columns in too many rows; a part of its rows is enough",
        "sie hat zu viele Werte, oder zu viele Spalten in zu vielen Zeilen; ein Teil ihrer Zeilen genügt",
    ),
    (
        "there is no row to infer a schema from",
        "Die Datei hat keine Zeile, aus der sich ein Schema vorschlagen ließe",
    ),
    (
        "the first row gives several columns one name, here with their numbers: {}; give each its own",
        "Die erste Zeile gibt mehreren Spalten denselben Namen, hier mit ihren Nummern: {0}; geben Sie jeder einen eigenen",
    ),
    (
        "goes with the mode `replace` alone; leave it out or set the mode",
        "gehört nur zum Ersetzen",
    ),
    (
        "goes with a whole file; this one has rows that an import before could not store (`_line`, `_reason`), so all other records would be deleted",
        "gehört zu einer ganzen Datei; diese hat Zeilen, die ein Import zuvor nicht speichern konnte (`_line`, `_reason`), und alle anderen Datensätze würden gelöscht",
    ),
    (
        "the file has rows that an import before could not store (`_line`, `_reason`), so records that it does not have are not deleted; leave `deleteMissing` out",
        "Die Datei hat Zeilen, die ein Import zuvor nicht speichern konnte (`_line`, `_reason`); darum wird nicht gelöscht, was sie nicht enthält: lassen Sie das Löschen weg",
    ),
    (
        "the schema has no primary key to find records by, and the file has no column `_dataObjectId`; export the records with their ids and mend that file, or use `create`, by which each row is a new record",
        "Das Schema hat keinen Primärschlüssel, an dem Datensätze zu finden wären, und die Datei keine Spalte `_dataObjectId`; exportieren Sie die Datensätze mit ihren Ids und berichtigen Sie diese Datei, oder lassen Sie jede Zeile ein neuer Datensatz sein",
    ),
    (
        "several columns of the file are called `_dataObjectId`; keep the one by which its rows are found",
        "Mehrere Spalten der Datei heißen `_dataObjectId`; lassen Sie die stehen, an der ihre Zeilen zu finden sind",
    ),
    (
        "{} is no `Column=Field`",
        "{0} ist nicht als Spalte=Feld geschrieben",
    ),
    ("must be one of {}", "ist keine von {0}"),
    (
        "must be a quotation mark or an apostrophe",
        "muss ein Anführungszeichen oder ein Apostroph sein",
    ),
    (
        "is the delimiter; choose another",
        "ist das Trennzeichen; wählen Sie ein anderes",
    ),
    (
        "is the decimal mark, too, and would part the numbers of {}; choose another",
        "ist auch das Dezimalzeichen und würde die Zahlen von {0} zerteilen; wählen Sie ein anderes",
    ),
    (
        "may stand between the thousands of numbers, and would part those of {}; choose another",
        "kann zwischen den Tausendern von Zahlen stehen und würde die von {0} zerteilen; wählen Sie ein anderes",
    ),
    (
        "must be one ASCII character, and neither a quote nor the end of a line",
        "muss ein ASCII-Zeichen sein, weder Anführungszeichen noch Zeilenende",
    ),
    (
        "is no dry run of your own into this dataset that has ended; take its `jobId`, or send the file",
        "ist keine eigene, beendete Probe für diesen Datenbestand; senden Sie die Datei",
    ),
    (
        "{} is not here, as in a store that was restored from a backup; {}",
        "{w0} ist nicht hier, wie auf einem Server, der aus einer Sicherung zurückgeholt wurde; {w1}",
    ),
    (
        "the file of the dry run is not kept any more; send it again",
        "Die Datei der Probe wird nicht mehr aufgehoben; senden Sie sie noch einmal",
    ),
    (
        "a column can't be mapped: {}",
        "Eine Spalte lässt sich nicht zuordnen: {s0}",
    ),
    (
        "the column {} stands in two mappings; keep one",
        "Die Spalte {0} ist zweimal zugeordnet; behalten Sie eine Zuordnung",
    ),
    (
        "the field {} has two columns; map one of them",
        "Das Feld {0} hat zwei Spalten; ordnen Sie ihm eine davon zu",
    ),
    (
        "the field {} is not in the schema any more; send the file anew",
        "Das Feld {0} gibt es im Schema nicht mehr; senden Sie die Datei noch einmal",
    ),
    (
        "the file has no column {}",
        "Die Datei hat keine Spalte {0}",
    ),
    (
        "the file has no column {}; is {} meant?",
        "Die Datei hat keine Spalte {0}; ist {1} gemeint?",
    ),
    (
        "the schema has no active field {}",
        "Das Schema hat kein aktives Feld {0}",
    ),
    (
        "the schema has no active field {}; is {} meant?",
        "Das Schema hat kein aktives Feld {0}; ist {1} gemeint?",
    ),
    (
        "the first row has no name of a field, but line {} has; take away the lines before it",
        "Die erste Zeile hat keinen Namen eines Feldes, aber Zeile {0}; entfernen Sie die Zeilen davor",
    ),
    (
        "no column of the file has the name of a field; map them (`Column=Field`{}), or say that the first row is one like the others",
        "Keine Spalte der Datei heißt wie ein Feld; ordnen Sie sie zu (Spalte=Feld) oder sagen Sie, dass die erste Zeile keine Namen enthält",
    ),
    (
        "no column of the file has the name of a field, and it was read as one column; say what parts its cells (`delimiter`), map it (`Column=Field`), or say that the first row is one like the others",
        "Keine Spalte der Datei heißt wie ein Feld, und gelesen wurde sie als eine einzige Spalte; nennen Sie ihr Trennzeichen, ordnen Sie die Spalte zu (Spalte=Feld) oder sagen Sie, dass die erste Zeile keine Namen enthält",
    ),
    (
        "the rows that can't be stored have more than {} bytes; look at the first ones, mend the file and send it anew",
        "Die Zeilen, die sich nicht speichern lassen, haben mehr als {0} Bytes; sehen Sie die ersten an, berichtigen Sie die Datei und senden Sie sie neu",
    ),
    (
        "nothing was deleted, though it was asked for: {}",
        "Nichts wurde gelöscht, obwohl es verlangt war: {s0}",
    ),
    (
        "not every row could be stored",
        "nicht jede Zeile ließ sich speichern",
    ),
    ("the file has no rows", "die Datei hat keine Zeilen"),
    (
        "the primary key {} has no value",
        "der Primärschlüssel {0} hat keinen Wert",
    ),
    (
        "another record of the dataset, or a row before, has its primary key",
        "ein anderer Datensatz oder eine Zeile davor hat ihren Primärschlüssel",
    ),
    (
        "no record of the dataset has its `_dataObjectId`; that of a new record is empty",
        "kein Datensatz hat ihre `_dataObjectId`; die eines neuen ist leer",
    ),
    (
        "the record was changed: its `_version` is not {} any more; export it again, or import the rows whatever their version (`ignoreVersion`)",
        "der Datensatz wurde geändert: Seine `_version` ist nicht mehr {0}; exportieren Sie ihn noch einmal, oder importieren Sie die Zeilen, ohne Versionen zu vergleichen",
    ),
    (
        "its `_version` is no whole number; take it from the record, or leave it empty",
        "ihre `_version` ist keine ganze Zahl; nehmen Sie die des Datensatzes, oder lassen Sie sie leer",
    ),
    (
        "the cell holds a day that is not written as was said of the file (`dateFormat`); write it so, or as YYYY-MM-DD",
        "das Datum in der Zelle ist nicht so geschrieben, wie es für die Datei angegeben wurde; schreiben Sie es so, oder als JJJJ-MM-TT",
    ),
    (
        "has {}, which stands for something else, too; name it once",
        "enthält {0}, das auch für etwas anderes steht; nennen Sie es einmal",
    ),
    (
        "the row has no `_dataObjectId`, and the schema no primary key to find its record by",
        "die Zeile hat keine `_dataObjectId` und das Schema keinen Primärschlüssel, an dem ihr Datensatz zu finden wäre",
    ),
    (
        "its `_dataObjectId` is that of a record that is there; use `update` to change it",
        "ihre `_dataObjectId` ist die eines Datensatzes, den es gibt; ändern Sie ihn, statt einen neuen anzulegen",
    ),
    (
        "no record of the dataset has its primary key",
        "kein Datensatz hat ihren Primärschlüssel",
    ),
    (
        "the row has more than {} bytes",
        "die Zeile hat mehr als {0} Bytes",
    ),
    (
        "the row has more than {} cells",
        "die Zeile hat mehr als {0} Zellen",
    ),
    (
        "the text is not in the file's encoding; name the one it is in",
        "der Text ist nicht im Zeichensatz der Datei; nennen Sie den richtigen",
    ),
    (
        "the quote that opens here is never closed",
        "das Anführungszeichen, das hier beginnt, endet nicht",
    ),
    (
        "a carriage return stands here within a cell, and no line of the file ends so; put the cell in quotes, or take it out",
        "hier steht ein Wagenrücklauf in einer Zelle, und keine Zeile der Datei endet so; setzen Sie die Zelle in Anführungszeichen, oder nehmen Sie ihn weg",
    ),
    (
        "the cell that begins here goes on behind its closing quote; write each quote within it twice",
        "die Zelle, die hier beginnt, geht hinter ihrem schließenden Anführungszeichen weiter; schreiben Sie jedes Anführungszeichen in ihr doppelt",
    ),
    (
        "the row has {} cells where the first has {}",
        "die Zeile hat {0} Zellen, die erste {1}",
    ),
    (
        "the cell holds a formula without its result; open the file in a spreadsheet and save it",
        "die Zelle enthält eine Formel ohne ihr Ergebnis; öffnen Sie die Datei in einem Tabellenprogramm und speichern Sie sie",
    ),
    (
        "the cell holds a number of which digits may be lost; make the column one of texts, and write it anew",
        "die Zelle enthält eine Zahl, von der Ziffern verloren sein können; machen Sie die Spalte zu einer von Texten und schreiben Sie sie neu",
    ),
    (
        "the cell holds an error of the spreadsheet, such as #N/A",
        "die Zelle enthält einen Fehler des Tabellenprogramms wie #N/A",
    ),
    ("the body is not JSON: {}", "das ist kein JSON: {s0}"),
    ("expected {}", "erwartet war {s0}"),
    ("a value", "ein Wert"),
    ("a string", "ein Text"),
    ("a digit", "eine Ziffer"),
    ("a key", "ein Name"),
    ("`,` or `}`", "`,` oder `}`"),
    ("`,` or `]`", "`,` oder `]`"),
    ("the text ends too early", "der Text endet zu früh"),
    ("unknown escape sequence", "eine unbekannte Escape-Folge"),
    ("half of a surrogate pair", "die Hälfte eines Surrogatpaars"),
    ("the character U+0000", "das Zeichen U+0000"),
    (
        "unescaped control character in a string",
        "ein Steuerzeichen mitten in einem Text",
    ),
    ("nested too deeply", "zu tief verschachtelt"),
    ("the body is not UTF-8", "das ist nicht in UTF-8"),
    (
        "leave out the byte-order mark",
        "lassen Sie das Byte-Order-Mark weg",
    ),
    (
        "U+0000 cannot be stored",
        "U+0000 lässt sich nicht speichern",
    ),
    (
        "nothing may follow the object",
        "hinter dem Objekt darf nichts stehen",
    ),
    (
        "the body is larger than {} bytes",
        "das ist größer als {0} Bytes",
    ),
    ("{} the key stands twice", "{0}: Der Name steht zweimal"),
    (
        "{} the field is not active",
        "{0}: Das Feld ist nicht aktiv",
    ),
    (
        "{} the property is set by the service alone",
        "{0}: Diese Eigenschaft setzt nur der Dienst",
    ),
    (
        "{} the primary key has more than {} bytes",
        "{0}: Der Primärschlüssel hat mehr als {1} Bytes",
    ),
    (
        "the stored record does not follow this schema version",
        "der gespeicherte Datensatz folgt dieser Version des Schemas nicht",
    ),
    (
        "U+0000 cannot be stored{}",
        "Das Zeichen U+0000 lässt sich nicht speichern; entfernen Sie es",
    ),
    (
        "the primary key has more than {} bytes{}",
        "Der Primärschlüssel hat mehr als {0} Bytes; kürzen Sie ihn",
    ),
    (
        "the body must be one JSON object",
        "das muss ein JSON-Objekt sein",
    ),
    (
        "{} the schema has no field of this name{} see the key{}",
        "{0} das Schema hat kein Feld dieses Namens",
    ),
    (
        "{} the field is not active{} see the key{}",
        "{0} das Feld ist nicht aktiv",
    ),
    (
        "{} the schema has no field of this name",
        "{0}: Das Schema hat kein Feld dieses Namens",
    ),
    (
        "{} a value must be a scalar or an array of scalars",
        "{0}: Ein Wert muss ein einzelner oder eine Liste von einzelnen sein",
    ),
    ("it was purged since", "er wurde seither endgültig entfernt"),
    ("someone wrote it since", "jemand hat ihn seither geändert"),
    (
        "someone wrote it between two writes of the job",
        "jemand hat ihn geändert, während der Auftrag ihn mehrmals schrieb",
    ),
    (
        "taken back in part: {}",
        "nur zum Teil zurückgenommen: {s0}",
    ),
    ("its value would be too large", "sein Wert wäre zu groß"),
    (
        "the regular expression takes too long on its value",
        "der reguläre Ausdruck braucht für seinen Wert zu lange",
    ),
    (
        "has too many groups for its size; those that are only parentheses are written `(?:…)`",
        "hat für seine Größe zu viele Gruppen; solche, die nur Klammern sind, schreibt man `(?:…)`",
    ),
    (
        "its primary key would have no value",
        "sein Primärschlüssel hätte keinen Wert",
    ),
    (
        "another record has the primary key that it would have",
        "ein anderer Datensatz hat den Primärschlüssel, den er bekäme",
    ),
    (
        "its primary key of then has no value",
        "sein damaliger Primärschlüssel hat keinen Wert",
    ),
];
