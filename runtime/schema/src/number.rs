//! JSON numbers by their token: exact questions (is it whole, how many decimals, does it fit?)
//! without a double and without expanding an exponent. docs/rules.md, "Numbers".

/// A number token taken apart; its value is `digits × 10^scale`, without leading or trailing zeros
/// in `digits`.
#[derive(Clone, Copy, Debug)]
pub struct Number<'a> {
    token: &'a str,
    negative: bool,
    /// All digits before the exponent, the point included; trimmed of outer zeros.
    digits: &'a str,
    /// How many digits `digits` holds.
    count: i64,
    /// The power of ten of the last digit.
    scale: i64,
}

/// Why a number is no `i64`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotWhole {
    /// Its exact value has a fraction.
    Fraction,
    /// It is whole but below every `i64`.
    Below,
    /// It is whole but above every `i64`.
    Above,
}

/// An amount of money in hundredths, in the range of a 96-bit decimal with two decimals.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Hundredths(i128);

/// Why a number is no amount of money.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotHundredths {
    /// Its exact value has more than two decimals.
    Decimals,
    /// It has at most two decimals but is below the range.
    Below,
    /// It has at most two decimals but is above the range.
    Above,
}

impl<'a> Number<'a> {
    /// Takes apart a token that follows JSON's grammar.
    pub fn of(token: &'a str) -> Self {
        let (negative, rest) = match token.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, token),
        };
        let (mantissa, exponent) = match rest.find(['e', 'E']) {
            Some(at) => (&rest[..at], exponent(&rest[at + 1..])),
            None => (rest, 0),
        };
        let fraction = mantissa
            .find('.')
            .map_or(0, |point| mantissa.len() - point - 1);
        let without_tail = mantissa.trim_end_matches(['0', '.']);
        // a point inside what was cut off does not count as a digit
        let cut = mantissa.len() - without_tail.len();
        let cut_digits = cut - usize::from(mantissa[without_tail.len()..].contains('.'));
        let digits = without_tail.trim_start_matches(['0', '.']);
        let count = digits.len() - usize::from(digits.contains('.'));
        let scale = exponent
            .saturating_add(length(cut_digits))
            .saturating_sub(length(fraction));
        Number {
            token,
            negative,
            digits,
            count: length(count),
            scale,
        }
    }

    fn is_zero(&self) -> bool {
        self.digits.is_empty()
    }

    /// How many digits stand before the decimal point when written out (may be negative).
    fn whole_digits(&self) -> i64 {
        self.count.saturating_add(self.scale)
    }

    /// The digits times `10^(scale + shift)`; the caller has made sure that it fits and is whole.
    fn scaled(&self, shift: i64) -> i128 {
        let digits = self.digits.bytes().filter(u8::is_ascii_digit);
        let value = digits.fold(0_i128, |sum, digit| sum * 10 + i128::from(digit - b'0'));
        let zeros = u32::try_from(self.scale + shift).unwrap_or(0);
        let value = value * 10_i128.pow(zeros);
        if self.negative { -value } else { value }
    }

    /// The exact value, where it is a whole number that fits.
    ///
    /// # Errors
    /// Says whether it has a fraction or lies outside.
    pub fn to_i64(&self) -> Result<i64, NotWhole> {
        if self.is_zero() {
            return Ok(0);
        }
        if self.scale < 0 {
            return Err(NotWhole::Fraction);
        }
        let outside = if self.negative {
            NotWhole::Below
        } else {
            NotWhole::Above
        };
        if self.whole_digits() > 19 {
            return Err(outside);
        }
        i64::try_from(self.scaled(0)).map_err(|_| outside)
    }

    /// The exact value in hundredths, where it has at most two decimals and fits.
    ///
    /// # Errors
    /// Says whether it has more decimals or lies outside.
    pub fn to_hundredths(&self) -> Result<Hundredths, NotHundredths> {
        if self.is_zero() {
            return Ok(Hundredths(0));
        }
        if self.scale < -2 {
            return Err(NotHundredths::Decimals);
        }
        let outside = if self.negative {
            NotHundredths::Below
        } else {
            NotHundredths::Above
        };
        if self.whole_digits() > 27 {
            return Err(outside);
        }
        Hundredths::new(self.scaled(2)).ok_or(outside)
    }

    /// The nearest double of a number's token, where it is finite; minus zero becomes zero.
    pub fn of_double(token: &str) -> Option<f64> {
        let value: f64 = token.parse().ok()?;
        value
            .is_finite()
            .then_some(if value == 0.0 { 0.0 } else { value })
    }

    /// The nearest double, where it is finite; minus zero becomes zero.
    pub fn to_f64(&self) -> Option<f64> {
        Number::of_double(self.token)
    }
}

