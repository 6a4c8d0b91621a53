//! What is told of files on a page: what those are that are seen or heard, and why one is not taken.

/// The texts.
pub(in crate::admin::pages) struct PreviewTexts {
    pub(in crate::admin::pages) film: &'static str,
    pub(in crate::admin::pages) picture: &'static str,
    pub(in crate::admin::pages) sound: &'static str,
    pub(in crate::admin::pages) too_large: &'static str,
}
