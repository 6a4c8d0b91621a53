//! What is wrong with many datasets at once: faults by dataset, field and rule, counted by the index in one look, without the
//! records that have them. Of one dataset, `counts.rs` tells more.

use super::counts::target;
use super::targets::Target;
use crate::manage::DatasetFault;
use crate::{Caller, Refusal, Service};
use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};
use store::search::{Counted, FaultCount, Tally};
use tracing::Instrument as _;

/// A fault of a dataset, and how many of its records have it.
#[derive(Debug)]
pub struct FaultOf {
    /// The dataset's id.
    pub dataset: String,
    /// The fault, without samples.
    pub fault: DatasetFault,
}

/// The faults of some datasets.
#[derive(Debug, Default)]
pub struct MostFaults {
    /// All of them, the most frequent first; of equal ones those of the dataset that was named first, in the order of its
    /// fields.
    pub faults: Vec<FaultOf>,
    /// How many of the datasets are left out, because the index is still reading them.
    pub unread: usize,
}

impl Service {
    /// The faults of the records of some datasets, the most frequent first. A dataset of which the caller may not see the
    /// records is left out, and so is one that the index is still reading.
    ///
    /// # Errors
    /// Missing rights; [`Refusal::NotReady`] and [`Refusal::TooLong`] as a search; the store's.
    pub async fn most_faults(&self, by: &Caller, datasets: &[&str]) -> Result<MostFaults, Refusal> {
        let span = tracing::debug_span!("search.most_faults", datasets = datasets.len());
        self.most_faults_of(by, datasets).instrument(span).await
    }

    async fn most_faults_of(&self, by: &Caller, datasets: &[&str]) -> Result<MostFaults, Refusal> {
        let caller = self.searcher(by)?;
        let mut targets: BTreeMap<u32, Target<'_>> = BTreeMap::new();
        for id in datasets {
            // whoever may not see one is told of the others
            if let Ok(own) = target(&caller, id) {
                targets.insert(own.dataset.number, own);
            }
        }
        let what = Counted::Faults { samples: 0 };
        let asked = targets.len();
        let mut tally = self.tally_over(&caller, &targets, None, what.clone()).await;
        if let (Err(Refusal::NotReady { .. }), Some(index)) = (&tally, self.live_index.get()) {
            // one that is being read keeps none of the others back
            targets.retain(|number, _| !index.is_reading(*number));
            tally = self.tally_over(&caller, &targets, None, what).await;
        }
        let unread = asked - targets.len();
        let Tally::Faults(counts) = tally? else {
            return Ok(MostFaults::default());
        };
        let places: HashMap<&str, usize> = datasets.iter().copied().zip(0..).collect();
        let told = counts.into_iter().filter_map(|count| told(count, &targets));
        let mut told: Vec<(usize, FaultOf)> = told.collect();
        told.sort_by_cached_key(|(field, it)| {
            let place = places.get(&*it.dataset).copied();
            let records = Reverse(it.fault.record_count);
            (records, place, *field, it.fault.rule.clone())
        });
        Ok(MostFaults {
            faults: told.into_iter().map(|(_, fault)| fault).collect(),
            unread,
        })
    }
}

/// A fault as it is shown, and where its field stands in its schema; none of a field that is gone by now.
fn told(count: FaultCount, targets: &BTreeMap<u32, Target<'_>>) -> Option<(usize, FaultOf)> {
    let target = targets.get(&count.dataset)?;
    let fields = target.schema.current().schema.active_fields();
    let (at, field) = fields
        .enumerate()
        .find(|(_, field)| field.id == *count.field)?;
    let fault = FaultOf {
        dataset: target.dataset.id.clone(),
        fault: DatasetFault {
            field_id: field.id.clone(),
            field: field.name.clone(),
            rule: count.rule.into(),
            record_count: count.records,
            samples: Vec::new(),
        },
    };
    Some((at, fault))
}
