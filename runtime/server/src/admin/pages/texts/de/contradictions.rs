//! What contradicts in a schema, by code, in German.

pub(super) const CONTRADICTIONS: &[(&str, &str)] = &[
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
