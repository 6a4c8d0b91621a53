//! Where the check puts what it finds, as strictly as the schema's origin asks.

use super::contradiction::Contradiction;
use super::problem::{Path, Problem, Severity};
use std::fmt::Display;

/// Where a schema comes from, which decides how strictly it is judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// It was fetched from a service: settings foreign to a field's type and unknown rule names are
    /// only warned of, and every property that the interface requires must be there.
    Elsewhere,
    /// It is being created: foreign settings and unknown rule names are errors; ids and provenance
    /// may still be absent.
    Created,
}

/// The contradictions found so far.
pub(super) struct Findings {
    origin: Origin,
    pub(super) problems: Vec<Problem>,
}

impl Findings {
    pub(super) fn new(origin: Origin) -> Self {
        Findings {
            origin,
            problems: Vec::new(),
        }
    }

    pub(super) fn error(&mut self, path: Path, what: Contradiction, values: &[&dyn Display]) {
        self.problems
            .push(Problem::found(Severity::Error, path, what, values));
    }

    /// What is an error in a schema being created and a warning in one from elsewhere.
    pub(super) fn foreign(&mut self, path: Path, what: Contradiction, values: &[&dyn Display]) {
        let severity = match self.origin {
            Origin::Created => Severity::Error,
            Origin::Elsewhere => Severity::Warning,
        };
        self.problems
            .push(Problem::found(severity, path, what, values));
    }

    pub(super) fn warning(&mut self, path: Path, what: Contradiction, values: &[&dyn Display]) {
        self.problems
            .push(Problem::found(Severity::Warning, path, what, values));
    }
}
