//! How a job is worked off: one that fails or panics ends alone, and one for which the store failed is tried again from
//! where it came to. It is held meanwhile, so that nobody else takes it. What a job does is told by its kind's file.

use super::context::{Halt, JobContext, LEASE_SECONDS, Worked, lease_end};
use super::figures::count_end;
use super::folder::Part;
use super::import_again::is_dry_run;
use super::{effects_job, export, import, repair, revalidate, undo};
use crate::Service;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use store::StoreError;
use store::jobs::{Job, JobEnd, JobKind, JobState, JobStep, StepVerdict};
use tokio::time::MissedTickBehavior;
use tracing::Instrument as _;
use wire::Timestamp;

/// How often it is looked meanwhile whether the service ends.
const STOP_LOOK_PAUSE: Duration = Duration::from_millis(100);
/// How often a job's lease is renewed while a step takes long.
const RENEW_PAUSE: Duration = Duration::from_secs(LEASE_SECONDS.unsigned_abs() / 3);

/// How often it is heard whether someone cancels a job, while none of its steps hears of it; where it waits for what it needs,
/// its lease is renewed by that.
const HEAR_PAUSE: Duration = Duration::from_secs(1);

/// For how long nobody takes a job who has its file before its maker is told: another server may only be at work on others.
const ELSEWHERE_SECONDS_UNTOLD: i64 = 5 * 60;
const ELSEWHERE: &str = "its file is not in the folder of the server that took it, so it waits for the server that has it; where that is gone for good, cancel the job and send the file again";

/// On what terms a job is worked on.
pub(super) struct Terms {
    /// By which name the store knows who has it.
    pub(super) holder: String,
    /// Whether the service ends.
    pub(super) stop: Arc<AtomicBool>,
    /// How often it is tried again without getting further.
    pub(super) retries_max: u32,
}

/// Works a job off and notes how it ended.
pub(super) async fn work_off(service: Arc<Service>, job: Job, terms: Terms) {
    let span = tracing::info_span!("job", job.id, kind = job.kind.as_str());
    async {
        tracing::info!("begun");
        let worked = retried(&service, job.clone(), &terms).await;
        if let Err(error) = note_end(&service, &job, &terms.holder, worked).await {
            tracing::error!(
                error = &error as &dyn std::error::Error,
                "how it ended can't be noted, so it is tried again"
            );
        }
    }
    .instrument(span)
    .await;
}

/// Works a job off; where what it needs fails, again and again from where it came to, until it no longer gets further.
async fn retried(service: &Arc<Service>, mut job: Job, terms: &Terms) -> Worked {
    let (mut retries, mut is_cancelled) = (0, false);
    loop {
        let is_last_try = is_cancelled || retries >= terms.retries_max;
        // its dataset and who asked for it may have been made by another server just now; where the store fails, the job tells
        let _ = service.store().current_catalog().await;
        let worked = worked(JobContext {
            service: service.clone(),
            job: job.clone(),
            holder: terms.holder.clone(),
            stop: terms.stop.clone(),
            is_cancelled: Arc::default(),
            is_last_try,
            threads: tokio::runtime::Handle::current(),
        });
        let worked = worked.await;
        let Err(Halt::Interrupted(why)) = &worked.ended else {
            return worked;
        };
        if is_last_try {
            return worked;
        }
        tracing::warn!(why, retries, "interrupted, and tried again");
        let held = match held_again(service, &job, terms, retries).await {
            Ok(held) => held,
            Err(halt) => return Worked::halted(halt),
        };
        // what is only tried begins anew each time, however far it came
        let got_further = held.job.cursor != job.cursor && !is_dry_run(&job);
        retries = if got_further { 0 } else { retries + 1 };
        (job, is_cancelled) = (held.job, held.is_cancelled);
    }
}

/// A job that this service has still.
struct Held {
    /// As it was committed last.
    job: Job,
    /// Whether it is to end: it is worked on once more, so that it ends its files.
    is_cancelled: bool,
}

/// Waits until the store can be asked for a job again. As long as it is away, nothing could be noted of the job either.
///
/// # Errors
/// [`Halt::Lost`] where someone else took it meanwhile, [`Halt::Stopping`].
async fn held_again(
    service: &Service,
    job: &Job,
    terms: &Terms,
    retries: u32,
) -> Result<Held, Halt> {
    let first = service.settings().jobs.retry_pause;
    for retry in retries.. {
        rest(retry_pause(first, retry), &terms.stop).await;
        if terms.stop.load(Ordering::Relaxed) {
            break;
        }
        let held = service.store().step_job(hold(service, job, &terms.holder));
        let is_cancelled = match held.await {
            Ok(StepVerdict::Lost) => return Err(Halt::Lost),
            Ok(verdict) => verdict == StepVerdict::Cancelled,
            Err(error) => {
                let error = &error as &dyn std::error::Error;
                tracing::warn!(error, "the store can't be asked for a job yet");
                continue;
            }
        };
        if let Ok(found) = service.store().job(&job.id).await {
            let job = found.ok_or(Halt::Lost)?;
            return Ok(Held { job, is_cancelled });
        }
    }
    Err(Halt::Stopping)
}

