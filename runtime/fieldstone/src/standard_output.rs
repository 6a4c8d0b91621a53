//! Standard output and standard error, as commands write to them: what can't be written to the one is told with its name,
//! and what can't be told by the other is let go.

use crate::io::{Output, standard_error};
use manifest::failure::{Failure, FailureCode};
use std::fmt::Arguments;
use std::io::{self, ErrorKind, Stdout, Write};
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether a write found that the reader of standard output has gone: what writes by way of a library gets no more than a text
/// of it back.
static READER_LEFT: AtomicBool = AtomicBool::new(false);

/// Standard output, whose failures say what they are of.
pub(crate) struct StandardOutput(Output<Stdout>);

/// Standard output.
pub(crate) fn standard_output() -> StandardOutput {
    StandardOutput(crate::io::standard_output())
}

impl Write for StandardOutput {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes).map_err(|error| named(&error))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush().map_err(|error| named(&error))
    }
}

/// The same failure, by the name of what it is of.
fn named(error: &io::Error) -> io::Error {
    if error.kind() == ErrorKind::BrokenPipe {
        READER_LEFT.store(true, Ordering::Relaxed);
    }
    io::Error::new(error.kind(), format!("standard output: {error}"))
}

/// Tells people a line on standard error. One that nobody can read changes nothing of what is done.
pub(crate) fn tell_line(line: Arguments<'_>) {
    // in one piece, so that no other line comes between
    let _ = standard_error().write_all(format!("{line}\n").as_bytes());
}

/// Whether who reads what a command writes has gone.
pub(crate) fn is_unread(error: &anyhow::Error) -> bool {
    let io = error.downcast_ref::<io::Error>();
    let json = error.downcast_ref::<serde_json::Error>();
    let kind = io
        .map(io::Error::kind)
        .or(json.and_then(serde_json::Error::io_error_kind));
    kind == Some(ErrorKind::BrokenPipe)
}

/// What is told of a file that goes to standard output, where its reader has gone before its end: `what` it is of.
pub(crate) fn of_cut(what: &str, error: impl Into<anyhow::Error>) -> anyhow::Error {
    let error = error.into();
    if !is_unread(&error) && !READER_LEFT.load(Ordering::Relaxed) {
        return error;
    }
    Failure {
        message: format!("the reader went away; the {what} is not whole"),
        causes: error.chain().map(ToString::to_string).collect(),
        code: FailureCode::Failed,
    }
    .into()
}
