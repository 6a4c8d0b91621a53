//! What the messages about schemas share: the colours, and how a text of a document is quoted. It is only
//! text; who prints it is for the program.

/// The codes that switch colours on and off in a rendered report; empty by default.
#[derive(Clone, Debug, Default)]
pub struct Palette {
    /// Before `error`.
    pub error: String,
    /// Before `warning`.
    pub warning: String,
    /// Before `note` and `help`.
    pub note: String,
    /// Before line numbers and rulers.
    pub ruler: String,
    /// After each of them.
    pub reset: String,
}

/// A text of a document inside a message: one line, and not too long.
pub(crate) fn quoted(text: &str) -> String {
    const SHOWN_MAX: usize = 60;
    let head: String = text.chars().take(SHOWN_MAX).collect();
    let dots = if head.len() < text.len() { "…" } else { "" };
    format!("{head:?}{dots}")
}
