//! How the numbers of an import's file are written, counted: what its result tells of them.

use serde::{Deserialize, Serialize};

/// How many numbers of a field stand in the file as text with a dot or a comma, by how they are written.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct NumberTexts {
    /// The field, by its display name.
    pub field: String,
    /// A dot stands before each three digits, as in `12.000`: thousands, or three decimals.
    pub thousands: u64,
    /// A comma stands before the decimals, as in `2,50`, and can stand for nothing else.
    pub commas: u64,
    /// Any other with a dot or a comma.
    pub others: u64,
}

impl NumberTexts {
    /// Whether a comma stands before decimals in more of them than any other sign: few are mistakes.
    #[must_use]
    pub fn has_commas(&self) -> bool {
        self.commas > self.others
    }

    /// Whether every dot may stand between thousands, and nothing tells.
    #[must_use]
    pub fn may_be_thousands(&self) -> bool {
        self.thousands > 0 && self.commas == 0 && self.others == 0
    }

    /// Whether nobody needs to look twice at the numbers of a file.
    pub(super) fn are_plain(all: &[NumberTexts]) -> bool {
        all.iter()
            .all(|it| !it.has_commas() && !it.may_be_thousands())
    }
}
