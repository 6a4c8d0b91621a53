//! What pages say of a long list of codes that they show in parts. A `{}` in a text is filled in by the page.

/// The texts.
pub(in crate::admin::pages) struct CodesTexts {
    pub(in crate::admin::pages) filter: &'static str,
    pub(in crate::admin::pages) left_out: &'static str,
    pub(in crate::admin::pages) none_found: &'static str,
    /// From which code to which, of how many.
    pub(in crate::admin::pages) shown: &'static str,
    /// The same of those that a filter finds, and the filter.
    pub(in crate::admin::pages) shown_found: &'static str,
    /// What a tick means, with how many codes there are.
    pub(in crate::admin::pages) whole: &'static str,
}
