//! What a change of a schema or of a data domain would make faulty, asked before it is made: the records that there are,
//! judged under the draft as the job would judge them after the change. It writes nothing, and ends after a time;
//! `effects_job.rs` takes as long as it takes.

use super::revise;
use crate::manage::{DomainContent, DomainDraft, SchemaContent};
use crate::nouns::is_judged_by;
use crate::personal::{Look, personal_fields};
use crate::pieces::Pieces;
use crate::records::{CatalogLookups, Current, Revision, current, errors_before, lookups};
use crate::search::is_personal;
use crate::{Caller, DatasetPermit, Permit as _, Refusal, Service};
use schema::Field;
use serde::{Deserialize, Serialize};
use std::time::Duration;
use store::StoreError;
use store::catalog::{Dataset, Domain, Kind, SchemaEntry, Verb};
use store::records::{PageLimit, Shelf, StoredRecord};
use tokio::time::Instant;
use tracing::Instrument as _;
use wire::manage::{RevisionResult, SchemaEffects};

/// Records that are read at a time.
const PAGE: PageLimit = PageLimit {
    records: 500,
    bytes: 1 << 20,
};
/// How long records are judged.
const TIME_MAX: Duration = Duration::from_secs(10);

/// The change that is asked about, as the file of a job has it.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
pub(super) enum Draft {
    /// Of a schema.
    Schema(SchemaContent),
    /// Of a data domain.
    Domain(DomainDraft),
}

impl Draft {
    /// The id of what it would change: the schema of a dataset, or the domain that it names.
    pub(super) fn id<'d>(&'d self, permit: &'d DatasetPermit) -> &'d str {
        match self {
            Draft::Schema(_) => &permit.schema().id,
            Draft::Domain(draft) => &draft.data_domain_id,
        }
    }
}

/// What records are judged under; where it has nothing, under what is in force.
#[derive(Default)]
pub(super) struct Drafted {
    pub(super) schema: Option<SchemaEntry>,
    pub(super) domain: Option<Domain>,
}

impl Drafted {
    pub(super) fn schema<'d>(&'d self, permit: &'d DatasetPermit) -> &'d SchemaEntry {
        match &self.schema {
            Some(schema) => schema,
            None => permit.schema(),
        }
    }
}

/// Which part of a draft asks for values of which personal field: it changes a rule of it, or brings one back that was removed or
/// switched off, and what a value would be judged as tells the value.
fn asked_of_personal<'f>(
    entry: &'f SchemaEntry,
    drafted: &Drafted,
) -> Option<(&'static str, &'f Field)> {
    let personal = personal_fields(entry);
    let current = &entry.current().schema.fields;
    let mut fields = current.iter().filter(|it| personal.contains(&*it.name));
    let asked = fields.find_map(|field| {
        let domain = drafted.domain.as_ref();
        if domain.is_some_and(|domain| field.data_domain_id.as_deref() == Some(&*domain.id)) {
            return Some(("codes", field));
        }
        let schema = drafted.schema.as_ref()?;
        let is_as_it_was = schema.current().schema.fields.contains(field);
        (!is_as_it_was).then_some(("document", field))
    });
    let brought_back = || {
        let schema = &drafted.schema.as_ref()?.current().schema;
        let mut changed = schema.active_fields().filter(|it| !current.contains(it));
        let field = changed.find_map(|it| entry.last_personal(&it.id))?;
        Some(("document", field))
    };
    asked.or_else(brought_back)
}

/// That a draft asks for no personal values of who does not see them.
///
/// # Errors
/// [`Refusal::Forbidden`], with the field.
pub(super) fn require_unmasked(permit: &DatasetPermit, drafted: &Drafted) -> Result<(), Refusal> {
    if permit.caller().sees_personal() {
        return Ok(());
    }
    match asked_of_personal(permit.schema(), drafted) {
        Some((part, field)) => Err(is_personal(part, &field.name)),
        None => Ok(()),
    }
}

