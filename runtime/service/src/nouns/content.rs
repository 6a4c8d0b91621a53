//! Names and texts of nouns: what they may be. Names compare by exact code points.

use crate::Refusal;
use wire::manage::Problem;
use wire::manage::limits::{DESCRIPTION_LENGTH_MAX, NAME_LENGTH_MAX};

/// Collects what is wrong with the texts of one noun.
#[derive(Default)]
pub(crate) struct Texts {
    problems: Vec<Problem>,
}

impl Texts {
    /// What is wrong with a name and a description.
    pub(crate) fn named(name: &str, description: &str) -> Self {
        let mut texts = Texts::default();
        texts
            .name("$.name", name)
            .description("$.description", description);
        texts
    }

    /// A name: 1 to 100 characters, none that nobody sees, no white space at either end.
    pub(crate) fn name(&mut self, path: &str, name: &str) -> &mut Self {
        let length = name.chars().count();
        if length > NAME_LENGTH_MAX && is_bare(name) {
            self.wrong(
                path,
                format!("has {length} characters; shorten it to {NAME_LENGTH_MAX}"),
            );
        } else {
            self.legible(path, name);
        }
        self
    }

    /// A name, however long, that is what it looks like: there is one, without white space at its ends, and without
    /// characters that nobody sees.
    pub(crate) fn legible(&mut self, path: &str, name: &str) {
        if name.trim().is_empty() {
            self.wrong(path, "is required; give a name of 1 to 100 characters");
        } else if !is_bare(name) {
            self.wrong(path, "has white space at an end; take it away");
        } else if let Some(hidden) = schema::unseen_in(name) {
            let code = u32::from(hidden);
            let message = format!("has the character U+{code:04X}, which nobody sees");
            self.wrong(path, message + "; take it away");
        }
    }

    /// A text that may be empty.
    pub(crate) fn description(&mut self, path: &str, text: &str) -> &mut Self {
        let length = text.chars().count();
        if length > DESCRIPTION_LENGTH_MAX {
            let message =
                format!("has {length} characters; shorten it to {DESCRIPTION_LENGTH_MAX}");
            self.wrong(path, message);
        }
        self
    }

    pub(crate) fn wrong(&mut self, path: &str, message: impl Into<String>) -> &mut Self {
        self.problems.push(Problem::new(path, message));
        self
    }

    /// All that is wrong, if anything is.
    pub(crate) fn judged(&mut self) -> Result<(), Refusal> {
        if self.problems.is_empty() {
            return Ok(());
        }
        Err(Refusal::Invalid(std::mem::take(&mut self.problems)))
    }
}

/// Whether a name has something to see at both ends.
fn is_bare(name: &str) -> bool {
    !name.is_empty() && name.trim() == name
}
