//! Record files into datasets: what `record_plan` finds is to be done with each record is done and counted. Many
//! writes are under way at once, so that they share the store's syncs; they are queued in the file's order.

use crate::applier::{Applier, explain};
use crate::events::{EditedRecord, Event, Events, Progress, RejectedRecord};
use crate::in_flight::InFlight;
use crate::model::{Dataset, RecordMode, Records};
use crate::record_diff::Update;
use crate::record_file::{self, FileRecord};
use crate::record_plan::{MadeRecords, NO_VALUE, Plan, Planner, TAKEN};
use crate::report::FileReport;
use anyhow::Context as _;
use service::{DatasetPermit, Refusal, Service};
use std::collections::HashSet;
use std::pin::Pin;
use store::catalog::{Resource, Verb};
use tracing::Instrument as _;

/// Writes under way at once: some full transactions of the store.
const IN_FLIGHT_MAX: usize = 2048;

/// Records between two tellings of how far a file is.
const PROGRESS_STEP: usize = 1000;

/// A write under way.
type Write<'a> = Pin<Box<dyn Future<Output = (usize, Result<WriteKind, Refusal>)> + Send + 'a>>;

enum WriteKind {
    /// It has this id.
    Create(String),
    Update,
}

/// Loads a dataset's record files into the one whose ids are given.
pub(crate) async fn load(
    applier: &mut Applier<'_>,
    tenant: &str,
    ids: [&str; 3],
    wanted: &Dataset,
) -> anyhow::Result<()> {
    if wanted.records.is_empty() {
        return Ok(());
    }
    let permit = permit(applier, tenant, ids)?;
    let number = permit.dataset().number;
    let service = applier.service;
    let deleted = service.deleted_keys(&permit).await.map_err(explain)?;
    let is_fresh = deleted.is_empty() && service.store().counts(number).await?.records == 0;
    let mut loader = Loader {
        service,
        events: applier.events,
        permit: &permit,
        planner: Planner {
            service,
            permit: &permit,
            is_fresh,
            sees_authors: sees_authors(applier, tenant, ids)?,
            overwrites: applier.mode.overwrite,
            deleted,
            earlier: None,
            seen: HashSet::new(),
            made: MadeRecords::default(),
            mode: RecordMode::default(),
        },
    };
    for file in &wanted.records {
        loader.planner.mode = file.mode.or(wanted.mode).unwrap_or_default();
        let span = tracing::debug_span!("record file", dataset = ids[2]);
        let mut report = FileReport::new(&wanted.name, &file.file);
        let loaded = loader.file(&mut report, text(file)?).instrument(span).await;
        // what was done is told, also when it stopped before its end
        applier.report.records.push(report);
        loaded.with_context(|| file.file.clone())?;
    }
    Ok(())
}

/// What a record file says.
fn text(file: &Records) -> anyhow::Result<&str> {
    let text = file.text.as_deref();
    text.with_context(|| format!("{} was not read", file.file))
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

/// Whether who asks may see the change log, which is where names of editors stand.
fn sees_authors(applier: &Applier<'_>, tenant: &str, ids: [&str; 3]) -> anyhow::Result<bool> {
    let caller = applier.caller(tenant)?;
    let permit = caller.permit_dataset(Resource::Audit, Verb::View, ids);
    Ok(permit.is_ok())
}

struct Loader<'a> {
    service: &'a Service,
    events: &'a Events,
    permit: &'a DatasetPermit,
    planner: Planner<'a>,
}

impl<'a> Loader<'a> {
    async fn file(&mut self, report: &mut FileReport, text: &str) -> anyhow::Result<()> {
        let records = record_file::records(text)?;
        if self.planner.leaves_all() {
            report.keep_all(records.len());
            self.progress(report, records.len(), records.len()).await;
            return Ok(());
        }
        let mut in_flight = InFlight::new();
        let mut ended = self.feed(report, &records, &mut in_flight).await;
        // those under way are waited for and counted, also when one before them stopped it
        for done in in_flight.done(0).await {
            let counted = self.count(report, &records, done, &mut in_flight).await;
            ended = ended.and(counted);
        }
        ended?;
        self.progress(report, records.len(), records.len()).await;
        Ok(())
    }

