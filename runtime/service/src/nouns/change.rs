//! A change of the catalogue while it is decided: the newest catalog, who asks and with which rights, and what
//! is to be written. It runs inside the store's writer, so two changes never cross.

use super::sight::Sight;
use crate::catalog_quotas;
use crate::quota::Quotas;
use crate::rights::{Principal, check_access};
use crate::{Refusal, Rights, Service, ids};
use parking_lot::Mutex;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use store::catalog::{
    Actor, ActorKind, AuditAction, AuditEntry, Catalog, CatalogWrite, Dataset, DecisionError,
    Ending, Grant, Kind, NounKey, Revalidation, Row, SchemaEntry, Stamp, User,
};
use wire::Timestamp;
use wire::manage::{JobKind, JobView};

/// A change that is being decided.
pub struct Change<'c> {
    pub(crate) catalog: &'c Catalog,
    pub(crate) at: Timestamp,
    pub(super) principal: &'c Principal,
    actor: &'c Actor,
    /// An entry of the change log behind which stands all that is written once this is decided; none where the noun does not
    /// ask for it.
    pub(super) log_head: u64,
    write: CatalogWrite,
    /// How it is refused if a dataset that it requires to be empty is not, by the numbers of those.
    if_occupied: Vec<(u32, Refusal)>,
    pub(super) quotas: Quotas,
    /// Whether webhooks may go to other machines by plain HTTP.
    pub(super) plain_webhooks: bool,
    /// Datasets whose records are to be judged anew.
    revalidated: Vec<String>,
    /// When a password ends that someone chooses for another in this change.
    pub(super) initial_password_ends_at: Option<Timestamp>,
}

impl<'c> Change<'c> {
    /// The tenant of whoever asks.
    pub(crate) fn tenant(&self) -> &'c str {
        self.principal.tenant()
    }

    /// The rights of whoever asks, as of the newest catalog.
    pub(crate) fn rights(&self) -> Rights<'c> {
        self.principal.rights(self.catalog)
    }

    /// What whoever asks sees.
    pub(crate) fn sight(&self) -> Sight<'c> {
        Sight {
            catalog: self.catalog,
            tenant: self.tenant(),
            rights: self.rights(),
        }
    }

    /// Refuses roles and areas that are not the tenant's, and those that whoever asks does not have itself.
    pub(crate) fn check_access(
        &self,
        access: Option<(&[String], &[Grant])>,
    ) -> Result<(), Refusal> {
        match access {
            Some(access) => check_access(self.catalog, self.tenant(), self.rights(), access),
            None => Ok(()),
        }
    }

    /// The stamp of something new.
    pub(crate) fn stamp(&self) -> Stamp {
        Stamp::new(self.actor.clone(), self.at)
    }

    /// The stamp of something that changes.
    pub(crate) fn restamp(&self, stamp: &Stamp) -> Stamp {
        stamp.changed(self.actor.clone(), self.at)
    }

    /// Notes in a noun who changed it, and counts its version up.
    pub(super) fn touch(&self, noun: &mut impl Row) {
        if let Some(version) = noun.version_mut() {
            *version += 1;
        }
        self.sign(noun);
    }

    /// Notes in a noun who changed it.
    pub(super) fn sign(&self, noun: &mut impl Row) {
        if let Some(stamp) = noun.stamp_mut() {
            *stamp = self.restamp(stamp);
        }
    }

    /// Writes a row.
    pub(crate) fn put(&mut self, row: impl Into<store::catalog::Noun>) {
        self.write.put.push(row.into());
    }

    /// The largest number of a dataset, those included that this change makes; nothing where there is none.
    pub(super) fn last_dataset_number(&self) -> u32 {
        // each has a larger number than those before it
        let mut put = self.write.put.iter().rev();
        let own = put.find_map(|noun| match noun {
            store::catalog::Noun::Dataset(dataset) => Some(dataset.number),
            _ => None,
        });
        let there = || self.catalog.datasets_by_number.keys().copied().max();
        own.or_else(there).unwrap_or(0)
    }

    /// Removes a row for good.
    pub(crate) fn remove(&mut self, kind: Kind, id: &str) {
        self.remove_all(vec![NounKey {
            kind,
            id: id.to_owned(),
        }]);
    }

    /// Removes rows for good.
    pub(crate) fn remove_all(&mut self, keys: Vec<NounKey>) {
        self.write.remove.extend(keys);
    }

    /// Ends tokens or sessions.
    pub(crate) fn end(&mut self, ending: Ending) {
        self.write.end.push(ending);
    }

    /// Makes void what a user began of a sign-in and what is no session yet.
    pub(crate) fn void_sign_ins(&mut self, user: &User) {
        self.put(User {
            sign_outs: user.sign_outs + 1,
            ..user.clone()
        });
    }

    /// Lets the change come into force only while these datasets, by their numbers, hold no live record; else it is refused as the
    /// first of them says that does.
    pub(crate) fn require_empty(&mut self, datasets: Vec<(u32, Refusal)>) {
        self.write.require_empty = datasets.iter().map(|(number, _)| *number).collect();
        self.if_occupied = datasets;
    }

    /// Has the records of datasets judged anew, once the change is in force: of those of the schemas that this holds of. What
    /// is deleted, by itself or with what holds it, is judged once it is restored.
    pub(super) fn revalidate(&mut self, is_concerned: impl Fn(&SchemaEntry) -> bool) {
        let (catalog, tenant) = (self.catalog, self.tenant());
        let datasets = catalog.datasets.values();
        let own = datasets.filter(|dataset| {
            let schema = catalog.schemas.get(&dataset.schema);
            dataset.tenant == tenant
                && catalog.version_in_force(dataset.number).is_some()
                && schema.is_some_and(|schema| is_concerned(schema))
        });
        self.revalidate_all(own);
    }

    /// Has the records of these datasets judged anew, once the change is in force.
    pub(super) fn revalidate_all<'d>(
        &mut self,
        datasets: impl IntoIterator<Item = &'d Arc<Dataset>>,
    ) {
        let ids = datasets.into_iter().map(|dataset| dataset.id.clone());
        self.revalidated.extend(ids);
    }

    /// Says in which area is what was remembered last: the catalog does not know yet what is new.
    pub(super) fn in_area_of(&mut self, parent: Kind, id: &str) {
        if let Some(entry) = self.write.audit.last_mut() {
            let area = area_of(self.catalog, parent, id);
            entry.area = entry.area.take().or_else(|| area.map(str::to_owned));
        }
    }

    /// Remembers what was done to something that shows nothing.
    pub(crate) fn note(
        &mut self,
        action: AuditAction,
        noun: Kind,
        id: &str,
        documents: [Option<serde_json::Value>; 2],
    ) {
        // INVARIANT: a value that was read or made as one has a text
        let text = |document| serde_json::value::to_raw_value(&document).ok();
        let [before, after] = documents.map(|document| document.and_then(text));
        self.write.audit.push(AuditEntry {
            tenant: self.tenant().to_owned(),
            at: self.at,
            actor: self.actor.clone(),
            action,
            noun,
            id: id.to_owned(),
            area: area_of(self.catalog, noun, id).map(str::to_owned),
            before,
            after,
        });
    }
}

