//! Record files into datasets: new records are made, changed ones updated, the others left alone. Many
//! writes are under way at once, so that they share the store's syncs; they are queued in the file's order.

use crate::applier::{Applier, explain};
use crate::events::{Event, Events, Progress, RejectedRecord};
use crate::model::{Records, Text};
use crate::record_diff::{Update, diff};
use crate::record_file::{self, FileRecord};
use crate::report::FileReport;
use anyhow::Context as _;
use service::{DatasetPermit, Refusal, Service};
use std::collections::{HashSet, VecDeque};
use std::pin::Pin;
use std::task::Poll;
use store::catalog::{Resource, Verb};
use tracing::Instrument as _;

/// Writes under way at once: some full transactions of the store.
const IN_FLIGHT_MAX: usize = 2048;

/// Records between two tellings of how far a file is.
const PROGRESS_STEP: usize = 1000;

/// A write under way.
type Write<'a> = Pin<Box<dyn Future<Output = Result<WriteKind, Refusal>> + Send + 'a>>;

#[derive(Clone, Copy)]
enum WriteKind {
    Create,
    Update,
}

/// Loads record files into the dataset whose ids are given; without them it is told what would be new.
pub(crate) async fn load(
    applier: &mut Applier<'_>,
    tenant: &str,
    dataset: Option<[&str; 3]>,
    name: &str,
    files: &[Records],
) -> anyhow::Result<()> {
    let texts = files.iter().filter_map(|file| match file {
        Records::Text(text) => Some(text),
        Records::File(_) => None,
    });
    let Some(ids) = dataset else {
        for Text { path, text } in texts {
            let created = record_file::records(text).with_context(|| path.clone())?;
            let mut report = FileReport::new(name, path);
            report.created = created.len();
            applier.report.records.push(report);
        }
        return Ok(());
    };
    let permit = permit(applier, tenant, ids)?;
    let number = permit.dataset().number;
    let was_empty = applier.service.store().counts(number).await?.records == 0;
    let mut dataset = Loader {
        service: applier.service,
        events: applier.events,
        permit: &permit,
        was_empty,
        writes: applier.writes(),
        seen: HashSet::new(),
    };
    for Text { path, text } in texts {
        let span = tracing::debug_span!("record file", dataset = ids[2]);
        let report = FileReport::new(name, path);
        let report = dataset.file(report, text).instrument(span).await;
        applier
            .report
            .records
            .push(report.with_context(|| path.clone())?);
    }
    Ok(())
}

/// The right to look records up, make and change them.
fn permit(
    applier: &Applier<'_>,
    tenant: &str,
    ids: [&str; 3],
) -> Result<DatasetPermit, anyhow::Error> {
    let caller = applier.caller(tenant)?;
    let permit = |verb| caller.clone().permit_dataset(Resource::Records, verb, ids);
    permit(Verb::View).map_err(explain)?;
    permit(Verb::Edit).map_err(explain)?;
    permit(Verb::Add).map_err(explain)
}

struct Loader<'a> {
    service: &'a Service,
    events: &'a Events,
    permit: &'a DatasetPermit,
    was_empty: bool,
    writes: bool,
    /// Primary keys of this application: the first record of each counts.
    seen: HashSet<String>,
}

