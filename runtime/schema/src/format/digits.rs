//! ASCII digits to numbers and back: all the arithmetic that dates and times in text need.

/// Two ASCII digits at the start of `text` as a number, and what follows them.
#[inline]
pub(super) fn two_digits(text: &[u8]) -> Option<(u16, &[u8])> {
    let [tens, ones, rest @ ..] = text else {
        return None;
    };
    Some((pair(*tens, *ones)?, rest))
}

/// The number that two ASCII digits are.
#[inline]
pub(super) fn pair(tens: u8, ones: u8) -> Option<u16> {
    let (tens, ones) = (tens.wrapping_sub(b'0'), ones.wrapping_sub(b'0'));
    (tens <= 9 && ones <= 9).then(|| u16::from(tens) * 10 + u16::from(ones))
}

/// Appends `value` with at least `width` digits.
pub(super) fn write_digits(out: &mut String, value: u16, width: u32) {
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
