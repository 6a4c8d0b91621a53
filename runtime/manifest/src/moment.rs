//! Moments as people write them: a time with its zone, or a day, which stands for its start in UTC.

use serde::de::{Deserialize, Deserializer, Error};
use wire::Timestamp;

/// The moment that a text names: `2027-01-01T08:00:00Z`, or `2027-01-01` for the start of that day in UTC.
///
/// # Errors
/// A sentence that says what is expected.
pub fn moment(text: &str) -> Result<Timestamp, String> {
    let day = format!("{text}T00:00:00Z");
    let read = text.parse().or_else(|_| day.parse());
    read.map_err(|_| {
        format!(
            "`{text}` is no moment; write a day such as 2027-01-01, or a time such as 2027-01-01T08:00:00Z"
        )
    })
}

/// A moment that may be absent.
pub(crate) fn expiry<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Timestamp>, D::Error> {
    let text = Option::<String>::deserialize(from)?;
    text.map(|text| moment(&text).map_err(Error::custom))
        .transpose()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_is_its_start_and_nonsense_is_told_with_what_is_expected() {
        let shown = |text| moment(text).map(|moment| moment.to_string());
        let start = Ok("2027-01-01T00:00:00.000Z".to_owned());
        assert_eq!(shown("2027-01-01"), start);
        assert_eq!(shown("2027-01-01T01:00:00+01:00"), start);
        for wrong in ["", "2027", "2027-02-30", "tomorrow", "2027-01-01T"] {
            let told = shown(wrong).expect_err(wrong);
            assert!(told.contains("write a day such as 2027-01-01"), "{told}");
        }
    }
}
