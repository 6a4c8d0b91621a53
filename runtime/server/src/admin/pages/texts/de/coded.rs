//! What other floors say by code, in German.

use super::super::coded::CodedTexts;
use super::contradictions::CONTRADICTIONS;

pub(super) const TEXTS: CodedTexts = CodedTexts {
    contradictions: CONTRADICTIONS,
    observations: OBSERVATIONS,
    words: WORDS,
    rejections: REJECTIONS,
    quotes: ["„", "“"],
};

const OBSERVATIONS: &[(&str, &str)] = &[
    ("each_is", "jeder Wert passt zum Typ „{t0}“"),
    (
        "each_is_as",
        "jeder Wert passt zum Typ „{t0}“, geschrieben {1}",
    ),
    (
        "each_is_iso",
        "jeder Wert ist Datum und Uhrzeit nach ISO 8601: gespeichert als {0}, mit Zeitverschiebung in UTC umgerechnet",
    ),
    (
        "may_be_as",
        "sehen Sie genau hin: jeder passt auch zum Typ „{t0}“, geschrieben {1}",
    ),
    (
        "wide_whole",
        "manche liegen jenseits von ±9007199254740991, wo eine Gleitkommazahl Ziffern verliert: Grenzen von 64 Bit",
    ),
    (
        "no_value",
        "keine Zeile hat einen Wert: Text, mangels besserer Vermutung",
    ),
    (
        "no_type",
        "kein Typ passt zu allen Werten: Text, wobei einige fehlerhaft sind",
    ),
    (
        "nested",
        "ein Wert ist ein Objekt oder eine Liste in einer Liste: kein Datensatz hat so etwas, seine Zeile wird abgewiesen",
    ),
    (
        "nearly_is",
        "sehen Sie genau hin: {1} von {2} Werten passen zum Typ „{t0}“, die dieser Zeilen nicht: {3}",
    ),
    (
        "nearly_is_as",
        "sehen Sie genau hin: {2} von {3} Werten passen zum Typ „{t0}“, geschrieben {1}, die dieser Zeilen nicht: {4}",
    ),
    (
        "decimal_comma",
        "vor den Nachkommastellen steht ein Komma: wählen Sie es beim Import als Dezimalzeichen",
    ),
    (
        "may_be_thousands",
        "sehen Sie genau hin: ein Punkt vor drei Ziffern kann Tausender abtrennen",
    ),
    ("several", "ein Wert ist eine Liste: mehrere Werte"),
    ("few_texts", "nur {0} verschiedene Texte: Auswahlliste"),
    (
        "longest",
        "der längste hat {0} Zeichen: höchstens {1}, damit Platz bleibt",
    ),
    (
        "in_each_row",
        "{0} von {1} Zeilen haben einen Wert: Pflichtfeld",
    ),
    (
        "in_some_rows",
        "{0} von {1} Zeilen haben einen Wert: kein Pflichtfeld",
    ),
    ("all_differ", "alle Werte sind verschieden"),
    (
        "first_that_differs",
        "als Primärschlüssel vorgeschlagen: die erste Spalte, in der alle Werte verschieden sind",
    ),
    (
        "few_rows",
        "sehen Sie genau hin: {0} Zeilen sind zu wenige, um des Schlüssels sicher zu sein",
    ),
    (
        "ordered",
        "als Sortierschlüssel vorgeschlagen: die Werte lassen sich ordnen",
    ),
];

