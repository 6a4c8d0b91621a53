//! Goals of jobs: the newest that the visitor may see, and what it may do to them. The store is asked once which they are.

use super::best::{Best, Offer};
use super::thing::Thing;
use crate::admin::pages::job_rows::row;
use crate::admin::pages::jobs::has_files;
use crate::admin::pages::visit::Visit;
use crate::http::error::Failure;
use service::manage::{JobFile, JobState, JobView};
use service::{PageRequest, Refusal};

/// Jobs that are looked at.
const JOBS: &str = "10";

/// Offers them.
pub(super) async fn offer(visit: &Visit, best: &mut Best) -> Result<(), Failure> {
    let newest = PageRequest {
        key: None,
        size: Some(JOBS.to_owned()),
    };
    let jobs = visit
        .site
        .service
        .glance_at_jobs(&visit.caller, None, &newest);
    let jobs = match jobs.await {
        Ok(page) => page.items,
        Err(Refusal::Forbidden(_)) => return Ok(()),
        Err(refusal) => return Err(refusal.into()),
    };
    for job in &jobs {
        offer_job(visit, job, &jobs, best);
    }
    Ok(())
}

fn offer_job(visit: &Visit, job: &JobView, newest: &[JobView], best: &mut Best) {
    let t = visit.texts;
    let shown = row(visit, job);
    let (path, at) = (format!("/jobs/{}", job.job_id), &*shown.at);
    let told = [&*shown.dataset, &shown.of, at].into_iter();
    let told: Vec<_> = told.filter(|text| !text.is_empty()).collect();
    let kind = format!("{} · {}", t.jobs, told.join(" · "));
    let thing = Thing::new(&kind, shown.kind, &path);
    thing.offer(best);
    let context = format!("{} · {}", shown.kind, told.join(" · "));
    let has_ended = job.state.has_ended();
    for (label, mark, may) in [
        (t.cancel_job, "#cancel", !has_ended),
        (t.undo_job, "#undo", may_undo(visit, job, newest)),
        (t.job.delete_files, "#files", has_files(visit, job)),
    ] {
        best.offer(Offer::new(label, &context), || {
            may.then(|| format!("{path}{mark}"))
        });
    }
    for file in &job.files {
        let (label, which) = match file.file {
            JobFile::Export => (t.download_export, "export"),
            JobFile::Rejects => (t.download_rejects, "rejects"),
        };
        let service = &visit.site.service;
        let may = || {
            service
                .require_download(&visit.caller, job, file.file)
                .is_ok()
        };
        best.offer(Offer::new(label, &context), || {
            may().then(|| format!("{path}/{which}"))
        });
    }
}

/// Whether the visitor may undo a job, and none of the newer ones did so whole or does it now.
fn may_undo(visit: &Visit, job: &JobView, newest: &[JobView]) -> bool {
    let undoes = |other: &&JobView| {
        let options = other.undo_options.as_ref();
        options.is_some_and(|it| it.job_id == job.job_id)
    };
    let mut undoings = newest.iter().filter(undoes);
    let last = undoings.find(|it| !matches!(it.state, JobState::Failed | JobState::Cancelled));
    let is_left = last.is_none_or(|undoing| {
        let result = undoing.undo_result.as_ref();
        undoing.state == JobState::Done && result.is_some_and(|it| it.left > 0)
    });
    let may = || {
        let service = &visit.site.service;
        service.may_undo(&visit.caller, job.kind, &job.data_set_id)
    };
    job.state.has_ended() && !job.has_written_nothing() && is_left && may()
}
