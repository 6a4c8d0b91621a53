//! A limit that can't be one: what is wrong with it, as data.

use crate::check::Contradiction;
use crate::wording::Wording;
use std::fmt::Display;

/// A limit that does not fit its field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LimitFault {
    /// The property of the field: `min`, `max`, `maxSize`, `maxWidth` or `maxHeight`.
    pub property: &'static str,
    /// What is wrong.
    pub what: Contradiction,
    /// By its code, with its values.
    pub wording: Wording,
}

/// What is wrong with one bound, before it is known which bound it is.
pub(super) struct Reason {
    what: Contradiction,
    wording: Wording,
}

impl Reason {
    pub(super) fn new(what: Contradiction, values: &[&dyn Display]) -> Self {
        Reason {
            what,
            wording: Wording::new(what.code(), values),
        }
    }

    pub(super) fn of(self, property: &'static str) -> LimitFault {
        LimitFault {
            property,
            what: self.what,
            wording: self.wording,
        }
    }
}
