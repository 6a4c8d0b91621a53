//! What is sent at once: changes of one dataset that follow one another, no more than fit, in the order of commits over all
//! datasets of a webhook.

use super::courier::Letter;
use super::signature::signature;
use crate::records::Shown;
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
    Batch(Batch),
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
    Readable(Vec<LogEntry>),
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
    /// The next changes behind a position, up to an entry where the same are to be sent again.
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
        let mut first: Option<Batch> = None;
        // the first gap, and the first change of each other dataset: what is sent ends before them
        let (mut gap, mut others) = (None, Vec::new());
        for (dataset, schema) in datasets_of(&catalog, hook) {
            let after = position.max(hook.begins_behind(&dataset.id));
            let found = self.entries(&dataset, after).await?;
            let entries = match found {
                Entries::Readable(mut entries) => {
                    entries.retain(|entry| entry.number <= settled);
                    entries
                }
                Entries::Gap(found) if found.last > settled => continue,
                Entries::Gap(found) => {
                    let is_first = gap.as_ref().is_none_or(|it: &Gap| found.last < it.last);
                    gap = if is_first { Some(found) } else { gap };
                    continue;
                }
            };
            let Some(number) = entries.first().map(|entry| entry.number) else {
                continue;
            };
            let is_first = first
                .as_ref()
                .is_none_or(|it| number < it.entries[0].number);
            let batch = Batch {
                dataset,
                schema,
                entries,
                after,
            };
            let other = if is_first {
                first.replace(batch)
            } else {
                Some(batch)
            };
            others.extend(other.map(|it| it.entries[0].number));
        }
        let begin = first.as_ref().map_or(u64::MAX, |it| it.entries[0].number);
        let gap_end = gap.as_ref().map_or(u64::MAX, |it| it.last);
        let mut batch = match (first, gap) {
            (None, None) => return Ok(NextChanges::Nothing),
            (_, Some(gap)) if gap.last < begin => return Ok(NextChanges::Lost(gap)),
            (Some(batch), _) => batch,
            (None, Some(gap)) => return Ok(NextChanges::Lost(gap)),
        };
        let before = others.into_iter().min().unwrap_or(u64::MAX).min(gap_end);
        let is_in =
            |entry: &LogEntry| entry.number < before && end.is_none_or(|end| entry.number <= end);
        // the first one is sent in any case
        let count = batch
            .entries
            .iter()
            .take_while(|entry| is_in(entry))
            .count();
        batch.entries.truncate(count.max(1));
        Ok(NextChanges::Batch(batch))
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
                Ok(if after < found.lost {
                    gap(found.lost, 0, TOO_OLD)
                } else {
                    Entries::Readable(found.entries)
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
            let shown = Shown {
                schema,
                dataset,
                hidden: &BTreeSet::new(),
            };
            body.push_str(&self.change_json(shown, entry, &position)?);
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
