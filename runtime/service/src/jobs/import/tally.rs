//! What came of an import, counted: faults by field and rule, rows that can't be stored by reason, the first few of each
//! as samples. It counts and decides nothing.

use engine::validate::Checked;
use wire::manage::{
    FaultCount, FoundFile, ImportResult, NumberTexts, RejectionCount, RowSample, UnusedColumn,
};

/// Samples of each.
const SAMPLES_MAX: usize = 5;
/// Reasons that are told apart; a row can be wrong in few ways.
const REASONS_MAX: usize = 100;
/// Columns that are told.
pub(super) const COLUMNS_MAX: usize = 100;

/// Characters of a name in a file that are told: the file may call it anything, and the job's row keeps it.
pub(super) const NAME_CHARS: usize = 100;

/// A name in a file as it is told.
pub(super) fn shown(name: &str) -> String {
    match name.char_indices().nth(NAME_CHARS) {
        Some((end, _)) => format!("{}…", &name[..end]),
        None => name.to_owned(),
    }
}

/// The counts.
#[derive(Clone, Debug, Default)]
pub(super) struct Tally {
    pub(super) result: ImportResult,
}

impl Tally {
    pub(super) fn of(result: ImportResult) -> Self {
        Tally { result }
    }

    /// Notes what the file was read as, and the columns that go nowhere.
    pub(super) fn head(&mut self, found: Option<&FoundFile>, columns: &[UnusedColumn]) {
        self.result.found = found.cloned();
        let told = columns.iter().take(COLUMNS_MAX);
        self.result.unused_columns = told.cloned().collect();
    }

    /// Counts how numbers are written that stand as text.
    pub(super) fn numbers(&mut self, seen: &[(String, tabular::NumberTexts)]) {
        let all = &mut self.result.numbers;
        for (field, seen) in seen {
            let at = all.iter().position(|it| it.field == *field);
            let at = at.unwrap_or_else(|| {
                all.push(NumberTexts {
                    field: field.clone(),
                    ..NumberTexts::default()
                });
                all.len() - 1
            });
            let count = &mut all[at];
            count.thousands += seen.thousands;
            count.commas += seen.commas;
            count.others += seen.others;
        }
    }

    /// Counts the faults of a row that is stored.
    pub(super) fn faults(&mut self, line: u64, record: &Checked) {
        if record.is_clean() {
            return;
        }
        self.result.faulty += 1;
        for fault in record.faults() {
            let (field, rule) = (fault.field(), fault.rule().code());
            let faults = &mut self.result.faults;
            let is_same = |it: &FaultCount| it.field == field && it.rule == rule;
            let at = faults.iter().position(is_same).unwrap_or_else(|| {
                faults.push(FaultCount {
                    field: field.to_owned(),
                    rule: rule.to_owned(),
                    count: 0,
                    samples: Vec::new(),
                });
                faults.len() - 1
            });
            let count = &mut faults[at];
            count.count += 1;
            if count.samples.len() < SAMPLES_MAX {
                count.samples.push(RowSample {
                    line,
                    message: fault.to_string(),
                });
            }
        }
    }

    /// Counts a row that can't be stored.
    pub(super) fn reject(&mut self, line: u64, reason: &str, message: &str) {
        self.result.rejected += 1;
        let reasons = &mut self.result.rejections;
        let at = match reasons.iter().position(|it| it.reason == reason) {
            Some(at) => at,
            None if reasons.len() < REASONS_MAX => {
                reasons.push(RejectionCount {
                    reason: reason.to_owned(),
                    count: 0,
                    samples: Vec::new(),
                });
                reasons.len() - 1
            }
            None => return,
        };
        let count = &mut reasons[at];
        count.count += 1;
        if count.samples.len() < SAMPLES_MAX {
            count.samples.push(RowSample {
                line,
                message: message.to_owned(),
            });
        }
    }
}
