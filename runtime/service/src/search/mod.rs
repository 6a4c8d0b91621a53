//! Endpoint 11: records by their words. A search sees every write that was committed before it came: it
//! waits until the index is there. It finds what the caller may view, in the fields that are active, under
//! their current names.

mod documents;
mod fields;
mod indexer;
mod live_index;
mod places;
mod query;
mod versions;

pub(crate) use live_index::LiveIndex;
pub use live_index::{SearchState, WAIT_MAX};
pub use query::QUERY_LENGTH_MAX;

use super::{Caller, Owner, PageRequest, Refusal, Service};
use crate::pieces::Pieces;
use live_index::RETRY_SECONDS;
use query::Query;
use schema::json::write_string;
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use store::StoreError;
use store::catalog::{Area, Catalog, Dataset, Resource, SchemaEntry, Verb};
use store::records::RecordPlace;
use store::search::{Aim, AimFields, Expression, Search, words};
use tokio::time::Instant;
use tracing::Instrument as _;

/// Up to where a search counts its hits.
pub const TOTAL_MAX: u64 = 10_000;

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

/// A dataset that a search looks into, and what its hits are called.
struct Target<'c> {
    area: &'c Area,
    schema: &'c SchemaEntry,
    dataset: &'c Dataset,
}

impl Service {
    /// Finds records; the body of the answer.
    ///
    /// # Errors
    /// [`Refusal::Forbidden`] by role, [`Refusal::Parameter`] for a query that does not parse,
    /// [`Refusal::NotReady`] when the index did not come up in time, [`Refusal::TooLong`] when looking took
    /// longer than it may; the store's.
    pub async fn search(
        &self,
        caller: &Caller,
        request: &SearchRequest,
    ) -> Result<String, Refusal> {
        // a hit is a whole record, and a total tells of records too
        caller.require(Resource::Search, Verb::View)?;
        caller.require(Resource::Records, Verb::View)?;
        let query = request
            .query
            .as_deref()
            .filter(|query| !query.trim().is_empty());
        let query = query.ok_or_else(|| {
            Refusal::Parameter("`query` is required; say what to look for".into())
        })?;
        let Query { expression, fields } = query::parse(query)?;
        fields::require(caller, query, &fields)?;
        let scope = scope(caller, query, request);
        let size = self.page_size(&request.page)?;
        let after = self
            .page_position(&scope, &request.page)?
            .map(|position| RecordPlace::of_number(position.cast_signed()));
        let targets = targets(caller, request);
        let span = tracing::debug_span!("search", tenant = caller.tenant(), aims = targets.len());
        let owner = Owner::of(caller.id());
        let page = (after, size, &*scope);
        let hits = self.hits((caller.tenant(), owner), expression, &targets, page);
        hits.instrument(span).await
    }

    /// The body of an answer: a page of hits, and how many there are.
    async fn hits(
        &self,
        (tenant, owner): (&str, Owner),
        expression: Expression,
        targets: &BTreeMap<u32, Target<'_>>,
        (after, size, scope): (Option<RecordPlace>, usize, &str),
    ) -> Result<String, Refusal> {
        let (aims, versions) = aims(targets);
        let live_index = self.live_index.get().ok_or(Refusal::NotReady {
            seconds: RETRY_SECONDS,
        })?;
        let deadline = Instant::now() + live_index.time_max;
        let too_long = || Refusal::TooLong {
            seconds: RETRY_SECONDS,
        };
        let head = self.store.log_head().await?;
        live_index.wait(head, &versions, &aims, deadline).await?;
        let place = live_index.places.take(tenant);
        let place = tokio::time::timeout_at(deadline, place).await;
        let place = place.map_err(|_| too_long())?;
        let search = Search {
            expression,
            aims,
            after,
            limit: size + 1,
            total_max: TOTAL_MAX,
            deadline: deadline.into_std(),
        };
        let found = match live_index.index.find(search).await {
            Err(StoreError::TimedOut) => return Err(too_long()),
            Err(StoreError::IndexDamaged) => {
                live_index.wake();
                return Err(Refusal::NotReady {
                    seconds: RETRY_SECONDS,
                });
            }
            found => found?,
        };
        drop(place);
        let page_bytes = self.settings.page_bytes;
        let mut room = self.memory.reserve_page(owner, page_bytes)?;
        let mut json = String::from("{\"hits\":[");
        let (mut shown, mut pieces) = (0, Pieces::default());
        for place in found.places.iter().take(size) {
            let before = json.len();
            self.write_hit(&mut json, targets, *place).await?;
            pieces.made(json.len() - before).await;
            shown += 1;
            if json.len() >= room.bytes() && !room.grow() {
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
        self.write_members(out, schema, dataset, &record)
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
