//! The mark that some editors and shells begin a text with. JSON has none, and files that people keep may.

/// The text of a file without its byte-order mark, if it begins with one.
pub fn unmarked(text: &str) -> &str {
    text.strip_prefix('\u{feff}').unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_mark_at_the_beginning_goes() {
        assert_eq!(unmarked("\u{feff}{}"), "{}");
        assert_eq!(unmarked("{\"\u{feff}\":1}"), "{\"\u{feff}\":1}");
        assert_eq!(unmarked("\u{feff}\u{feff}{}"), "\u{feff}{}");
    }
}
