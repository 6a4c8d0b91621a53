//! What is looked for: values of one field that another refuses, on one of the ways that values go.

use crate::diff::reason::Reason;

/// The way that values go from one field to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::diff) enum Way {
    /// Stored under the first and judged under the second, dates and times carried over. docs/rules.md, "Records of
    /// earlier versions".
    Stored,
    /// Sent as the first asks, in any form that it reads, and judged under the second.
    Sent,
    /// Stored under the first and read by someone who knows the second alone.
    Shown,
}

/// Why values of the first may be refused by the second.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::diff) struct Cause {
    /// The property of the second that refuses them.
    pub(in crate::diff) property: &'static str,
    pub(in crate::diff) reason: Reason,
}

/// The causes found so far.
#[derive(Default)]
pub(super) struct Causes(pub(super) Vec<Cause>);

impl Causes {
    pub(super) fn add(&mut self, property: &'static str, reason: Reason) {
        self.0.push(Cause { property, reason });
    }

    pub(super) fn add_if(&mut self, is_met: bool, property: &'static str, reason: Reason) {
        if is_met {
            self.add(property, reason);
        }
    }
}