/// How long to wait before a job is tried again: twice as long each time, and shorter than its lease.
fn retry_pause(first: Duration, retries: u32) -> Duration {
    let pause = first.saturating_mul(1 << retries.min(20));
    pause.min(RENEW_PAUSE)
}

/// Waits, unless the service ends meanwhile.
async fn rest(pause: Duration, stop: &AtomicBool) {
    let end = tokio::time::Instant::now() + pause;
    while tokio::time::Instant::now() < end && !stop.load(Ordering::Relaxed) {
        tokio::time::sleep(STOP_LOOK_PAUSE).await;
    }
}

/// Works on a job on a thread of its own, and holds it meanwhile.
async fn worked(context: JobContext) -> Worked {
    let (service, job, holder) = (
        context.service.clone(),
        context.job.clone(),
        context.holder.clone(),
    );
    let heard = context.is_cancelled.clone();
    let inside = tracing::Span::current();
    let mut work = tokio::task::spawn_blocking(move || inside.in_scope(|| work(&context)));
    let mut renewal = tokio::time::interval(RENEW_PAUSE);
    renewal.tick().await;
    let mut hearing = tokio::time::interval(HEAR_PAUSE);
    hearing.set_missed_tick_behavior(MissedTickBehavior::Delay);
    hearing.tick().await;
    let worked = loop {
        tokio::select! {
            worked = &mut work => break worked,
            _ = hearing.tick() => hear(&service, &job, &heard).await,
            _ = renewal.tick() => renew(&service, &job, &holder).await,
        }
    };
    worked.unwrap_or_else(|_| {
        Worked::halted(Halt::Failed(
            "work on it broke off by a mistake of the program; the log has the cause".to_owned(),
        ))
    })
}

fn work(context: &JobContext) -> Worked {
    match context.job.kind {
        JobKind::Import => import::run(context),
        JobKind::Export => export::run(context),
        JobKind::Repair => repair::run(context),
        JobKind::Revalidate => revalidate::run(context),
        JobKind::Effects => effects_job::run(context),
        JobKind::Undo => undo::run(context),
        JobKind::Bulk => done_by_its_request(),
    }
}

/// Nobody should take one of these: its writes were the request's own, and nothing is left to do.
fn done_by_its_request() -> Worked {
    let text = "its writes were the request's own, and it ended with that";
    Worked::halted(Halt::Failed(text.to_owned()))
}

/// A step that changes nothing but the lease's end.
fn hold(service: &Service, job: &Job, holder: &str) -> JobStep {
    let at = service.now();
    JobStep {
        id: job.id.clone(),
        holder: holder.to_owned(),
        at,
        until: lease_end(at),
        writes: Vec::new(),
        update: None,
        log: Vec::new(),
        is_elsewhere: false,
        end: None,
    }
}

/// What came of what a job waits for before it is begun.
pub(super) enum Prepared {
    /// It may begin.
    Ready,
    /// What it needs is not to be had.
    Failed,
    /// Someone cancelled it meanwhile.
    Cancelled,
    /// Someone else has it.
    Lost,
}

/// Waits for what a job needs, and holds the job meanwhile.
pub(super) async fn prepared(
    service: &Service,
    job: &Job,
    holder: &str,
    need: impl Future<Output = bool>,
) -> Prepared {
    let mut need = pin!(need);
    let mut renewal = tokio::time::interval(HEAR_PAUSE);
    renewal.set_missed_tick_behavior(MissedTickBehavior::Delay);
    renewal.tick().await;
    let mut is_cancelled = false;
    while !is_cancelled {
        tokio::select! {
            biased;
            is_there = &mut need => {
                return if is_there { Prepared::Ready } else { Prepared::Failed };
            }
            _ = renewal.tick() => {
                let held = service.store().step_job(hold(service, job, holder));
                match held.await {
                    Ok(StepVerdict::Lost) => return Prepared::Lost,
                    Ok(verdict) => is_cancelled = verdict == StepVerdict::Cancelled,
                    // the lease is as it was, and the next one tells
                    Err(_) => {}
                }
            }
        }
    }
    Prepared::Cancelled
}