impl Loader<'_> {
    async fn file(&mut self, mut report: FileReport, text: &str) -> anyhow::Result<FileReport> {
        let mut in_flight: VecDeque<(usize, Write<'_>)> = VecDeque::new();
        let (service, permit) = (self.service, self.permit);
        let records = record_file::records(text)?;
        for (index, record) in records.iter().enumerate() {
            if index % PROGRESS_STEP == 0 {
                self.progress(&report, index, records.len()).await;
            }
            let text = record.text;
            let write: Write<'_> = match self.plan(text).await? {
                Plan::LeaveOut(reason) => {
                    self.leave_out(&mut report, &records, index, reason).await;
                    continue;
                }
                Plan::Keep => {
                    report.unchanged += 1;
                    continue;
                }
                Plan::Create if !self.writes => {
                    report.created += 1;
                    continue;
                }
                Plan::Update(_) if !self.writes => {
                    report.updated += 1;
                    continue;
                }
                Plan::Create => Box::pin(async move {
                    let created = service.create_record(permit, text.as_bytes()).await;
                    created.map(|_| WriteKind::Create)
                }),
                Plan::Update(Update { id, body }) => Box::pin(async move {
                    let updated = service.update_record(permit, &id, body.as_bytes()).await;
                    updated.map(|()| WriteKind::Update)
                }),
            };
            in_flight.push_back((index, start(write).await));
            if in_flight.len() >= IN_FLIGHT_MAX
                && let Some((index, write)) = in_flight.pop_front()
            {
                let written = write.await;
                self.count(&mut report, &records, index, written).await?;
            }
        }
        for (index, write) in in_flight {
            let written = write.await;
            self.count(&mut report, &records, index, written).await?;
        }
        self.progress(&report, records.len(), records.len()).await;
        Ok(report)
    }

    /// Counts a write that is done.
    async fn count(
        &self,
        report: &mut FileReport,
        records: &[FileRecord<'_>],
        index: usize,
        written: Result<WriteKind, Refusal>,
    ) -> anyhow::Result<()> {
        match written {
            Ok(WriteKind::Create) => report.created += 1,
            Ok(WriteKind::Update) => report.updated += 1,
            Err(Refusal::Store(error)) => return Err(error.into()),
            Err(refusal) => {
                self.leave_out(report, records, index, reason(refusal))
                    .await;
            }
        }
        Ok(())
    }

    /// Notes a record that can't be stored, and tells of it.
    async fn leave_out(
        &self,
        report: &mut FileReport,
        records: &[FileRecord<'_>],
        index: usize,
        reason: String,
    ) {
        report.leave_out(index, &reason);
        let FileRecord { line, text } = records[index];
        let rejected = RejectedRecord {
            dataset: report.dataset.clone(),
            file: report.file.clone(),
            line,
            reason,
            record: text.to_owned(),
        };
        self.events.tell(Event::Rejected(rejected)).await;
    }

    async fn progress(&self, report: &FileReport, done: usize, total: usize) {
        let progress = Progress {
            dataset: report.dataset.clone(),
            file: report.file.clone(),
            done,
            total,
        };
        self.events.tell(Event::Progress(progress)).await;
    }

    /// What is to be done with a record.
    async fn plan(&mut self, record: &str) -> anyhow::Result<Plan> {
        if self.was_empty && self.writes {
            // the store itself tells of a key that is missing or taken
            return Ok(Plan::Create);
        }
        let version = self.permit.schema().current();
        if version.schema.primary_key().is_none() {
            return Ok(if self.was_empty {
                Plan::Create
            } else {
                Plan::LeaveOut(NO_KEY.to_owned())
            });
        }
        let checked = match version.checker.check(record.as_bytes()) {
            Ok(checked) => checked,
            Err(rejected) => return Ok(Plan::LeaveOut(rejected.to_string())),
        };
        let Some(key) = checked.primary_key() else {
            return Ok(Plan::LeaveOut(NO_VALUE.to_owned()));
        };
        if !self.seen.insert(key.to_owned()) {
            return Ok(Plan::LeaveOut(TAKEN.to_owned()));
        }
        let stored = self.service.record_by_key(self.permit, key).await;
        match stored? {
            None => Ok(Plan::Create),
            Some(stored) => {
                let update = diff(&version.schema, &stored, record, checked.normal_form())?;
                Ok(update.map_or(Plan::Keep, Plan::Update))
            }
        }
    }
}

const NO_KEY: &str =
    "its schema has no primary key to find it by, and the dataset has records already";
const NO_VALUE: &str = "its primary key has no value";
const TAKEN: &str = "an earlier record has its primary key";

/// What is to be done with a record of a file.
enum Plan {
    Create,
    Keep,
    Update(Update),
    LeaveOut(String),
}

/// Starts a write, so that it waits in the store's queue before the next one comes.
async fn start(mut write: Write<'_>) -> Write<'_> {
    let first = std::future::poll_fn(|context| {
        Poll::Ready(match write.as_mut().poll(context) {
            Poll::Ready(result) => Some(result),
            Poll::Pending => None,
        })
    })
    .await;
    match first {
        Some(result) => Box::pin(std::future::ready(result)),
        None => write,
    }
}

/// Why a record was not stored, in words.
fn reason(refusal: Refusal) -> String {
    match refusal {
        Refusal::InvalidBody { message, .. } => message,
        Refusal::PrimaryKeyRequired { .. } => NO_VALUE.to_owned(),
        Refusal::DuplicateKey { .. } => TAKEN.to_owned(),
        Refusal::VersionConflict { .. } | Refusal::Concurrent | Refusal::RecordNotFound => {
            "another request changed it at the same moment".to_owned()
        }
        other => other.to_string(),
    }
}
