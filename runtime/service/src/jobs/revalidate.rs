//! The judgement of a dataset's records by the schema and the data domains in force: where `_errors` of a record are
//! others now, or a value is one of its type and stored in another form, it is written with them, as an update that changes
//! nothing else. Others are left alone. A primary key stays as it is stored where another record has the form that it would
//! get. Where schema or domains change meanwhile, it begins anew.

use super::context::{Halt, JobContext, Worked};
use super::revise::{self, PAGE, Planned, unless_overtaken};
use super::shown::read_document;
use crate::{DatasetPermit, Permit as _};
use serde::{Deserialize, Serialize};
use std::fmt::Write as _;
use store::catalog::{SchemaEntry, Verb};
use store::records::{Change, RecordsPage, Shelf};
use wire::manage::RevisionResult;

/// Why a primary key stays as it is stored.
const TAKEN: &str = "another record has the form that its primary key would get";

/// Where a judgement of all records of a dataset goes on.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Cursor {
    /// The sequence of the last record that was judged.
    pub(super) after: u64,
    /// What it is judged by, as [`judged_by`] tells it.
    under: String,
    pub(super) is_whole: bool,
}

impl Cursor {
    /// Where it goes on, and with what was found so far: at the beginning, where it was judged by something else until now.
    pub(super) fn judging_by(
        &self,
        under: String,
        found: &RevisionResult,
    ) -> (Self, RevisionResult) {
        if self.under == under {
            return (self.clone(), found.clone());
        }
        let anew = Cursor {
            under,
            ..Cursor::default()
        };
        (anew, RevisionResult::default())
    }

    /// Goes on behind a page of records.
    pub(super) fn pass(&mut self, page: &RecordsPage) {
        if let Some(last) = page.records.last() {
            self.after = last.id.place.sequence;
        }
        self.is_whole = page.behind.is_none();
    }
}

pub(super) fn run(context: &JobContext) -> Worked {
    Worked::without_files(judge_all(context))
}

fn judge_all(context: &JobContext) -> Result<(), Halt> {
    let job = &context.job;
    let mut cursor: Cursor = read_document(job.cursor.as_ref())?.unwrap_or_default();
    let mut result: RevisionResult = read_document(job.result.as_ref())?.unwrap_or_default();
    while !cursor.is_whole {
        (cursor, result) = revise::step(context, &[Verb::Edit], |permit, taken| {
            let under = judged_by(permit, permit.schema());
            let (mut cursor, mut result) = cursor.judging_by(under, &result);
            let store = context.service.store();
            let number = permit.dataset().number;
            let page = context.wait(store.page(number, Shelf::Live, cursor.after, PAGE))?;
            let (mut writes, mut log) = (Vec::new(), Vec::new());
            for record in &page.records {
                let is_taken = taken.contains(&record.id.place);
                let judged = if is_taken {
                    revise::revised(context, permit, record, b"{}")
                } else {
                    revise::restated(context, permit, record)
                };
                let Some(revised) = unless_overtaken(judged)? else {
                    return Ok(None);
                };
                let id = context.service.ids.record(record.id);
                revise::count(&mut result, &id, &revised);
                if is_taken {
                    log.push(format!(
                        "another record has the form that the primary key of {id} would get"
                    ));
                    leave(&mut result, id);
                }
                if revised.is_as_stored(record) {
                    continue;
                }
                result.changed += 1;
                let change = Change::Update {
                    id: record.id,
                    version: record.version,
                    content: revised.content(permit),
                };
                writes.push(context.service.write_by(permit, change));
            }
            cursor.pass(&page);
            Ok(Some(Planned {
                writes,
                update: revise::update(context, &cursor, &result, result.records)?,
                log,
                then: (cursor, result),
            }))
        })?;
    }
    Ok(())
}

/// Notes a record whose primary key can't get the form of its type.
fn leave(result: &mut RevisionResult, id: String) {
    let RevisionResult {
        left, left_records, ..
    } = result;
    revise::leave(left, left_records, id, TAKEN);
}

/// What records are judged by, as of a permit: the version that their schema is in, and those of the domains that the
/// schema names which they are judged by.
pub(super) fn judged_by(permit: &DatasetPermit, by: &SchemaEntry) -> String {
    let mut text = permit.schema().current().number.to_string();
    let catalog = permit.caller().catalog();
    for field in by.current().schema.active_fields() {
        let domain = field.data_domain_id.as_ref();
        if let Some(domain) = domain.and_then(|id| catalog.domains.get(id)) {
            let _ = write!(text, " {}:{}", domain.id, domain.version);
        }
    }
    text
}
