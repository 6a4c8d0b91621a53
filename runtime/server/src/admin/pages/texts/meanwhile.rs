//! What is said of what others changed since a form was made.

/// The texts.
pub(in crate::admin::pages) struct MeanwhileTexts {
    /// Before who changed a record last, and when.
    pub(in crate::admin::pages) changed_by: &'static str,
    /// Beside the two values of a field that both changed.
    pub(in crate::admin::pages) choose: &'static str,
    /// Before the fields that both changed.
    pub(in crate::admin::pages) contested: &'static str,
    /// Of a record.
    pub(in crate::admin::pages) deleted: &'static str,
    /// Of fields that can't be filled in any more.
    pub(in crate::admin::pages) fields_gone: fn(&str) -> String,
    /// What stands above what was typed for them.
    pub(in crate::admin::pages) gone_typed: &'static str,
    pub(in crate::admin::pages) gone_typed_what: &'static str,
    /// Of fields, each with how it is written.
    pub(in crate::admin::pages) reformatted: fn(&str) -> String,
}
