//! Compares two stores, row by row: how many there are of each part, and a sum of their checksums that is the same in
//! whatever order they come. Both are read whole.

use super::secrets::is_secret;
use super::{ROWS_AT_FIRST, next_page};
use crate::failure::conflict;
use crate::hex::hex;
use crate::watch::Watch;
use serde::Serialize;
use service::is_epoch;
use sha2::{Digest as _, Sha256};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, PoisonError};
use store::transfer::{Part, TransferRow, TransferSource};

/// Rows, counted and summed.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
struct Sum {
    rows: u64,
    digest: u128,
}

impl Sum {
    fn add(&mut self, row: &TransferRow) -> anyhow::Result<()> {
        let digest = Sha256::digest(serde_json::to_vec(row)?);
        let (first, _) = digest.split_at(16);
        let mut bytes = [0; 16];
        bytes.copy_from_slice(first);
        self.digest = self.digest.wrapping_add(u128::from_be_bytes(bytes));
        self.rows += 1;
        Ok(())
    }

    fn shown(self) -> Counted {
        Counted {
            rows: self.rows,
            checksum: format!("{:032x}", self.digest),
        }
    }
}

/// How many rows there are, and their checksum.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Counted {
    pub(crate) rows: u64,
    pub(crate) checksum: String,
}

/// One kind of rows in both stores.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ComparedPart {
    /// What they are.
    pub(crate) what: String,
    pub(crate) from: Counted,
    pub(crate) to: Counted,
    pub(crate) is_same: bool,
}

/// Two stores, compared.
#[derive(Serialize)]
#[serde(transparent)]
pub(crate) struct Compared {
    pub(crate) parts: Vec<ComparedPart>,
}

impl Compared {
    /// How many rows the first one has.
    pub(crate) fn rows(&self) -> u64 {
        self.parts.iter().map(|part| part.from.rows).sum()
    }

    /// What differs.
    pub(crate) fn differences(&self) -> Vec<&str> {
        let differ = self.parts.iter().filter(|part| !part.is_same);
        differ.map(|part| part.what.as_str()).collect()
    }

    /// Refuses two that differ.
    pub(crate) fn require_same(&self) -> anyhow::Result<()> {
        match self.differences().as_slice() {
            [] => Ok(()),
            differ => Err(conflict(format!(
                "what came differs from what was to be copied: {}; try again, and run `fieldstone check` if it still does",
                differ.join(", ")
            ))),
        }
    }
}

/// How many rows of both stores were read, and who is told: both are read at once.
struct HowFar<'w>(Mutex<(u64, &'w mut Watch)>);

impl HowFar<'_> {
    fn add(&self, rows: &[TransferRow]) {
        let mut held = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (all, watch) = &mut *held;
        *all += rows.len() as u64;
        watch.tell(&format!("comparing both stores: {all} rows read"));
    }
}

/// The sums of a store: of records and the change log, one a dataset.
#[derive(Default)]
struct Sums {
    of: BTreeMap<(usize, i64), Sum>,
    /// Names of datasets, by their numbers.
    datasets: BTreeMap<i64, String>,
}

impl Sums {
    async fn read(
        source: &dyn TransferSource,
        parts: &[Part],
        how_far: Option<&HowFar<'_>>,
    ) -> anyhow::Result<Self> {
        let mut sums = Sums::default();
        for (index, part) in parts.iter().enumerate() {
            let (mut after, mut max) = (None, ROWS_AT_FIRST);
            sums.of.entry((index, 0)).or_default();
            loop {
                let rows = source.rows(*part, after, max).await?;
                let Some(last) = rows.last() else { break };
                (after, max) = (Some(last.key()), next_page(&rows));
                if let Some(how_far) = how_far {
                    how_far.add(&rows);
                }
                let moved = |row: &&TransferRow| !is_secret(row) && !tells_epoch(row);
                for row in rows.iter().filter(moved) {
                    let dataset = match row {
                        TransferRow::Record(record) => record.dataset,
                        TransferRow::Entry(entry) => entry.dataset,
                        _ => 0,
                    };
                    sums.note_name(row);
                    sums.of.entry((index, dataset)).or_default().add(row)?;
                }
            }
        }
        Ok(sums)
    }

    fn note_name(&mut self, row: &TransferRow) {
        let TransferRow::Noun { kind, document, .. } = row else {
            return;
        };
        if kind == "dataset"
            && let Ok(read) = serde_json::from_str::<serde_json::Value>(document)
            && let (Some(number), Some(name)) = (read["number"].as_i64(), read["name"].as_str())
        {
            self.datasets.insert(number, name.to_owned());
        }
    }
}

/// Whether a row tells the epoch of a store. It comes along, and is not compared: a backup that is unpacked once more, for a move
/// that goes on, gets another one.
fn tells_epoch(row: &TransferRow) -> bool {
    matches!(row, TransferRow::Noun { kind, id, .. } if kind == "setting" && is_epoch(id))
}

/// What tells a store from others and from itself at another moment: its catalog and its numbers.
pub(super) async fn fingerprint(source: &dyn TransferSource) -> anyhow::Result<String> {
    let parts = [Part::Nouns, Part::Datasets, Part::Counters];
    // these are few
    let sums = Sums::read(source, &parts, None).await?;
    let mut all = Sha256::new();
    for (key, sum) in &sums.of {
        all.update(format!("{key:?} {} {:032x};", sum.rows, sum.digest));
    }
    Ok(hex(&all.finalize()))
}

/// Reads two stores whole and compares them.
pub(crate) async fn compare(
    from: &dyn TransferSource,
    to: &dyn TransferSource,
    watch: &mut Watch,
) -> anyhow::Result<Compared> {
    let how_far = HowFar(Mutex::new((0, watch)));
    let how_far = Some(&how_far);
    let (from, to) = tokio::join!(
        Sums::read(from, &Part::ALL, how_far),
        Sums::read(to, &Part::ALL, how_far)
    );
    let (from, to) = (from?, to?);
    let keys: BTreeSet<_> = from.of.keys().chain(to.of.keys()).copied().collect();
    let mut parts = Vec::new();
    for key in keys {
        let (index, dataset) = key;
        let part = Part::ALL[index];
        let is_a_datasets = matches!(part, Part::Records | Part::ChangeLog);
        if is_a_datasets && dataset == 0 {
            continue;
        }
        let name = from.datasets.get(&dataset);
        let what = match name {
            _ if !is_a_datasets => part.name().to_owned(),
            Some(name) => format!("{} of {name} ({dataset})", part.name()),
            None => format!("{} of dataset {dataset}", part.name()),
        };
        let of = |sums: &Sums| sums.of.get(&key).copied().unwrap_or_default();
        parts.push(ComparedPart {
            what,
            from: of(&from).shown(),
            to: of(&to).shown(),
            is_same: of(&from) == of(&to),
        });
    }
    Ok(Compared { parts })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::watch::tests::{Paper, due};
    use sqlite::SqliteStore;

    #[tokio::test]
    async fn a_comparison_tells_how_many_rows_of_both_stores_were_read() {
        let (from, to) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let from = SqliteStore::open(from.path()).unwrap();
        let to = SqliteStore::open(to.path()).unwrap();
        let log = Paper::default();
        let compared = compare(&from, &to, &mut due(&log)).await.unwrap();
        // an empty store has its numbers alone, and the next line is of ten seconds later
        assert_eq!(log.text(), "comparing both stores: 4 rows read\n");
        assert_eq!(compared.rows(), 4);
    }
}
