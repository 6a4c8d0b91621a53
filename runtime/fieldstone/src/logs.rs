//! Where the log goes: to standard error, as text or JSON. What is worth a line, the rooms decide.
//!
//! Lines are gathered for a moment and written together, because a write of its own for each would cost a
//! request more than the line. A warning or an error is written before its call returns, with everything
//! before it.
//!
//! Why not `tracing-appender` (0.2.5, told to lose nothing)? Measured on two threads that log a line as each
//! request does: on a busy server (90,000 lines a second) a line costs 0.7 to 1 µs of processor time here and
//! 0.8 to 1.6 µs there, of the 11 µs of a request; where lines come one by one (8,000 a second), 1 to 2 µs here
//! and 9 to 11 µs there, because every line wakes its thread and is written alone. And its guard gives up
//! after a second, so that lines are lost at the end when nobody reads.

use crate::failure::usage;
use crate::io::{Output, log_to, standard_error};
use crate::settings::{Common, LogFormat};
use crate::standard_output::tell_line;
use crate::traces::{self, Sending, Traces};
use anyhow::Context as _;
use parking_lot::{Mutex, MutexGuard};
use std::io::{self, Stderr, Write};
use std::sync::Arc;
use std::time::Duration;
use tracing::{Dispatch, Level, Metadata};
use tracing_subscriber::filter::{FilterExt as _, LevelFilter, filter_fn};
use tracing_subscriber::fmt::MakeWriter;
use tracing_subscriber::fmt::format::Writer;
use tracing_subscriber::fmt::time::{FormatTime as _, SystemTime};
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::{EnvFilter, Layer as _};

/// How long a line may wait.
const WAIT_MAX: Duration = Duration::from_millis(100);
/// How many bytes may wait.
const BYTES_MAX: usize = 64 << 10;

/// What a command asks itself, which nobody else asked.
const OWN_REQUESTS: [&str; 2] = ["server::http::request_log=warn", "service::jobs=warn"];

/// What sends traces says only what went wrong.
const SENDERS: [&str; 3] = [
    "opentelemetry=warn",
    "opentelemetry_otlp=warn",
    "opentelemetry_sdk=warn",
];

/// Starts logging, and sending traces where they go somewhere. What still waits is written and sent when the guard is
/// dropped.
pub(crate) fn start(
    common: &Common,
    is_server: bool,
    traces: Option<&Traces>,
) -> anyhow::Result<FlushGuard> {
    let mut filter = filter(&common.log)?;
    if !is_server {
        for own in OWN_REQUESTS {
            filter = filter.add_directive(own.parse()?);
        }
    }
    let buffer = Arc::new(Buffer(Mutex::new(Unwritten {
        bytes: Vec::new(),
        to: standard_error(),
    })));
    let writer = Lines(buffer.clone());
    let sending = if let Some(traces) = traces {
        Some(with_traces(common.log_format, filter, writer, traces)?)
    } else {
        without_traces(common.log_format, filter, writer)?;
        None
    };
    let weak = Arc::downgrade(&buffer);
    std::thread::Builder::new()
        .name("fieldstone-log".to_owned())
        .spawn(move || {
            while let Some(buffer) = weak.upgrade() {
                buffer.flush();
                drop(buffer);
                std::thread::sleep(WAIT_MAX);
            }
        })?;
    Ok(FlushGuard { buffer, sending })
}

/// What is logged by a setting. The filter takes a word that is no level for a room, logs that and nothing else, not even errors:
/// so it is refused before.
fn filter(setting: &str) -> anyhow::Result<EnvFilter> {
    let refused = |part: &str| {
        usage(format!(
            "`{part}` is no log level; there are error, warn, info, debug, trace and off, also by room: info,store=debug"
        ))
    };
    let parts: Vec<&str> = setting.split(',').map(str::trim).collect();
    if let Some(part) = parts.iter().find(|part| !is_directive(part)) {
        return Err(refused(part));
    }
    let read = EnvFilter::builder().parse(parts.join(","));
    read.map_err(|_| refused(setting))
}

/// Whether a part of the setting is a level, or begins with a room or a span as only these do; what stands behind, the filter reads.
fn is_directive(part: &str) -> bool {
    let Some(end) = part.find(['=', '[']) else {
        return part.is_empty() || part.parse::<LevelFilter>().is_ok();
    };
    let is_name = |it: char| it.is_alphanumeric() || matches!(it, '_' | '-' | ':');
    part[..end].chars().all(is_name)
}

fn without_traces(format: LogFormat, filter: EnvFilter, writer: Lines) -> anyhow::Result<()> {
    let lines = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(writer)
        .with_ansi(standard_error().is_terminal());
    start_log(match format {
        LogFormat::Text => lines.finish().into(),
        LogFormat::Json => lines.json().flatten_event(true).finish().into(),
    })
}

fn start_log(log: Dispatch) -> anyhow::Result<()> {
    log_to(log).context("the log can't be started")
}

