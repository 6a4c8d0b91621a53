//! The undoing of a job from its page: offered to who may undo it, and no more once it is under way or done.

use super::job_rows::{JobRow, row};
use super::visit::{Submission, Visit};
use crate::http::error::Failure;
use axum::body::Body;
use axum::http::Response;
use service::manage::JobView;
use service::{Refusal, Undoing};

/// What the page of a job says of its undoing.
pub(super) struct UndoneBy {
    pub(super) text: &'static str,
    /// The job that takes it back, for who may see it.
    pub(super) job: Option<String>,
}

/// Whether the visitor is offered to undo a job, and by what it is or was undone.
pub(super) async fn undoing_of<P>(
    visit: &Visit<P>,
    job: &JobView,
) -> Result<(bool, Option<UndoneBy>), Refusal> {
    if !job.state.has_ended() || job.has_written_nothing() {
        return Ok((false, None));
    }
    let service = &visit.site.service;
    let may = service.may_undo(&visit.caller, job.kind, &job.data_set_id);
    let undoing = service.undoing_of(&visit.caller, job).await?;
    let Some(undoing) = undoing else {
        return Ok((may, None));
    };
    let is_offered = may && may_begin_anew(&undoing);
    let told = UndoneBy {
        text: if undoing.is_done {
            visit.texts.job.was_undone
        } else {
            visit.texts.job.is_undone
        },
        job: undoing.job_id,
    };
    Ok((is_offered, Some(told)))
}

/// The job that one takes back, for who may see it.
///
/// # Errors
/// The store's.
pub(super) async fn undoes<P>(visit: &Visit<P>, job: &JobView) -> Result<Option<JobRow>, Refusal> {
    let Some(options) = &job.undo_options else {
        return Ok(None);
    };
    let service = &visit.site.service;
    match service.get_job(&visit.caller, &options.job_id).await {
        Ok(undone) => Ok(Some(row(visit, &undone))),
        Err(Refusal::Forbidden(_) | Refusal::NotFound(_)) => Ok(None),
        Err(refusal) => Err(refusal),
    }
}

/// Whether another undoing may come to what this one did not.
fn may_begin_anew(undoing: &Undoing) -> bool {
    undoing.is_done && undoing.is_partial
}

/// Undoes a job; whoever asks for that once more comes to what is under way or done.
pub(super) async fn undo(sent: Submission<String>) -> Result<Response<Body>, Failure> {
    let visit = sent.visit;
    let service = &visit.site.service;
    let job = service.get_job(&visit.caller, &visit.ids).await?;
    let undoing = service.undoing_of(&visit.caller, &job).await?;
    if let Some(undoing) = undoing.filter(|undoing| !may_begin_anew(undoing)) {
        let job = undoing.job_id.unwrap_or_else(|| visit.ids.clone());
        return Ok(visit.see(&format!("/jobs/{job}")));
    }
    let job = service.undo_job(&visit.caller, &visit.ids).await?;
    Ok(visit.see(&format!("/jobs/{}", job.job_id)))
}
