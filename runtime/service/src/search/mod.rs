//! Endpoint 11: records by their words. A search sees every write that was committed before it came: it
//! waits until the index is there. It finds what the caller may view, in the fields that are active, under
//! their current names.

mod asked;
mod batch;
mod by_value;
mod counts;
mod documents;
mod fields;
mod forms;
mod hits;
mod indexer;
mod live_index;
mod low_priority;
mod most_faults;
mod names;
mod places;
mod position;
mod query;
mod seen;
mod signals;
mod sought;
mod targets;
mod values;
mod verifier;
mod versions;

pub(crate) use crate::masking::is_personal;
pub use counts::FacetRequest;
pub(crate) use live_index::LiveIndex;
pub use live_index::{SearchState, WAIT_MAX};
pub use most_faults::{FaultOf, MostFaults};
pub(crate) use names::fields_meant;
pub use query::{QUERY_LENGTH_MAX, Quotes, in_quotes, unquoted};
pub use signals::IndexPace;
pub use sought::{SoughtWord, sought};
pub use store::search::{FieldName, words};

use super::{Caller, PageRequest, Refusal, Service};
use crate::pager::bad_key;
use hits::HitPage;
use live_index::{Freshness, RETRY_SECONDS};
use places::Place;
use position::{Order, position_of};
use std::collections::BTreeMap;
use store::StoreError;
use store::catalog::{Resource, Verb};
use store::search::Aim;
use targets::{Looker, Target, aims, targets, wanted};
use tokio::time::Instant;
use tracing::Instrument as _;

/// A search of at most so many datasets waits for writes to these alone; one of more waits for all writes.
const TARGETS_LOOKED_UP_MAX: usize = 64;

/// Up to where a search counts its hits.
pub const TOTAL_MAX: u64 = 1_000;

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
    /// The one dataset that is looked into, by its id, whatever it is called; `None` is all that the names let through.
    pub dataset_id: Option<String>,
    /// `sort`: fields with commas between.
    pub sort: Option<String>,
    /// Which page.
    pub page: PageRequest,
    /// What is answered while the index can't be written.
    pub when_behind: WhenBehind,
    /// How much of what is found is told.
    pub extent: Extent,
    /// A parameter that stands twice; it is refused.
    pub repeated: Option<&'static str>,
}

/// How much of what it finds a search tells.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Extent {
    /// A page in order, where the next one begins, and how many hits there are, told up to [`TOTAL_MAX`].
    #[default]
    Page,
    /// The same, told up to so many.
    Counted(u64),
    /// As many as a page has, whichever are found first, and nothing of others: they are not looked at.
    Few,
}

/// What a search is answered whose index lacks what was written last, because it can't be written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum WhenBehind {
    /// What is in it, and that it is behind: to be looked at.
    #[default]
    Tell,
    /// That it is not ready: something is done with all that is found.
    Refuse,
}

/// What a look into the index needs.
struct Ready<'s> {
    index: &'s LiveIndex,
    aims: Vec<Aim>,
    place: Option<Place>,
    freshness: Freshness,
    /// How often the index had been emptied.
    emptied: u64,
    deadline: std::time::Instant,
}

impl Ready<'_> {
    /// Goes on only with an index that has all: what is exact, or done with all that is found, must leave nothing out.
    ///
    /// # Errors
    /// [`Refusal::NotReady`] while it can't be written.
    fn require_current(self) -> Result<Self, Refusal> {
        match self.freshness {
            Freshness::Current => Ok(self),
            Freshness::Behind => Err(Refusal::NotReady {
                seconds: RETRY_SECONDS,
            }),
        }
    }
}

impl Service {
    /// Finds records; the body of the answer. A user finds and is shown what management shows it.
    ///
    /// # Errors
    /// [`Refusal::Forbidden`] by role, and for a user's query that asks for personal values which it may not see; [`Refusal::Parameter`] for a query that does not parse,
    /// [`Refusal::NotReady`] when the index did not come up in time, [`Refusal::TooLong`] when looking took
    /// longer than it may; the store's.
    pub async fn search(
        &self,
        caller: &Caller,
        request: &SearchRequest,
    ) -> Result<String, Refusal> {
        if caller.is_user() {
            return self.seen_hits(caller, request).await;
        }
        self.searched(Looker::of_program(caller), request).await
    }

