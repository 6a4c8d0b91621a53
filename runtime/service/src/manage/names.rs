//! Names and texts of nouns: what they may be. Names compare by exact code points.

use super::{Denied, Problem};

/// Characters a name has at most.
pub(super) const NAME_LENGTH_MAX: usize = 100;
/// Characters a description has at most.
pub(super) const DESCRIPTION_LENGTH_MAX: usize = 4000;

/// Collects what is wrong with the texts of one noun.
#[derive(Default)]
pub(super) struct Texts {
    problems: Vec<Problem>,
}

impl Texts {
    /// A name: 1 to 100 characters, none of them a control, no white space at either end.
    pub(super) fn name(&mut self, path: &str, name: &str) -> &mut Self {
        let length = name.chars().count();
        if name.trim().is_empty() {
            self.wrong(path, "is required; give a name of 1 to 100 characters");
        } else if name.trim() != name {
            self.wrong(path, "has white space at an end; take it away");
        } else if length > NAME_LENGTH_MAX {
            self.wrong(
                path,
                format!("has {length} characters; shorten it to {NAME_LENGTH_MAX}"),
            );
        } else if name.chars().any(char::is_control) {
            self.wrong(path, "has a control character; take it away");
        }
        self
    }

    /// A text that may be empty.
    pub(super) fn description(&mut self, path: &str, text: &str) -> &mut Self {
        let length = text.chars().count();
        if length > DESCRIPTION_LENGTH_MAX {
            let message =
                format!("has {length} characters; shorten it to {DESCRIPTION_LENGTH_MAX}");
            self.wrong(path, message);
        }
        self
    }

    pub(super) fn wrong(&mut self, path: &str, message: impl Into<String>) -> &mut Self {
        self.problems.push(Problem::new(path, message));
        self
    }

    /// All that is wrong, if anything is.
    pub(super) fn judged(&mut self) -> Result<(), Denied> {
        if self.problems.is_empty() {
            return Ok(());
        }
        Err(Denied::Invalid(std::mem::take(&mut self.problems)))
    }
}

/// The conflict of a name that is taken.
pub(super) fn taken(noun: &str, name: &str) -> Denied {
    Denied::Conflict(format!(
        "there is {noun} named {name:?} already; choose another name"
    ))
}

/// Refuses a change that was made from another version than the one there is.
pub(super) fn same_version(sent: Option<i64>, stored: i64) -> Result<(), Denied> {
    match sent {
        Some(sent) if sent != stored => Err(Denied::Conflict(format!(
            "the version is {stored} by now, not {sent}; read it again"
        ))),
        _ => Ok(()),
    }
}