impl Hundredths {
    /// The largest amount: the largest 96-bit mantissa with two decimals.
    pub const MAX: Hundredths = Hundredths((1 << 96) - 1);
    /// The smallest amount.
    pub const MIN: Hundredths = Hundredths(-((1 << 96) - 1));

    /// An amount from its number of hundredths, where it is in range.
    pub fn new(hundredths: i128) -> Option<Self> {
        let amount = Hundredths(hundredths);
        (Self::MIN..=Self::MAX).contains(&amount).then_some(amount)
    }

    /// A whole amount.
    pub const fn whole(units: i64) -> Self {
        Hundredths(units as i128 * 100)
    }

    /// The number of hundredths.
    pub fn get(self) -> i128 {
        self.0
    }

    /// Appends the stored form: no exponent, no trailing zeros, no minus zero.
    pub fn write(self, out: &mut String) {
        use std::fmt::Write as _;
        let sign = if self.0 < 0 { "-" } else { "" };
        let (units, rest) = (self.0.unsigned_abs() / 100, self.0.unsigned_abs() % 100);
        // INVARIANT: writing to a String cannot fail
        let _ = match (rest, rest % 10) {
            (0, _) => write!(out, "{sign}{units}"),
            (_, 0) => write!(out, "{sign}{units}.{}", rest / 10),
            _ => write!(out, "{sign}{units}.{rest:02}"),
        };
    }
}

fn length(count: usize) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

/// The exponent's value, held to a range far beyond any length of text.
fn exponent(text: &str) -> i64 {
    const FAR: i64 = i64::MAX / 4;
    let (negative, digits) = match text.as_bytes().first() {
        Some(b'-') => (true, &text[1..]),
        Some(b'+') => (false, &text[1..]),
        _ => (false, text),
    };
    let size = digits.bytes().fold(0_i64, |sum, digit| {
        (sum.saturating_mul(10)
            .saturating_add(i64::from(digit - b'0')))
        .min(FAR)
    });
    if negative { -size } else { size }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_numbers_are_found_in_any_spelling() {
        for (token, expected) in [
            ("0", Ok(0)),
            ("-0", Ok(0)),
            ("-0.0e5", Ok(0)),
            ("1.0", Ok(1)),
            ("1e3", Ok(1000)),
            ("10e-1", Ok(1)),
            ("0.1e1", Ok(1)),
            ("100.00e-2", Ok(1)),
            ("1200", Ok(1200)),
            ("1.5", Err(NotWhole::Fraction)),
            ("1e-1", Err(NotWhole::Fraction)),
            ("0.05e1", Err(NotWhole::Fraction)),
            ("9223372036854775807", Ok(i64::MAX)),
            ("-9223372036854775808", Ok(i64::MIN)),
            ("9223372036854775808", Err(NotWhole::Above)),
            ("-9223372036854775809", Err(NotWhole::Below)),
            ("1e400", Err(NotWhole::Above)),
            ("-1e99999999999999999999999", Err(NotWhole::Below)),
            ("1e-99999999999999999999999", Err(NotWhole::Fraction)),
        ] {
            assert_eq!(Number::of(token).to_i64(), expected, "{token}");
        }
    }

    #[test]
    fn money_is_read_and_written_without_a_double() {
        for (token, expected) in [
            ("1.500", Ok("1.5")),
            ("1e2", Ok("100")),
            ("0.01", Ok("0.01")),
            ("-0.10", Ok("-0.1")),
            ("-0.00", Ok("0")),
            ("100.05e1", Ok("1000.5")),
            ("1.005", Err(NotHundredths::Decimals)),
            ("9007199254740993.01", Ok("9007199254740993.01")),
            (
                "792281625142643375935439503.35",
                Ok("792281625142643375935439503.35"),
            ),
            ("792281625142643375935439503.36", Err(NotHundredths::Above)),
            ("-1e400", Err(NotHundredths::Below)),
            ("1e-400", Err(NotHundredths::Decimals)),
        ] {
            let found = Number::of(token).to_hundredths().map(|amount| {
                let mut text = String::new();
                amount.write(&mut text);
                text
            });
            assert_eq!(found, expected.map(str::to_owned), "{token}");
        }
    }

    #[test]
    fn doubles_are_finite_and_have_no_minus_zero() {
        assert_eq!(Number::of("1e309").to_f64(), None);
        assert!(Number::of("-0").to_f64().is_some_and(f64::is_sign_positive));
        assert_eq!(Number::of("1e-999999999999").to_f64(), Some(0.0));
        assert_eq!(Number::of("0.1").to_f64(), Some(0.1));
    }
}
