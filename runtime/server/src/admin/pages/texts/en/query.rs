//! What is said around the field for queries in English.

use super::super::query::QueryTexts;

pub(super) const TEXTS: QueryTexts = QueryTexts {
    and: "both",
    comparison: "compares by value",
    completions: "What you can type next",
    fault: "with a fault in a field",
    faulty: "with faults",
    none: "without a value",
    not: "without what follows",
    or: "either",
    order: "sorted by a field; - reverses it",
    previous_page: "Previous page",
    view_change: |name| format!("Rename or delete “{name}”"),
    view_delete: "Delete this view",
    view_name: "Name of the view",
    view_rename: "Rename",
    view_replace: "Replace",
    view_replace_what: "Or replace one of your views with what is shown",
    view_save: "Save this view",
    view_save_what: "The filter, the order and the columns as they are now, under a name, for you only.",
    views: "Saved views",
};
