//! How the days and times of an import's file are written, counted: what its result tells of them.

use super::DateReading;
use serde::{Deserialize, Serialize};

/// How days and times of a field that stand in the file as text would be read by each `dateFormat`: how many it would read that the
/// field does not, and how many the field reads that it would change.
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
    /// How many that the field reads `us` would read as another day, or leave out. `timestamp` and `compact` change none.
    #[serde(default)]
    pub us_changed: u64,
    /// The same of `european`.
    #[serde(default)]
    pub european_changed: u64,
}

/// How the days and times of a field are best read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DateProposal {
    /// The formats: two where days may as well be months.
    pub formats: Vec<DateReading>,
    /// How many they would read that the field does not.
    pub fixed: u64,
    /// How many that the field reads they would read as another day, or leave out.
    pub changed: u64,
}

impl DateTexts {
    /// The formats that would read most of them; none that would change as many as it would fix.
    #[must_use]
    pub fn proposed(&self) -> Option<DateProposal> {
        let counts = [
            (DateReading::Us, self.us, self.us_changed),
            (DateReading::European, self.european, self.european_changed),
            (DateReading::Timestamp, self.timestamp, 0),
            (DateReading::Compact, self.compact, 0),
        ];
        let gain = |fixed: u64, changed: u64| (fixed.saturating_sub(changed), fixed);
        let (_, fixed, changed) = *counts
            .iter()
            .max_by_key(|(_, fixed, changed)| gain(*fixed, *changed))?;
        let is_best = |it: &&(DateReading, u64, u64)| (it.1, it.2) == (fixed, changed);
        (fixed > changed).then(|| DateProposal {
            formats: counts.iter().filter(is_best).map(|it| it.0).collect(),
            fixed,
            changed,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_format_is_proposed_that_changes_as_many_days_as_it_fixes() {
        for ((us, us_changed), (european, european_changed), formats) in [
            ((2, 0), (0, 0), &[DateReading::Us][..]),
            ((2, 0), (2, 0), &[DateReading::Us, DateReading::European]),
            ((2, 1), (0, 0), &[DateReading::Us]),
            ((3, 2), (2, 0), &[DateReading::European]),
            ((1, 1), (0, 0), &[]),
            ((1, 9), (0, 0), &[]),
            ((0, 9), (0, 0), &[]),
        ] {
            let texts = DateTexts {
                us,
                european,
                us_changed,
                european_changed,
                ..DateTexts::default()
            };
            let proposed = texts.proposed().map(|it| it.formats);
            assert_eq!(proposed.unwrap_or_default(), formats, "{texts:?}");
        }
    }
}
