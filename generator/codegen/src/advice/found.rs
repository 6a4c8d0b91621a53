//! Where advice is put as it is found.

use schema::{Path, Problem, Severity, Step};

/// The advice found so far, each with its code.
#[derive(Default)]
pub(super) struct Found(pub(super) Vec<(&'static str, Problem)>);

impl Found {
    pub(super) fn add(
        &mut self,
        code: &'static str,
        path: Path,
        message: impl Into<String>,
        help: impl Into<String>,
    ) {
        let problem = Problem::new(Severity::Warning, path, message, help);
        self.0.push((code, problem));
    }
}

/// The field that a path leads into.
pub(super) fn field_of(path: &Path) -> Option<usize> {
    match path.steps() {
        [Step::Key(key), Step::Index(index), ..] if key == "fields" => Some(*index),
        _ => None,
    }
}
