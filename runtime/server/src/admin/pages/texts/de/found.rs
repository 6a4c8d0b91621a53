//! What is said of a file that an import has looked at, in German.

use super::super::found::FoundTexts;

pub(super) const TEXTS: FoundTexts = FoundTexts {
    by_itself: |it| format!("erkannt: {it}"),
    column: "Spalte der Datei",
    column_twice: |field| format!("ist ebenfalls für „{field}“; die erste Spalte dafür gilt"),
    columns: "Für welches Feld jede Spalte ist",
    columns_what: "Was Sie hier anders wählen, gilt für diese Datei, wenn Sie sie importieren oder noch einmal probieren. Lassen Sie sie unten anders lesen, wird sie erst noch einmal geprüft; mit anderem Format, anderer Kodierung, anderem Trennzeichen, Anführungszeichen, Blatt oder anderer Kopfzeile werden ihre Spalten neu erkannt.",
    commas: |field| {
        format!(
            "„{field}“: Vor den Nachkommastellen steht ein Komma, wie in 2,50. Wählen Sie es beim Importieren als Dezimalzeichen, sonst sind diese Zahlen fehlerhaft."
        )
    },
    decimal_mark: "Dezimalzeichen von Zahlen, die Text sind",
    decimal_mark_what: "Ohne Angabe ist es ein Punkt, und 12.000 ist weder eine ganze Zahl noch ein Betrag, sondern ein Fehler: Es kann zwölf oder zwölftausend heißen.",
    guarded: "Für Tabellenprogramme exportiert",
    guarded_what: "In der Datei steht ein Apostroph vor Texten, die ein Tabellenprogramm als Formeln ausführen würde; er wird wieder weggenommen.",
    header: "die erste Zeile enthält die Namen",
    in_order: "ohne Namen: Spalten in der Reihenfolge der Felder",
    instead_cells: "Die Datei wurde noch einmal geprüft, nicht importiert: Ihre Zahlen oder Apostrophe werden jetzt anders gelesen, und was daraus wird, hat noch niemand gesehen. Was Sie für ihre Spalten gewählt haben, gilt weiter. Sehen Sie sich das Ergebnis an und importieren Sie die Datei dann.",
    instead_columns: "Die Datei wurde noch einmal geprüft, nicht importiert: Sie wird jetzt anders gelesen, ihre Spalten wurden also neu erkannt. Sehen Sie sich das Ergebnis an, wählen Sie, wofür ihre Spalten sind, und importieren Sie die Datei dann.",
    lacks_key: "Das Schema hat keinen Primärschlüssel: Vorhandene Datensätze findet ein Import an der Spalte _dataObjectId einer Datei, die mit Ids exportiert wurde. Ohne sie ist jede Zeile ein neuer Datensatz.",
    left_out: "wird weggelassen",
    mark_comma: "Komma: 1.234,50",
    mark_point: "Punkt: 1,234.50",
    mark_unsaid: "nicht angegeben",
    missing: "Löschen, was die Datei nicht enthält",
    missing_what: "Nur mit „Ersetzen“: Datensätze, deren Schlüssel in keiner Zeile steht, werden gelöscht. Wird eine Zeile abgewiesen, wird nichts gelöscht.",
    no_rows: "Die Datei enthält keine Zeilen; es gibt nichts zu importieren.",
    packed: |it| format!("komprimiert mit {it}"),
    quote: "Anführungszeichen",
    quote_what: "Was um eine Zelle steht, die ein Trennzeichen enthält.",
    sheet: "Blatt einer Excel-Datei",
    sheet_of: |sheet, count| format!("{sheet}, eines von {count} Blättern"),
    sheet_what: "Sein Name; ohne ihn wird das erste Blatt gelesen, das nicht ausgeblendet ist.",
    thousands: |field| {
        format!(
            "„{field}“: Jeder Punkt steht vor drei Ziffern, wie in 12.000. Wählen Sie beim Importieren das Dezimalzeichen: Komma, wenn Punkte Tausender abtrennen, sonst Punkt."
        )
    },
    title: "Was in der Datei erkannt wurde",
    trial: "Das ganze Ergebnis der Probe",
    tried_first: "Die Datei würde anders gelesen als bei der Probe, deshalb wird sie erst noch einmal geprüft. Noch wird nichts geschrieben.",
    was_tried: "wurde geprüft und nichts geschrieben. Was daraus würde, so gelesen wie dabei:",
    with_errors: "Mit dem, was falsch ist",
    with_errors_what: "Eine Spalte _errors nennt es für jeden Datensatz. Ein Import übergeht diese Spalte.",
    with_ids: "Mit Ids",
    with_ids_what: "Eine Spalte _dataObjectId, an der ein Import, der Datensätze ändert, sie findet, was auch in der Datei berichtigt wurde.",
};
