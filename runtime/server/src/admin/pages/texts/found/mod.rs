//! What is said of a file that an import has looked at.

pub(super) mod de;
pub(super) mod en;

/// The texts.
pub(in crate::admin::pages) struct FoundTexts {
    pub(in crate::admin::pages) by_itself: fn(&str) -> String,
    pub(in crate::admin::pages) column: &'static str,
    pub(in crate::admin::pages) columns: &'static str,
    pub(in crate::admin::pages) columns_what: &'static str,
    pub(in crate::admin::pages) header: &'static str,
    pub(in crate::admin::pages) in_order: &'static str,
    pub(in crate::admin::pages) left_out: &'static str,
    pub(in crate::admin::pages) packed: fn(&str) -> String,
    pub(in crate::admin::pages) quote: &'static str,
    pub(in crate::admin::pages) quote_what: &'static str,
    pub(in crate::admin::pages) title: &'static str,
}
