//! What a visitor may do with a job that it sees: an administrator sees those of others, too, and may neither take along what came
//! of them nor go on with what was sent.

use super::places::permit;
use super::visit::Visit;
use service::catalog::Verb;
use service::manage::{JobView, RepairOptions};
use std::collections::BTreeSet;

/// Whether the visitor asked for it.
pub(super) fn is_own<P>(visit: &Visit<P>, job: &JobView) -> bool {
    let (maker, actor) = (&job.created_by, visit.caller.actor());
    (maker.kind, &maker.id) == (actor.kind, &actor.id)
}

/// Whether the visitor may do this to records of its dataset, which is there.
pub(super) fn may<P>(visit: &Visit<P>, job: &JobView, verb: Verb) -> bool {
    permit(visit, &job.data_set_id, verb).is_ok()
}

/// The fields whose values are masked for the visitor in what it tells; none where its schema is not known any more, so that
/// all are.
pub(super) fn masked<'v, P>(visit: &'v Visit<P>, job: &JobView) -> Option<BTreeSet<&'v str>> {
    let entry = visit.caller.catalog().schemas.get(&job.schema_id)?;
    Some(visit.caller.ever_masked_fields(entry))
}

/// What a dry run that has ended tried, for who may go on with it: of another's, whose words may be masked, only who sees all;
/// and what one does not see one does not repair.
pub(super) fn tried<'j, P>(visit: &Visit<P>, job: &'j JobView) -> Option<&'j RepairOptions> {
    let options = job.repair_options.as_ref();
    let options = options.filter(|it| it.dry_run && job.state.has_ended())?;
    let masked = masked(visit, job)?;
    let is_told = is_own(visit, job) || masked.is_empty();
    let is_seen = !masked.contains(options.field.as_str());
    (is_told && is_seen && may(visit, job, Verb::Edit)).then_some(options)
}
