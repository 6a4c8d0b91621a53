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
        // with this bit turned, a quote is what follows the control characters, and a space is farther on
        let low = (word ^ (ONES * 2)).wrapping_sub(ONES * 0x21);
        let backslash = (word ^ (ONES * u64::from(b'\\'))).wrapping_sub(ONES);
        let special = (low | backslash) & !word & HIGHS;
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

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_first_special_byte_is_found(
            bytes in prop::collection::vec(prop_oneof![9 => b' '..=255, 1 => any::<u8>()], 0..50)
        ) {
            let is_special = |byte: &u8| matches!(byte, b'"' | b'\\' | 0..=0x1F);
            let first = bytes.iter().position(is_special);
            prop_assert_eq!(plain_run(&bytes, 0), first.unwrap_or(bytes.len()));
        }
    }
}
