//! What is wrong with a document or a body, as a refusal tells it.

use super::Refusal;
use engine::validate::{Rejected, RejectionCode};
use store::StoreError;
use wire::FieldError;
use wire::manage::Problem;

/// The sentence of some problems.
pub(super) fn summary(problems: &[Problem]) -> String {
    match problems {
        [only] => format!("{}: {}", only.path, only.message),
        _ => format!("{} things are wrong; see `problems`", problems.len()),
    }
}

impl From<schema::Problems> for Refusal {
    fn from(problems: schema::Problems) -> Self {
        let errors = problems
            .items
            .iter()
            .filter(|problem| problem.severity == schema::Severity::Error);
        let problems = errors.map(|problem| {
            let message = format!("{}; {}", problem.message, problem.help);
            Problem {
                wording: problem.wording.clone().map(Into::into),
                ..Problem::new(problem.path.to_string(), message)
            }
        });
        Refusal::Invalid(problems.collect())
    }
}

/// How many reasons an answer tells; a body can be wrong in more ways than anyone reads.
const REASONS_MAX: usize = 100;

impl From<Rejected> for Refusal {
    fn from(rejected: Rejected) -> Self {
        // who sends a change has not written what is stored
        let mut codes = rejected.items().iter().map(|item| item.code);
        if codes.any(|code| code == RejectionCode::Stored) {
            return StoreError::Damaged(rejected.to_string()).into();
        }
        let (shown, rest) = match rejected.items().split_at_checked(REASONS_MAX) {
            Some((shown, rest)) if !rest.is_empty() => (shown, rest.len()),
            _ => (rejected.items(), 0),
        };
        let texts: Vec<String> = shown.iter().map(ToString::to_string).collect();
        let message = match rest {
            0 => texts.join("; "),
            rest => format!("{}; and {rest} more", texts.join("; ")),
        };
        let named = shown.iter().filter_map(|item| {
            Some(FieldError {
                name: item.name.clone()?,
                errors: item.text(),
            })
        });
        Refusal::InvalidBody {
            message,
            fields: named.collect(),
        }
    }
}
