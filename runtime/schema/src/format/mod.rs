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
    let two = |value: u16, out: &mut String| {
        let at = usize::from(value % 100) * 2;
        out.push_str(&PAIRS[at..at + 2]);
    };
    if width == 4 {
        two(value / 100, out);
    }
    two(value, out);
}

const PAIRS: &str = "0001020304050607080910111213141516171819\
2021222324252627282930313233343536373839\
4041424344454647484950515253545556575859\
6061626364656667686970717273747576777879\
8081828384858687888990919293949596979899";
