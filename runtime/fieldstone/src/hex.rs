//! Bytes as people compare them.

use std::fmt::Write as _;

/// Bytes in small hexadecimal digits.
pub(crate) fn hex(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(2 * bytes.len());
    for byte in bytes {
        // INVARIANT: writing to a String cannot fail
        let _ = write!(text, "{byte:02x}");
    }
    text
}
