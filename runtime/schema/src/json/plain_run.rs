//! The fast stretch of a JSON string: up to the first byte that needs a second look.

const ONES: u64 = u64::MAX / 255;
const HIGHS: u64 = ONES * 128;

/// The offset of the first byte from `at` on that is a quote, a backslash or a control character
/// (the length if there is none), eight bytes at a step.
#[inline]
pub(super) fn plain_run(bytes: &[u8], mut at: usize) -> usize {
    while let Some(chunk) = bytes.get(at..at + 8) {
        let mut word = [0; 8];
        word.copy_from_slice(chunk);
        let word = u64::from_le_bytes(word);
        let zero_in = |x: u64| x.wrapping_sub(ONES) & !x;
        let special = (zero_in(word ^ (ONES * u64::from(b'"')))
            | zero_in(word ^ (ONES * u64::from(b'\\')))
            | (word.wrapping_sub(ONES * 0x20) & !word))
            & HIGHS;
        if special != 0 {
            return at + (special.trailing_zeros() / 8) as usize;
        }
        at += 8;
    }
    while let Some(byte) = bytes.get(at) {
        if matches!(byte, b'"' | b'\\' | 0..=0x1F) {
            break;
        }
        at += 1;
    }
    at
}
