//! What pages say of a long list of codes that they show in parts. A `{}` in a text is filled in by the page.

/// The texts.
pub(in crate::admin::pages) struct CodesTexts {
    /// Which codes both changed of who changed one list at a time.
    pub(in crate::admin::pages) both_changed: &'static str,
    /// The same of a picklist, with the name of its field before them.
    pub(in crate::admin::pages) filter: &'static str,
    /// What is told of a list that someone else changed: what is shown has both changes.
    pub(in crate::admin::pages) meanwhile: &'static str,
    /// The same of lines that are to be the whole list.
    pub(in crate::admin::pages) meanwhile_whole: &'static str,
    pub(in crate::admin::pages) none_found: &'static str,
    /// From which code to which, of how many.
    pub(in crate::admin::pages) shown: &'static str,
    /// The same of those that a filter finds, and the filter.
    pub(in crate::admin::pages) shown_found: &'static str,
    /// How many of a list's codes are shown, of how many, where they are those of an earlier form and what was typed.
    pub(in crate::admin::pages) shown_own: &'static str,
    /// What a tick means, with how many codes there are.
    pub(in crate::admin::pages) whole: &'static str,
    /// What is told of what is longer than it may be, with how much that is.
    pub(in crate::admin::pages) too_long: &'static str,
}
