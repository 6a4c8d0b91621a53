//! What is said of a file that an import has looked at, in English.

use super::super::found::FoundTexts;

pub(super) const TEXTS: FoundTexts = FoundTexts {
    by_itself: |it| format!("found: {it}"),
    column: "Column of the file",
    columns: "Which field each column is for",
    columns_what: "Another choice here counts when you go on, for this file. If you have it read in another way below, it is tried once more first.",
    header: "the first row has the names",
    in_order: "without names: columns in the order of the fields",
    left_out: "left out",
    packed: |it| format!("packed with {it}"),
    quote: "Quote",
    quote_what: "What stands around a cell that holds a delimiter.",
    title: "What was found in the file",
};
