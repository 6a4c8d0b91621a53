//! What other floors say by code, in German.

use super::super::coded::CodedTexts;

pub(super) const TEXTS: CodedTexts = CodedTexts {
    contradictions: CONTRADICTIONS,
    observations: OBSERVATIONS,
    words: WORDS,
    rejections: REJECTIONS,
};

const CONTRADICTIONS: &[(&str, &str)] = &[
    (
        "not_json",
        "Das Dokument ist kein JSON ({0}); berichtigen Sie den Text an dieser Stelle",
    ),
    (
        "not_object",
        "Hier steht {w0}, kein Objekt; schreiben Sie ein JSON-Objekt",
    ),
    (
        "property_twice",
        "Die Eigenschaft `{0}` steht hier zweimal; behalten Sie eine",
    ),
    (
        "not_array",
        "`{0}` ist {w1}, keine Liste; schreiben Sie eine Liste",
    ),
    (
        "property_missing",
        "Die Eigenschaft `{0}` fehlt; ergänzen Sie sie",
    ),
    (
        "property_null",
        "Die Eigenschaft `{0}` ist null; geben Sie ihr einen Wert",
    ),
    (
        "property_empty",
        "Die Eigenschaft `{0}` ist leer; geben Sie ihr einen Wert",
    ),
    (
        "not_string",
        "`{0}` ist {w1}, kein Text; schreiben Sie einen Text",
    ),
    (
        "not_flag",
        "`{0}` ist {w1}, weder true noch false; schreiben Sie eines davon",
    ),
    (
        "not_named",
        "`{0}` ist {1}, was es nicht gibt; schreiben Sie eines von {2}",
    ),
    (
        "not_name",
        "`{0}` ist {w1}, kein Text; schreiben Sie eines von {2}",
    ),
    (
        "not_number",
        "`{0}` ist {w1}, keine Zahl; schreiben Sie eine Zahl",
    ),
    (
        "not_bound",
        "`{0}` ist {w1}, weder Zahl noch Text; schreiben Sie eines davon",
    ),
    (
        "version_not_whole",
        "`version` ist keine ganze Zahl; schreiben Sie eine, ohne Punkt und Exponent",
    ),
    (
        "rule_not_string",
        "Der Name einer Regel ist ein Text, hier steht {w0}; schreiben Sie einen Text",
    ),
    (
        "schema_name_missing",
        "Das Schema hat keinen Namen; geben Sie ihm einen",
    ),
    (
        "schema_id_missing",
        "Das Schema hat keine Id; geben Sie ihm eine",
    ),
    (
        "field_id_missing",
        "Das Feld hat keine Id; geben Sie ihm eine, die beim Umbenennen gleich bleibt",
    ),
    (
        "field_id_twice",
        "Die Id {0} hat auch Feld {n1}; geben Sie jedem Feld eine eigene",
    ),
    (
        "field_name_missing",
        "Das Feld hat keinen Namen; geben Sie ihm einen aus 1 bis 100 Zeichen",
    ),
    (
        "name_too_long",
        "Der Name hat {0} Zeichen, mehr als {1}; kürzen Sie ihn",
    ),
    (
        "name_of_system",
        "Der Name beginnt mit `_`, was Systemeigenschaften vorbehalten ist; beginnen Sie ihn anders",
    ),
    (
        "name_twice",
        "Den Namen {0} hat auch das aktive Feld {n1}; benennen Sie eines um oder schalten Sie es aus",
    ),
    (
        "name_unseen",
        "Der Name enthält das unsichtbare Zeichen U+{0}; entfernen Sie es, wo das Schema entsteht",
    ),
    (
        "key_twice",
        "Das ist der zweite Primärschlüssel, nach Feld {n0}; behalten Sie einen aktiven",
    ),
    (
        "key_several",
        "Ein Primärschlüssel kann nicht mehrere Werte haben; machen Sie ihn zu einem Feld mit einem Wert",
    ),
    (
        "key_file",
        "Ein Primärschlüssel kann keine Datei sein ({t0}); wählen Sie ein Feld mit Text oder Zahl",
    ),
    (
        "setting_foreign",
        "„{p0}“ bedeutet beim Typ „{t1}“ nichts; leeren Sie es oder ändern Sie den Typ",
    ),
    (
        "sort_key_unordered",
        "Werte des Typs „{t0}“ haben keine Reihenfolge, nach der sich sortieren ließe; nehmen Sie das Feld aus der Sortierung",
    ),
    (
        "rule_unknown",
        "Die Regel {0} ist unbekannt und wirkt nicht; es gibt nur `alphanumeric`",
    ),
    (
        "rule_foreign",
        "`alphanumeric` bedeutet beim Typ „{t0}“ nichts; es prüft nur Texte, entfernen Sie es",
    ),
    (
        "picklist_type_missing",
        "Die Auswahlliste sagt nicht, wo ihre Codes stehen; wählen Sie die Liste oder eine Domäne",
    ),
    (
        "codes_missing",
        "Die Auswahlliste hat keine Codes; tragen Sie welche ein",
    ),
    (
        "domain_of_static",
        "Die Domäne bedeutet nichts, wenn die Codes in der Liste stehen; leeren Sie sie",
    ),
    (
        "domain_missing",
        "Die Auswahlliste nennt keine Domäne; wählen Sie die, in der ihre Codes stehen",
    ),
    (
        "codes_of_dynamic",
        "Die Liste der Codes bedeutet nichts, wenn sie in einer Domäne stehen; leeren Sie sie",
    ),
    (
        "code_empty",
        "Der Code ist leer, und ein leerer Wert ist ein fehlender; geben Sie dem Eintrag einen Code",
    ),
    (
        "code_twice",
        "Den Code {0} hat auch Zeile {n1} der Liste; behalten Sie einen der Einträge",
    ),
    (
        "code_blank",
        "Der Code ist Leerraum, was als fehlender Wert zählt; geben Sie dem Eintrag einen Code",
    ),
    (
        "bound_not_number",
        "Die Grenze {0} ist keine Zahl; schreiben Sie eine",
    ),
    (
        "bound_not_whole",
        "Die Grenze {0} ist keine ganze Zahl; schreiben Sie eine",
    ),
    (
        "bound_too_wide",
        "Die Grenze {0} passt nicht in 64 Bit; schreiben Sie eine von -9223372036854775808 bis 9223372036854775807",
    ),
    (
        "bound_outside",
        "Die Grenze {0} liegt nicht zwischen {1} und {2}; die Grenzen dieses Typs lassen sich nur enger ziehen",
    ),
    (
        "bound_not_double",
        "Die Grenze {0} ist zu groß für eine Gleitkommazahl mit 64 Bit; schreiben Sie eine kleinere",
    ),
    (
        "bound_decimals",
        "Die Grenze {0} hat mehr als 2 Nachkommastellen; schreiben Sie einen Geldbetrag",
    ),
    (
        "bound_not_decimal",
        "Die Grenze {0} ist größer, als ein Dezimalwert mit 96 Bit fasst; schreiben Sie höchstens 27 Stellen vor dem Komma",
    ),
    (
        "length_not_number",
        "Die Grenze {0} ist keine Zahl; eine Länge ist eine ganze Zahl von Zeichen ab 0",
    ),
    (
        "length_not_count",
        "Die Grenze {0} ist keine ganze Zahl ab 0; eine Länge ist eine ganze Zahl von Zeichen",
    ),
    (
        "bytes_not_number",
        "Die Grenze {0} ist keine Zahl; schreiben Sie eine ganze Zahl von Bytes",
    ),
    (
        "bytes_not_count",
        "Die Grenze {0} ist keine ganze Zahl ab 0; schreiben Sie eine ganze Zahl von Bytes",
    ),
    (
        "pixels_not_number",
        "Die Grenze {0} ist keine Zahl; schreiben Sie eine ganze Zahl von Pixeln",
    ),
    (
        "pixels_not_count",
        "Die Grenze {0} ist keine ganze Zahl ab 0; schreiben Sie eine ganze Zahl von Pixeln",
    ),
    (
        "count_too_wide",
        "Die Grenze {0} passt nicht in 64 Bit; schreiben Sie höchstens 9223372036854775807 oder leeren Sie sie",
    ),
    (
        "bounds_crossed",
        "Die untere Grenze {0} liegt über der oberen {1}; vertauschen Sie sie oder leeren Sie eine",
    ),
    (
        "min_above_type",
        "Die untere Grenze {0} liegt über der oberen des Typs, {1}; ändern oder leeren Sie sie",
    ),
    (
        "max_below_type",
        "Die obere Grenze {1} liegt unter der unteren des Typs, {0}; ändern oder leeren Sie sie",
    ),
    (
        "bound_number",
        "Die Grenze {0} ist eine Zahl, kein Text wie {1}; schreiben Sie sie wie einen Wert des Feldes oder nach ISO",
    ),
    (
        "bound_shape",
        "Die Grenze {0} ist nicht als {1} geschrieben; schreiben Sie sie wie einen Wert des Feldes oder nach ISO",
    ),
    (
        "bound_calendar",
        "Die Grenze {0} ist ein Tag, den es nicht gibt; schreiben Sie einen, den es gibt",
    ),
    (
        "bound_year",
        "Die Grenze {0} hat ein Jahr, das {1} nicht fasst; zwei Ziffern bedeuten 1970 bis 2069, ändern Sie Jahr oder Format",
    ),
    (
        "bound_seconds",
        "Die Grenze {0} hat Sekunden, die {1} nicht schreibt; lassen Sie sie weg oder ändern Sie das Format",
    ),
    (
        "bound_fraction",
        "Die Grenze {0} hat Bruchteile von Sekunden, die kein Format schreibt; lassen Sie sie weg",
    ),
];

const OBSERVATIONS: &[(&str, &str)] = &[
    ("each_is", "jeder Wert passt zum Typ „{t0}“"),
    (
        "each_is_as",
        "jeder Wert passt zum Typ „{t0}“, geschrieben {1}",
    ),
    (
        "may_be_as",
        "sehen Sie genau hin: jeder passt auch zum Typ „{t0}“, geschrieben {1}",
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
    ("longest", "der längste hat {0} Zeichen: höchstens {1}"),
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
        "die erste solche Spalte: Primärschlüssel",
    ),
    (
        "ordered",
        "die Werte haben eine Reihenfolge: Sortierschlüssel",
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
    ("tenant", "Mandant"),
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
    (
        "the file of rows that can't be stored",
        "die Datei der Zeilen, die sich nicht speichern lassen",
    ),
    ("an Excel file", "eine Excel-Datei"),
    ("a Parquet file", "eine Parquet-Datei"),
    ("bytes of files of jobs", "Bytes in Dateien von Aufträgen"),
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
