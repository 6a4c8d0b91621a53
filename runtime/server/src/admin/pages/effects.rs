//! What a change would make faulty among the stored records, as pages show it.

use super::numbers::grouped;
use super::sample_records::{SampleNames, SampleRecord};
use super::texts::filled;
use super::visit::Visit;
use crate::http::error::Failure;
use service::manage::SchemaEffects;

/// What became of the count.
pub(super) struct EffectsShown {
    pub(super) text: String,
    pub(super) is_worse: bool,
    /// How many would become faulty, where any would.
    pub(super) become_faulty: Option<String>,
    pub(super) faults: Vec<FaultRow>,
    /// How much of it was judged, where that is not all.
    pub(super) partly: Option<String>,
}

/// Of judged records, how many were faulty and are not any more. None where the counts do not add up: those of a job of
/// before it was counted which ones become faulty.
pub(super) fn no_longer_faulty(before: u64, become_faulty: u64, after: u64) -> Option<u64> {
    (before + become_faulty).checked_sub(after)
}

pub(super) struct FaultRow {
    pub(super) field: String,
    pub(super) rule: &'static str,
    pub(super) come: String,
    pub(super) gone: String,
    /// The first few that get it.
    pub(super) samples: Vec<SampleRecord>,
}

impl EffectsShown {
    /// Whether there is an example of what would be faulty.
    pub(super) fn has_samples(&self) -> bool {
        self.faults.iter().any(|fault| !fault.samples.is_empty())
    }

    /// `none` says that there are no records.
    ///
    /// # Errors
    /// The store's.
    pub(super) async fn of<P>(
        visit: &Visit<P>,
        effects: &SchemaEffects,
        none: &str,
    ) -> Result<Self, Failure> {
        let ids = effects.faults.iter().flat_map(|fault| &fault.samples);
        let names = SampleNames::of(visit, ids.map(String::as_str).collect()).await?;
        let texts = visit.texts;
        let own = &texts.schemas;
        let count = |number: u64| grouped(number, texts);
        let text = if effects.record_count == 0 {
            none.to_owned()
        } else if effects.faults.iter().all(|fault| fault.come == 0) {
            filled(own.effects_none, &[&count(effects.judged_count)])
        } else {
            let (before, after) = (effects.faulty_before, effects.faulty_after);
            let gone = no_longer_faulty(before, effects.become_faulty, after);
            let with = [
                effects.judged_count,
                before,
                gone.unwrap_or_default(),
                effects.become_faulty,
                after,
            ];
            let [judged, before, gone, come, after] = with.map(count);
            let with = [&*judged, &*before, &*gone, &*come, &*after];
            filled(own.effects_some, &with)
        };
        let partly = (effects.judged_count < effects.record_count).then(|| {
            let with = [effects.judged_count, effects.record_count].map(count);
            filled(own.effects_partly, &[&with[0], &with[1]])
        });
        let become_faulty = (effects.become_faulty > 0).then(|| {
            let with = [effects.become_faulty, effects.judged_count].map(count);
            filled(own.effects_become, &[&with[0], &with[1]])
        });
        let faults = effects.faults.iter().map(|fault| FaultRow {
            field: fault.field.clone(),
            rule: texts.rule(&fault.rule),
            come: count(fault.come),
            gone: count(fault.gone),
            samples: names.records(&fault.samples),
        });
        Ok(EffectsShown {
            text,
            is_worse: effects.faulty_after > effects.faulty_before,
            become_faulty,
            faults: faults.collect(),
            partly,
        })
    }
}
