//! What is said of cells that are pasted into the grid.

/// The texts.
pub(in crate::admin::pages) struct PasteTexts {
    pub(in crate::admin::pages) beyond: &'static str,
    pub(in crate::admin::pages) beyond_what: &'static str,
    /// With how many have no column.
    pub(in crate::admin::pages) columns_left: &'static str,
    /// With the names of those that take nothing.
    pub(in crate::admin::pages) columns_shut: &'static str,
    /// What leads to the first record that would be faulty.
    pub(in crate::admin::pages) first_faulty: &'static str,
    pub(in crate::admin::pages) gone: &'static str,
    /// Where none of what was asked for was written.
    pub(in crate::admin::pages) none: &'static str,
    pub(in crate::admin::pages) nothing: &'static str,
    pub(in crate::admin::pages) over: &'static str,
    /// Where some was not.
    pub(in crate::admin::pages) refused: &'static str,
    /// With how many have no record.
    pub(in crate::admin::pages) rows_left: &'static str,
    pub(in crate::admin::pages) same: &'static str,
    pub(in crate::admin::pages) title: &'static str,
    pub(in crate::admin::pages) unsent: &'static str,
    pub(in crate::admin::pages) what: &'static str,
    pub(in crate::admin::pages) write: &'static str,
    /// What leads to what was.
    pub(in crate::admin::pages) written: &'static str,
}
