//! Forms with a mark, each of which makes one thing however often it comes; of one that asks for a job, where that is, and where
//! the form is, for who sent it once more.

use super::visit::Visit;
use service::manage::{JobKind, JobView};
use service::{FormJob, ids};

/// A mark that tells a form from all others.
pub(super) fn new_mark<P>(visit: &Visit<P>) -> String {
    let service = &visit.site.service;
    ids::new_id(service.now(), service.entropy())
}

/// The address of the job that a form asks for, which tells where the form made it before.
pub(super) fn address_of_job(made: &FormJob) -> String {
    let repeat = if made.is_repeat { "?before=true" } else { "" };
    format!("/jobs/{}{repeat}", made.job.job_id)
}

/// Where the form is that made a job before, for who is told that it did.
pub(super) fn form_of<P>(visit: &Visit<P>, job: &JobView) -> Option<String> {
    visit.parameter("before")?;
    let form = match job.kind {
        JobKind::Import => "import",
        JobKind::Export => "export",
        JobKind::Effects
        | JobKind::Repair
        | JobKind::Revalidate
        | JobKind::Undo
        | JobKind::Bulk => return None,
    };
    Some(format!("/datasets/{}/{form}", job.data_set_id))
}
