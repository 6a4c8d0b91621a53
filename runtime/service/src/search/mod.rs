//! Endpoint 11: records by their words. A search sees every write that was committed before it came: it
//! waits until the index is there. It finds what the caller may view, in the fields that are active, under
//! their current names.

mod documents;
mod indexer;
mod query;
mod versions;

use super::ids::IdCipher;
use super::{Caller, PageRequest, Refusal, Service, Store};
use indexer::{IndexSignals, Indexer};
use parking_lot::Mutex;
use schema::json::write_string;
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use std::time::Duration;
use store::StoreError;
use store::catalog::{Area, Catalog, Dataset, Resource, SchemaEntry, Verb};
use store::records::RecordPlace;
use store::search::{Aim, AimFields, Expression, Progress, Search, SearchIndex, words};
use tokio::sync::{Notify, watch};
use tokio::task::JoinHandle;
use tokio::time::Instant;
use tracing::Instrument as _;

/// Up to where a search counts its hits.
pub const TOTAL_MAX: u64 = 10_000;
/// How long a search waits for the index.
pub const WAIT_MAX: Duration = Duration::from_secs(10);
/// When to come back after a search waited in vain.
const RETRY_SECONDS: u64 = 5;

/// What a search asks for, as it came.
#[derive(Clone, Debug, Default)]
pub struct SearchRequest {
    /// `query`
    pub query: Option<String>,
    /// `businessArea`: a name, or `all`.
    pub area: Option<String>,
    /// `schema`: a name, or `all`.
    pub schema: Option<String>,
    /// `dataSet`: a name, or `all`.
    pub dataset: Option<String>,
    /// Which page.
    pub page: PageRequest,
}

/// How the index stands.
#[derive(Clone, Debug)]
pub struct SearchState {
    /// Entries of the change log that are not in it yet.
    pub behind: u64,
    /// Datasets that are being read from the first record to the last.
    pub reading: usize,
    /// Why the indexer's last step failed, if it did.
    pub failure: Option<String>,
}

/// The index of a service and the task that feeds it.
pub(super) struct LiveIndex {
    index: Arc<dyn SearchIndex>,
    signals: Arc<IndexSignals>,
    task: Mutex<Option<JoinHandle<()>>>,
    wait_max: Duration,
}

impl LiveIndex {
    /// Starts the indexer. Needs a tokio runtime around it.
    pub(super) fn start(
        store: Arc<dyn Store>,
        index: Arc<dyn SearchIndex>,
        ids: IdCipher,
        wait_max: Duration,
    ) -> Self {
        let signals = Arc::new(IndexSignals {
            wake: Notify::new(),
            steps: watch::Sender::new(0),
            stop: watch::Sender::new(false),
            failure: Mutex::new(None),
        });
        let indexer = Indexer {
            store,
            index: index.clone(),
            signals: signals.clone(),
            ids,
            documents: None,
        };
        let task = tokio::spawn(indexer.run());
        LiveIndex {
            index,
            signals,
            task: Mutex::new(Some(task)),
            wait_max,
        }
    }

    /// Waits until the index has what the log says up to `head`, and the aims as they are now.
    async fn wait(
        &self,
        head: u64,
        versions: &BTreeMap<&str, i64>,
        aims: &[Aim],
    ) -> Result<(), Refusal> {
        let has_all = |progress: &Progress| {
            let is_read = |aim: &Aim| !progress.walks.contains_key(&aim.dataset);
            let is_current = |(schema, version): (&&str, &i64)| {
                progress
                    .versions
                    .get(*schema)
                    .is_some_and(|known| known >= version)
            };
            progress.applied >= head && versions.iter().all(is_current) && aims.iter().all(is_read)
        };
        let deadline = Instant::now() + self.wait_max;
        let mut steps = self.signals.steps.subscribe();
        // before its first step, the indexer has not seen yet whether the index is of this store
        let is_up = |steps: u64| {
            steps > 0
                && self
                    .index
                    .progress()
                    .is_some_and(|progress| has_all(&progress))
        };
        loop {
            let now = *steps.borrow_and_update();
            if is_up(now) {
                return Ok(());
            }
            self.signals.wake.notify_one();
            let step = tokio::time::timeout_at(deadline, steps.changed()).await;
            if !matches!(step, Ok(Ok(()))) {
                return Err(Refusal::NotReady {
                    seconds: RETRY_SECONDS,
                });
            }
        }
    }
}

