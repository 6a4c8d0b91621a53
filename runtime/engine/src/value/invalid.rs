//! What a type answers to a text it refuses.

use std::fmt;

/// A text that is not of the kind that was asked for. It never holds the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Invalid(pub(super) &'static str);

impl Invalid {
    /// A text that is no code of a picklist.
    #[cfg(any(feature = "rusqlite", feature = "sqlx"))]
    pub(crate) const CODE: Invalid = Invalid("a code of the picklist");
}

impl fmt::Display for Invalid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "not {}", self.0)
    }
}

impl std::error::Error for Invalid {}
