//! A moment, as the interface shows it.

use std::fmt;
use std::str::FromStr;

/// A moment in UTC, to the millisecond. Shown as the interface shows timestamps:
/// `2026-01-31T09:05:00.000Z`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp(i64);

impl Timestamp {
    /// The moment so many milliseconds after 1970 began.
    pub const fn from_millis(millis: i64) -> Self {
        Timestamp(millis)
    }

    /// Milliseconds since 1970 began.
    pub const fn millis(self) -> i64 {
        self.0
    }

    /// The moment so many seconds later.
    #[must_use]
    pub const fn plus_seconds(self, seconds: i64) -> Self {
        Timestamp(self.0.saturating_add(seconds.saturating_mul(1000)))
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let moment = chrono::DateTime::from_timestamp_millis(self.0).unwrap_or_default();
        write!(f, "{}", moment.format("%Y-%m-%dT%H:%M:%S%.3fZ"))
    }
}

impl FromStr for Timestamp {
    type Err = chrono::ParseError;
    /// Reads RFC 3339.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Ok(Timestamp(
            chrono::DateTime::parse_from_rfc3339(text)?.timestamp_millis(),
        ))
    }
}

impl serde::Serialize for Timestamp {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> serde::Deserialize<'de> for Timestamp {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = <std::borrow::Cow<'de, str>>::deserialize(deserializer)?;
        // the parser's own words are of its input, which reads as if the document had ended too early
        let read: Result<Self, _> = text.parse();
        read.map_err(|_| serde::de::Error::custom("must be a moment such as 2026-01-31T00:00:00Z"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn timestamps_are_written_as_the_interface_writes_them_and_read_back() {
        let moment = Timestamp::from_millis(1_769_850_300_007);
        assert_eq!(moment.to_string(), "2026-01-31T09:05:00.007Z");
        assert_eq!(moment.to_string().parse(), Ok(moment));
        assert_eq!("2026-01-31T10:05:00.007+01:00".parse(), Ok(moment));
    }
}