impl Drop for LiveIndex {
    fn drop(&mut self) {
        self.signals.stop.send_replace(true);
    }
}

/// A dataset that a search looks into, and what its hits are called.
struct Target<'c> {
    area: &'c Area,
    schema: &'c SchemaEntry,
    dataset: &'c Dataset,
}

impl Service {
    /// Gives the service an index and starts the task that feeds it; the first one stays. Needs a tokio
    /// runtime around it. A search waits at most `wait_max` for the index, see [`WAIT_MAX`].
    pub fn start_search(&self, index: Arc<dyn SearchIndex>, wait_max: Duration) {
        self.live_index.get_or_init(|| {
            LiveIndex::start(self.store.clone(), index, self.ids.clone(), wait_max)
        });
    }

    /// Ends the indexer and waits for it, so that the store can be closed.
    pub async fn stop_search(&self) {
        let Some(live_index) = self.live_index.get() else {
            return;
        };
        live_index.signals.stop.send_replace(true);
        let task = live_index.task.lock().take();
        if let Some(task) = task {
            // a task that panicked has ended too
            let _ = task.await;
        }
    }

    /// How the index stands; `None` without one.
    ///
    /// # Errors
    /// The store's.
    pub async fn search_state(&self) -> Result<Option<SearchState>, StoreError> {
        let Some(live_index) = self.live_index.get() else {
            return Ok(None);
        };
        let head = self.store.log_head().await?;
        let progress = live_index.index.progress();
        let failure = live_index.signals.failure.lock().clone();
        Ok(Some(SearchState {
            behind: head.saturating_sub(progress.as_ref().map_or(0, |progress| progress.applied)),
            reading: progress.map_or(0, |progress| progress.walks.len()),
            failure,
        }))
    }

    /// Finds records; the body of the answer.
    ///
    /// # Errors
    /// [`Refusal::Forbidden`] by role, [`Refusal::Parameter`] for a query that does not parse,
    /// [`Refusal::NotReady`] when the index did not come up in time; the store's.
    pub async fn search(
        &self,
        caller: &Caller,
        request: &SearchRequest,
    ) -> Result<String, Refusal> {
        caller.require(Resource::Search, Verb::View)?;
        let query = request
            .query
            .as_deref()
            .filter(|query| !query.trim().is_empty());
        let query = query.ok_or_else(|| {
            Refusal::Parameter("`query` is required; say what to look for".into())
        })?;
        let expression = query::parse(query)?;
        let scope = scope(caller, query, request);
        let size = self.page_size(&request.page)?;
        let after = self
            .page_position(&scope, &request.page)?
            .map(|position| RecordPlace::of_number(position.cast_signed()));
        let targets = targets(caller, request);
        let span = tracing::debug_span!("search", tenant = caller.tenant(), aims = targets.len());
        let hits = self.hits(expression, &targets, after, size, &scope);
        hits.instrument(span).await
    }

    /// The body of an answer: a page of hits, and how many there are.
    async fn hits(
        &self,
        expression: Expression,
        targets: &BTreeMap<u32, Target<'_>>,
        after: Option<RecordPlace>,
        size: usize,
        scope: &str,
    ) -> Result<String, Refusal> {
        let (aims, versions) = aims(targets);
        let live_index = self.live_index.get().ok_or(Refusal::NotReady {
            seconds: RETRY_SECONDS,
        })?;
        live_index
            .wait(self.store.log_head().await?, &versions, &aims)
            .await?;
        let search = Search {
            expression,
            aims,
            after,
            limit: size + 1,
            total_max: TOTAL_MAX,
        };
        let found = live_index.index.find(search).await?;
        let mut json = String::from("{\"hits\":[");
        let mut shown = 0;
        for place in found.places.iter().take(size) {
            self.write_hit(&mut json, targets, *place).await?;
            shown += 1;
            if json.len() >= self.settings.page_bytes {
                break;
            }
        }
        json.push_str("],\"total\":");
        json.push_str(itoa::Buffer::new().format(found.total));
        if shown < found.places.len() {
            let last = found.places[shown - 1].bits();
            json.push_str(",\"nextPageKey\":");
            write_string(&mut json, &self.ids.page_key(scope, last));
        }
        json.push('}');
        Ok(json)
    }

