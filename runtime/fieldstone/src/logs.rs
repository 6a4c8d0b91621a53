//! Where the log goes: to standard error, as text or JSON. What is worth a line, the rooms decide.
//!
//! Lines are gathered for a moment and written together, because a write of its own for each would cost a
//! request more than the line. A warning or an error is written at once, with everything before it.

use crate::settings::{Common, LogFormat};
use anyhow::Context as _;
use std::io::{self, IsTerminal as _, Write};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tracing::{Level, Metadata};
use tracing_subscriber::EnvFilter;
use tracing_subscriber::fmt::MakeWriter;

/// How long a line may wait.
const WAIT_MAX: Duration = Duration::from_millis(100);
/// How many bytes may wait.
const BYTES_MAX: usize = 64 << 10;

/// Starts logging. What still waits is written when the guard is dropped.
pub(crate) fn start(common: &Common) -> anyhow::Result<Flush> {
    let filter = EnvFilter::builder().parse(&common.log).with_context(|| {
        format!(
            "`{}` is no log level; use info, or warn,runtime=debug",
            common.log
        )
    })?;
    let waiting = Arc::new(Waiting::default());
    let lines = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(Lines(waiting.clone()))
        .with_ansi(io::stderr().is_terminal());
    let started = match common.log_format {
        LogFormat::Text => lines.try_init(),
        LogFormat::Json => lines.json().flatten_event(true).try_init(),
    };
    started.map_err(|error| anyhow::anyhow!("the log can't be started: {error}"))?;
    let flushed = Arc::downgrade(&waiting);
    std::thread::Builder::new()
        .name("fieldstone-log".to_owned())
        .spawn(move || {
            while let Some(waiting) = flushed.upgrade() {
                waiting.flush();
                drop(waiting);
                std::thread::sleep(WAIT_MAX);
            }
        })?;
    Ok(Flush(waiting))
}

/// Writes what waits when it is dropped.
pub(crate) struct Flush(Arc<Waiting>);

impl Drop for Flush {
    fn drop(&mut self) {
        self.0.flush();
    }
}

/// Bytes that were not written yet.
#[derive(Default)]
struct Waiting(Mutex<Vec<u8>>);

impl Waiting {
    fn bytes(&self) -> MutexGuard<'_, Vec<u8>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn flush(&self) {
        write_out(&mut self.bytes());
    }
}

fn write_out(bytes: &mut Vec<u8>) {
    if !bytes.is_empty() {
        // a log that can't be written must not stop the service
        let _ = io::stderr().lock().write_all(bytes);
        bytes.clear();
    }
}

/// Makes a writer for each line.
struct Lines(Arc<Waiting>);

/// A line on its way.
struct Line<'a> {
    waiting: MutexGuard<'a, Vec<u8>>,
    is_urgent: bool,
}

impl<'a> MakeWriter<'a> for Lines {
    type Writer = Line<'a>;

    fn make_writer(&'a self) -> Line<'a> {
        Line {
            waiting: self.0.bytes(),
            is_urgent: true,
        }
    }

    fn make_writer_for(&'a self, about: &Metadata<'_>) -> Line<'a> {
        Line {
            waiting: self.0.bytes(),
            is_urgent: *about.level() <= Level::WARN,
        }
    }
}

impl Write for Line<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.waiting.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Drop for Line<'_> {
    fn drop(&mut self) {
        if self.is_urgent || self.waiting.len() >= BYTES_MAX {
            write_out(&mut self.waiting);
        }
    }
}
