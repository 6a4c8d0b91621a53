//! What people see, and what is kept, of an operation while it goes on: how far it is, on standard error, the records
//! that it can't store, in a file, and those that it exports. Programs that asked for JSON are shown nothing.

use crate::io::standard_error;
use crate::record_files::RecordFiles;
use crate::rejects::Rejects;
use crate::settings::Format;
use crate::stop_signal::{self, Stop};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use manifest::events::{Event, Progress};
use std::io::Write;
use std::time::{Duration, Instant};

/// How often a log is told how far it is.
const LINE_EVERY: Duration = Duration::from_secs(10);
/// How often a terminal is.
const TICK: Duration = Duration::from_millis(120);

/// Who watches.
pub(crate) struct Watch {
    shown: ProgressView,
    rejects: Option<Rejects>,
    records: Option<RecordFiles>,
    /// The newest that was told of how far it is.
    newest: Option<Progress>,
    /// Whether a signal to stop has the operation end with what it did, and not the process with nothing.
    is_stoppable: bool,
}

/// How progress is shown.
enum ProgressView {
    Nothing,
    /// On a terminal.
    Bar {
        bar: ProgressBar,
        /// The file it is about.
        file: Option<String>,
    },
    /// Anywhere else, such as a log: a line now and then.
    Lines(Lines),
}

/// A log, and when it had its last line, or began.
struct Lines {
    last: Instant,
    log: Box<dyn Write + Send>,
}

impl Lines {
    fn tell(&mut self, how_far: &str) {
        if self.last.elapsed() >= LINE_EVERY {
            self.last = Instant::now();
            // a log that takes nothing stops no work
            let _ = writeln!(self.log, "{how_far}");
        }
    }
}

impl Watch {
    /// One for an answer in this format.
    pub(crate) fn new(format: Format) -> Self {
        let shown = if format == Format::Json {
            ProgressView::Nothing
        } else if standard_error().is_terminal() {
            ProgressView::Bar {
                bar: ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr()),
                file: None,
            }
        } else {
            ProgressView::Lines(Lines {
                last: Instant::now(),
                log: Box::new(standard_error()),
            })
        };
        Watch {
            shown,
            rejects: None,
            records: None,
            newest: None,
            is_stoppable: false,
        }
    }

    /// The same of an operation that tells what it did, also where it is told to stop.
    pub(crate) fn stoppable(self) -> Self {
        Watch {
            is_stoppable: true,
            ..self
        }
    }

    /// Ends when the operation is told to stop; from now on, the process is not ended by it.
    pub(crate) fn stop(&self) -> anyhow::Result<Stop> {
        Ok(if self.is_stoppable {
            stop_signal::listen_beside_terminal()?
        } else {
            Box::pin(std::future::pending())
        })
    }

    /// How far it was when that was told last.
    pub(crate) fn how_far(&self) -> Option<String> {
        let Progress {
            file, done, total, ..
        } = self.newest.as_ref()?;
        Some(format!("{file}: {done} of {total} records"))
    }

    /// The same, with a file for records that can't be stored.
    pub(crate) fn with_rejects(self, rejects: Rejects) -> Self {
        Watch {
            rejects: Some(rejects),
            ..self
        }
    }

    /// The same, with files for records that are exported.
    pub(crate) fn with_records(self, records: RecordFiles) -> Self {
        Watch {
            records: Some(records),
            ..self
        }
    }

    /// Tells that something begins whose length nobody knows.
    pub(crate) fn begin(&mut self, what: &str) {
        if let ProgressView::Bar { bar, .. } = &self.shown {
            bar.set_message(what.to_owned());
            bar.enable_steady_tick(TICK);
        }
    }

    /// Tells how far something is whose length nobody knows.
    pub(crate) fn tell(&mut self, how_far: &str) {
        match &mut self.shown {
            ProgressView::Nothing => {}
            ProgressView::Bar { bar, .. } => bar.set_message(how_far.to_owned()),
            ProgressView::Lines(lines) => lines.tell(how_far),
        }
    }

    /// Sees what happened.
    pub(crate) fn see(&mut self, event: &Event) {
        match event {
            Event::Progress(progress) => {
                self.shown.see(progress);
                self.newest = Some(progress.clone());
            }
            // the report counts them, and nothing is to be mended about them
            Event::Edited(_) => {}
            Event::Rejected(record) => {
                if let Some(rejects) = &mut self.rejects {
                    rejects.write(record);
                }
            }
            Event::Records(lines) => {
                if let Some(records) = &mut self.records {
                    records.write(lines);
                }
            }
        }
    }

    /// Ends the watch; fails when a file of records is not whole.
    pub(crate) fn end(self) -> anyhow::Result<()> {
        if let ProgressView::Bar { bar, .. } = &self.shown {
            bar.finish_and_clear();
        }
        if let Some(records) = self.records {
            records.end()?;
        }
        match self.rejects {
            Some(rejects) => rejects.end(),
            None => Ok(()),
        }
    }
}

impl ProgressView {
    fn see(&mut self, progress: &Progress) {
        let Progress {
            file, done, total, ..
        } = progress;
        match self {
            ProgressView::Nothing => {}
            ProgressView::Bar { bar, file: current } => {
                if current.as_ref() != Some(file) {
                    bar.reset();
                    bar.set_style(style());
                    bar.set_length(*total as u64);
                    bar.set_message(file.clone());
                    *current = Some(file.clone());
                }
                bar.set_position(*done as u64);
            }
            ProgressView::Lines(lines) => lines.tell(&format!("{file}: {done} of {total} records")),
        }
    }
}

fn style() -> ProgressStyle {
    let template = "{msg} {wide_bar} {human_pos} of {human_len}, {eta} left";
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use std::io;
    use std::sync::{Arc, Mutex};

    /// A log that can be read.
    #[derive(Clone, Default)]
    pub(crate) struct Paper(Arc<Mutex<Vec<u8>>>);

    impl Paper {
        pub(crate) fn text(&self) -> String {
            String::from_utf8(self.0.lock().unwrap().clone()).unwrap()
        }
    }

    impl Write for Paper {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().extend(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    /// One whose log had its last line so long ago that the next one is written.
    pub(crate) fn due(paper: &Paper) -> Watch {
        let last = Instant::now().checked_sub(LINE_EVERY);
        let lines = Lines {
            last: last.expect("the machine runs for longer"),
            log: Box::new(paper.clone()),
        };
        Watch {
            shown: ProgressView::Lines(lines),
            rejects: None,
            records: None,
            newest: None,
            is_stoppable: false,
        }
    }

    #[test]
    fn a_log_is_told_now_and_then_how_far_it_is() {
        let paper = Paper::default();
        let mut watch = due(&paper);
        watch.tell("records: 64 rows moved");
        watch.tell("records: 128 rows moved");
        assert_eq!(paper.text(), "records: 64 rows moved\n");
        let mut watch = due(&paper);
        watch.tell("records: 4096 rows moved");
        assert!(
            paper.text().ends_with("\nrecords: 4096 rows moved\n"),
            "{}",
            paper.text()
        );
    }
}