/// Notes whether someone cancels a job.
async fn hear(service: &Service, job: &Job, is_cancelled: &AtomicBool) {
    // where the store is away, a step tells
    if let Ok(Some(found)) = service.store().job(&job.id).await
        && found.is_cancelling
    {
        is_cancelled.store(true, Ordering::Relaxed);
    }
}

async fn renew(service: &Service, job: &Job, holder: &str) {
    // a renewal that fails leaves the lease as it is, and the next step tells
    let _ = service.store().step_job(hold(service, job, holder)).await;
}

/// Notes of a job that it failed before any work on it.
pub(super) async fn note_failure(
    service: &Service,
    job: &Job,
    holder: &str,
    why: String,
) -> Result<(), StoreError> {
    note_halt(service, job, holder, Halt::Failed(why)).await
}

/// Notes of a job that it came to no end.
pub(super) async fn note_halt(
    service: &Service,
    job: &Job,
    holder: &str,
    halt: Halt,
) -> Result<(), StoreError> {
    note_end(service, job, holder, Worked::halted(halt)).await
}

async fn note_end(
    service: &Service,
    job: &Job,
    holder: &str,
    worked: Worked,
) -> Result<(), StoreError> {
    let step = hold(service, job, holder);
    let (state, failure) = match worked.ended {
        Ok(()) => (JobState::Done, None),
        Err(Halt::Cancelled) => (JobState::Cancelled, None),
        Err(Halt::Failed(why) | Halt::Interrupted(why)) => (JobState::Failed, Some(why)),
        Err(Halt::Lost) => {
            tracing::warn!("someone else has it");
            return Ok(());
        }
        Err(Halt::Stopping) => {
            tracing::info!("it goes on when the service is there again");
            let given_back = JobStep {
                until: step.at,
                ..step
            };
            service.store().step_job(given_back).await?;
            return Ok(());
        }
        Err(Halt::Elsewhere) => {
            if leave(service, job, holder).await? != StepVerdict::Cancelled {
                return Ok(());
            }
            (JobState::Cancelled, None)
        }
    };
    tracing::info!(state = state.as_str(), failure, "ended");
    let step = JobStep {
        end: Some(JobEnd {
            state,
            failure,
            files: worked.files,
        }),
        ..step
    };
    if service.store().step_job(step).await? == StepVerdict::Lost {
        tracing::warn!("someone else has it, and notes how it ends");
        return Ok(());
    }
    count_end(state);
    remove_spent(service, job).await;
    Ok(())
}

/// Gives a job back whose file is not here. This server leaves it alone for a while, unless someone cancels
/// it, and its maker is told once, if nobody who has the file takes it.
async fn leave(service: &Service, job: &Job, holder: &str) -> Result<StepVerdict, StoreError> {
    tracing::warn!(
        "its file is not in the folder of this server, so it is left to the one that has it"
    );
    if let Some(folder) = service.job_folder.get() {
        folder.leave(&job.id);
    }
    let step = hold(service, job, holder);
    let is_long = |since: Timestamp| since.plus_seconds(ELSEWHERE_SECONDS_UNTOLD) <= step.at;
    let is_told = job.log.iter().any(|line| line.text == ELSEWHERE);
    let log = if job.elsewhere_since.is_some_and(is_long) && !is_told {
        vec![ELSEWHERE.to_owned()]
    } else {
        Vec::new()
    };
    let given_back = JobStep {
        until: step.at,
        log,
        is_elsewhere: true,
        ..step
    };
    service.store().step_job(given_back).await
}

/// Removes files of a job that has ended which nobody needs any more: what was sent, but of a trial, and what was made and is not
/// told of, as by who lost it midway. What can't be removed now, a later cleaning removes.
async fn remove_spent(service: &Service, job: &Job) {
    let Some(folder) = service.job_folder.get() else {
        return;
    };
    if !is_dry_run(job) {
        let _ = folder.remove(&job.id, Part::Input);
    }
    let may_have_made = matches!(job.kind, JobKind::Import | JobKind::Export);
    // where a record was purged meanwhile, nothing is needed
    if let Ok(Some(ended)) = service.store().job(&job.id).await
        && (may_have_made || ended.is_emptied)
    {
        let _ = folder.remove_spent(|found| {
            let is_left = matches!(found.part, Part::Made(_)) && !found.is_told_by(&ended);
            found.job == ended.id && (is_left || ended.is_emptied)
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::JobSettings;

    #[test]
    fn a_job_that_gets_no_further_is_tried_again_for_some_four_minutes() {
        let settings = JobSettings::default();
        let pauses = (0..settings.retries_max).map(|it| retry_pause(settings.retry_pause, it));
        assert_eq!(pauses.sum::<Duration>(), Duration::from_secs(231));
    }
}
