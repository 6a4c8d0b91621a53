//! What is said of a grid and its cells, in German.

use super::super::grid::GridTexts;

pub(super) const TEXTS: GridTexts = GridTexts {
    columns_first: "Wieder die ersten Spalten",
    columns_more: "Rechts sind weitere Spalten →",
    lines_keys: "Strg+Eingabe speichert; Escape lässt es, wie es war.",
    paste_cells: "Zellen ausgewählt",
    select_first: "Kreuzen Sie zuerst Datensätze in der Liste an.",
};
