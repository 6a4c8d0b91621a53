//! ASCII digits to numbers and back: all the arithmetic that dates and times in text need.

/// `count` ASCII digits at the start of `text` as a number, and what follows them.
pub(super) fn digits(text: &[u8], count: usize) -> Option<(u16, &[u8])> {
    let (head, rest) = text.split_at_checked(count)?;
    let value = head.iter().try_fold(0_u16, |sum, byte| {
        byte.is_ascii_digit()
            .then(|| sum * 10 + u16::from(byte - b'0'))
    })?;
    Some((value, rest))
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
