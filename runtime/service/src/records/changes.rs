//! What changed in one dataset, in the order of commits: read from a position, or waited for. A position is the number of
//! an entry about this dataset, mixed as page keys are: it tells nothing of what is written elsewhere, and is of one epoch of
//! the store. Nothing is missed from one position to the next, or it is refused. docs/interface.md, "Changes".

use super::told_changes::{ChangeView, Told};
use crate::personal::Look;
use crate::pieces::Pieces;
use crate::{DatasetPermit, PageRequest, Permit, Refusal, Service};
use bytes::Bytes;
use schema::json::write_string;
use std::collections::BTreeSet;
use std::time::Duration;
use store::catalog::Kind;
use store::records::{DatasetChanges, LogAction, PageLimit, RecordId};
use store::{RottenRow, StoreError};
use tokio::sync::watch;

/// Seconds that a request may wait for changes at most.
pub const CHANGES_WAIT_MAX: u64 = 60;

/// What is asked of a dataset's changes, as it came.
#[derive(Clone, Debug, Default)]
pub struct ChangesRequest {
    /// `after`: the position to go on from; `latest` for that of now, nothing for the beginning.
    pub after: Option<String>,
    /// `pageSize`
    pub size: Option<String>,
    /// `wait`: seconds.
    pub wait: Option<String>,
}

/// Where somebody who follows a dataset's changes is: behind which entry of the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChangesPosition(u64);

/// Changes that follow a position.
#[derive(Clone, Debug)]
pub struct Changes {
    /// Each in the order of commits: its position, and itself as a JSON object.
    pub items: Vec<(String, String)>,
    /// Where to go on.
    pub next: ChangesPosition,
    /// Whether there are more already.
    pub has_more: bool,
}

/// What became of waiting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Waited {
    /// There may be a change.
    ForAChange,
    /// The time is over.
    InVain,
    /// The service is about to end.
    UntilTheEnd,
}

/// Tells those who wait that the service is about to end.
#[derive(Default)]
pub(crate) struct Ending(watch::Sender<bool>);

impl Service {
    /// A page of changes as the interface shows it: `items`, `next` and `hasMore`. Where there are none yet, it waits as
    /// long as it is asked to; then rights are judged anew.
    ///
    /// # Errors
    /// A bad parameter; [`Refusal::PositionLost`]; [`Refusal::PositionOfOtherEpoch`]; the store's.
    pub async fn changes(
        &self,
        permit: &DatasetPermit,
        request: &ChangesRequest,
    ) -> Result<Bytes, Refusal> {
        let size = self.page_size(&PageRequest {
            key: None,
            size: request.size.clone(),
        })?;
        let wait = wait_of(request.wait.as_deref())?;
        let position = self.changes_position(permit, request.after.as_deref());
        let position = position.await?;
        let mut found = self.read_changes(permit, position, size).await?;
        if found.items.is_empty() && !wait.is_zero() {
            self.wait_for_change(permit, position, wait).await;
            // by what other servers decided meanwhile, too: they may have made the change, under a schema version of theirs
            let catalog = self.store.current_catalog().await?;
            let permit = permit.renewed(catalog, self.now())?;
            found = self.read_changes(&permit, position, size).await?;
        }
        let mut json = String::from("{\"items\":[");
        for (index, (_, item)) in found.items.iter().enumerate() {
            if index > 0 {
                json.push(',');
            }
            json.push_str(item);
        }
        json.push_str("],\"next\":");
        write_string(&mut json, &self.position_text(permit, found.next));
        json.push_str(",\"hasMore\":");
        json.push_str(if found.has_more { "true}" } else { "false}" });
        Ok(json.into())
    }

    /// The position of a text; that of now for `latest`, the beginning for nothing.
    ///
    /// # Errors
    /// [`Refusal::Parameter`] for one that is not of this dataset; [`Refusal::PositionOfOtherEpoch`]; the store's.
    pub async fn changes_position(
        &self,
        permit: &DatasetPermit,
        text: Option<&str>,
    ) -> Result<ChangesPosition, Refusal> {
        let dataset = permit.dataset();
        let told = async || {
            let told = self.store.changes(dataset.number, 0, PageLimit::of(0));
            told.await
        };
        match text {
            // what age has taken is no part of the beginning
            None => Ok(ChangesPosition(told().await?.lost)),
            Some("latest") => Ok(ChangesPosition(told().await?.newest)),
            Some(text) => {
                let scope = scope_of(&dataset.id);
                let position = self.ids.position_of(&scope, text);
                position.map(ChangesPosition).ok_or_else(|| {
                    if self.ids.is_of_other_epoch(&scope, text) {
                        return Refusal::PositionOfOtherEpoch;
                    }
                    Refusal::Parameter(
                        "`after` is not a position of this dataset's changes; send `next` of an earlier answer, \
                         `latest`, or nothing for the beginning"
                            .into(),
                    )
                })
            }
        }
    }

    /// A position as clients keep it.
    pub fn position_text(&self, permit: &DatasetPermit, position: ChangesPosition) -> String {
        self.ids
            .page_key(&scope_of(&permit.dataset().id), position.0)
    }

    /// The changes behind a position, so many at most; fewer where they are large. Their records are whole for programs, and as
    /// management shows them for users.
    ///
    /// # Errors
    /// [`Refusal::PositionLost`]; [`Refusal::PositionOfOtherEpoch`]; [`Refusal::NoRoom`]; the store's.
    pub async fn read_changes(
        &self,
        permit: &DatasetPermit,
        position: ChangesPosition,
        size: usize,
    ) -> Result<Changes, Refusal> {
        let found = self.retry(permit, |permit| async move {
            self.changes_behind(&permit, position, size).await
        });
        let found = found.await?;
        if permit.caller().is_user() && !found.items.is_empty() {
            let look = Look::past(permit.schema(), (Kind::Dataset, &permit.dataset().id));
            self.tell_look(permit.caller(), look).await?;
        }
        Ok(found)
    }

