//! What is said of a file that an import has looked at, in German.

use super::super::found::FoundTexts;

pub(super) const TEXTS: FoundTexts = FoundTexts {
    by_itself: |it| format!("erkannt: {it}"),
    column: "Spalte der Datei",
    columns: "Für welches Feld jede Spalte ist",
    columns_what: "Was Sie hier anders wählen, gilt beim Weitergehen für diese Datei. Lassen Sie sie unten anders lesen, wird sie erst noch einmal geprüft.",
    header: "die erste Zeile enthält die Namen",
    in_order: "ohne Namen: Spalten in der Reihenfolge der Felder",
    left_out: "wird weggelassen",
    packed: |it| format!("komprimiert mit {it}"),
    quote: "Anführungszeichen",
    quote_what: "Was um eine Zelle steht, die ein Trennzeichen enthält.",
    title: "Was in der Datei erkannt wurde",
};