    /// Plans each record and begins its write; counts those that are over.
    async fn feed<'w>(
        &mut self,
        report: &mut FileReport,
        records: &'w [FileRecord<'w>],
        in_flight: &mut InFlight<Write<'w>>,
    ) -> anyhow::Result<()>
    where
        'a: 'w,
    {
        let (service, permit) = (self.service, self.permit);
        for (index, record) in records.iter().enumerate() {
            if index % PROGRESS_STEP == 0 {
                self.progress(report, index, records.len()).await;
            }
            self.events.require_to_go_on()?;
            let text = record.text;
            let write: Write<'_> = match in_flight.beside(self.planner.plan(text)).await? {
                Plan::LeaveOut(reason) => {
                    self.leave_out(report, records, index, reason).await;
                    continue;
                }
                Plan::Keep => {
                    report.unchanged += 1;
                    continue;
                }
                Plan::LeaveAlone(reason) => {
                    self.leave_alone(report, record.line, reason).await;
                    continue;
                }
                Plan::Create => Box::pin(async move {
                    let created = service.create_record(permit, text.as_bytes()).await;
                    (index, created.map(|created| WriteKind::Create(created.id)))
                }),
                Plan::Update(Update { id, body }) => Box::pin(async move {
                    let updated = service.update_record(permit, &id, body.as_bytes()).await;
                    (index, updated.map(|()| WriteKind::Update))
                }),
            };
            in_flight.begin(write);
            for done in in_flight.done(IN_FLIGHT_MAX).await {
                self.count(report, records, done, in_flight).await?;
            }
        }
        Ok(())
    }

    /// Counts a write that is done. One whose key was taken meanwhile is planned once more, while the others go on: who applies
    /// the same at once makes the same records.
    async fn count(
        &mut self,
        report: &mut FileReport,
        records: &[FileRecord<'_>],
        (index, mut written): (usize, Result<WriteKind, Refusal>),
        in_flight: &mut InFlight<Write<'_>>,
    ) -> anyhow::Result<()> {
        if matches!(written, Err(Refusal::DuplicateKey { .. })) {
            let text = records[index].text;
            let plan = in_flight.beside(self.planner.plan_again(text)).await?;
            let (service, permit) = (self.service, self.permit);
            written = match plan {
                Plan::Keep => {
                    report.unchanged += 1;
                    return Ok(());
                }
                Plan::LeaveAlone(reason) => {
                    self.leave_alone(report, records[index].line, reason).await;
                    return Ok(());
                }
                Plan::LeaveOut(reason) => {
                    self.leave_out(report, records, index, reason).await;
                    return Ok(());
                }
                // the record that had it has gone by now
                Plan::Create => {
                    let created = Box::pin(service.create_record(permit, text.as_bytes()));
                    let created = in_flight.beside(created).await;
                    created.map(|created| WriteKind::Create(created.id))
                }
                Plan::Update(Update { id, body }) => {
                    let updated = Box::pin(service.update_record(permit, &id, body.as_bytes()));
                    let updated = in_flight.beside(updated).await;
                    updated.map(|()| WriteKind::Update)
                }
            };
        }
        self.note(report, records, index, written).await
    }

    /// Notes what came of a write; what refuses more than its record stops the application.
    async fn note(
        &mut self,
        report: &mut FileReport,
        records: &[FileRecord<'_>],
        index: usize,
        written: Result<WriteKind, Refusal>,
    ) -> anyhow::Result<()> {
        match written {
            Ok(WriteKind::Create(id)) => {
                self.planner.note_made(&id);
                report.created += 1;
            }
            Ok(WriteKind::Update) => report.updated += 1,
            Err(refusal) if !is_of_its_record(&refusal) => return Err(explain(refusal)),
            Err(Refusal::VersionConflict { .. } | Refusal::RecordNotFound) => {
                let reason = "someone changed it at the same moment".to_owned();
                self.leave_alone(report, records[index].line, reason).await;
            }
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
        let FileRecord { line, text } = records[index];
        report.leave_out(line, &reason);
        let rejected = RejectedRecord {
            dataset: report.dataset.clone(),
            file: report.file.clone(),
            line,
            reason,
            record: text.to_owned(),
        };
        self.events.tell(Event::Rejected(rejected)).await;
    }

    /// Notes a record that someone edited or deleted, and tells of it.
    async fn leave_alone(&self, report: &mut FileReport, line: usize, reason: String) {
        report.leave_alone(line, &reason);
        let edited = EditedRecord {
            dataset: report.dataset.clone(),
            file: report.file.clone(),
            line,
            reason,
        };
        self.events.tell(Event::Edited(edited)).await;
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
}

/// Whether the record is to blame for a refusal; else the next ones would be refused as well.
fn is_of_its_record(refusal: &Refusal) -> bool {
    matches!(
        refusal,
        Refusal::InvalidBody { .. }
            | Refusal::PrimaryKeyRequired { .. }
            | Refusal::DuplicateKey { .. }
            | Refusal::VersionConflict { .. }
            | Refusal::RecordNotFound
            | Refusal::Concurrent
            | Refusal::TooLarge { .. }
    )
}

/// Why a record was not stored, in words.
fn reason(refusal: Refusal) -> String {
    match refusal {
        Refusal::InvalidBody { message, .. } => message,
        Refusal::PrimaryKeyRequired { .. } => NO_VALUE.to_owned(),
        Refusal::DuplicateKey { .. } => TAKEN.to_owned(),
        other => other.to_string(),
    }
}
