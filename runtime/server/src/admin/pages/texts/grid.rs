//! What is said of a grid and its cells.

use super::counted::OneOrMany;

/// The texts.
pub(in crate::admin::pages) struct GridTexts {
    pub(super) characters_more: OneOrMany,
    pub(in crate::admin::pages) columns_first: &'static str,
    pub(in crate::admin::pages) columns_more: &'static str,
    pub(in crate::admin::pages) copy_again: &'static str,
    pub(in crate::admin::pages) copy_failed: &'static str,
    pub(in crate::admin::pages) copy_waits: &'static str,
    pub(in crate::admin::pages) edit_how: &'static str,
    pub(in crate::admin::pages) export_selected: &'static str,
    pub(super) faulty_more: OneOrMany,
    pub(in crate::admin::pages) line_keys: &'static str,
    pub(in crate::admin::pages) lines_keys: &'static str,
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
}