    async fn changes_behind(
        &self,
        permit: &DatasetPermit,
        position: ChangesPosition,
        size: usize,
    ) -> Result<Changes, Refusal> {
        let owner = permit.caller().owner();
        let room = self.memory.reserve_page(owner, self.settings.page_bytes)?;
        let limit = PageLimit {
            records: size,
            bytes: room.bytes(),
        };
        let dataset = permit.dataset().number;
        let found = match self.store.changes(dataset, position.0, limit).await {
            Err(StoreError::Rotten(RottenRow::Entry { number, id })) => {
                return self.in_place_of(permit, number, id).await;
            }
            found => found?,
        };
        let DatasetChanges {
            entries,
            newest,
            lost,
        } = found;
        if position.0 < lost {
            return Err(Refusal::PositionLost);
        }
        // the database itself went back, which no epoch tells of
        if position.0 > newest {
            return Err(Refusal::PositionOfOtherEpoch);
        }
        let last = entries.last().map_or(position.0, |entry| entry.number);
        let (mut items, mut pieces) = (Vec::with_capacity(entries.len()), Pieces::default());
        let scope = scope_of(&permit.dataset().id);
        let hidden = hidden_from(permit);
        for entry in entries {
            let place = self.ids.page_key(&scope, entry.number);
            let view = ChangeView {
                schema: permit.schema(),
                dataset: permit.dataset(),
                hidden: &hidden,
            };
            let item = self.change_json(view, entry, &place)?;
            pieces.made(item.len()).await;
            items.push((place, item));
        }
        Ok(Changes {
            items,
            next: ChangesPosition(last),
            has_more: last < newest,
        })
    }

    /// Waits until there may be a change behind a position, no longer than so long. No thread is held meanwhile.
    pub async fn wait_for_change(
        &self,
        permit: &DatasetPermit,
        position: ChangesPosition,
        time: Duration,
    ) -> Waited {
        let mut ending = self.ending.0.subscribe();
        tokio::select! {
            // a store that fails is met by the read that follows
            _ = self.store.next_change(permit.dataset().number, position.0) => Waited::ForAChange,
            () = tokio::time::sleep(time) => Waited::InVain,
            _ = ending.wait_for(|is_ending| *is_ending) => Waited::UntilTheEnd,
        }
    }

    /// Ends all waiting for changes, now and from now on: for who is about to stop, before it waits for the requests
    /// in flight.
    pub fn end_waiting(&self) {
        self.ending.0.send_replace(true);
    }

    /// The place of an entry in what follows a dataset, or something else that has an id.
    pub(crate) fn changes_place(&self, id: &str, number: u64) -> String {
        self.ids.page_key(&scope_of(id), number)
    }

    /// In place of an entry that is not as it was written, the record as it is now: nobody who follows is stopped for good
    /// by one that a disk spoiled.
    async fn in_place_of(
        &self,
        permit: &DatasetPermit,
        number: u64,
        id: RecordId,
    ) -> Result<Changes, Refusal> {
        let (schema, dataset) = (permit.schema(), permit.dataset());
        let rotten = || StoreError::Rotten(RottenRow::Entry { number, id });
        if id.place.dataset != dataset.number {
            return Err(rotten().into());
        }
        tracing::error!(error = %rotten(), "a change can't be read; the record is told as it is now");
        let found = self.store.get(id.place).await?;
        let found = found.filter(|record| record.id == id);
        let position = self.changes_place(&dataset.id, number);
        let told = Told {
            position: &position,
            action: match &found {
                Some(record) if record.deleted => LogAction::Delete,
                Some(_) => LogAction::Update,
                None => LogAction::Purge,
            },
            at: self.now(),
            id,
            version: found.as_ref().map_or(0, |record| record.version),
        };
        // what can't be read of a record that is deleted holds nobody up
        let shown = found.filter(|record| !record.deleted || record.has_form());
        let hidden = hidden_from(permit);
        let view = ChangeView {
            schema,
            dataset,
            hidden: &hidden,
        };
        let item = self.told_json(view, &told, shown.as_ref())?;
        let rest = self.store.changes(dataset.number, number, PageLimit::of(0));
        Ok(Changes {
            items: vec![(position, item)],
            next: ChangesPosition(number),
            has_more: number < rest.await?.newest,
        })
    }
}

/// The fields whose values the caller does not see in changes: those that are or ever were personal, for a user without the
/// right.
fn hidden_from(permit: &DatasetPermit) -> BTreeSet<&str> {
    let caller = permit.caller();
    if !caller.is_user() {
        return BTreeSet::new();
    }
    caller.ever_masked_fields(permit.schema())
}

/// What the positions of a dataset are tied to.
fn scope_of(dataset: &str) -> String {
    format!("feed {dataset}")
}

/// How long a request is to wait.
fn wait_of(text: Option<&str>) -> Result<Duration, Refusal> {
    let Some(text) = text else {
        return Ok(Duration::ZERO);
    };
    let digits = text.bytes().all(|byte| byte.is_ascii_digit());
    let seconds = digits.then(|| text.parse().ok()).flatten();
    let seconds = seconds.filter(|seconds| *seconds <= CHANGES_WAIT_MAX);
    seconds.map(Duration::from_secs).ok_or_else(|| {
        let text = format!("`wait` must be a whole number of seconds from 0 to {CHANGES_WAIT_MAX}");
        Refusal::Parameter(text.into())
    })
}
