//! The doc comment of a construct: its description, then what else there is to say.
//!
//! ```text
//! /// What people call it.
//! ///
//! /// Text of 1 to 80 characters. The primary key.
//! ```

use super::markdown;
use super::settings::AttributeSettings;

/// The lines of a comment, and what a setting has to say of the description where the comment cannot give it back.
pub(super) struct Docs<'s> {
    pub(super) lines: Vec<String>,
    setting: Setting<'s>,
}

enum Setting<'s> {
    /// The first paragraph is the description.
    None,
    /// The first paragraph is another.
    Text(&'s str),
    /// There is no description.
    Never,
}

impl<'s> Docs<'s> {
    /// A description and a paragraph of facts, `indent` spaces from the left.
    pub(super) fn new(description: Option<&'s str>, facts: &str, indent: usize) -> Self {
        let mut lines = Vec::new();
        let is_plain = description.is_some_and(markdown::is_plain);
        match description {
            Some(text) if is_plain => lines.extend(markdown::wrap(text, indent)),
            Some(text) if !text.is_empty() => {
                lines.extend(markdown::wrap(&markdown::paragraph(text), indent));
            }
            _ => {}
        }
        if !facts.is_empty() {
            if !lines.is_empty() {
                lines.push(String::new());
            }
            lines.extend(markdown::wrap(facts, indent));
        }
        let setting = match description {
            Some(_) if is_plain => Setting::None,
            Some(text) => Setting::Text(text),
            None if lines.is_empty() => Setting::None,
            None => Setting::Never,
        };
        Docs { lines, setting }
    }

    /// Says of the description what the comment does not.
    pub(super) fn describe(&self, settings: &mut AttributeSettings) {
        match self.setting {
            Setting::None => {}
            Setting::Text(text) => settings.text("description", text),
            Setting::Never => settings.value("description", false),
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
