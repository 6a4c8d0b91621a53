//! What an action does to one text. It knows no field, and makes no value of a text.

use super::expression::{Expression, Patience};
use super::replacing::{Template, Unmade, replaced};
use schema::json::parse;
use std::collections::BTreeMap;
use wire::manage::{Problem, RepairAction};

/// What a text may have that is looked for, or that takes its place: bytes.
pub(super) const TEXT_BYTES_MAX: usize = 64 << 10;

/// An action that was read.
#[derive(Debug)]
pub(super) enum Change {
    Set(String),
    Trim,
    Replace(String, String),
    Regex(Expression, Template),
    Map(BTreeMap<String, String>),
}

impl Change {
    /// Whether a text that stays the same is one that it looks for.
    pub(super) fn is_about(&self, text: &str) -> bool {
        match self {
            Change::Trim => true,
            Change::Replace(old, _) => text.contains(old.as_str()),
            Change::Regex(expression, _) => expression.regex().is_match(text),
            Change::Set(_) | Change::Map(_) => false,
        }
    }
}

/// What an action does to a value; what is wrong with it is added to the problems.
pub(super) fn change_of(action: &RepairAction, problems: &mut Vec<Problem>) -> Change {
    let mut wrong = |path: &str, text: String| problems.push(Problem::new(path, text));
    let is_long = |text: &str| text.len() > TEXT_BYTES_MAX;
    let too_long = || format!("has more than {TEXT_BYTES_MAX} bytes");
    match action {
        RepairAction::Set(value) => {
            if let Err(error) = parse(value.get()) {
                wrong("$.action.set", error.to_string());
            }
            Change::Set(value.to_string())
        }
        RepairAction::Trim => Change::Trim,
        RepairAction::Replace { text, with } => {
            if text.is_empty() {
                let message = "must have at least one character".to_owned();
                wrong("$.action.replace.text", message);
            }
            for (path, text) in [
                ("$.action.replace.text", text),
                ("$.action.replace.with", with),
            ] {
                if is_long(text) {
                    wrong(path, too_long());
                }
            }
            Change::Replace(text.clone(), with.clone())
        }
        RepairAction::Regex { pattern, with } => {
            if is_long(pattern) {
                wrong("$.action.regex.pattern", too_long());
                return Change::Trim;
            }
            if is_long(with) {
                wrong("$.action.regex.with", too_long());
                return Change::Trim;
            }
            let expression = match Expression::of(pattern) {
                Ok(expression) => expression,
                Err(message) => {
                    wrong("$.action.regex.pattern", message);
                    return Change::Trim;
                }
            };
            match Template::of(with, expression.regex()) {
                Ok(with) => Change::Regex(expression, with),
                Err(message) => {
                    wrong("$.action.regex.with", message);
                    Change::Trim
                }
            }
        }
        RepairAction::Map(entries) => {
            for value in entries.values() {
                if let Err(error) = parse(value.get()) {
                    wrong("$.action.map", error.to_string());
                }
            }
            let entries = entries.iter();
            let texts = entries.map(|(from, to)| (from.clone(), to.to_string()));
            Change::Map(texts.collect())
        }
    }
}

/// A text after a change; `None` where it stays.
pub(super) fn changed(
    change: &Change,
    text: &str,
    (bytes_max, patience): (usize, &Patience<'_>),
) -> Result<Option<String>, Unmade> {
    let new = match change {
        Change::Trim => text.trim().to_owned(),
        Change::Replace(old, with) => replaced(text, (old.as_str(), with.as_str()), bytes_max)?,
        // one of many texts, which may each take a while
        Change::Regex(..) if patience.is_over() => return Err(Unmade::TooSlow),
        Change::Regex(regex, with) => with.replaced(text, regex, (bytes_max, patience))?,
        Change::Set(_) | Change::Map(_) => return Ok(None),
    };
    Ok((new != text).then_some(new))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_written_with_its_own_digits() {
        for token in ["80000000000000.07", "5.00000000000000000001", "1e400"] {
            let texts = [
                format!(r#"{{"set":{token}}}"#),
                format!(r#"{{"map":{{"1":{token}}}}}"#),
            ];
            for text in texts {
                let action: RepairAction = serde_json::from_str(&text).expect("an action");
                let mut problems = Vec::new();
                let made = match change_of(&action, &mut problems) {
                    Change::Set(made) => Some(made),
                    Change::Map(mut entries) => entries.remove("1"),
                    _ => None,
                };
                assert_eq!((made.as_deref(), problems.len()), (Some(token), 0));
            }
        }
    }
}
