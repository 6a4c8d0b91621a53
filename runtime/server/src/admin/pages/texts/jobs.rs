//! What is said of jobs: their kinds, how far they are, and what came of them.

/// The texts.
pub(in crate::admin::pages) struct JobTexts {
    pub(in crate::admin::pages) bulk: &'static str,
    pub(in crate::admin::pages) cancelled: &'static str,
    pub(in crate::admin::pages) created: &'static str,
    pub(in crate::admin::pages) done: &'static str,
    pub(in crate::admin::pages) effects: &'static str,
    pub(in crate::admin::pages) export: &'static str,
    pub(in crate::admin::pages) failed: &'static str,
    pub(in crate::admin::pages) faulty: &'static str,
    pub(in crate::admin::pages) import: &'static str,
    pub(in crate::admin::pages) queued: &'static str,
    pub(in crate::admin::pages) rate: fn(&str, &str) -> String,
    pub(in crate::admin::pages) rejected: &'static str,
    pub(in crate::admin::pages) repair: &'static str,
    pub(in crate::admin::pages) revalidate: &'static str,
    pub(in crate::admin::pages) reverted: &'static str,
    pub(in crate::admin::pages) rows: &'static str,
    pub(in crate::admin::pages) running: &'static str,
    pub(in crate::admin::pages) time_left: fn(&str) -> String,
    pub(in crate::admin::pages) unchanged: &'static str,
    pub(in crate::admin::pages) undo: &'static str,
    pub(in crate::admin::pages) updated: &'static str,
}
