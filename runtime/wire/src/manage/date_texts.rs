//! How the days and times of an import's file are written, counted: what its result tells of them.

use super::DateReading;
use serde::{Deserialize, Serialize};

/// How many days and times of a field stand in the file as text that the field does not read, by the `dateFormat` that would read
/// them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct DateTexts {
    /// The field, by its display name.
    pub field: String,
    /// With `us`.
    pub us: u64,
    /// With `european`.
    pub european: u64,
    /// With `timestamp`.
    pub timestamp: u64,
    /// With `compact`.
    pub compact: u64,
}

impl DateTexts {
    /// The formats that would read most of them, and how many that are: two where days may as well be months.
    #[must_use]
    pub fn proposed(&self) -> (Vec<DateReading>, u64) {
        let counts = [
            (DateReading::Us, self.us),
            (DateReading::European, self.european),
            (DateReading::Timestamp, self.timestamp),
            (DateReading::Compact, self.compact),
        ];
        let most = counts.iter().map(|(_, count)| *count).max().unwrap_or(0);
        let proposed = counts
            .into_iter()
            .filter(|(_, count)| *count == most && most > 0);
        (proposed.map(|(reading, _)| reading).collect(), most)
    }
}