impl Service {
    /// What a change of a schema would make faulty.
    ///
    /// # Errors
    /// As the change itself; missing rights to view the records of one of its datasets.
    pub async fn schema_effects(
        &self,
        by: &Caller,
        id: &str,
        content: SchemaContent,
    ) -> Result<SchemaEffects, Refusal> {
        let span = tracing::debug_span!("schemas.effects", id);
        let draft = Draft::Schema(content);
        self.effects(by, id, &draft).instrument(span).await
    }

    /// What a change of a data domain would make faulty in all datasets whose records are judged by its codes.
    ///
    /// # Errors
    /// As the change itself, but for a name that is taken; missing rights to view the records of one of those datasets.
    pub async fn domain_effects(
        &self,
        by: &Caller,
        id: &str,
        content: DomainContent,
    ) -> Result<SchemaEffects, Refusal> {
        let span = tracing::debug_span!("domains.effects", id);
        let draft = Draft::Domain(content.draft_of(id));
        self.effects(by, id, &draft).instrument(span).await
    }

    /// What a draft of the schema or the data domain with this id would make faulty.
    async fn effects(
        &self,
        by: &Caller,
        id: &str,
        draft: &Draft,
    ) -> Result<SchemaEffects, Refusal> {
        let mut tries = self.tries();
        loop {
            // a record that was written under a newer version asks for a draft of that one
            match self.effects_now(by, id, draft).await {
                Err(Refusal::Store(StoreError::Overtaken)) => tries.another().await?,
                told => return told,
            }
        }
    }

    async fn effects_now(
        &self,
        by: &Caller,
        id: &str,
        draft: &Draft,
    ) -> Result<SchemaEffects, Refusal> {
        let drafted = self.drafted(by, id, draft).await?;
        let caller = self.newest(by)?;
        let permits = match draft {
            Draft::Schema(_) => permits(&caller, |it| it.schema == id && !it.deleted),
            Draft::Domain(_) => permits_of_domain(&caller, id),
        };
        self.judge(&permits?, &drafted).await
    }

    /// The schema or the data domain with this id as a draft would make it; nothing is written.
    ///
    /// # Errors
    /// As the change itself, but for a name that is taken.
    pub(super) async fn drafted(
        &self,
        by: &Caller,
        id: &str,
        draft: &Draft,
    ) -> Result<Drafted, Refusal> {
        let mut drafted = Drafted::default();
        match draft {
            Draft::Schema(content) => {
                let made = self.schemas().drafted(by, id, content.clone());
                drafted.schema = Some(made.await?);
            }
            Draft::Domain(draft) => {
                let made = self.domains().drafted(by, id, draft.clone().into());
                drafted.domain = Some(made.await?);
            }
        }
        Ok(drafted)
    }

    /// The datasets whose records are judged by the codes of a domain: their ids, and their names below that of the schema.
    ///
    /// # Errors
    /// Missing rights to view the records of one of them.
    pub fn datasets_of_domain(
        &self,
        by: &Caller,
        id: &str,
    ) -> Result<Vec<(String, String)>, Refusal> {
        let permits = permits_of_domain(&self.newest(by)?, id)?;
        let named = permits.iter().map(|permit| {
            let (dataset, schema) = (permit.dataset(), permit.schema());
            let name = format!("{} / {}", schema.current().schema.name, dataset.name);
            (dataset.id.clone(), name)
        });
        let mut named: Vec<_> = named.collect();
        named.sort_by(|a, b| a.1.cmp(&b.1));
        Ok(named)
    }

    /// Tells in the trail of who asks for personal values by a draft, before they are judged.
    ///
    /// # Errors
    /// [`Refusal::Forbidden`], with the field, for who does not see them; the store's.
    pub(super) async fn tell_draft(
        &self,
        permits: &[DatasetPermit],
        drafted: &Drafted,
    ) -> Result<(), Refusal> {
        for permit in permits {
            require_unmasked(permit, drafted)?;
        }
        let asked = |permit: &&DatasetPermit| asked_of_personal(permit.schema(), drafted).is_some();
        let looks = permits.iter().filter(asked).map(|permit| {
            let dataset = (Kind::Dataset, &*permit.dataset().id);
            Look::past(permit.schema(), dataset)
        });
        let looks: Vec<_> = looks.collect();
        match permits.first() {
            Some(permit) => self.tell_looks(permit.caller(), &looks).await,
            None => Ok(()),
        }
    }

