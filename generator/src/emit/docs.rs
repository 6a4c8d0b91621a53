//! The doc comment of a construct: its description, then what else there is to say.
//!
//! ```text
//! /// What people call it.
//! ///
//! /// Text of 1 to 80 characters. The primary key.
//! ```

use super::markdown;

/// The lines of a comment, and the description once more where the comment cannot give it back and a setting
/// has to.
pub(super) struct Docs<'s> {
    pub(super) lines: Vec<String>,
    pub(super) description: Option<&'s str>,
}

impl<'s> Docs<'s> {
    /// A description and a paragraph of facts, `indent` spaces from the left.
    pub(super) fn new(description: Option<&'s str>, facts: &str, indent: usize) -> Self {
        let mut lines = Vec::new();
        let is_plain = description.is_some_and(markdown::is_plain);
        // a comment that begins with an empty line describes nothing
        match description {
            Some(text) if is_plain => lines.extend(markdown::wrap(text, indent)),
            Some(text) if !text.is_empty() => {
                lines.extend(markdown::wrap(&markdown::paragraph(text), indent));
            }
            _ => {}
        }
        if !facts.is_empty() {
            lines.push(String::new());
            lines.extend(markdown::wrap(facts, indent));
        }
        Docs {
            lines,
            description: description.filter(|_| !is_plain),
        }
    }
}

/// Words for the docs of what has no description that could be shown.
pub(super) fn unless_described<'w>(description: Option<&str>, words: &'w str) -> &'w str {
    match description {
        Some(text) if !text.is_empty() => "",
        _ => words,
    }
}
