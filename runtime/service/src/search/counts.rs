//! What is wrong with a dataset's records, and how often each of their few values is there: counted by the
//! index, shown to who may search the dataset, and nothing that a search would not show.

use super::asked;
use super::names;
use super::query::{QUERY_LENGTH_MAX, in_quotes};
use super::targets::{Looker, Target};
use super::values::{CODE_BYTES, is_counted};
use crate::manage::{
    DatasetFault, DatasetFaults, Facet, FacetKey, FacetValue, Facets, OtherValues,
};
use crate::masking::is_personal;
use crate::nouns::UnderDataset as _;
use crate::personal::Look;
use crate::rights::not_in_area;
use crate::{Caller, Refusal, Service};
use schema::{DataType, Field};
use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};
use store::catalog::{Dataset, Kind, Resource, SchemaEntry, Verb};
use store::records::RecordPlace;
use store::search::{
    Count, Counted, Expression, FaultCount, FieldName, Key, Position, Search, Tally,
};
use tracing::Instrument as _;

/// How many values of a field are told at most: a text that is no value of it may stand in each record, and is one, too.
const VALUES_MAX: usize = 1000;
/// How many records a fault is shown with at most.
const SAMPLES_MAX: usize = 3;
/// Bytes of records that are read at a time for their ids.
const SAMPLE_BYTES_AT_ONCE: usize = 256 << 10;

/// What of a dataset's records is counted.
#[derive(Clone, Debug, Default)]
pub struct FacetRequest {
    /// `query`: only what it finds.
    pub query: Option<String>,
    /// `field`: only this one.
    pub field: Option<String>,
}

impl Service {
    /// The faults of a dataset's records, by field and rule.
    ///
    /// # Errors
    /// No such dataset, missing rights; [`Refusal::NotReady`] and [`Refusal::TooLong`] as a search; the store's.
    pub async fn dataset_faults(
        &self,
        by: &Caller,
        dataset: &str,
    ) -> Result<DatasetFaults, Refusal> {
        let span = tracing::debug_span!("search.faults", dataset);
        self.all_faults(by, dataset).instrument(span).await
    }

    async fn all_faults(&self, by: &Caller, dataset: &str) -> Result<DatasetFaults, Refusal> {
        let caller = self.searcher(by)?;
        let target = target(&caller, dataset)?;
        let counts = self.store.counts(target.dataset.number).await?;
        Ok(DatasetFaults {
            record_count: counts.records,
            errored_records_count: counts.errored,
            faults: self.faults(&caller, &target, None).await?,
        })
    }

    /// How often each value of picklists and booleans is in a dataset's records, the thousand most frequent of a field, and
    /// each fault; of all of them, or of those that a query finds.
    ///
    /// # Errors
    /// As [`dataset_faults`](Self::dataset_faults), and a query that does not parse, and a field that is not counted.
    pub async fn facets(
        &self,
        by: &Caller,
        dataset: &str,
        request: &FacetRequest,
    ) -> Result<Facets, Refusal> {
        let span = tracing::debug_span!("search.facets", dataset);
        self.counted(by, dataset, request).instrument(span).await
    }

    async fn counted(
        &self,
        by: &Caller,
        dataset: &str,
        request: &FacetRequest,
    ) -> Result<Facets, Refusal> {
        let caller = self.searcher(by)?;
        let target = target(&caller, dataset)?;
        let query = request
            .query
            .as_deref()
            .filter(|query| !query.trim().is_empty());
        let looker = Looker::of_management(&caller);
        let targets = BTreeMap::from([(target.dataset.number, target)]);
        let expression = match query {
            Some(query) => {
                let asked = self.asked(looker, query, &targets);
                Some(asked.await.map_err(Refusal::of_management)?)
            }
            None => None,
        };
        let schema = &target.schema.current().schema;
        let asked = request.field.as_deref().map(FieldName::of);
        let mut fields: Vec<_> = match &asked {
            Some(name) => names::of_name(schema, name),
            None => schema.active_fields().collect(),
        };
        fields.retain(|field| is_counted(field));
        let hidden = fields.iter().find(|field| !looker.may_look_for(field));
        if let (Some(_), Some(field)) = (&asked, hidden) {
            return Err(is_personal("field", &field.name));
        }
        fields.retain(|field| looker.may_look_for(field));
        if let (Some(name), true) = (&request.field, fields.is_empty()) {
            let text = format!("`field` is no picklist and no boolean of the dataset: `{name}`");
            return Err(Refusal::Parameter(text.into()).of_management());
        }
        if fields.iter().any(|field| field.is_pii()) {
            let look = Look::now(target.schema, (Kind::Dataset, &target.dataset.id));
            self.tell_look(&caller, look).await?;
        }
        let mut facets = Vec::with_capacity(fields.len());
        for field in fields {
            let what = Counted::Keys {
                of: FieldName::of(&field.name),
                most: VALUES_MAX,
            };
            let tally = self
                .tally(&caller, &target, expression.clone(), what)
                .await?;
            let Tally::Keys(counts) = tally else {
                continue;
            };
            facets.push(Facet {
                field_id: field.id.clone(),
                field: field.name.clone(),
                others: (counts.others > 0).then_some(OtherValues {
                    value_count: counts.others,
                    record_count: counts.other_records,
                }),
                values: values(field, counts.most),
            });
        }
        let faults = self.faults(&caller, &target, expression).await?;
        Ok(Facets { facets, faults })
    }

