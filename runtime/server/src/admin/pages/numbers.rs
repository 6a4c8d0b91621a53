//! Numbers and times as people read them.

use super::texts::Texts;
use std::time::Duration;
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

/// The first of some names, one behind the other, and behind these in words how many more there are.
pub(super) fn named_first(names: &[&str], most: usize, texts: &Texts) -> String {
    let more = names.len().saturating_sub(most) as u64;
    let more = (more > 0).then(|| (texts.and_more)(&grouped(more, texts)));
    let first = names.iter().take(most).copied();
    first.chain(more.as_deref()).collect::<Vec<_>>().join(", ")
}

/// A moment to the minute, in UTC.
pub(super) fn moment(at: Timestamp) -> String {
    first_of(at, "YYYY-MM-DD hh:mm".len())
}

/// A moment to the second, in UTC: of what may happen several times a minute.
pub(super) fn second(at: Timestamp) -> String {
    first_of(at, "YYYY-MM-DD hh:mm:ss".len())
}

/// So much of a moment, in UTC.
fn first_of(at: Timestamp, length: usize) -> String {
    let text = at.to_string();
    let first = text.get(..length).unwrap_or(&text);
    first.replace('T', " ")
}

/// How long something takes, about: a second at least, from two minutes on in minutes, and from two hours on in hours too.
pub(super) fn duration(time: Duration) -> String {
    let seconds = time.as_millis().div_ceil(1000).max(1);
    match seconds {
        0..120 => format!("{seconds} s"),
        120..7200 => format!("{} min", seconds.div_ceil(60)),
        _ => format!("{} h {} min", seconds / 3600, seconds % 3600 / 60),
    }
}

/// So many bytes in the largest unit of which there is one, to a tenth.
pub(super) fn bytes(number: u64, texts: &Texts) -> String {
    const UNITS: [&str; 4] = ["KiB", "MiB", "GiB", "TiB"];
    let unit = (1..=UNITS.len())
        .rev()
        .find(|unit| number >> (10 * unit) > 0);
    let Some(unit) = unit else {
        let number = number.to_string();
        return format!("{number} {}", texts.of_bytes(&number));
    };
    let whole = number >> (10 * unit);
    let tenths = (number >> (10 * (unit - 1))) % 1024 * 10 / 1024;
    let whole = grouped(whole, texts);
    if tenths == 0 {
        return format!("{whole} {}", UNITS[unit - 1]);
    }
    let point = if texts.group_separator == "." {
        ","
    } else {
        "."
    };
    format!("{whole}{point}{tenths} {}", UNITS[unit - 1])
}

/// Tenths of a percent that a part is of the whole, as the width of a bar of a hundred. What is there at all is seen.
pub(super) fn share(part: u64, whole: u64) -> String {
    if part == 0 || whole == 0 {
        return "0".to_owned();
    }
    let tenths = (part.min(whole).saturating_mul(1000) / whole).max(5);
    format!("{}.{}", tenths / 10, tenths % 10)
}

/// How much of a hundred a part is of the whole, to a tenth. What is there at all is not told as nothing.
pub(super) fn percent(part: u64, whole: u64, texts: &Texts) -> String {
    let (part, whole) = (u128::from(part), u128::from(whole.max(1)));
    let tenths = (part * 1000 + whole / 2) / whole;
    let (home, point) = (&texts.home, texts.home.point);
    let number = match (tenths / 10, tenths % 10) {
        (0, 0) if part > 0 => format!("{} 0{point}1", home.less_than),
        (all, 0) => all.to_string(),
        (all, tenths) => format!("{all}{point}{tenths}"),
    };
    number + home.percent
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
    fn of_many_names_the_first_are_told_and_how_many_more_there_are() {
        let names = ["A", "B", "C", "D"];
        for (count, told) in [(0, ""), (1, "A"), (2, "A, B"), (4, "A, B, and 2 more")] {
            assert_eq!(named_first(&names[..count], 2, Texts::liked("en")), told);
        }
    }

    #[test]
    fn moments_are_told_to_the_minute_or_to_the_second() {
        let at = Timestamp::from_millis(1_770_000_000_123);
        assert_eq!(moment(at), "2026-02-02 02:40");
        assert_eq!(second(at), "2026-02-02 02:40:00");
    }

    #[test]
    fn times_are_told_as_exactly_as_anyone_waits() {
        for (seconds, text) in [
            (0, "1 s"),
            (119, "119 s"),
            (121, "3 min"),
            (7199, "120 min"),
            (7200, "2 h 0 min"),
            (90_061, "25 h 1 min"),
        ] {
            assert_eq!(duration(Duration::from_secs(seconds)), text);
        }
    }

    #[test]
    fn bytes_are_told_in_their_largest_unit() {
        let (en, de) = (Texts::liked("en"), Texts::liked("de"));
        for (number, text) in [
            (0, "0 bytes"),
            (1, "1 byte"),
            (1023, "1023 bytes"),
            (1024, "1 KiB"),
            (1536, "1.5 KiB"),
            (100 << 30, "100 GiB"),
            (1 << 40, "1 TiB"),
        ] {
            assert_eq!(bytes(number, en), text);
        }
        assert_eq!(bytes(1536, de), "1,5 KiB");
    }

    #[test]
    fn percents_are_told_to_a_tenth_as_the_language_has_it() {
        let (en, de) = (Texts::liked("en"), Texts::liked("de"));
        for (part, whole, text) in [
            (0, 10, "0%"),
            (0, 0, "0%"),
            (1, 1_000_000, "less than 0.1%"),
            (1, 3, "33.3%"),
            (2, 3, "66.7%"),
            (5, 10, "50%"),
            (9, 9, "100%"),
        ] {
            assert_eq!(percent(part, whole, en), text);
        }
        assert_eq!(percent(1, 3, de), "33,3\u{a0}%");
    }

    #[test]
    fn a_part_that_is_there_is_seen() {
        assert_eq!(share(0, 10), "0");
        assert_eq!(share(1, 1_000_000), "0.5");
        assert_eq!(share(1, 4), "25.0");
        assert_eq!(share(9, 9), "100.0");
    }
}
