//! What is said of cells that are pasted into the grid, in English.

use super::super::paste::PasteTexts;

pub(super) const TEXTS: PasteTexts = PasteTexts {
    beyond: "These did not fit",
    beyond_what: "The grid has no records or no columns for them, their column holds files, or you do not see its values. They are kept here so that you can copy them.",
    gone: "It was deleted in the meantime; what you pasted is shown here.",
    none: "None of the rows was written. What you pasted into them is shown below with the reason.",
    nothing: "Every cell already holds what was pasted.",
    over: "Write over what is stored by now",
    refused: "Some rows were not written. What you pasted into them is shown below with the reason.",
    same: "Already the same",
    title: "Pasted cells",
    unsent: "Try again with what was pasted",
    what: "Nothing is written yet. All of it will be one change, which can be undone.",
    write: "Write the changes",
    written: "See what was written",
};
