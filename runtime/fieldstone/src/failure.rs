//! How a command that failed says so: the sentence for people, the object for programs, and the code that the
//! process ends with. `docs/commands.md`, "Errors of commands".

use crate::settings::Format;
use crate::standard_output::{standard_output, tell_line};
use manifest::failure::{Failure, FailureCode};
use std::fmt;
use std::io::Write as _;
use std::process::ExitCode;

/// How a process ends. `docs/commands.md`, "Exit codes".
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exit {
    /// Everything was done.
    Done = 0,
    /// It was not, or not to its end.
    Failed = 1,
    /// What was asked for can't be understood, or contradicts itself.
    Usage = 2,
    /// It was done, and something was left out: some records, or a deletion.
    LeftOut = 3,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        ExitCode::from(exit as u8)
    }
}

/// A command line, a variable or a settings file that contradicts itself: exit code 2.
#[derive(Debug)]
pub(crate) struct Usage(pub(crate) String);

impl fmt::Display for Usage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Usage {}

/// An error of the command line.
pub(crate) fn usage(text: impl Into<String>) -> anyhow::Error {
    anyhow::Error::new(Usage(text.into()))
}

/// What was asked for contradicts what is there.
pub(crate) fn conflict(message: impl Into<String>) -> anyhow::Error {
    Failure::new(FailureCode::Conflict, message).into()
}

/// What an error tells.
pub(crate) fn of(error: &anyhow::Error) -> Failure {
    let failure = Failure::of(error);
    if error.chain().any(<dyn std::error::Error>::is::<Usage>) {
        let code = FailureCode::Usage;
        return Failure { code, ..failure };
    }
    failure
}

/// How the process ends.
pub(crate) fn exit(failure: &Failure) -> Exit {
    match failure.code {
        FailureCode::Usage => Exit::Usage,
        _ => Exit::Failed,
    }
}

/// Tells people, on standard error.
pub(crate) fn tell(failure: &Failure) {
    tell_line(format_args!("error: {failure}"));
}

/// Tells people, and programs where they asked for it: an object `error`, alone on standard output.
pub(crate) fn tell_all(failure: &Failure, format: Format) {
    tell(failure);
    if format == Format::Json {
        let object = serde_json::json!({"error": failure.printed()});
        // who does not read any more needs no telling
        let _ = writeln!(standard_output(), "{object:#}");
    }
}
