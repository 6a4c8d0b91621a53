//! A job, followed until it has ended: how far it is on a terminal, what becomes of it when the command is told to stop.
//! Nothing is shown where there is no terminal, or to programs.

use crate::control::{Api, Sent};
use crate::settings::Format;
use crate::stop_signal::{self, Stop};
use anyhow::bail;
use axum::http::Method;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use manifest::failure::{Failure, FailureCode};
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};
use wire::manage::{JobProgress, JobView};

/// How often a job is asked for: soon at first, since most are short.
const PAUSE_FIRST: Duration = Duration::from_millis(20);
const PAUSE_MAX: Duration = Duration::from_millis(500);
/// For how long a server is asked again that is away, is started anew or has too much to do, and how often.
const AWAY_TIME_MAX: Duration = Duration::from_secs(60);
const AWAY_PAUSE: Duration = Duration::from_secs(1);
const TICK: Duration = Duration::from_millis(120);

/// What a bar shows of rows; of bytes; and of either as long as nobody knows how many there are.
const OF_ROWS: &str = "{msg} {wide_bar} {percent} %, {eta} left";
const OF_BYTES: &str = "{msg} {wide_bar} {percent} %, {bytes_per_sec}, {eta} left";
const OF_ROWS_WITHOUT_END: &str = "{spinner} {msg} {elapsed}";
const OF_BYTES_WITHOUT_END: &str = "{spinner} {msg} {bytes}, {bytes_per_sec}, {elapsed}";

/// Follows the jobs of a command.
pub(crate) struct JobWatch {
    bar: Option<ProgressBar>,
    stop: Stop,
    /// Whether the command was told to stop.
    pub(crate) is_stopped: bool,
}

impl JobWatch {
    /// For a command that answers in this format.
    pub(crate) fn new(format: Format) -> anyhow::Result<Self> {
        let is_shown = format == Format::Text && crate::io::standard_error().is_terminal();
        let bar = || ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
        Ok(JobWatch {
            bar: is_shown.then(bar),
            stop: stop_signal::listen_beside_terminal()?,
            is_stopped: false,
        })
    }

    /// Waits for a file to be sent; `None` when the command is told to stop meanwhile: then there is no job.
    pub(crate) async fn sending<T>(
        &mut self,
        name: &str,
        bytes: Option<u64>,
        taken: &Arc<AtomicU64>,
        sending: impl Future<Output = anyhow::Result<T>>,
    ) -> anyhow::Result<Option<T>> {
        self.begin(&format!("sending {name}"));
        self.measure(bytes, [OF_BYTES, OF_BYTES_WITHOUT_END]);
        let mut sending = pin!(sending);
        loop {
            tokio::select! {
                sent = &mut sending => return sent.map(Some),
                () = &mut self.stop => {
                    self.is_stopped = true;
                    return Ok(None);
                }
                () = tokio::time::sleep(TICK) => {
                    if let Some(bar) = &self.bar {
                        bar.set_position(taken.load(Ordering::Relaxed));
                    }
                }
            }
        }
    }

    /// Shows how much of a file has come; what is given is told how many bytes that is.
    pub(crate) fn receiving(&self, name: &str, bytes: Option<u64>) -> impl FnMut(u64) {
        self.begin(&format!("receiving {name}"));
        self.measure(bytes, [OF_BYTES, OF_BYTES_WITHOUT_END]);
        move |taken| {
            if let Some(bar) = &self.bar {
                bar.set_position(taken);
            }
        }
    }

    /// Follows a job to its end; told to stop, it cancels the job and follows it to that end.
    pub(crate) async fn follow(
        &mut self,
        api: &Api,
        name: &str,
        job: &JobView,
    ) -> anyhow::Result<JobView> {
        let total_of = |progress: &JobProgress| progress.part().map(|(_, total)| total);
        let mut total = total_of(&job.progress);
        self.begin(name);
        self.measure(total, [OF_ROWS, OF_ROWS_WITHOUT_END]);
        let began = Instant::now();
        let mut work = pin!(api.run_job(job));
        let (mut pause, mut is_worked_off) = (PAUSE_FIRST, false);
        loop {
            let now = self.asked(api, job).await?;
            if now.state.has_ended() {
                return Ok(now);
            }
            // work that came back without an end was taken by someone else, or put off
            if is_worked_off && !api.outlives_the_command() {
                let id = &job.job_id;
                bail!(
                    "work on the job {id} broke off; what it wrote until then stays, and can be undone"
                );
            }
            // how many a query finds is known once they are counted
            if total != total_of(&now.progress) {
                total = total_of(&now.progress);
                self.measure(total, [OF_ROWS, OF_ROWS_WITHOUT_END]);
            }
            self.show(name, &now.progress, began);
            tokio::select! {
                worked = &mut work, if !is_worked_off => {
                    worked?;
                    is_worked_off = true;
                }
                () = &mut self.stop, if !self.is_stopped => {
                    self.is_stopped = true;
                    let path = format!("/jobs/{}/cancel", job.job_id);
                    let asked = api.ask::<JobView>(Method::POST, &path, Sent::Nothing).await;
                    asked.map_err(|error| left(error, api, job))?;
                }
                () = tokio::time::sleep(pause) => pause = (pause * 2).min(PAUSE_MAX),
            }
        }
    }