/// The business area that something is in or is, as far as the catalog knows; a deleted one counts.
pub(crate) fn area_of<'c>(catalog: &'c Catalog, kind: Kind, id: &'c str) -> Option<&'c str> {
    match kind {
        Kind::Area => Some(id),
        Kind::Schema => Some(&catalog.schemas.get(id)?.area),
        Kind::Dataset => area_of(catalog, Kind::Schema, &catalog.datasets.get(id)?.schema),
        Kind::SavedView => area_of(
            catalog,
            Kind::Dataset,
            &catalog.saved_views.get(id)?.dataset,
        ),
        _ => None,
    }
}

/// What is called so judges records when a schema or a domain changed.
const JUDGE: &str = "revalidation";

/// Whether nobody asked for a job: a schema or a domain changed, and what it holds of is judged anew.
pub fn is_by_itself(job: &JobView) -> bool {
    let maker = &job.created_by;
    job.kind == JobKind::Revalidate && maker.kind == ActorKind::Operator && maker.name == JUDGE
}

/// Who judges records when a schema or a domain changed: nobody's rights play a part, since no value changes.
fn judge_of_records() -> Actor {
    Actor {
        kind: ActorKind::Operator,
        id: "operator".to_owned(),
        name: JUDGE.to_owned(),
        email: None,
        full_name: None,
        via: None,
        job: None,
    }
}

/// What a change came to: what it made, and how it is refused if a dataset that it requires to be empty is
/// not, by the numbers of those; or its refusal.
type Outcome<T> = Result<(T, Vec<(u32, Refusal)>), Refusal>;

