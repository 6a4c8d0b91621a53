//! What came of an import, counted: faults by field and rule, rows that can't be stored by reason, the first few of each
//! as samples. It counts and decides nothing.

use engine::validate::Checked;
use std::collections::HashMap;
use wire::manage::{
    DateTexts, FaultCount, FoundFile, ImportResult, NumberTexts, RejectionCount, RowSample,
    UnusedColumn,
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

    /// Counts how numbers are written that stand as text, in all rows of a step at once, by the places of fields among their
    /// names: a file may have hundreds of such columns, so none is looked for by its name in each row.
    pub(super) fn numbers<'r>(
        &mut self,
        names: &[String],
        seen: impl IntoIterator<Item = &'r (usize, tabular::NumberTexts)>,
    ) {
        let mut sums = vec![tabular::NumberTexts::default(); names.len()];
        for (place, seen) in seen {
            let sum = &mut sums[*place];
            sum.thousands += seen.thousands;
            sum.commas += seen.commas;
            sum.others += seen.others;
        }
        let places: HashMap<&str, usize> = names.iter().map(String::as_str).zip(0..).collect();
        for count in &mut self.result.numbers {
            if let Some(place) = places.get(&*count.field) {
                let sum = std::mem::take(&mut sums[*place]);
                count.thousands += sum.thousands;
                count.commas += sum.commas;
                count.others += sum.others;
            }
        }
        let added = names.iter().zip(sums);
        let added = added.filter(|(_, sum)| *sum != tabular::NumberTexts::default());
        self.result
            .numbers
            .extend(added.map(|(field, sum)| NumberTexts {
                field: field.clone(),
                thousands: sum.thousands,
                commas: sum.commas,
                others: sum.others,
            }));
    }

    /// Counts how days and times are written, likewise.
    pub(super) fn dates<'r>(
        &mut self,
        names: &[String],
        seen: impl IntoIterator<Item = &'r (usize, tabular::DateTexts)>,
    ) {
        let mut sums = vec![tabular::DateTexts::default(); names.len()];
        for (place, seen) in seen {
            add_dates(&mut sums[*place], *seen);
        }
        let places: HashMap<&str, usize> = names.iter().map(String::as_str).zip(0..).collect();
        for count in &mut self.result.dates {
            if let Some(place) = places.get(&*count.field) {
                let before = tabular::DateTexts {
                    us: count.us,
                    european: count.european,
                    timestamp: count.timestamp,
                    compact: count.compact,
                    us_changed: count.us_changed,
                    european_changed: count.european_changed,
                };
                let mut sum = std::mem::take(&mut sums[*place]);
                add_dates(&mut sum, before);
                *count = date_texts(&count.field, sum);
            }
        }
        let added = names.iter().zip(sums);
        let added = added.filter(|(_, sum)| *sum != tabular::DateTexts::default());
        self.result
            .dates
            .extend(added.map(|(field, sum)| date_texts(field, sum)));
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

fn add_dates(sum: &mut tabular::DateTexts, more: tabular::DateTexts) {
    sum.us += more.us;
    sum.european += more.european;
    sum.timestamp += more.timestamp;
    sum.compact += more.compact;
    sum.us_changed += more.us_changed;
    sum.european_changed += more.european_changed;
}

fn date_texts(field: &str, sum: tabular::DateTexts) -> DateTexts {
    DateTexts {
        field: field.to_owned(),
        us: sum.us,
        european: sum.european,
        timestamp: sum.timestamp,
        compact: sum.compact,
        us_changed: sum.us_changed,
        european_changed: sum.european_changed,
    }
}

#[cfg(test)]
mod tests {
    use super::Tally;
    use tabular::NumberTexts;
    use wire::manage::ImportResult;

    #[test]
    fn numbers_of_a_field_are_counted_together_in_whichever_step_they_come() {
        let names = ["A", "B", "C"].map(str::to_owned);
        let dots = NumberTexts {
            thousands: 1,
            ..NumberTexts::default()
        };
        let commas = NumberTexts {
            commas: 1,
            ..NumberTexts::default()
        };
        let mut tally = Tally::default();
        tally.numbers(&names, &[(2, dots), (2, commas)]);
        // and where the import was taken up again
        let result = serde_json::to_string(&tally.result).expect("it is JSON");
        let result: ImportResult = serde_json::from_str(&result).expect("it is read");
        let mut tally = Tally::of(result);
        tally.numbers(&names, &[(0, commas), (2, dots), (0, commas)]);
        tally.numbers(&names, &[]);
        let told = tally.result.numbers.iter();
        let told: Vec<_> = told
            .map(|it| (&*it.field, it.thousands, it.commas, it.others))
            .collect();
        assert_eq!(told, [("C", 2, 1, 0), ("A", 0, 2, 0)]);
    }
}