    /// A job as it is now. A server that is away for a moment has not ended it, so it is asked again for a while.
    async fn asked(&mut self, api: &Api, job: &JobView) -> anyhow::Result<JobView> {
        let path = format!("/jobs/{}", job.job_id);
        let began = Instant::now();
        loop {
            let asked = api.ask(Method::GET, &path, Sent::Nothing).await;
            let error = match asked {
                Ok(now) => return Ok(now),
                Err(error) => error,
            };
            let is_tried_again = api.outlives_the_command() && may_pass(&error);
            if !is_tried_again || began.elapsed() > AWAY_TIME_MAX {
                return Err(left(error, api, job));
            }
            tokio::select! {
                () = &mut self.stop, if !self.is_stopped => {
                    self.is_stopped = true;
                    return Err(left(error, api, job));
                }
                () = tokio::time::sleep(AWAY_PAUSE) => {}
            }
        }
    }

    fn begin(&self, what: &str) {
        let Some(bar) = &self.bar else { return };
        bar.reset();
        bar.set_message(what.to_owned());
        bar.enable_steady_tick(TICK);
    }

    /// Says how much there is, and what is shown where that is known and where it is not.
    fn measure(&self, total: Option<u64>, [measured, endless]: [&str; 2]) {
        let Some(bar) = &self.bar else { return };
        if let Some(total) = total.filter(|total| *total > 0) {
            bar.set_length(total);
            bar.set_style(style(measured));
        } else {
            bar.unset_length();
            bar.set_style(style(endless));
        }
    }

    fn show(&self, name: &str, progress: &JobProgress, began: Instant) {
        let Some(bar) = &self.bar else { return };
        // whatever has a total is what the bar is of
        let done = progress.part().map_or(progress.rows, |(done, _)| done);
        bar.set_position(done);
        let (rows, rate) = (progress.rows, progress.rows_per_second(began.elapsed()));
        bar.set_message(format!("{name}: {rows} rows, {rate} a second"));
    }

    /// Leaves nothing of it on the terminal.
    pub(crate) fn end(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

/// Whether a server may answer when it is asked again.
fn may_pass(error: &anyhow::Error) -> bool {
    let code = Failure::of(error).code;
    matches!(code, FailureCode::Unreachable | FailureCode::Unavailable)
}

/// Why a job is no longer followed that a server goes on with.
fn left(error: anyhow::Error, api: &Api, job: &JobView) -> anyhow::Error {
    if !api.outlives_the_command() || !may_pass(&error) {
        return error;
    }
    let id = &job.job_id;
    error.context(format!(
        "the server can't be asked for the job {id}, which goes on without the command; `fieldstone jobs show {id}` tells how far it is"
    ))
}

fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
}

#[cfg(test)]
mod tests {
    use super::*;
    use indicatif::TermLike;
    use std::io;
    use std::sync::Mutex;

    /// A terminal of which nothing is kept but what is written.
    #[derive(Clone, Debug, Default)]
    struct Paper(Arc<Mutex<String>>);

    impl Paper {
        fn write(&self, text: &str) {
            self.0.lock().unwrap().push_str(text);
        }
    }

    impl TermLike for Paper {
        fn width(&self) -> u16 {
            120
        }

        fn move_cursor_up(&self, _: usize) -> io::Result<()> {
            Ok(())
        }

        fn move_cursor_down(&self, _: usize) -> io::Result<()> {
            Ok(())
        }

        fn move_cursor_right(&self, _: usize) -> io::Result<()> {
            Ok(())
        }

        fn move_cursor_left(&self, _: usize) -> io::Result<()> {
            Ok(())
        }

        fn write_line(&self, text: &str) -> io::Result<()> {
            self.write(text);
            Ok(())
        }

        fn write_str(&self, text: &str) -> io::Result<()> {
            self.write(text);
            Ok(())
        }

        fn clear_line(&self) -> io::Result<()> {
            Ok(())
        }

        fn flush(&self) -> io::Result<()> {
            Ok(())
        }
    }

    /// What a bar wrote while something was done.
    fn written(work: impl FnOnce(&JobWatch)) -> String {
        let paper = Paper::default();
        let target = ProgressDrawTarget::term_like(Box::new(paper.clone()));
        let watch = JobWatch {
            bar: Some(ProgressBar::with_draw_target(None, target)),
            stop: Box::pin(std::future::pending()),
            is_stopped: false,
        };
        work(&watch);
        // it is drawn by its next tick, at the latest
        std::thread::sleep(3 * TICK);
        watch.end();
        let text = paper.0.lock().unwrap();
        text.clone()
    }

    #[test]
    fn bytes_on_their_way_are_shown_with_rate_and_time_left() {
        let text = written(|watch| watch.receiving("a.csv", Some(1000))(500));
        for shown in ["receiving a.csv", "50 %", "/s", "left"] {
            assert!(text.contains(shown), "{shown}: {text}");
        }
        let endless = written(|watch| watch.receiving("a.csv", None)(500));
        assert!(
            endless.contains("/s") && !endless.contains("left"),
            "{endless}"
        );
    }

    #[test]
    fn rows_have_time_left_from_when_they_are_counted() {
        let progress = |rows_total| JobProgress {
            rows: 30,
            rows_total,
            ..JobProgress::default()
        };
        let show = |watch: &JobWatch, total| {
            watch.measure(total, [OF_ROWS, OF_ROWS_WITHOUT_END]);
            watch.show("export", &progress(total), Instant::now());
        };
        let uncounted = written(|watch| {
            watch.begin("export");
            show(watch, None);
        });
        assert!(!uncounted.contains("left"), "{uncounted}");
        let counted = written(|watch| {
            watch.begin("export");
            show(watch, None);
            show(watch, Some(120));
        });
        for shown in ["export: 30 rows, 30 a second", "25 %", "left"] {
            assert!(counted.contains(shown), "{shown}: {counted}");
        }
    }
}