    /// Appends a hit. A record that was deleted in this very moment is none.
    async fn write_hit(
        &self,
        out: &mut String,
        targets: &BTreeMap<u32, Target<'_>>,
        at: RecordPlace,
    ) -> Result<(), Refusal> {
        let record = self.store.get(at).await?.filter(|record| !record.deleted);
        let (Some(record), Some(target)) = (record, targets.get(&at.dataset)) else {
            return Ok(());
        };
        if !out.ends_with('[') {
            out.push(',');
        }
        let (area, schema, dataset) = (target.area, target.schema, target.dataset);
        for (index, (name, text)) in [
            ("_dataObjectId", self.ids.record(record.id).as_str()),
            ("_businessAreaId", area.id.as_str()),
            ("_businessAreaName", area.name.as_str()),
            ("_schemaId", schema.id.as_str()),
            ("_schemaName", schema.current().schema.name.as_str()),
            ("_dataSetId", dataset.id.as_str()),
            ("_dataSetName", dataset.name.as_str()),
        ]
        .into_iter()
        .enumerate()
        {
            out.push(if index == 0 { '{' } else { ',' });
            write_string(out, name);
            out.push(':');
            write_string(out, text);
        }
        let body = self.readable_body(schema, dataset, &record)?;
        if body.len() > 2 {
            out.push(',');
        }
        out.push_str(&body[1..]);
        Ok(())
    }
}

/// What a page key of this search is good for.
fn scope(caller: &Caller, query: &str, request: &SearchRequest) -> String {
    let mut scope = format!("search {}", caller.tenant());
    for text in [
        Some(query),
        wanted(request.area.as_ref()),
        wanted(request.schema.as_ref()),
        wanted(request.dataset.as_ref()),
    ] {
        scope.push('\0');
        scope.push_str(text.unwrap_or_default());
    }
    scope
}

/// The name a filter asks for; `None` is everything.
fn wanted(filter: Option<&String>) -> Option<&str> {
    filter
        .map(String::as_str)
        .filter(|name| !name.is_empty() && *name != "all")
}

/// The datasets that the caller may view and the filters let through, by number.
fn targets<'c>(caller: &'c Caller, request: &SearchRequest) -> BTreeMap<u32, Target<'c>> {
    let catalog: &Catalog = caller.catalog();
    let rights = caller.rights();
    let is_wanted = |filter: &Option<String>, name: &str| {
        wanted(filter.as_ref()).is_none_or(|wanted| wanted == name)
    };
    let areas = catalog.areas_of(caller.tenant()).filter(|area| {
        rights.reaches(&area.id, Verb::View) && is_wanted(&request.area, &area.name)
    });
    let areas: HashMap<&str, &Area> = areas.map(|area| (area.id.as_str(), &**area)).collect();
    let schemas = catalog.schemas.values().filter(|schema| {
        !schema.deleted
            && areas.contains_key(schema.area.as_str())
            && is_wanted(&request.schema, &schema.current().schema.name)
    });
    let schemas: HashMap<&str, &SchemaEntry> = schemas
        .map(|schema| (schema.id.as_str(), &**schema))
        .collect();
    let target = |dataset: &'c Arc<Dataset>| {
        let schema = *schemas.get(dataset.schema.as_str())?;
        let area = *areas.get(schema.area.as_str())?;
        let is_shown = !dataset.deleted && is_wanted(&request.dataset, &dataset.name);
        is_shown.then_some((
            dataset.number,
            Target {
                area,
                schema,
                dataset,
            },
        ))
    };
    catalog.datasets.values().filter_map(target).collect()
}

/// Where the index has to look, and the versions that it has to know.
fn aims<'c>(targets: &BTreeMap<u32, Target<'c>>) -> (Vec<Aim>, BTreeMap<&'c str, i64>) {
    let mut fields: HashMap<&str, Arc<AimFields>> = HashMap::new();
    let mut aims = Vec::with_capacity(targets.len());
    let mut versions = BTreeMap::new();
    for (number, target) in targets {
        let schema = target.schema;
        versions.insert(schema.id.as_str(), schema.current().number);
        let fields = fields.entry(&schema.id).or_insert_with(|| {
            let active = schema.current().schema.active_fields();
            let active = active.map(|field| (words(&field.name), field.id.as_str().into()));
            Arc::new(AimFields {
                schema: schema.id.as_str().into(),
                active: active.collect(),
            })
        });
        aims.push(Aim {
            dataset: *number,
            fields: fields.clone(),
        });
    }
    (aims, versions)
}
