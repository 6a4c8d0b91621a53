//! What is wrong with the rows of an import, as the page of its job lists it: the faults of those that were stored, and why others
//! can't be.

use super::numbers::grouped;
use super::texts::Texts;
use super::values::fault_text;
use service::judgement::{Told, is_worded_as_now, texts_told};
use service::manage::{FaultCount, ImportResult, JobState, RowSample};
use std::cmp::Reverse;

/// Rules of which the text of a fault says no more than what they are called: there is no bound in it.
const SAID_BY_THE_RULE: [&str; 11] = [
    "required",
    "single",
    "element_missing",
    "string",
    "integer",
    "float",
    "decimals",
    "calendar",
    "email",
    "image",
    "video",
];

pub(super) struct FaultLine {
    /// The field of a fault, or why rows are rejected.
    pub(super) field: String,
    pub(super) rule: &'static str,
    /// What is wrong, with the bounds that the first value was judged by.
    pub(super) told: String,
    pub(super) count: String,
    /// The first lines that have it.
    pub(super) lines: String,
}

/// The faults of rows that were stored: the most frequent first, or as they were found, so that no line changes places on a
/// page that is there while others are counted.
pub(super) fn fault_lines(result: &ImportResult, is_sorted: bool, texts: &Texts) -> Vec<FaultLine> {
    let mut all: Vec<&FaultCount> = result.faults.iter().collect();
    if is_sorted {
        all.sort_by_key(|fault| Reverse(fault.count));
    }
    let lines = all.into_iter().map(|fault| {
        let rule = texts.rule(&fault.rule);
        // where the words are those of the rule, they stand there once
        let told = first_of(fault, texts).filter(|told| told != rule);
        FaultLine {
            field: fault.field.clone(),
            rule,
            told: told.unwrap_or_default(),
            count: grouped(fault.count, texts),
            lines: lines_of(&fault.samples, fault.count),
        }
    });
    lines.collect()
}

/// The rows that can't be stored, by their reasons.
pub(super) fn rejected_lines(result: &ImportResult, texts: &Texts) -> Vec<FaultLine> {
    let lines = result.rejections.iter().map(|it| FaultLine {
        field: texts.rejection(&it.reason).to_owned(),
        rule: "",
        told: it
            .samples
            .first()
            .map_or_else(String::new, |first| fault_text(&first.message, texts)),
        count: grouped(it.count, texts),
        lines: lines_of(&it.samples, it.count),
    });
    lines.collect()
}

/// Whether a file was read to its end and has rows, and none of them that would be stored without a fault.
pub(super) fn is_none_clean(state: JobState, result: &ImportResult) -> bool {
    let unclean = result.faulty.saturating_add(result.rejected);
    state == JobState::Done && result.rows > 0 && unclean >= result.rows
}

/// Whether rows of a file are faulty or can't be stored.
pub(super) fn has_unclean(result: &ImportResult) -> bool {
    result.faulty > 0 || result.rejected > 0
}

/// What is wrong with the first value that has a fault; nothing where its rule says as much, or another release told it in other
/// words.
fn first_of(fault: &FaultCount, texts: &Texts) -> Option<String> {
    let message = &fault.samples.first()?.message;
    let is_told = is_worded_as_now(message) && !is_said_by_the_rule(message);
    is_told.then(|| fault_text(message, texts))
}

/// Whether what is told of a value says no more than which rule it breaks.
fn is_said_by_the_rule(message: &str) -> bool {
    let told = Told::read(message);
    texts_told(message).len() == 1
        && told.is_some_and(|it| {
            it.position.is_none() && it.remark.is_none() && SAID_BY_THE_RULE.contains(&it.code)
        })
}

/// The lines of a file that stand for so many.
fn lines_of(samples: &[RowSample], count: u64) -> String {
    let lines = samples.iter().map(|it| it.line.to_string());
    let lines: Vec<_> = lines.collect();
    let more = if (lines.len() as u64) < count {
        " …"
    } else {
        ""
    };
    lines.join(", ") + more
}

#[cfg(test)]
mod tests {
    use super::*;
    use service::judgement::Rule;

    fn fault(rule: &str, message: &str) -> FaultCount {
        FaultCount {
            field: "Size".to_owned(),
            rule: rule.to_owned(),
            count: 2,
            samples: vec![RowSample {
                line: 7,
                message: message.to_owned(),
            }],
        }
    }

    #[test]
    fn a_fault_is_told_once_and_its_bounds_below_the_rule_where_it_has_some() {
        for (rule, message, told) in [
            ("float", "must be a number", ""),
            ("required", "is required", ""),
            ("email", "must be an e-mail address", ""),
            ("max", "must be at most 0.4", "must be at most 0.4"),
            ("picklist", "must be one of A or B", "must be one of A or B"),
            // which of several values it is
            (
                "float",
                "value 2 must be a number",
                "value 2 must be a number",
            ),
            // as another release worded it
            ("float", "must be some number", ""),
        ] {
            let result = ImportResult {
                faults: vec![fault(rule, message)],
                ..ImportResult::default()
            };
            let lines = fault_lines(&result, true, Texts::liked("en"));
            assert_eq!(lines[0].told, told, "{message}");
            assert_eq!((&*lines[0].count, &*lines[0].lines), ("2", "7 …"));
        }
        for code in SAID_BY_THE_RULE {
            assert!(Rule::CODES.iter().any(|(own, _)| *own == code), "{code}");
        }
    }

    #[test]
    fn a_file_has_nothing_clean_where_each_row_is_faulty_or_rejected() {
        for (rows, faulty, rejected, is_none) in [
            (3, 2, 1, true),
            (3, 0, 3, true),
            (3, 1, 1, false),
            (3, 0, 0, false),
            (0, 0, 0, false),
        ] {
            let result = ImportResult {
                rows,
                faulty,
                rejected,
                ..ImportResult::default()
            };
            assert_eq!(
                is_none_clean(JobState::Done, &result),
                is_none,
                "{result:?}"
            );
            // of one that was not read to its end, the rest may be clean
            for early in [JobState::Running, JobState::Failed, JobState::Cancelled] {
                assert!(!is_none_clean(early, &result), "{early:?}: {result:?}");
            }
        }
    }
}
