//! What is wrong with many datasets at once: faults by dataset, field and rule, counted by the index in one look, without the
//! records that have them. Of one dataset, `counts.rs` tells more.

use super::counts::target;
use super::targets::Target;
use crate::manage::DatasetFault;
use crate::{Caller, Refusal, Service};
use std::cmp::Reverse;
use std::collections::BTreeMap;
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

impl Service {
    /// The faults that most records of some datasets have, so many at most, the most frequent first. A dataset of which the
    /// caller may not see the records is left out, and so is one that the index is still reading.
    ///
    /// # Errors
    /// Missing rights; [`Refusal::NotReady`] and [`Refusal::TooLong`] as a search; the store's.
    pub async fn most_faults(
        &self,
        by: &Caller,
        datasets: &[&str],
        most: usize,
    ) -> Result<Vec<FaultOf>, Refusal> {
        let span = tracing::debug_span!("search.most_faults", datasets = datasets.len());
        self.most_faults_of(by, datasets, most)
            .instrument(span)
            .await
    }

    async fn most_faults_of(
        &self,
        by: &Caller,
        datasets: &[&str],
        most: usize,
    ) -> Result<Vec<FaultOf>, Refusal> {
        let caller = self.searcher(by)?;
        let mut targets: BTreeMap<u32, Target<'_>> = BTreeMap::new();
        for id in datasets {
            // whoever may not see one is told of the others
            if let Ok(own) = target(&caller, id) {
                targets.insert(own.dataset.number, own);
            }
        }
        let what = Counted::Faults { samples: 0 };
        let mut tally = self.tally_over(&caller, &targets, None, what.clone()).await;
        if let (Err(Refusal::NotReady { .. }), Some(index)) = (&tally, self.live_index.get()) {
            // one that is being read keeps none of the others back
            targets.retain(|number, _| !index.is_reading(*number));
            tally = self.tally_over(&caller, &targets, None, what).await;
        }
        let Tally::Faults(mut counts) = tally? else {
            return Ok(Vec::new());
        };
        counts.sort_by_key(|count| Reverse(count.records));
        let told = counts.into_iter().filter_map(|count| told(count, &targets));
        Ok(told.take(most).collect())
    }
}

/// A fault as it is shown; none of a field that is gone by now.
fn told(count: FaultCount, targets: &BTreeMap<u32, Target<'_>>) -> Option<FaultOf> {
    let target = targets.get(&count.dataset)?;
    let mut fields = target.schema.current().schema.active_fields();
    let field = fields.find(|field| field.id == *count.field)?;
    Some(FaultOf {
        dataset: target.dataset.id.clone(),
        fault: DatasetFault {
            field_id: field.id.clone(),
            field: field.name.clone(),
            rule: count.rule.into(),
            record_count: count.records,
            samples: Vec::new(),
        },
    })
}