    /// Whether a query can be asked of a dataset by who asks, for something that is done with all that it finds;
    /// the trail tells of the personal values that it asks for.
    ///
    /// # Errors
    /// No such dataset, missing rights, a query that does not parse.
    pub(crate) async fn judge_query(
        &self,
        by: &Caller,
        dataset: &str,
        query: &str,
    ) -> Result<(), Refusal> {
        let caller = self.searcher(by)?;
        let target = target(&caller, dataset)?;
        if query.trim().is_empty() {
            return Ok(());
        }
        let targets = BTreeMap::from([(target.dataset.number, target)]);
        let looker = Looker::of_management(&caller);
        let asked = self.asked(looker, query, &targets);
        asked.await.map(drop).map_err(Refusal::of_management)
    }

    /// The places of records of a dataset that a query finds behind a place, so many at most, in order of creation: for
    /// what asked [`judge_query`](Self::judge_query) before it began.
    ///
    /// # Errors
    /// As [`facets`](Self::facets).
    pub(crate) async fn found_places(
        &self,
        by: &Caller,
        dataset: &str,
        query: &str,
        after: RecordPlace,
        limit: usize,
    ) -> Result<Vec<RecordPlace>, Refusal> {
        let caller = self.searcher(by)?;
        let target = target(&caller, dataset)?;
        let targets = BTreeMap::from([(target.dataset.number, target)]);
        let looker = Looker::of_management(&caller);
        let asked = asked::read(looker, query, &targets);
        let expression = asked.map_err(Refusal::of_management)?.expression;
        let is_about_missing = expression.is_about_missing();
        let ready = self.ready(looker, &targets, is_about_missing);
        let ready = ready.await?.require_current()?;
        let search = Search {
            expression,
            aims: ready.aims,
            sort: Vec::new(),
            after: Some(Position {
                place: after,
                keys: Vec::new(),
            }),
            limit,
            total_max: 0,
            unordered: false,
            deadline: ready.deadline,
        };
        let found = ready.index.index.find(search).await;
        let found = self.answered(ready.emptied, found);
        drop(ready.place);
        Ok(found?.places)
    }

    /// The caller by the newest catalog, who may search.
    pub(super) fn searcher(&self, by: &Caller) -> Result<Caller, Refusal> {
        let caller = self.viewer(by, Resource::Records)?;
        caller.require(Resource::Search, Verb::View)?;
        Ok(caller)
    }

    async fn tally(
        &self,
        caller: &Caller,
        target: &Target<'_>,
        expression: Option<Expression>,
        what: Counted,
    ) -> Result<Tally, Refusal> {
        let targets = BTreeMap::from([(target.dataset.number, *target)]);
        self.tally_over(caller, &targets, expression, what).await
    }

    /// What is counted of some datasets, in one look at the index.
    pub(super) async fn tally_over(
        &self,
        caller: &Caller,
        targets: &BTreeMap<u32, Target<'_>>,
        expression: Option<Expression>,
        what: Counted,
    ) -> Result<Tally, Refusal> {
        let ready = self.ready(Looker::of_management(caller), targets, true);
        let ready = ready.await?.require_current()?;
        let count = Count {
            expression,
            aims: ready.aims,
            what,
            deadline: ready.deadline,
        };
        let tally = ready.index.index.count(count).await;
        let tally = self.answered(ready.emptied, tally);
        drop(ready.place);
        tally
    }

