//! What a change would make faulty among the stored records, as pages show it.

use super::numbers::grouped;
use super::texts::Texts;
use super::texts::schemas::filled;
use service::manage::SchemaEffects;

/// What became of the count.
pub(super) struct EffectsShown {
    pub(super) text: String,
    pub(super) is_worse: bool,
    pub(super) faults: Vec<FaultRow>,
    /// How much of it was judged, where that is not all.
    pub(super) partly: Option<String>,
}

pub(super) struct FaultRow {
    pub(super) field: String,
    pub(super) rule: &'static str,
    pub(super) come: String,
    pub(super) gone: String,
    pub(super) samples: Vec<String>,
}

impl EffectsShown {
    /// `none` says that there are no records.
    pub(super) fn of(effects: &SchemaEffects, texts: &'static Texts, none: &str) -> Self {
        let own = &texts.schemas;
        let count = |number: u64| grouped(number, texts);
        let text = if effects.record_count == 0 {
            none.to_owned()
        } else if effects.faults.iter().all(|fault| fault.come == 0) {
            filled(own.effects_none, &[&count(effects.judged_count)])
        } else {
            let with = [
                effects.judged_count,
                effects.faulty_before,
                effects.faulty_after,
            ];
            let with = with.map(count);
            filled(own.effects_some, &[&with[0], &with[1], &with[2]])
        };
        let partly = (effects.judged_count < effects.record_count).then(|| {
            let with = [effects.judged_count, effects.record_count].map(count);
            filled(own.effects_partly, &[&with[0], &with[1]])
        });
        let faults = effects.faults.iter().map(|fault| FaultRow {
            field: fault.field.clone(),
            rule: texts.rule(&fault.rule),
            come: count(fault.come),
            gone: count(fault.gone),
            samples: fault.samples.clone(),
        });
        EffectsShown {
            text,
            is_worse: effects.faulty_after > effects.faulty_before,
            faults: faults.collect(),
            partly,
        }
    }
}
