//! A generated file, before it is anywhere.

use crate::coded_report::Advice;
use crate::note::Note;

/// One generated file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct File {
    /// Its name; generated files stand in one directory.
    pub path: String,
    /// What it holds.
    pub text: String,
    /// The names in it that had to be adjusted, and why.
    pub notes: Vec<Note>,
    /// Whether ids in it were made of names, as a document has none: those of a running service are others.
    pub has_made_ids: bool,
    /// What looks wrong in its schema but does no harm.
    pub warnings: Vec<Advice>,
}
