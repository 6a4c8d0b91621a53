//! Numbers and times as people read them.

use super::texts::Texts;
use wire::Timestamp;

/// A number with its digits in groups of three.
pub(super) fn grouped(number: u64, texts: &Texts) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push_str(texts.group_separator);
        }
        text.push(digit);
    }
    text
}

/// A moment to the minute, in UTC.
pub(super) fn moment(at: Timestamp) -> String {
    let text = at.to_string();
    let minutes = text.get(..16).unwrap_or(&text);
    minutes.replace('T', " ")
}

/// Tenths of a percent that a part is of the whole, as the width of a bar of a hundred. What is there at all is seen.
pub(super) fn share(part: u64, whole: u64) -> String {
    if part == 0 || whole == 0 {
        return "0".to_owned();
    }
    let tenths = (part.min(whole).saturating_mul(1000) / whole).max(5);
    format!("{}.{}", tenths / 10, tenths % 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_stand_in_groups_as_the_language_has_it() {
        let en = Texts::liked("en");
        let de = Texts::liked("de-AT,en;q=0.5");
        assert_eq!(grouped(0, en), "0");
        assert_eq!(grouped(999, en), "999");
        assert_eq!(grouped(1_234_567, en), "1,234,567");
        assert_eq!(grouped(1_234_567, de), "1.234.567");
    }

    #[test]
    fn a_part_that_is_there_is_seen() {
        assert_eq!(share(0, 10), "0");
        assert_eq!(share(1, 1_000_000), "0.5");
        assert_eq!(share(1, 4), "25.0");
        assert_eq!(share(9, 9), "100.0");
    }
}
