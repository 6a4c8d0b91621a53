//! What is said of the past of a record.

/// The texts.
pub(in crate::admin::pages) struct PastTexts {
    /// What a history offers below a change.
    pub(in crate::admin::pages) bring_back_after: &'static str,
    /// A client that did something, and a key.
    pub(in crate::admin::pages) by_client: &'static str,
    pub(in crate::admin::pages) by_key: &'static str,
    /// Beside the version in force.
    pub(in crate::admin::pages) current: &'static str,
    /// Before the fields that hold something else now.
    pub(in crate::admin::pages) differs: &'static str,
    pub(in crate::admin::pages) is_deleted: &'static str,
    pub(in crate::admin::pages) is_newest: &'static str,
    /// What leads to the record that has the key of a deleted one.
    pub(in crate::admin::pages) key_holder: &'static str,
    /// Before what a field holds now.
    pub(in crate::admin::pages) now: &'static str,
    /// Before the version that a deletion took away: it makes none of its own.
    pub(in crate::admin::pages) of_version: &'static str,
    /// Who did something on the service's own machine.
    pub(in crate::admin::pages) on_server: &'static str,
    pub(in crate::admin::pages) purge: &'static str,
    pub(in crate::admin::pages) purge_what: &'static str,
    pub(in crate::admin::pages) what: &'static str,
    pub(in crate::admin::pages) whole: &'static str,
}