    /// Judges the records of datasets as long as there is time.
    async fn judge(
        &self,
        permits: &[DatasetPermit],
        drafted: &Drafted,
    ) -> Result<SchemaEffects, Refusal> {
        let (mut result, mut record_count) = (RevisionResult::default(), 0);
        self.tell_draft(permits, drafted).await?;
        for permit in permits {
            let counts = self.store().counts(permit.dataset().number).await?;
            record_count += counts.records;
        }
        let deadline = Instant::now() + TIME_MAX;
        for permit in permits {
            // a page of records, and what they are judged as
            let owner = permit.caller().owner();
            let room = self.memory().reserve_page(owner, PAGE.bytes)?;
            let limit = PageLimit {
                bytes: room.bytes(),
                ..PAGE
            };
            self.judge_dataset(permit, drafted, (deadline, limit), &mut result)
                .await?;
        }
        Ok(SchemaEffects {
            record_count,
            judged_count: result.records,
            faulty_before: result.faulty_before,
            become_faulty: result.become_faulty,
            faulty_after: result.faulty_after,
            faults: result.faults,
        })
    }

    async fn judge_dataset(
        &self,
        permit: &DatasetPermit,
        drafted: &Drafted,
        (deadline, limit): (Instant, PageLimit),
        result: &mut RevisionResult,
    ) -> Result<(), Refusal> {
        let (mut after, mut pieces) = (0, Pieces::default());
        while Instant::now() < deadline {
            let number = permit.dataset().number;
            let page = self.store().page(number, Shelf::Live, after, limit).await?;
            for record in &page.records {
                let revised = self.revised_by(permit, drafted, record).await?;
                revise::count(result, &self.ids.record(record.id), &revised);
                pieces.made(record.bytes()).await;
            }
            match page.records.last() {
                Some(last) if page.behind.is_some() => after = last.id.place.sequence,
                _ => return Ok(()),
            }
        }
        Ok(())
    }

    /// A record judged under a draft of its schema, or of a data domain.
    pub(super) async fn revised_by(
        &self,
        permit: &DatasetPermit,
        drafted: &Drafted,
        record: &StoredRecord,
    ) -> Result<Revision, Refusal> {
        self.require_form(record)?;
        let schema = drafted.schema(permit);
        let Current { body, .. } = current(schema, record)?;
        let files = self.known_files(permit, &[body.as_bytes()]).await?;
        let lookups = CatalogLookups {
            draft: drafted.domain.as_ref(),
            ..lookups(permit, &files)
        };
        let checker = &schema.current().checker;
        let merged = checker.merge(&body, b"{}", Some(&lookups))?;
        Ok(Revision {
            checked: merged.checked,
            hidden: None,
            is_new: false,
            is_restated: false,
            // as its readers see it, not as the draft would show it
            errors_before: errors_before(permit.schema(), schema, record)?,
        })
    }
}

/// What the caller may do with the records of datasets: it must see them all.
fn permits(
    caller: &Caller,
    is_meant: impl Fn(&Dataset) -> bool,
) -> Result<Vec<DatasetPermit>, Refusal> {
    let datasets = caller.catalog().datasets.values();
    datasets
        .filter(|dataset| is_meant(dataset))
        .map(|dataset| caller.permit_managed_records(&[Verb::View], &dataset.id))
        .collect()
}

fn permits_of_domain(caller: &Caller, id: &str) -> Result<Vec<DatasetPermit>, Refusal> {
    let catalog = caller.catalog();
    permits(caller, |dataset| {
        let schema = catalog.schemas.get(&dataset.schema);
        dataset.tenant == caller.tenant()
            && catalog.version_in_force(dataset.number).is_some()
            && schema.is_some_and(|schema| is_judged_by(schema, id))
    })
}
