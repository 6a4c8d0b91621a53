//! What pages say of a long list that they show in parts. A `{}` in a text is filled in by the page.

/// The texts.
pub(in crate::admin::pages) struct ListTexts {
    pub(in crate::admin::pages) find: &'static str,
    pub(in crate::admin::pages) none_found: &'static str,
    /// From which entry to which, of how many.
    pub(in crate::admin::pages) shown: &'static str,
    /// The same of those that a filter finds, and the filter.
    pub(in crate::admin::pages) shown_found: &'static str,
    /// What is told where some are ticked that are not shown.
    pub(in crate::admin::pages) ticked_elsewhere: &'static str,
}
