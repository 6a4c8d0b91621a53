//! One contradiction of a schema document: where, what, what to do. It is data; how it is shown is
//! for whoever shows it.

use super::contradiction::Contradiction;
use crate::limits::LimitFault;
use crate::wording::{Wording, fill};
use std::fmt;

/// A step of a [`Path`].
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Step {
    /// Into an array.
    Index(usize),
    /// Into an object.
    Key(String),
}

/// A place in a document, written `$.fields[3].min`.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Path(Vec<Step>);

impl Path {
    /// The document itself.
    pub fn root() -> Self {
        Path::default()
    }

    /// A field of the document.
    pub fn field(index: usize) -> Self {
        Path::root().key("fields").index(index)
    }

    /// The member `key` of this place.
    #[must_use]
    pub fn key(mut self, key: &str) -> Self {
        self.0.push(Step::Key(key.to_owned()));
        self
    }

    /// The element `index` of this place.
    #[must_use]
    pub fn index(mut self, index: usize) -> Self {
        self.0.push(Step::Index(index));
        self
    }

    /// The steps from the root.
    pub fn steps(&self) -> &[Step] {
        &self.0
    }
}

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("$")?;
        for step in &self.0 {
            match step {
                Step::Index(index) => write!(f, "[{index}]")?,
                Step::Key(key)
                    if !key.is_empty()
                        && key.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_') =>
                {
                    write!(f, ".{key}")?;
                }
                Step::Key(key) => write!(f, "[{key:?}]")?,
            }
        }
        Ok(())
    }
}

/// How bad a problem is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    /// The schema can be used.
    Warning,
    /// The schema is refused.
    Error,
}

/// One contradiction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// How bad it is.
    pub severity: Severity,
    /// Where it is: the offending property, or the object that lacks one.
    pub path: Path,
    /// Byte offset in the document, where there is a document.
    pub offset: Option<usize>,
    /// What is wrong.
    pub message: String,
    /// What to do.
    pub help: String,
    /// Both by a code; none where it is no contradiction of the schema by itself.
    pub wording: Option<Wording>,
}

impl Problem {
    /// A problem whose offset is not known yet.
    pub fn new(
        severity: Severity,
        path: Path,
        message: impl Into<String>,
        help: impl Into<String>,
    ) -> Self {
        Problem {
            severity,
            path,
            offset: None,
            message: message.into(),
            help: help.into(),
            wording: None,
        }
    }

    /// A contradiction with its values.
    pub(crate) fn found(
        severity: Severity,
        path: Path,
        what: Contradiction,
        values: &[&dyn fmt::Display],
    ) -> Self {
        Problem::worded(severity, path, what, Wording::new(what.code(), values))
    }

    fn worded(severity: Severity, path: Path, what: Contradiction, wording: Wording) -> Self {
        let [message, help] = [what.message(), what.help()].map(|it| fill(it, &wording.values));
        Problem {
            wording: Some(wording),
            ..Problem::new(severity, path, message, help)
        }
    }

    /// The problem that a limit of the field at `path` is.
    pub fn of_limit(path: Path, fault: LimitFault) -> Self {
        let path = path.key(fault.property);
        Problem::worded(Severity::Error, path, fault.what, fault.wording)
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {} ({})", self.path, self.message, self.help)
    }
}

/// All errors of a refused document; never empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problems {
    /// The errors, and the warnings beside them, in the order of the document.
    pub items: Vec<Problem>,
}

impl fmt::Display for Problems {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, problem) in self.items.iter().enumerate() {
            if index > 0 {
                f.write_str("; ")?;
            }
            problem.fmt(f)?;
        }
        Ok(())
    }
}

impl std::error::Error for Problems {}