/// How a change is refused because a dataset is not empty: the store names one of those that were asked about.
fn refused_by(dataset: u32, refusals: Vec<(u32, Refusal)>) -> Refusal {
    let own = refusals.into_iter().find(|(number, _)| *number == dataset);
    let refusal = own.map(|(_, refusal)| refusal);
    // INVARIANT: it was asked about these and no others, each of which has its refusal
    refusal.unwrap_or(Refusal::Store(store::StoreError::Closed))
}

impl Service {
    /// Decides a change with the caller's rights as of the newest catalog, and writes it. `work` may run
    /// more than once.
    pub(crate) async fn change<T: Send + 'static>(
        &self,
        by: impl Into<Principal>,
        work: impl FnMut(&mut Change<'_>) -> Result<T, Refusal> + Send + 'static,
    ) -> Result<T, Refusal> {
        let now = self.now();
        let newest = move |principal: &Principal, catalog: &Catalog| principal.newest(catalog, now);
        self.change_as(by.into(), newest, work).await
    }

    /// Decides a change for the operator in a tenant that is made or removed by it.
    pub(crate) async fn change_by_operator<T: Send + 'static>(
        &self,
        operator: Principal,
        work: impl FnMut(&mut Change<'_>) -> Result<T, Refusal> + Send + 'static,
    ) -> Result<T, Refusal> {
        let same = |principal: &Principal, _: &Catalog| Ok(principal.clone());
        self.change_as(operator, same, work).await
    }

    /// When a password ends that someone chooses for another now; one that no clock will see is none.
    fn initial_password_ends_at(&self, now: Timestamp) -> Option<Timestamp> {
        let seconds = self.settings().initial_password_max?.as_secs();
        Some(now.plus_seconds(i64::try_from(seconds).ok()?))
    }

    async fn change_as<T: Send + 'static>(
        &self,
        principal: Principal,
        newest: impl Fn(&Principal, &Catalog) -> Result<Principal, Refusal> + Send + 'static,
        mut work: impl FnMut(&mut Change<'_>) -> Result<T, Refusal> + Send + 'static,
    ) -> Result<T, Refusal> {
        let (at, quotas) = (self.now(), self.settings().quotas);
        let plain_webhooks = self.settings().plain_webhooks;
        let initial_password_ends_at = self.initial_password_ends_at(at);
        let (entropy, is_automatic) = (self.entropy.clone(), self.settings().jobs.revalidates);
        let has_jobs = Arc::new(AtomicBool::new(false));
        let has_jobs_slot = has_jobs.clone();
        let outcome: Arc<Mutex<Option<Outcome<T>>>> = Arc::default();
        let result_slot = outcome.clone();
        let decision = move |catalog: &Catalog| {
            let decided = newest(&principal, catalog).and_then(|principal| {
                let mut change = Change {
                    catalog,
                    at,
                    actor: &principal.actor(),
                    principal: &principal,
                    log_head: 0,
                    write: CatalogWrite::default(),
                    if_occupied: Vec::new(),
                    revalidated: Vec::new(),
                    quotas,
                    plain_webhooks,
                    initial_password_ends_at,
                };
                let made = work(&mut change)?;
                let mut write = change.write;
                let own = (catalog, principal.tenant());
                catalog_quotas::require_room(own, &quotas, &write.put)?;
                let revalidated = change.revalidated.into_iter().filter(|_| is_automatic);
                write
                    .revalidate
                    .extend(revalidated.map(|dataset| Revalidation {
                        id: ids::new_id(at, &*entropy),
                        dataset,
                        maker: judge_of_records(),
                        at,
                    }));
                has_jobs_slot.store(!write.revalidate.is_empty(), Ordering::Relaxed);
                Ok(((made, change.if_occupied), write))
            });
            let (result, write) = match decided {
                Ok((made, write)) => (Ok(made), Ok(write)),
                // the refusal itself travels beside
                Err(refusal) => (Err(refusal), Err(String::new())),
            };
            *result_slot.lock() = Some(result);
            write
        };
        let decided = self.store().decide(Box::new(decision)).await?;
        let result = outcome.lock().take();
        match (decided, result) {
            (Ok(_), Some(Ok((made, _)))) => {
                if has_jobs.load(Ordering::Relaxed) {
                    self.wake_jobs();
                }
                Ok(made)
            }
            (Err(DecisionError::Occupied { dataset }), Some(Ok((_, refusals)))) => {
                Err(refused_by(dataset, refusals))
            }
            (_, Some(Err(refusal))) => Err(refusal),
            (_, _) => Err(Refusal::Store(store::StoreError::Closed)),
        }
    }
}
