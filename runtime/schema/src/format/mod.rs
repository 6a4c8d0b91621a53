//! The formats of dates, times and booleans: 10 date formats × 4 separators, 6 time formats, 5
//! pairs of words. Reading and printing live side by side. Decisions section 3, "Formats".

mod boolean;
mod date;
mod moment;
mod time;

pub use boolean::BooleanWords;
pub use date::{DateFormat, DateShape, Day, Separator};
pub use moment::{Moment, MomentShape};
pub use time::{Clock, TimeFormat};

/// Why a text is no date or time of its field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FormatFault {
    /// It is written in another way.
    Shape,
    /// It is written well, but there is no such day.
    Calendar,
    /// The field's format writes two digits of the year and can't hold this one.
    Year,
    /// The field's format writes no seconds, and they are not zero.
    Seconds,
    /// No format writes fractions of a second, and it is not zero.
    Fraction,
}

/// `count` ASCII digits at the start of `text` as a number, and what follows them.
fn digits(text: &[u8], count: usize) -> Option<(u16, &[u8])> {
    let (head, rest) = text.split_at_checked(count)?;
    let value = head.iter().try_fold(0_u16, |sum, byte| {
        byte.is_ascii_digit()
            .then(|| sum * 10 + u16::from(byte - b'0'))
    })?;
    Some((value, rest))
}

/// Appends `value` with at least `width` digits.
fn write_digits(out: &mut String, value: u16, width: u32) {
    for power in (0..width).rev() {
        let digit = value / 10_u16.pow(power) % 10;
        out.push(char::from(b'0' + u8::try_from(digit).unwrap_or(0)));
    }
}