    /// The same as management asks it: without view of `PERSONAL DATA` nothing is found by what is personal.
    ///
    /// # Errors
    /// As [`search`](Self::search); [`Refusal::Forbidden`] for what asks for personal values.
    pub(crate) async fn managed_search(
        &self,
        caller: &Caller,
        request: &SearchRequest,
    ) -> Result<String, Refusal> {
        self.searched(Looker::of_management(caller), request).await
    }

    async fn searched(
        &self,
        looker: Looker<'_>,
        request: &SearchRequest,
    ) -> Result<String, Refusal> {
        let caller = looker.caller;
        // a hit is a whole record, and a total tells of records too
        caller.require(Resource::Search, Verb::View)?;
        caller.require(Resource::Records, Verb::View)?;
        if let Some(name) = request.repeated {
            return Err(Refusal::repeated(name));
        }
        let targets = targets(caller, request);
        let sort = match request.sort.as_deref() {
            None => Vec::new(),
            Some(sort) => {
                let only = request.dataset_id.as_ref();
                let own = only.and_then(|_| targets.values().next());
                let own = own.map(|target| &target.schema.current().schema);
                forms::sort(looker, &targets, own, sort)?
            }
        };
        let text = request.query.as_deref().unwrap_or_default();
        if text.trim().is_empty() {
            let what = "`query` is required; say what to look for";
            return Err(Refusal::Parameter(what.into()));
        }
        let expression = self.asked(looker, text, &targets).await?;
        let scope = scope(caller, text, request);
        let size = self.page_size(&request.page)?;
        let order = Order::of(&scope, &sort, &targets);
        let after = request.page.key.as_ref().map(|key| {
            let position = position_of(&self.ids, order, key);
            position.ok_or_else(bad_key)
        });
        let after = after.transpose()?;
        let span = tracing::debug_span!("search", tenant = caller.tenant(), aims = targets.len());
        let page = HitPage {
            expression,
            sort,
            after,
            size,
            scope: &scope,
            when_behind: request.when_behind,
            extent: request.extent,
        };
        self.hits(looker, page, &targets).instrument(span).await
    }

    /// Waits until the index has all that was written by now, and for a place to look.
    async fn ready(
        &self,
        looker: Looker<'_>,
        targets: &BTreeMap<u32, Target<'_>>,
        is_about_missing: bool,
    ) -> Result<Ready<'_>, Refusal> {
        let (aims, versions) = aims(targets, looker, is_about_missing);
        let index = self.live_index.get().ok_or(Refusal::NotReady {
            seconds: RETRY_SECONDS,
        })?;
        let deadline = Instant::now() + index.time_max;
        // writes to other datasets are not waited for
        let head = if targets.len() <= TARGETS_LOOKED_UP_MAX {
            let datasets = targets.keys().copied().collect();
            self.store.log_head_of(datasets).await?
        } else {
            self.store.log_head().await?
        };
        let waited = index.wait(head, &versions, &aims, deadline).await?;
        let (freshness, emptied) = waited;
        let place =
            tokio::time::timeout_at(deadline, index.places.take(looker.caller.tenant())).await;
        let place = place.map_err(|_| Refusal::TooLong {
            seconds: RETRY_SECONDS,
        })?;
        Ok(Ready {
            index,
            aims,
            place,
            freshness,
            emptied,
            deadline: deadline.into_std(),
        })
    }

    /// What the index answered, or why it can't. What was found in one that was emptied meanwhile is a part of what there is.
    fn answered<T>(&self, emptied: u64, answer: Result<T, StoreError>) -> Result<T, Refusal> {
        let seconds = RETRY_SECONDS;
        let index = self.live_index.get();
        let is_emptied = index.is_some_and(|index| index.index.emptied() != emptied);
        match answer {
            Ok(_) if is_emptied => Err(Refusal::NotReady { seconds }),
            Err(StoreError::TimedOut) => Err(Refusal::TooLong { seconds }),
            Err(StoreError::IndexDamaged | StoreError::IndexEmptied) => {
                if let Some(index) = index {
                    index.wake();
                }
                Err(Refusal::NotReady { seconds })
            }
            answer => Ok(answer?),
        }
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
        request.sort.as_deref(),
    ] {
        scope.push('\0');
        scope.push_str(text.unwrap_or_default());
    }
    if let Some(id) = &request.dataset_id {
        scope.push('\0');
        scope.push_str(id);
    }
    scope
}