/// What stands as a value in English, by itself.
const WORDS: &[(&str, &str)] = &[
    ("null", "null"),
    ("nothing", "nichts"),
    ("a boolean", "true oder false"),
    ("a number", "eine Zahl"),
    ("a string", "ein Text"),
    ("an array", "eine Liste"),
    ("an object", "ein Objekt"),
    ("an area", "Bereich"),
    ("a schema", "Schema"),
    ("a dataset", "Datenbestand"),
    ("a data domain", "Domäne"),
    ("a role", "Rolle"),
    ("a user", "Benutzer"),
    ("an API key", "API-Schlüssel"),
    ("an application client", "Client"),
    ("a webhook", "Webhook"),
    ("area", "Bereich"),
    ("schema", "Schema"),
    ("version of the schema", "Version des Schemas"),
    ("dataset", "Datenbestand"),
    ("domain", "Domäne"),
    ("role", "Rolle"),
    ("user", "Benutzer"),
    ("API key", "API-Schlüssel"),
    ("application client", "Client"),
    ("webhook", "Webhook"),
    ("job", "Auftrag"),
    ("field", "Feld"),
    ("file", "Datei"),
    ("record", "Datensatz"),
    ("tenant", "Organisation"),
    ("version of then", "damalige Version"),
    ("session", "Sitzung"),
    ("dead letter", "nicht zugestellte Nachricht"),
    ("deleted record", "gelöschter Datensatz"),
    ("records", "Datensätze"),
    ("sessions", "Sitzungen"),
    ("versions of schemas", "Versionen von Schemas"),
    ("codes of data domains", "Codes in Domänen"),
    ("bytes of files", "Bytes in Dateien"),
    ("the file of the export", "die Datei des Exports"),
    ("the file that was sent", "Die gesendete Datei"),
    ("send it again", "senden Sie sie noch einmal"),
    (
        "the change that it was asked about",
        "Die Änderung, nach der gefragt wurde,",
    ),
    ("ask once more", "fragen Sie noch einmal"),
    (
        "the file of rows that can't be stored",
        "die Datei der Zeilen, die sich nicht speichern lassen",
    ),
    ("an Excel file", "eine Excel-Datei"),
    ("a Parquet file", "eine Parquet-Datei"),
    ("bytes of files of jobs", "Bytes in Dateien von Aufträgen"),
    (
        "bytes of schemas and data domains",
        "Bytes in Schemas und Domänen",
    ),
    ("resources of one kind", "Einträge einer Art"),
    ("webhooks", "Webhooks"),
];

const REJECTIONS: &[(&str, &str)] = &[
    ("key_missing", "ohne Primärschlüssel"),
    ("duplicate_key", "Primärschlüssel vergeben"),
    ("not_found", "kein Datensatz mit diesem Schlüssel"),
    ("id_unknown", "kein Datensatz mit dieser Id"),
    ("id_missing", "ohne Id und ohne Schlüssel"),
    ("record_exists", "den Datensatz dieser Id gibt es schon"),
    ("row_too_long", "Zeile zu lang"),
    ("too_many_cells", "zu viele Zellen"),
    ("row_encoding", "nicht im Zeichensatz der Datei"),
    ("open_quote", "Anführungszeichen ohne Ende"),
    ("behind_quote", "Text hinter dem Anführungszeichen"),
    ("cell_count", "andere Zahl von Zellen"),
    ("cell_error", "Fehler des Tabellenprogramms"),
    ("lost_digits", "möglicherweise verlorene Ziffern"),
    ("no_result", "Formel ohne Ergebnis"),
    ("no_array", "keine JSON-Liste"),
    ("no_element", "Element fehlt"),
    ("open_element", "Element ohne Ende"),
    ("open_array", "Liste ohne Ende"),
    ("behind_array", "etwas hinter der Liste"),
    ("syntax", "kein JSON"),
    ("utf8", "kein UTF-8"),
    ("byte_order_mark", "Byte-Order-Mark"),
    ("nul", "Zeichen U+0000"),
    ("not_an_object", "kein JSON-Objekt"),
    ("trailing", "etwas hinter dem Objekt"),
    ("too_large", "zu groß"),
    ("unknown_key", "unbekanntes Feld"),
    ("inactive_field", "inaktives Feld"),
    ("system_property", "Eigenschaft des Dienstes"),
    ("nested_value", "verschachtelter Wert"),
    ("primary_key_too_long", "Primärschlüssel zu lang"),
    ("stored", "unter anderer Version gespeichert"),
];
