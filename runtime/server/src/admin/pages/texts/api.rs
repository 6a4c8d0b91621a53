//! What the page of the whole interface says beside what the OpenAPI document does.

/// The texts.
pub(in crate::admin::pages) struct ApiTexts {
    pub(in crate::admin::pages) answers: &'static str,
    pub(in crate::admin::pages) body: &'static str,
    pub(in crate::admin::pages) codes: &'static str,
    pub(in crate::admin::pages) crate_what: &'static str,
    pub(in crate::admin::pages) data: &'static str,
    pub(in crate::admin::pages) data_what: &'static str,
    pub(in crate::admin::pages) document_fetch: &'static str,
    /// Before the address.
    pub(in crate::admin::pages) document_of_schema: &'static str,
    pub(in crate::admin::pages) management: &'static str,
    pub(in crate::admin::pages) management_what: &'static str,
    pub(in crate::admin::pages) no_credential: &'static str,
    pub(in crate::admin::pages) operation: &'static str,
    pub(in crate::admin::pages) parameters: &'static str,
    pub(in crate::admin::pages) right: &'static str,
    /// What operations stand under that are about no record and nothing around it.
    pub(in crate::admin::pages) service: &'static str,
    pub(in crate::admin::pages) statuses: &'static str,
    pub(in crate::admin::pages) what: &'static str,
    pub(in crate::admin::pages) whole: &'static str,
}
