//! What is sent at once: changes of one dataset that follow one another, no more than fit, in the order of commits over all
//! datasets of a webhook.

use super::courier::Letter;
use super::signature::signature;
use crate::records::ChangeView;
use crate::{Refusal, Service};
use schema::json::write_string;
use std::collections::BTreeSet;
use std::sync::Arc;
use store::catalog::{Catalog, Dataset, SchemaEntry, Webhook};
use store::records::{LogEntry, PageLimit};
use store::{RottenRow, StoreError};

/// Changes that are sent at once at most, and their bytes.
pub(super) const TOGETHER: PageLimit = PageLimit {
    records: 100,
    bytes: 256 << 10,
};

/// Changes of one dataset.
pub(super) struct Batch {
    pub(super) dataset: Arc<Dataset>,
    pub(super) schema: Arc<SchemaEntry>,
    pub(super) entries: Vec<LogEntry>,
    /// The entry behind which they begin.
    pub(super) after: u64,
}

/// What a webhook finds behind a position.
pub(super) enum NextChanges {
    /// Changes of datasets in turns, one letter each.
    Batches(Vec<Batch>),
    /// Nothing.
    Nothing,
    /// Changes that nobody can be sent any more come first.
    Lost(Gap),
}

/// Changes of a dataset that can't be sent.
pub(super) struct Gap {
    pub(super) dataset: Arc<Dataset>,
    /// The entry behind which they begin.
    pub(super) after: u64,
    /// The last one.
    pub(super) last: u64,
    /// How many they are, where that is known.
    pub(super) changes: u64,
    /// Why.
    pub(super) error: &'static str,
}

/// What of a dataset stands behind a position.
enum Entries {
    Readable {
        entries: Vec<LogEntry>,
        /// The last entry up to which these are all.
        last: u64,
    },
    Gap(Gap),
}

const TOO_OLD: &str = "changes went by their age before they were delivered";
pub(super) const SPOILED: &str =
    "the change is not as it was written: the disk changed it; `fieldstone check` tells more";

impl Batch {
    /// The last entry.
    pub(super) fn last(&self) -> u64 {
        self.entries.last().map_or(self.after, |entry| entry.number)
    }
}

/// The changes of datasets up to an entry, in the order of commits: a batch ends where a change of another dataset comes.
fn in_turns(read: Vec<Batch>, last: u64) -> Vec<Batch> {
    let mut all = Vec::new();
    let mut datasets = Vec::new();
    for (index, batch) in read.into_iter().enumerate() {
        let entries = batch.entries.into_iter();
        all.extend(
            entries
                .filter(|entry| entry.number <= last)
                .map(|entry| (index, entry)),
        );
        datasets.push((batch.dataset, batch.schema, batch.after));
    }
    all.sort_by_key(|(_, entry)| entry.number);
    let mut turns: Vec<Batch> = Vec::new();
    let mut turn = None;
    for (index, entry) in all {
        if let Some(batch) = turns.last_mut()
            && turn == Some(index)
        {
            batch.entries.push(entry);
            continue;
        }
        let (dataset, schema, after) = &datasets[index];
        turns.push(Batch {
            dataset: dataset.clone(),
            schema: schema.clone(),
            after: turns.last().map_or(0, Batch::last).max(*after),
            entries: vec![entry],
        });
        turn = Some(index);
    }
    turns
}

/// The datasets of a webhook that are alive.
pub(crate) fn datasets_of(
    catalog: &Catalog,
    hook: &Webhook,
) -> Vec<(Arc<Dataset>, Arc<SchemaEntry>)> {
    let living = |id: &String| {
        let dataset = catalog
            .datasets
            .get(id)
            .filter(|it| !it.deleted && it.tenant == hook.tenant)?;
        let schema = catalog
            .schemas
            .get(&dataset.schema)
            .filter(|it| !it.deleted)?;
        catalog.areas.get(&schema.area).filter(|it| !it.deleted)?;
        Some((dataset.clone(), schema.clone()))
    };
    hook.datasets.iter().filter_map(living).collect()
}

