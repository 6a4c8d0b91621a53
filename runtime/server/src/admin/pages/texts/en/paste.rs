//! What is said of cells that are pasted into the grid, in English.

use super::super::paste::PasteTexts;

pub(super) const TEXTS: PasteTexts = PasteTexts {
    beyond: "These did not fit",
    beyond_what: "What did not fit is kept here, so that you can copy it.",
    columns_left: "Columns that reach past the last one of the list: {}.",
    columns_shut: "Columns that hold files, or whose values you do not see: {}.",
    first_faulty: "Go to the first one",
    gone: "It was deleted in the meantime; what you pasted is shown here.",
    none: "None of the rows was written. What you pasted into them is shown below with the reason.",
    nothing: "Every cell already holds what was pasted.",
    over: "Write over what is stored by now",
    refused: "Some rows were not written. What you pasted into them is shown below with the reason.",
    rows_left: "Rows that reach past the last record of this page: {}. If there is a next page, paste them there.",
    same: "Already the same",
    title: "Pasted cells",
    unsent: "Try again with what was pasted",
    what: "Nothing is written yet. All of it will be one change, which can be undone.",
    write: "Write the changes",
    written: "See what was written",
};
