//! What is said around the field for queries in English.

use super::QueryTexts;

pub(in super::super) const TEXTS: QueryTexts = QueryTexts {
    view_change: |name| format!("Rename or delete “{name}”"),
    view_delete: "Delete this view",
    view_name: "Name of the view",
    view_rename: "Rename",
    view_save: "Save this view",
    view_save_what: "The filter, the order and the columns as they are now, under a name, for you alone.",
    views: "Saved views",
};