impl Service {
    /// The next changes behind a position, as far as those of all datasets were read; where the same are to be sent again, only these,
    /// which end at an entry.
    pub(super) async fn next_batch(
        &self,
        hook: &Webhook,
        position: u64,
        end: Option<u64>,
    ) -> Result<NextChanges, Refusal> {
        // what is written from here on is for the next one: of a dataset that was read already it would be passed by
        let settled = self.store().settled_head().await?;
        // behind that: changes up to there of a dataset that was added just now, here or by another server, would be passed by
        let catalog = self.store().current_catalog().await?;
        let newest = catalog.webhooks.get(&hook.id);
        let hook = newest.map_or(hook, |newest| &**newest);
        let (mut read, mut gap, mut last) = (Vec::new(), None, settled);
        for (dataset, schema) in datasets_of(&catalog, hook) {
            let after = position.max(hook.begins_behind(&dataset.id));
            match self.entries(&dataset, after).await? {
                Entries::Readable { entries, last: own } => {
                    last = last.min(own);
                    read.push(Batch {
                        dataset,
                        schema,
                        entries,
                        after,
                    });
                }
                Entries::Gap(found) if found.last > settled => {}
                Entries::Gap(found) => {
                    let is_first = gap.as_ref().is_none_or(|it: &Gap| found.last < it.last);
                    gap = if is_first { Some(found) } else { gap };
                }
            }
        }
        let last = gap.as_ref().map_or(last, |it| last.min(it.last));
        let mut batches = in_turns(read, last);
        if batches.is_empty() {
            return Ok(gap.map_or(NextChanges::Nothing, NextChanges::Lost));
        }
        if let Some(end) = end {
            batches.truncate(1);
            let entries = &mut batches[0].entries;
            // the first one is sent in any case
            let count = entries.iter().take_while(|it| it.number <= end).count();
            entries.truncate(count.max(1));
        }
        Ok(NextChanges::Batches(batches))
    }

    /// The changes of a dataset behind an entry, or what is in their way.
    async fn entries(&self, dataset: &Arc<Dataset>, after: u64) -> Result<Entries, Refusal> {
        let gap = |last, changes, error| {
            Entries::Gap(Gap {
                dataset: dataset.clone(),
                after,
                last,
                changes,
                error,
            })
        };
        match self.store().changes(dataset.number, after, TOGETHER).await {
            Err(StoreError::Rotten(RottenRow::Entry { number, id })) if number > after => {
                let error = StoreError::Rotten(RottenRow::Entry { number, id });
                tracing::error!(%error, "a change can't be sent by webhooks");
                Ok(gap(number, 1, SPOILED))
            }
            found => {
                let found = found?;
                if after < found.lost {
                    return Ok(gap(found.lost, 0, TOO_OLD));
                }
                let entries = found.entries;
                let end = entries.last().map(|entry| entry.number);
                Ok(Entries::Readable {
                    last: end.filter(|end| *end < found.newest).unwrap_or(u64::MAX),
                    entries,
                })
            }
        }
    }

    /// What is sent of these changes.
    pub(super) fn letter(&self, hook: &Webhook, batch: Batch) -> Result<Letter, Refusal> {
        let (dataset, schema, last) = (&batch.dataset, &batch.schema, batch.last());
        let at = self.now();
        let mut body = format!(r#"{{"type":"dataobjects.changed","timestamp":"{at}","data":{{"#);
        for (name, id) in [
            ("businessAreaId", &schema.area),
            ("schemaId", &schema.id),
            ("dataSetId", &dataset.id),
        ] {
            write_string(&mut body, name);
            body.push(':');
            write_string(&mut body, id);
            body.push(',');
        }
        body.push_str("\"items\":[");
        for (index, entry) in batch.entries.into_iter().enumerate() {
            if index > 0 {
                body.push(',');
            }
            let position = self.changes_place(&dataset.id, entry.number);
            // what a webhook brings is whole, as for any program
            let view = ChangeView {
                schema,
                dataset,
                hidden: &BTreeSet::new(),
            };
            body.push_str(&self.change_json(view, entry, &position)?);
        }
        body.push_str("]}}");
        let id = format!("msg_{}", self.changes_place(&hook.id, last));
        let timestamp = at.millis().div_euclid(1000);
        Ok(Letter {
            url: hook.url.clone(),
            signature: signature(&hook.secret, &id, timestamp, &body),
            id,
            timestamp,
            body,
        })
    }
}
