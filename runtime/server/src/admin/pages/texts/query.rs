//! What is said around the field for queries: saved views, and what may be typed next.

/// The texts.
pub(in crate::admin::pages) struct QueryTexts {
    pub(in crate::admin::pages) and: &'static str,
    pub(in crate::admin::pages) comparison: &'static str,
    pub(in crate::admin::pages) completions: &'static str,
    pub(in crate::admin::pages) fault: &'static str,
    pub(in crate::admin::pages) faulty: &'static str,
    pub(in crate::admin::pages) none: &'static str,
    pub(in crate::admin::pages) not: &'static str,
    pub(in crate::admin::pages) or: &'static str,
    pub(in crate::admin::pages) order: &'static str,
    pub(in crate::admin::pages) previous_page: &'static str,
    pub(in crate::admin::pages) view_change: fn(&str) -> String,
    pub(in crate::admin::pages) view_delete: &'static str,
    pub(in crate::admin::pages) view_name: &'static str,
    pub(in crate::admin::pages) view_rename: &'static str,
    pub(in crate::admin::pages) view_replace: &'static str,
    pub(in crate::admin::pages) view_replace_what: &'static str,
    pub(in crate::admin::pages) view_save: &'static str,
    pub(in crate::admin::pages) view_save_what: &'static str,
    pub(in crate::admin::pages) views: &'static str,
}
