//! Numbers that a spreadsheet reckoned: it stores a sum as the double that came out, `0.30000000000000004`, and shows 15 digits
//! of it, `0.3`, by which whoever sees the sheet means it. It knows no field.

/// How many digits a spreadsheet shows of a number.
const DIGITS_SHOWN: usize = 15;

/// What a spreadsheet shows of a number that stands there with more decimals than there may be; `None` where it has no more,
/// where more are shown, too, and where so many digits stand before its decimals that none of these would be shown: it would be
/// rounded, and nobody sees that nothing is behind.
pub(crate) fn as_shown(number: &str, decimals_max: usize) -> Option<String> {
    let (whole, decimals) = number.split_once('.')?;
    let digits = whole.strip_prefix('-').unwrap_or(whole).len();
    if decimals.len() <= decimals_max || digits + decimals_max >= DIGITS_SHOWN {
        return None;
    }
    let double: f64 = number.parse().ok()?;
    let digits_behind_first = DIGITS_SHOWN - 1;
    let shown: f64 = format!("{double:.digits_behind_first$e}").parse().ok()?;
    let shown = shown.to_string();
    (decimals_of(&shown) <= decimals_max).then_some(shown)
}

/// How many decimals stand in a number that is written without an exponent.
fn decimals_of(number: &str) -> usize {
    let parted = number.split_once('.');
    parted.map_or(0, |(_, decimals)| decimals.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_behind_the_digits_that_are_shown_goes_and_no_digit_that_is_shown() {
        for (number, decimals_max, shown) in [
            ("0.30000000000000004", 2, Some("0.3")),
            ("-3.3000000000000003", 2, Some("-3.3")),
            ("19.990000000000002", 2, Some("19.99")),
            ("1234.4999999999998", 2, Some("1234.5")),
            ("2.9999999999999996", 0, Some("3")),
            ("12.5", 0, None),
            ("12.345", 2, None),
            ("0.005", 2, None),
            ("1.00000000000001", 2, None),
            ("123456789012.30002", 2, Some("123456789012.3")),
            // no digit is shown that tells a sum from a number with one more decimal
            ("1234567890123.456", 2, None),
            ("123456789012345.6", 0, None),
            ("4503599627370495.5", 0, None),
            // nothing is wrong with them, however many digits they have
            ("90071992547409.91", 2, None),
            ("9007199254740991", 0, None),
            ("7", 2, None),
        ] {
            let found = as_shown(number, decimals_max);
            assert_eq!(found.as_deref(), shown, "{number}");
        }
    }
}
