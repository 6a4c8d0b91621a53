//! A day of the calendar, as the interface shows it.

use crate::Timestamp;
use std::fmt;
use std::str::FromStr;

const MILLIS: i64 = 86_400_000;

/// A day in UTC. Shown as dates are: `2026-01-31`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Day(i64);

impl Day {
    /// The day so many days after the first one of 1970.
    pub const fn from_number(number: i64) -> Self {
        Day(number)
    }

    /// The day that a moment is in.
    pub const fn of(moment: Timestamp) -> Self {
        Day(moment.millis().div_euclid(MILLIS))
    }

    /// How many days it is after the first one of 1970.
    pub const fn number(self) -> i64 {
        self.0
    }

    /// The day so many days earlier.
    #[must_use]
    pub const fn minus(self, days: i64) -> Self {
        Day(self.0.saturating_sub(days))
    }
}

impl fmt::Display for Day {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let millis = self.0.saturating_mul(MILLIS);
        let moment = chrono::DateTime::from_timestamp_millis(millis).unwrap_or_default();
        write!(f, "{}", moment.format("%Y-%m-%d"))
    }
}

impl FromStr for Day {
    type Err = chrono::ParseError;
    /// Reads `YYYY-MM-DD`.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let date = chrono::NaiveDate::parse_from_str(text, "%Y-%m-%d")?;
        Ok(Day(i64::from(date.to_epoch_days())))
    }
}

impl serde::Serialize for Day {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_begins_at_midnight_and_is_written_as_dates_are() {
        let day = |text: &str| Day::of(text.parse().expect("a moment"));
        let last = day("2026-01-31T23:59:59.999Z");
        assert_eq!(last.to_string(), "2026-01-31");
        assert_eq!(last.to_string().parse(), Ok(last));
        assert_eq!(day("2026-02-01T00:00:00.000Z").minus(1), last);
        assert_eq!(day("1969-12-31T12:00:00.000Z").number(), -1);
    }
}
