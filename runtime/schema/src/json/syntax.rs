//! What is wrong with a text that is not JSON: data for whoever shows it. Finding it is for the
//! scanner.

use std::fmt;

/// Why a text is not JSON, and where.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SyntaxError {
    /// What kind of mistake it is.
    pub kind: SyntaxKind,
    /// Byte offset of the first byte that cannot continue the text (its length at an unexpected end).
    pub offset: usize,
}

/// The kinds of JSON mistakes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SyntaxKind {
    /// Something else than what the text names was expected.
    Expected(&'static str),
    /// The text ends too early.
    End,
    /// A backslash sequence that JSON does not have.
    Escape,
    /// Half of a surrogate pair: no Unicode text can hold it.
    Surrogate,
    /// U+0000, raw or escaped, which no store can hold.
    Nul,
    /// A raw control character inside a string.
    Control,
    /// Deeper nesting than a tree of values may have.
    Depth,
}

impl fmt::Display for SyntaxError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind {
            SyntaxKind::Expected(what) => write!(f, "expected {what}")?,
            SyntaxKind::End => f.write_str("the text ends too early")?,
            SyntaxKind::Escape => f.write_str("unknown escape sequence")?,
            SyntaxKind::Surrogate => f.write_str("half of a surrogate pair")?,
            SyntaxKind::Nul => f.write_str("the character U+0000")?,
            SyntaxKind::Control => f.write_str("unescaped control character in a string")?,
            SyntaxKind::Depth => f.write_str("nested too deeply")?,
        }
        write!(f, " at byte {}", self.offset)
    }
}

impl std::error::Error for SyntaxError {}
