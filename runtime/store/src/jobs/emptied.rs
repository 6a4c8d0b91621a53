//! What a job keeps of records, and what is left of it where one of them was purged: that it was done, by whom and with which
//! counts. It is the same on every engine; whose jobs these are, and when, the service says.

use super::{Job, JobKind, JobLogLine};
use serde::Serialize;
use serde_json::json;
use wire::{RawJson, Timestamp};

/// The option of an import or a repair that is only tried.
const DRY_RUN: &str = "dryRun";
/// What is told of a failure in place of words that may quote a record that was purged.
const FORGOTTEN: &str = "it failed; why is not kept any more, because a record was purged";
/// What is told of a job that ran while a record was purged. What it wrote stays, so doing it again is another matter.
const EMPTIED_AT_END: &str = "a record of the dataset was purged while this ran, so its files and what it told of values were removed";
/// The same of one that writes nothing: what was removed is all that came of it.
const TO_ASK_AGAIN: &str = "a record of the dataset was purged while this ran, so its files and what it told of values were removed; ask for it again";
/// What of a job's result may quote values, by its names.
const QUOTING: [&str; 5] = [
    "columns",
    "encodingSamples",
    "firstRows",
    "samples",
    "unusedColumns",
];
/// The options of an import that quote what its file has: names of columns, and of a sheet.
const QUOTING_OPTIONS: [&str; 2] = ["map", "sheet"];

impl Job {
    /// Whether it is only tried, by its options, or by what a purge left of them.
    pub fn is_tried(&self) -> bool {
        let may_be = matches!(self.kind, JobKind::Import | JobKind::Repair);
        let said = self.options.member(DRY_RUN);
        may_be && said.is_some_and(|it| it.get() == "true")
    }

    /// Whether it changes no record: then it can be asked for again, and does the same.
    fn only_reads(&self) -> bool {
        matches!(self.kind, JobKind::Export | JobKind::Effects) || self.is_tried()
    }

    /// The same job without what it keeps of records; nothing where it keeps nothing of them.
    pub fn without_records(&self) -> Option<Job> {
        let mut told = self.clone();
        told.files.clear();
        told.cursor = None;
        told.failure = told.failure.map(|_| FORGOTTEN.to_owned());
        told.options = self.options_without_values();
        if let Some(cut) = told.result.as_ref().and_then(without_samples) {
            told.result = Some(cut);
        }
        // another server may have a file that is told of nowhere
        let may_have_files = matches!(
            self.kind,
            JobKind::Import | JobKind::Export | JobKind::Effects
        );
        let is_emptied = may_have_files || told != *self;
        is_emptied.then_some(Job { is_emptied, ..told })
    }

    /// What is left of its options: those of exports and repairs name values, in a query and in what becomes of values, and
    /// those of an import columns.
    fn options_without_values(&self) -> RawJson {
        match self.kind {
            // one that was only tried is not to be told as one that wrote
            JobKind::Repair => json!({(DRY_RUN): self.is_tried()}).into(),
            JobKind::Export => RawJson::null(),
            JobKind::Import => {
                let Some(mut members) = self.options.members() else {
                    return self.options.clone();
                };
                members.retain(|name, _| !QUOTING_OPTIONS.contains(&&**name));
                written(&members)
            }
            _ => self.options.clone(),
        }
    }

    /// Takes out what it keeps of records, at its end, where one was purged while it was under way.
    pub(super) fn empty_at_end(&mut self, at: Timestamp) {
        if !std::mem::take(&mut self.is_to_be_emptied) {
            return;
        }
        if let Some(emptied) = self.without_records() {
            let text = if self.only_reads() {
                TO_ASK_AGAIN
            } else {
                EMPTIED_AT_END
            };
            *self = emptied;
            self.log.push(JobLogLine {
                at,
                text: text.to_owned(),
            });
        }
    }
}

/// What a job tells without what may quote values: samples, and names of columns, which a first row of values may have been taken
/// for. Nothing where it has none of them.
fn without_samples(told: &RawJson) -> Option<RawJson> {
    let mut is_cut = false;
    let mut cut = |name: &str, value: &mut RawJson| {
        let shorter = if QUOTING.contains(&name) && value.get().starts_with('[') {
            Some(RawJson::from(json!([]))).filter(|none| *none != *value)
        } else {
            without_samples(value)
        };
        if let Some(shorter) = shorter {
            *value = shorter;
            is_cut = true;
        }
    };
    let all = if let Some(mut members) = told.members() {
        for (name, value) in &mut members {
            cut(name, value);
        }
        written(&members)
    } else {
        let mut items = told.elements()?;
        for item in &mut items {
            cut("", item);
        }
        written(&items)
    };
    is_cut.then_some(all)
}

/// What was read as JSON is JSON again.
fn written(read: &impl Serialize) -> RawJson {
    RawJson::of(read).unwrap_or_else(|_| RawJson::null())
}
