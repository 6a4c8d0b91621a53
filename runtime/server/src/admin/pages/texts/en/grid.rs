//! What is said of a grid and its cells, in English.

use super::super::grid::GridTexts;

pub(super) const TEXTS: GridTexts = GridTexts {
    columns_first: "The first columns again",
    columns_more: "More columns to the right →",
    lines_keys: "Ctrl+Enter saves; Escape leaves it as it was.",
    paste_cells: "cells selected",
    select_first: "Tick records in the list first.",
};
