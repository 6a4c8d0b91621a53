//! What is said of a file that an import has looked at, in German.

use super::super::found::FoundTexts;

pub(super) const TEXTS: FoundTexts = FoundTexts {
    any_version: "Versionen nicht vergleichen",
    any_version_what: "Nur für Dateien mit einer Spalte _version: Ohne diese Wahl wird eine Zeile weggelassen, deren Version nicht mehr die des Datensatzes ist, weil ihn inzwischen jemand geändert hat.",
    by_itself: |it| format!("erkannt: {it}"),
    column: "Spalte der Datei",
    column_twice: |field| format!("ist ebenfalls für „{field}“; eine andere Spalte dafür gilt"),
    columns: "Für welches Feld jede Spalte ist",
    columns_what: "Ihre Wahl gilt, wenn Sie diese Datei importieren oder noch einmal probieren. Ändern Sie unten, wie die Datei gelesen wird, wird sie erst noch einmal geprüft; hat sie dann andere Spalten, wählen Sie deren Felder neu.",
    commas: |field| {
        format!(
            "„{field}“: Vor den Nachkommastellen steht ein Komma, wie in 2,50. Wählen Sie es beim Importieren als Dezimalzeichen, sonst sind diese Zahlen fehlerhaft."
        )
    },
    correct: "Berichtigen und noch einmal probieren",
    date_format: "Wie Daten und Zeiten geschrieben sind, die Text sind",
    dates: |field, formats, (fixed, changed)| {
        let rows = if fixed == 1 { "Zeile" } else { "Zeilen" };
        let others = match changed {
            0 => String::new(),
            1 => " 1 andere Zeile hätte dann einen anderen Tag oder würde weggelassen.".to_owned(),
            _ => format!(
                " {changed} andere Zeilen hätten dann einen anderen Tag oder würden weggelassen."
            ),
        };
        format!(
            "„{field}“: {fixed} {rows} mit einem Datum, das anders geschrieben ist als im Feld. Wählen Sie beim Importieren, wie Daten geschrieben sind: {formats}.{others}"
        )
    },
    dates_compact: "nur Ziffern: 20240403",
    dates_european: "Tag zuerst: 3.4.2024",
    dates_of_field: "wie im Feld, oder 2024-04-03",
    dates_timestamp: "mit Zeit und Zone: 2024-04-03 10:00:00+02",
    dates_us: "Monat zuerst: 4/3/2024",
    decimal_mark: "Dezimalzeichen von Zahlen, die Text sind",
    decimal_mark_what: "Ohne Angabe ist es ein Punkt, und 12.000 ist weder eine ganze Zahl noch ein Betrag, sondern ein Fehler: Es kann zwölf oder zwölftausend heißen.",
    false_words: "Wörter für falsch",
    first_rows: "Die ersten Zeilen, wie sie gespeichert würden",
    guessed: |encoding, texts| {
        format!(
            "Die Datei ist nicht UTF-8; sie wurde als {encoding} gelesen: {texts}. Steht dort nicht, was Sie erwarten, wählen Sie beim Importieren ihre Zeichenkodierung."
        )
    },
    guarded: "Für Tabellenprogramme exportiert",
    guarded_what: "In der Datei steht ein Apostroph vor Texten, die ein Tabellenprogramm als Formeln ausführen würde; er wird wieder weggenommen.",
    header: "die erste Zeile enthält die Namen",
    in_order: "ohne Namen: Spalten in der Reihenfolge der Felder",
    instead_cells: "Die Datei wurde noch einmal geprüft, nicht importiert: Ihre Zahlen oder Apostrophe werden jetzt anders gelesen, und was daraus wird, hat noch niemand gesehen. Was Sie für ihre Spalten gewählt haben, gilt weiter. Sehen Sie sich das Ergebnis an und importieren Sie die Datei dann.",
    instead_columns: "Die Datei wurde noch einmal geprüft, nicht importiert: Sie wird jetzt anders gelesen, ihre Spalten wurden also neu erkannt. Sehen Sie sich das Ergebnis an, wählen Sie, wofür ihre Spalten sind, und importieren Sie die Datei dann.",
    lacks_key: "Das Schema hat keinen Primärschlüssel: Vorhandene Datensätze findet ein Import an der Spalte _dataObjectId einer Datei, die mit Ids exportiert wurde. Ohne sie ist jede Zeile ein neuer Datensatz.",
    left_out: "wird weggelassen",
    line: "Zeile",
    mark_comma: "Komma: 1.234,50",
    mark_point: "Punkt: 1,234.50",
    mark_unsaid: "nicht angegeben",
    missing: "Löschen, was die Datei nicht enthält",
    missing_what: "Nur mit „Ersetzen“: Datensätze, deren Schlüssel in keiner Zeile steht, werden gelöscht. Die Datei muss also alle enthalten, die bleiben sollen, nicht nur die Treffer einer Suche; eine Probe sagt, wie viele gelöscht würden. Wird eine Zeile abgewiesen, wird nichts gelöscht.",
    no_rows: "Die Datei enthält keine Zeilen; es gibt nichts zu importieren.",
    none_clean: "Keine Zeile würde ohne Fehler gespeichert. Berichtigen Sie die Datei, oder wie sie gelesen wird, und probieren Sie sie noch einmal, bevor Sie sie importieren.",
    null_words: "Wörter für keinen Wert",
    packed: |it| format!("komprimiert mit {it}"),
    quote: "Anführungszeichen",
    quote_what: "Was um eine Zelle steht, die ein Trennzeichen enthält.",
    quotes: |rows, line| {
        let rows = if rows == 1 {
            "In einer Zeile".to_owned()
        } else {
            format!("In {rows} Zeilen")
        };
        format!(
            "{rows} steht ein Anführungszeichen hinter einem Leerzeichen, zuerst in Zeile {line}. Es umschließt dann keine Zelle, sondern gehört zum Text. Nehmen Sie das Leerzeichen weg."
        )
    },
    sheet: "Blatt einer Excel-Datei",
    sheet_of: |sheet, count| format!("{sheet}, eines von {count} Blättern"),
    sheet_what: "Sein Name; ohne ihn wird das erste Blatt gelesen, das nicht ausgeblendet ist.",
    split_read: "Bleibt das Feld leer, wird nur ein JSON-Array wie [\"DE\",\"FR\"] als mehrere Werte gelesen.",
    split_written: "Bleibt das Feld leer, werden mehrere Werte als JSON-Array geschrieben: [\"DE\",\"FR\"].",
    thousands: |field| {
        format!(
            "„{field}“: Jeder Punkt steht vor drei Ziffern, wie in 12.000. Wählen Sie beim Importieren das Dezimalzeichen: Komma, wenn Punkte Tausender abtrennen, sonst Punkt."
        )
    },
    title: "Was in der Datei erkannt wurde",
    trial: "Das ganze Ergebnis der Probe",
    true_words: "Wörter für wahr",
    tried_first: "Die Datei würde anders gelesen als bei der Probe, deshalb wird sie erst noch einmal geprüft. Noch wird nichts geschrieben.",
    unused_would: "Was darin steht, würde weggelassen. Wählen Sie ihre Felder, wo Sie die Datei importieren.",
    unused_are: "Was darin steht, wird weggelassen.",
    unused_named: "Diese Spalten werden weggelassen: {}.",
    was_tried: "wurde geprüft und nichts geschrieben. Mit den Einstellungen dieser Probe würde ein Import dies tun:",
    with_errors: "Fehler mit ausgeben",
    with_errors_what: "Fügt eine Spalte _errors hinzu, die zu jedem Datensatz sagt, was falsch ist. Ein Import übergeht diese Spalte.",
    with_ids: "Ids mit ausgeben",
    with_ids_what: "Fügt eine Spalte _dataObjectId hinzu. Daran findet ein Import, der Datensätze ändert, jeden wieder, was auch immer in der Datei geändert wurde.",
    words_what: "Mit Kommas dazwischen, wie NULL,\\N.",
};
