//! What is said of a grid and its cells, in English.

use super::super::grid::GridTexts;

pub(super) const TEXTS: GridTexts = GridTexts {
    characters_more: ["more character", "more characters"],
    clear: "Clear the filter",
    columns_first: "The first columns again",
    columns_more: "More columns to the right →",
    copy_again: "The whole values are here now: copy once more.",
    copy_failed: "Nothing was copied: the whole values could not be read. Please try again.",
    copy_waits: "The whole values are being read …",
    edit_how: "To change a value, double-click it, press Enter on it, or open its record.",
    edit_touch: "To change a value, tap it twice, or open its record.",
    export_found: "Export found",
    export_selected: "Export selected",
    faulty_more: [
        "more faulty field on this page",
        "more faulty fields on this page",
    ],
    kind_number: "a number",
    kind_text: "a text",
    kind_truth: "a yes/no value",
    line_keys: "Enter saves; Escape leaves it as it was.",
    lines_keys: "Ctrl+Enter saves; Escape leaves it as it was.",
    more: "More",
    one_per_line: "One value per line",
    other_kind: "Stored as another kind of value than this field takes, which its text does not show, and left so while you save other fields.",
    other_kind_store: "Store it as this field takes it",
    other_kind_take: "To change that, choose “Change to”.",
    paste_cells: "cells selected",
    rows_fewer: "So many columns leave room for fewer records on a page: {} at most.",
    select_first: "Tick records in the list first.",
    skip: "Skip to the records",
    written_as: |form, example| format!("{form}, as in {example}"),
};
