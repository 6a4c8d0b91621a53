//! A repair that was tried is done as it was shown: once, however often it is asked for, and only while the values of its
//! field are those that the dry run found. The job that does it has an id that is computed of the dry run's, so that the
//! store itself takes no second one, whichever server is asked.

use super::shown::read_document;
use crate::{Caller, DatasetPermit, Permit as _, Refusal, Service, ids};
use schema::json::{Value, compact, parse};
use store::jobs::{Job, JobKind, JobState};
use store::records::{LogAction, LogEntry, PageLimit};
use wire::manage::{RepairAction, RepairOptions};

/// Changes of a dataset since a dry run that are looked through; with more, nobody knows that it shows what is.
const CHANGES_MAX: usize = 500;
/// What they may have of values.
const CHANGES_BYTES_MAX: usize = 1 << 20;

const NO_DRY_RUN: &str =
    "is no dry run of a repair of this dataset that has ended; take its `jobId`, or leave it out";
const NOT_KEPT: &str = "a record of the dataset was purged since it was tried, so what it showed is not kept; try it again";
const OTHER_OPTIONS: &str = "was tried with other options; send those, or try these first";
const WITH_DRY_RUN: &str = "goes without `dryRun`; leave one of them out";
const STALE: &str = "records or the schema changed since it was tried, so it could do more than it showed; try it again";

impl Service {
    /// The job that does what a dry run tried, if there is one that the caller may see.
    ///
    /// # Errors
    /// [`Refusal::Unauthenticated`]; the store's.
    pub async fn repair_of(&self, by: &Caller, trial: &str) -> Result<Option<String>, Refusal> {
        let caller = self.newest(by)?;
        let found = self.visible_job(&caller, &ids::id_of_tried(trial)).await;
        match found {
            Ok(job) => Ok(Some(job.id)),
            Err(Refusal::NotFound(_)) => Ok(None),
            Err(refusal) => Err(refusal),
        }
    }

    /// Judges whether what a dry run tried may be done now; the id of the job that does it.
    pub(super) async fn judge_tried(
        &self,
        permit: &DatasetPermit,
        options: &RepairOptions,
        trial: &str,
    ) -> Result<String, Refusal> {
        let wrong = |text: &str| Refusal::invalid("$.trial", text);
        if options.dry_run {
            return Err(wrong(WITH_DRY_RUN));
        }
        let tried = match self.visible_job(permit.caller(), trial).await {
            Err(Refusal::NotFound(_)) => return Err(wrong(NO_DRY_RUN)),
            tried => tried?,
        };
        let is_meant = tried.kind == JobKind::Repair
            && tried.dataset == permit.dataset().id
            && tried.state == JobState::Done;
        // what it was asked for is not known any more
        if is_meant && tried.is_emptied && tried.is_tried() {
            return Err(Refusal::Conflict(NOT_KEPT.into()));
        }
        let is_meant = is_meant && !tried.is_emptied;
        let said: Option<RepairOptions> = read_document(is_meant.then_some(&tried.options))?;
        let said = said.filter(|said| said.dry_run);
        let said = said.ok_or_else(|| wrong(NO_DRY_RUN))?;
        let meant = RepairOptions {
            dry_run: true,
            trial: None,
            ..options.clone()
        };
        if said != meant {
            return Err(wrong(OTHER_OPTIONS));
        }
        let id = ids::id_of_tried(trial);
        if self.store().job(&id).await?.is_some() {
            return Err(done_already(&id));
        }
        self.require_same_values(permit, &tried, options).await?;
        Ok(id)
    }

    /// Refuses what was tried on other values of a field than there are now, as far as the change log tells. With a query
    /// any other value may make it find a record that it did not show.
    async fn require_same_values(
        &self,
        permit: &DatasetPermit,
        tried: &Job,
        options: &RepairOptions,
    ) -> Result<(), Refusal> {
        let owner = permit.caller().owner();
        let _room = self.memory().reserve(owner, CHANGES_BYTES_MAX)?;
        let limit = PageLimit {
            records: CHANGES_MAX,
            bytes: CHANGES_BYTES_MAX,
        };
        let (dataset, after) = (permit.dataset().number, tried.log_after);
        let since = self.store().changes(dataset, after, limit).await?;
        let last = since.entries.last().map_or(after, |entry| entry.number);
        let is_all = since.lost <= after && since.newest <= last;
        let in_force = permit.schema().current().number;
        let query = options.query.as_deref().unwrap_or_default();
        let has_query = !query.trim().is_empty();
        let is_same = |entry: &LogEntry| match entry.action {
            LogAction::Delete | LogAction::Purge => true,
            LogAction::Create | LogAction::Update | LogAction::Restore => {
                !has_query && entry.schema_version == in_force && !gives_other_value(entry, options)
            }
        };
        // under another version, the name that was tried may be another field's
        let is_same_schema = tried.schema_version == in_force;
        if is_same_schema && is_all && since.entries.iter().all(is_same) {
            return Ok(());
        }
        Err(Refusal::Conflict(STALE.into()))
    }
}

/// What is told of a dry run that is done, or was.
pub(super) fn done_already(id: &str) -> Refusal {
    let text = format!("what was tried is done by the job {id} already; try it again");
    Refusal::Conflict(text.into())
}

/// Whether a record has another value of the field behind an entry than before, or is there for the first time and may be changed.
fn gives_other_value(entry: &LogEntry, options: &RepairOptions) -> bool {
    let after = value_in(entry.after.as_deref(), &options.field);
    match (entry.action, &options.action) {
        (LogAction::Update, _) => after != value_in(entry.before.as_deref(), &options.field),
        // one without a value gets it
        (_, RepairAction::Set(value)) => after.is_some() || !value.is_null(),
        _ => after.is_some(),
    }
}

/// What a body has for a field, as it is written; nothing, where that is `null`.
fn value_in(body: Option<&str>, field: &str) -> Option<String> {
    let body = body?;
    let tree = parse(body).ok()?;
    let node = tree.get(field)?;
    if node.value == Value::Null {
        return None;
    }
    let mut value = String::new();
    compact(&mut value, &body[node.start..node.end]);
    Some(value)
}
