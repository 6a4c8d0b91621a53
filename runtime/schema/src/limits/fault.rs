//! A limit that can't be one: what is wrong with it, as data.

/// A limit that does not fit its field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LimitFault {
    /// The property of the field: `min`, `max`, `maxSize`, `maxWidth` or `maxHeight`.
    pub property: &'static str,
    /// What is wrong.
    pub message: String,
    /// What to do.
    pub help: String,
}

/// What is wrong with one bound and what to do, before it is known which bound it is.
pub(super) type Reason = (String, &'static str);
