//! The system properties that a change may carry: `_version`, `_dataObjectId` and `_errors`. What they
//! say is for the service to judge.

/// The value of a system property, as sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SystemProperty {
    /// Its JSON text.
    pub json: String,
    /// Where it stands in the body, in bytes.
    pub offset: usize,
}

/// Those of one change.
#[derive(Default)]
pub(in crate::validate) struct SystemProperties {
    pub(in crate::validate) version: Option<SystemProperty>,
    pub(in crate::validate) data_object_id: Option<SystemProperty>,
    /// Accepted, so that read-change-write works, and not looked at.
    pub(in crate::validate) errors: Option<SystemProperty>,
}