fn with_traces(
    format: LogFormat,
    mut filter: EnvFilter,
    writer: Lines,
    traces: &Traces,
) -> anyhow::Result<Sending> {
    for sender in SENDERS {
        filter = filter.add_directive(sender.parse()?);
    }
    let lines = tracing_subscriber::fmt::layer()
        .with_writer(writer)
        .with_ansi(standard_error().is_terminal());
    let lines = match format {
        LogFormat::Text => lines.boxed(),
        LogFormat::Json => lines.json().flatten_event(true).boxed(),
    };
    let is_said = filter_fn(|about| !traces::is_only_sent(about));
    let (spans, sending) = traces.begin()?;
    let log = tracing_subscriber::registry()
        .with(lines.with_filter(filter.and(is_said)))
        .with(spans.with_filter(filter_fn(traces::is_sent)));
    start_log(log.into())?;
    Ok(sending)
}

/// Tells whoever started the program what is in no log and depends on no level: as a text, or among entries for machines as
/// one of them.
pub(crate) fn tell_beside(format: LogFormat, text: &str) {
    match format {
        LogFormat::Text => tell_line(format_args!("{text}")),
        LogFormat::Json => {
            let mut moment = String::new();
            // a text takes whatever is written
            let _ = SystemTime.format_time(&mut Writer::new(&mut moment));
            let entry = serde_json::json!({
                "timestamp": moment,
                "level": "INFO",
                "message": text.trim(),
                "target": module_path!(),
            });
            tell_line(format_args!("{entry}"));
        }
    }
}

/// Writes and sends what waits when it is dropped.
pub(crate) struct FlushGuard {
    buffer: Arc<Buffer>,
    sending: Option<Sending>,
}

impl Drop for FlushGuard {
    fn drop(&mut self) {
        // who sends may have something to say
        self.sending = None;
        self.buffer.flush();
    }
}

/// Lines that were not written yet.
struct Buffer(Mutex<Unwritten>);

struct Unwritten {
    bytes: Vec<u8>,
    to: Output<Stderr>,
}

impl Buffer {
    fn flush(&self) {
        self.0.lock().write_out();
    }
}

impl Unwritten {
    fn write_out(&mut self) {
        if !self.bytes.is_empty() {
            // a log that can't be written must not stop the service
            let _ = self.to.write_all(&self.bytes);
            self.bytes.clear();
        }
    }
}

/// Makes a writer for each line.
struct Lines(Arc<Buffer>);

/// A line that is being written.
struct Line<'a> {
    lines: MutexGuard<'a, Unwritten>,
    is_urgent: bool,
}

impl<'a> MakeWriter<'a> for Lines {
    type Writer = Line<'a>;

    fn make_writer(&'a self) -> Line<'a> {
        Line {
            lines: self.0.0.lock(),
            is_urgent: true,
        }
    }

    fn make_writer_for(&'a self, about: &Metadata<'_>) -> Line<'a> {
        Line {
            lines: self.0.0.lock(),
            is_urgent: *about.level() <= Level::WARN,
        }
    }
}

impl Write for Line<'_> {
    /// Takes an event, which is written at once, as one line: what others say may have several.
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let event = bytes.strip_suffix(b"\n").unwrap_or(bytes);
        let start = self.lines.bytes.len();
        self.lines.bytes.extend_from_slice(bytes);
        if event.contains(&b'\n') {
            let event = &mut self.lines.bytes[start..start + event.len()];
            for byte in event.iter_mut().filter(|it| **it == b'\n') {
                *byte = b' ';
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Drop for Line<'_> {
    fn drop(&mut self) {
        if self.is_urgent || self.lines.bytes.len() >= BYTES_MAX {
            self.lines.write_out();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_event_is_one_line_whatever_it_has_of_others() {
        let buffer = Buffer(Mutex::new(Unwritten {
            bytes: Vec::new(),
            to: standard_error(),
        }));
        let mut line = Line {
            lines: buffer.0.lock(),
            is_urgent: false,
        };
        line.write_all(b"before\n").unwrap();
        line.write_all(b"failed: a lock\nDETAIL: others wait\n")
            .unwrap();
        let written = std::mem::take(&mut line.lines.bytes);
        assert_eq!(written, b"before\nfailed: a lock DETAIL: others wait\n");
    }

    #[test]
    fn a_word_alone_is_a_level_and_a_room_has_one_behind_it() {
        for setting in [
            "info",
            "WARN",
            "off",
            "3",
            "info,store=debug",
            "warn, server::http=debug,",
            "store=trace",
            "info,[request]=debug",
        ] {
            assert!(filter(setting).is_ok(), "{setting}");
        }
        for (setting, told) in [
            ("warning", "`warning`"),
            ("inf", "`inf`"),
            ("none", "`none`"),
            ("server", "`server`"),
            ("info,stor", "`stor`"),
            ("info;store=debug", "`info;store=debug`"),
            ("info store=debug", "`info store=debug`"),
            ("store=loud", "`store=loud`"),
            (",,=", "`,,=`"),
        ] {
            let message = filter(setting).unwrap_err().to_string();
            assert!(message.starts_with(told), "{message}");
            assert!(message.contains("error, warn, info"), "{message}");
        }
    }
}
