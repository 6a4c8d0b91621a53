//! A job, followed until it has ended: how far it is on a terminal, what becomes of it when the command is told to stop.
//! Nothing is shown where there is no terminal, or to programs.

use crate::control::{Api, Sent};
use crate::settings::Format;
use crate::stop_signal;
use anyhow::bail;
use axum::http::Method;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::{self, IsTerminal as _};
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};
use wire::manage::{JobProgress, JobView};

/// How often a job is asked for: soon at first, since most are short.
const PAUSE_FIRST: Duration = Duration::from_millis(20);
const PAUSE_MAX: Duration = Duration::from_millis(500);
const TICK: Duration = Duration::from_millis(120);

/// A signal to stop.
type Stop = Pin<Box<dyn Future<Output = ()>>>;

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
        let is_shown = format == Format::Text && io::stderr().is_terminal();
        let bar = || ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
        Ok(JobWatch {
            bar: is_shown.then(bar),
            stop: Box::pin(stop_signal::listen()?),
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
        self.begin(&format!("sending {name}"), bytes);
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

    /// Follows a job to its end; told to stop, it cancels the job and follows it to that end.
    pub(crate) async fn follow(
        &mut self,
        api: &Api,
        name: &str,
        job: &JobView,
    ) -> anyhow::Result<JobView> {
        let path = format!("/jobs/{}", job.job_id);
        let total = job.progress.bytes_total.or(job.progress.rows_total);
        self.begin(name, total);
        let began = Instant::now();
        let mut work = pin!(api.run_job(job));
        let (mut pause, mut is_worked_off) = (PAUSE_FIRST, false);
        loop {
            let now: JobView = api.ask(Method::GET, &path, Sent::Nothing).await?;
            if now.state.has_ended() {
                return Ok(now);
            }
            // work that came back without an end was taken by someone else, or put off
            if is_worked_off && !api.outlives_the_command() {
                let id = &job.job_id;
                bail!("the job {id} was put off; the server that is started next goes on with it");
            }
            self.show(name, &now.progress, began);
            tokio::select! {
                worked = &mut work, if !is_worked_off => {
                    worked?;
                    is_worked_off = true;
                }
                () = &mut self.stop, if !self.is_stopped => {
                    self.is_stopped = true;
                    let path = format!("{path}/cancel");
                    api.ask::<JobView>(Method::POST, &path, Sent::Nothing).await?;
                }
                () = tokio::time::sleep(pause) => pause = (pause * 2).min(PAUSE_MAX),
            }
        }
    }

    fn begin(&self, what: &str, total: Option<u64>) {
        let Some(bar) = &self.bar else { return };
        bar.reset();
        bar.set_message(what.to_owned());
        match total.filter(|total| *total > 0) {
            Some(total) => {
                bar.set_length(total);
                bar.set_style(style("{msg} {wide_bar} {percent} %, {eta} left"));
            }
            None => bar.set_style(style("{spinner} {msg} {elapsed}")),
        }
        bar.enable_steady_tick(TICK);
    }

    fn show(&self, name: &str, progress: &JobProgress, began: Instant) {
        let Some(bar) = &self.bar else { return };
        // whatever has a total is what the bar is of
        let done = match (progress.bytes_total, progress.rows_total) {
            (Some(_), _) => progress.bytes,
            (None, _) => progress.rows,
        };
        bar.set_position(done);
        let seconds = began.elapsed().as_secs().max(1);
        let (rows, rate) = (progress.rows, progress.rows / seconds);
        bar.set_message(format!("{name}: {rows} rows, {rate} a second"));
    }

    /// Leaves nothing of it on the terminal.
    pub(crate) fn end(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
}