    async fn faults(
        &self,
        caller: &Caller,
        target: &Target<'_>,
        expression: Option<Expression>,
    ) -> Result<Vec<DatasetFault>, Refusal> {
        let what = Counted::Faults {
            samples: SAMPLES_MAX,
        };
        let tally = self.tally(caller, target, expression, what).await?;
        let Tally::Faults(mut counts) = tally else {
            return Ok(Vec::new());
        };
        let fields: Vec<_> = target.schema.current().schema.active_fields().collect();
        let order = |count: &FaultCount| fields.iter().position(|field| field.id == *count.field);
        counts.sort_by_key(|count| (order(count), Reverse(count.records), count.rule.clone()));
        let samples = counts
            .iter()
            .flat_map(|count| count.samples.iter().copied());
        let ids = self.ids_at(&samples.collect::<Vec<_>>()).await?;
        let mut faults = Vec::with_capacity(counts.len());
        for count in counts {
            let Some(field) = fields.iter().find(|field| field.id == *count.field) else {
                continue;
            };
            let samples = count.samples.iter().filter_map(|place| ids.get(place));
            faults.push(DatasetFault {
                field_id: field.id.clone(),
                field: field.name.clone(),
                rule: count.rule.into(),
                record_count: count.records,
                samples: samples.cloned().collect(),
            });
        }
        Ok(faults)
    }

    /// The public ids of the records at some places, of those that are there.
    async fn ids_at(
        &self,
        mut places: &[RecordPlace],
    ) -> Result<HashMap<RecordPlace, String>, Refusal> {
        let mut ids = HashMap::new();
        while !places.is_empty() {
            let records = self.store.get_some(places, SAMPLE_BYTES_AT_ONCE).await?;
            places = places.get(records.len().max(1)..).unwrap_or_default();
            for record in records {
                if let Some(record) = record? {
                    ids.insert(record.id.place, self.ids.record(record.id));
                }
            }
        }
        Ok(ids)
    }
}

/// A dataset of which the caller may see the records.
pub(super) fn target<'c>(caller: &'c Caller, id: &str) -> Result<Target<'c>, Refusal> {
    let (sight, catalog) = (caller.sight(), caller.catalog());
    sight
        .living::<Dataset>(id)?
        .permit_under(sight, Resource::Records, Verb::View)?;
    let found = catalog.datasets.get(id).and_then(|dataset| {
        let schema: &SchemaEntry =
            names::visible(caller).find(|schema| schema.id == dataset.schema)?;
        let area = catalog.areas.get(&schema.area)?;
        Some(Target {
            area,
            schema,
            dataset,
        })
    });
    // what the caller's roles reach in management alone is in no search
    found.ok_or_else(|| not_in_area(Verb::View))
}

fn values(field: &Field, keys: Vec<(Key, u64)>) -> Vec<FacetValue> {
    let query = |text: &str| {
        let query = format!("{}:={}", in_quotes(&field.name), in_quotes(text));
        // a text of so many bytes may have been cut before a character
        let is_whole = text.len() + char::MAX_LEN_UTF8 <= CODE_BYTES;
        let is_found = field.is_searched() && is_whole;
        (is_found && query.chars().count() <= QUERY_LENGTH_MAX).then_some(query)
    };
    let is_boolean = field.data_type == DataType::Boolean;
    let told = |(key, record_count)| {
        let query = match &key {
            Key::Int(flag) => query(if *flag == 0 { "false" } else { "true" }),
            // no query tells it from the boolean
            Key::Text(code) if is_boolean && matches!(&**code, "true" | "false") => None,
            Key::Text(code) => query(code),
            Key::Real(_) => None,
        };
        let value = match key {
            Key::Int(flag) => FacetKey::Flag(flag != 0),
            Key::Text(code) => FacetKey::Code(code.into()),
            // no field that is counted has such
            Key::Real(_) => return None,
        };
        Some(FacetValue {
            value,
            record_count,
            query,
        })
    };
    let mut values: Vec<_> = keys.into_iter().filter_map(told).collect();
    values.sort_by(|one, other| {
        let counts = other.record_count.cmp(&one.record_count);
        counts.then_with(|| one.value.cmp(&other.value))
    });
    values
}
