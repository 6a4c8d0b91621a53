//! What is said of a grid and its cells.

use super::counted::OneOrMany;

/// The texts.
pub(in crate::admin::pages) struct GridTexts {
    pub(super) characters_more: OneOrMany,
    pub(in crate::admin::pages) clear: &'static str,
    pub(in crate::admin::pages) columns_first: &'static str,
    pub(in crate::admin::pages) columns_more: &'static str,
    pub(in crate::admin::pages) copy_again: &'static str,
    pub(in crate::admin::pages) copy_failed: &'static str,
    pub(in crate::admin::pages) copy_waits: &'static str,
    pub(in crate::admin::pages) edit_how: &'static str,
    /// The same where there is no keyboard.
    pub(in crate::admin::pages) edit_touch: &'static str,
    /// With how many there are behind it.
    pub(in crate::admin::pages) export_found: &'static str,
    pub(in crate::admin::pages) export_selected: &'static str,
    pub(super) faulty_more: OneOrMany,
    /// What a value is that reads like one of another kind.
    pub(in crate::admin::pages) kind_number: &'static str,
    pub(in crate::admin::pages) kind_text: &'static str,
    pub(in crate::admin::pages) kind_truth: &'static str,
    pub(in crate::admin::pages) line_keys: &'static str,
    pub(in crate::admin::pages) lines_keys: &'static str,
    /// What opens the ways that a small page has no room for.
    pub(in crate::admin::pages) more: &'static str,
    /// Of a field of several values.
    pub(in crate::admin::pages) one_per_line: &'static str,
    pub(in crate::admin::pages) other_kind: &'static str,
    /// Where nothing proposes the same text.
    pub(in crate::admin::pages) other_kind_store: &'static str,
    /// Where something does.
    pub(in crate::admin::pages) other_kind_take: &'static str,
    pub(in crate::admin::pages) paste_cells: &'static str,
    /// With the records of a page.
    pub(in crate::admin::pages) rows_fewer: &'static str,
    pub(in crate::admin::pages) select_first: &'static str,
    pub(in crate::admin::pages) skip: &'static str,
    /// The form of a field's values, and an example.
    pub(in crate::admin::pages) written_as: fn(&str, &str) -> String,
}
