//! What is said of the list of values of a repair.

/// The texts.
pub(in crate::admin::pages) struct MendListTexts {
    /// Of a field.
    pub(in crate::admin::pages) field_gone: fn(&str) -> String,
    pub(in crate::admin::pages) name: &'static str,
    /// Of a line.
    pub(in crate::admin::pages) not_parted: fn(&str) -> String,
    /// Of a field, with how it is written.
    pub(in crate::admin::pages) reformatted: fn(&str) -> String,
    /// Of so many records.
    pub(in crate::admin::pages) these: fn(&str) -> String,
    /// Of a value.
    pub(in crate::admin::pages) twice: fn(&str) -> String,
    pub(in crate::admin::pages) what: &'static str,
}
