//! The numbers that nearly every record has: up to 18 digits, a point among them or none, no exponent. One walk over the
//! digits finds the token's end and its exact value. Every other number is taken apart by [`Number`](crate::Number).

use crate::Hundredths;

/// A short number, `digits` divided by ten to the power of `decimals`. It is never minus zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlainNumber {
    digits: i64,
    decimals: u8,
}

/// Every whole number up to this one is a double, and so is every power of ten that `decimals` can be.
const EXACT_MAX: u64 = 1 << 53;
/// Decimals of so many digits are all told apart by doubles, so each is the shortest text of its double.
const SHORTEST_BELOW: u64 = 1_000_000_000_000_000;
/// Smaller doubles are at some point written with an exponent.
const SMALL: f64 = 0.001;
const POWERS: [f64; 18] = [
    1.0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
    1e17,
];

impl PlainNumber {
    /// The number at the start of a text, and the bytes that its token has. `None` where there is no number, or another
    /// kind of one.
    #[inline]
    pub fn at_start_of(text: &[u8]) -> Option<(Self, usize)> {
        let negative = text.first() == Some(&b'-');
        let first = usize::from(negative);
        let (whole_end, sum) = digit_run(text, first, 0);
        let whole = whole_end - first;
        if whole == 0 || (whole > 1 && text[first] == b'0') {
            return None;
        }
        let (mut end, mut digits, mut decimals) = (whole_end, sum, 0);
        if text.get(end) == Some(&b'.') {
            (end, digits) = digit_run(text, whole_end + 1, sum);
            decimals = end - whole_end - 1;
            if decimals == 0 {
                return None;
            }
        }
        let has_exponent = matches!(text.get(end), Some(b'e' | b'E'));
        if has_exponent || whole + decimals > 18 || (negative && digits == 0) {
            return None;
        }
        let digits = i64::try_from(digits).ok()?;
        let number = PlainNumber {
            digits: if negative { -digits } else { digits },
            decimals: u8::try_from(decimals).ok()?,
        };
        Some((number, end))
    }

    /// The value, where it is written without a point.
    #[inline]
    pub fn to_i64(self) -> Option<i64> {
        (self.decimals == 0).then_some(self.digits)
    }

    /// The value in hundredths, where it is written with at most two decimals.
    #[inline]
    pub fn to_hundredths(self) -> Option<Hundredths> {
        let factor = match self.decimals {
            0 => 100,
            1 => 10,
            2 => 1,
            _ => return None,
        };
        Hundredths::new(i128::from(self.digits) * factor)
    }

    /// The nearest double, where one division of exact doubles gives it.
    #[inline]
    #[expect(
        clippy::cast_precision_loss,
        reason = "no larger than what doubles hold exactly"
    )]
    pub fn to_f64(self) -> Option<f64> {
        let power = POWERS.get(usize::from(self.decimals))?;
        (self.digits.unsigned_abs() <= EXACT_MAX).then(|| self.digits as f64 / power)
    }

    /// Whether the token is how its exact value is stored: no zeros at the end of its decimals.
    #[inline]
    pub fn is_shortest(self) -> bool {
        self.decimals == 0 || self.digits % 10 != 0
    }

    /// Whether the token is how its double is stored. It may be so where this says no.
    #[inline]
    pub fn is_shortest_double(self, double: f64) -> bool {
        let ends_well = self.decimals == 1 || (self.decimals > 1 && self.digits % 10 != 0);
        ends_well
            && self.digits.unsigned_abs() < SHORTEST_BELOW
            && (double.abs() >= SMALL || self.digits == 0)
    }
}

/// The end of the digits from `at` on, and the number that they and `sum` before them are: a wrong one, if more than 18.
#[inline]
fn digit_run(text: &[u8], mut at: usize, mut sum: u64) -> (usize, u64) {
    while let Some(byte) = text.get(at) {
        let digit = byte.wrapping_sub(b'0');
        if digit > 9 {
            break;
        }
        sum = sum.wrapping_mul(10).wrapping_add(u64::from(digit));
        at += 1;
    }
    (at, sum)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Number;
    use proptest::prelude::*;

    #[test]
    fn what_is_no_short_number_is_left_to_others() {
        for text in [
            "",
            "-",
            "x",
            "01",
            "-01.5",
            "1.",
            "1.x",
            "1e3",
            "1.5E3",
            "-0",
            "-0.00",
            ".5",
            "1234567890123456789",
            "0.000000000000000001",
        ] {
            assert_eq!(PlainNumber::at_start_of(text.as_bytes()), None, "{text}");
        }
        let (number, end) = PlainNumber::at_start_of(b"-12.50,").unwrap();
        assert_eq!((number.digits, number.decimals, end), (-1250, 2, 6));
    }

    proptest! {
        #[test]
        fn short_numbers_are_what_long_ones_are(
            token in "-?(0|[1-9][0-9]{0,17})(\\.[0-9]{1,12})?"
        ) {
            let number = Number::of(&token);
            if let Some((plain, end)) = PlainNumber::at_start_of(token.as_bytes()) {
                prop_assert_eq!(end, token.len());
                if let Some(value) = plain.to_i64() {
                    prop_assert_eq!(Ok(value), number.to_i64());
                    prop_assert_eq!(value.to_string(), token.clone());
                }
                if let Some(amount) = plain.to_hundredths() {
                    prop_assert_eq!(Ok(amount), number.to_hundredths());
                    let mut text = String::new();
                    amount.write(&mut text);
                    prop_assert_eq!(plain.is_shortest(), text == token);
                }
                if let Some(value) = plain.to_f64() {
                    prop_assert_eq!(Some(value.to_bits()), number.to_f64().map(f64::to_bits));
                    if plain.is_shortest_double(value) {
                        prop_assert_eq!(serde_json::to_string(&value).unwrap(), token);
                    }
                }
            }
        }
    }
}
