//! Where advice is put as it is found.

use schema::{Path, Problem, Severity};

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
