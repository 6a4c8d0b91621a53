//! What is said of what others changed since a form was made, in English.

use super::super::meanwhile::MeanwhileTexts;

pub(super) const TEXTS: MeanwhileTexts = MeanwhileTexts {
    changed_by: "Changed last by",
    choose: "Both of you changed this field: choose one.",
    contested: "Both of you changed:",
    deleted: "This record was deleted in the meantime, and nothing was written. What you filled in stands here: save it as a new record, or restore the deleted one first.",
    fields_gone: |fields| {
        format!(
            "These fields can't be filled in any more: {fields}. Nothing was saved. What you filled in for them stands below, so that you can copy it."
        )
    },
    gone_typed: "Filled in for fields that are gone",
    gone_typed_what: "The schema was changed since you opened the page, so this can't be saved. Copy what you need of it: saving again saves everything else.",
    reformatted: |fields| {
        format!(
            "These fields are written differently since you opened the page: {fields}. Nothing was saved. What you filled in is kept: check it, then go on."
        )
    },
};
