//! What files are called that are seen or heard on a page.

/// The texts.
pub(in crate::admin::pages) struct PreviewTexts {
    pub(in crate::admin::pages) film: &'static str,
    pub(in crate::admin::pages) picture: &'static str,
    pub(in crate::admin::pages) sound: &'static str,
}
