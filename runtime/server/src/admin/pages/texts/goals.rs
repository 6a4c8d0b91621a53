//! What goals of the palette are called that pages call otherwise, and words that find them, too.

/// The texts.
pub(in crate::admin::pages) struct GoalTexts {
    /// What may be done.
    pub(in crate::admin::pages) actions: &'static str,
    /// What leads to the form of something that is there, in which its name stands.
    pub(in crate::admin::pages) change: &'static str,
    /// Other words for making a copy of something.
    pub(in crate::admin::pages) copies: &'static str,
    pub(in crate::admin::pages) pages: &'static str,
    pub(in crate::admin::pages) records: &'static str,
    /// Other words for giving something a new secret.
    pub(in crate::admin::pages) renews: &'static str,
}
