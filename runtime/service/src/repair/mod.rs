//! The repair of one field's values: JSON in, JSON out. It knows no store, judges nothing and never refuses a value: one
//! that it is not about stays as it is.
//!
//! | action | before | after |
//! | - | - | - |
//! | trim | `" Ada "` | `"Ada"` |
//! | replace `St.` with `Street` | `"Main St."` | `"Main Street"` |
//! | regular expression `(\d+) km` with `$1`, in a field of integers | `"12 km"` | `12` |
//! | map `D` to `DE` | `"D"` | `"DE"` |

mod forms;
mod proposals;

pub use proposals::{codes, proposals};

use crate::Refusal;
use regex::{Regex, RegexBuilder};
use schema::json::{Node, Value as Read, parse, write_string};
use schema::{Field, Schema};
use serde_json::Value;
use std::collections::BTreeMap;
use tabular::CellRule;
use wire::manage::{Problem, RepairAction, RepairOptions};

/// What a regular expression may take of memory: bytes.
const REGEX_BYTES_MAX: usize = 1 << 20;

/// A repair that was judged: its field is there, its expression can be read.
#[derive(Debug)]
pub(crate) struct Repair<'f> {
    field: &'f Field,
    rule: CellRule,
    change: Change,
}

#[derive(Debug)]
enum Change {
    Set(String),
    Trim,
    Replace(String, String),
    Regex(Regex, String),
    Map(BTreeMap<String, String>),
}

impl<'f> Repair<'f> {
    /// Reads what is said of a repair.
    ///
    /// # Errors
    /// A field that is not there, an expression that can't be read, an empty text.
    pub(crate) fn of(options: &RepairOptions, schema: &'f Schema) -> Result<Self, Refusal> {
        let mut problems = Vec::new();
        let field = schema.active_fields().find(|it| it.name == options.field);
        if field.is_none() {
            let text = "is no active field of the schema; send its display name";
            problems.push(Problem::new("$.field", text));
        }
        let change = match &options.action {
            RepairAction::Set(value) => Change::Set(value.to_string()),
            RepairAction::Trim => Change::Trim,
            RepairAction::Replace { text, with } => {
                if text.is_empty() {
                    let text = "must have at least one character";
                    problems.push(Problem::new("$.action.replace.text", text));
                }
                Change::Replace(text.clone(), with.clone())
            }
            RepairAction::Regex { pattern, with } => {
                let mut builder = RegexBuilder::new(pattern);
                match builder.size_limit(REGEX_BYTES_MAX).build() {
                    Ok(regex) => Change::Regex(regex, with.clone()),
                    Err(error) => {
                        let text = format!("can't be read: {error}");
                        problems.push(Problem::new("$.action.regex.pattern", text));
                        Change::Trim
                    }
                }
            }
            RepairAction::Map(entries) => {
                let entries = entries.iter();
                let texts = entries.map(|(from, to)| (from.clone(), to.to_string()));
                Change::Map(texts.collect())
            }
        };
        match field {
            Some(field) if problems.is_empty() => Ok(Repair {
                field,
                rule: CellRule::of(field, None),
                change,
            }),
            _ => Err(Refusal::Invalid(problems)),
        }
    }

    /// The field that it is about.
    pub(crate) fn field(&self) -> &'f Field {
        self.field
    }

    /// The value of the field in a record's body before and after, both as JSON texts; `None` where it stays.
    pub(crate) fn of_body(&self, body: &str) -> Option<(String, String)> {
        let tree = parse(body).ok()?;
        let node = tree.get(&self.field.name);
        let before = node.map_or("null", |node| &body[node.start..node.end]);
        let mut after = String::new();
        match (&self.change, node) {
            (Change::Set(value), _) => after.push_str(value),
            (_, None) => return None,
            (_, Some(node)) => self.of_value(node, body, &mut after),
        }
        (after != before).then(|| (before.to_owned(), after))
    }

    fn of_value(&self, node: &Node<'_>, body: &str, out: &mut String) {
        let raw = &body[node.start..node.end];
        match (&node.value, &self.change) {
            (Read::Array(elements), _) => {
                out.push('[');
                for (index, element) in elements.iter().enumerate() {
                    if index > 0 {
                        out.push(',');
                    }
                    self.of_value(element, body, out);
                }
                out.push(']');
            }
            (Read::String(text), Change::Map(entries)) => {
                out.push_str(entries.get(&**text).map_or(raw, |entry| entry));
            }
            (_, Change::Map(entries)) => out.push_str(entries.get(raw).map_or(raw, |entry| entry)),
            (Read::String(text), change) => match changed(change, text) {
                Some(new) => self.write(&new, out),
                None => out.push_str(raw),
            },
            _ => out.push_str(raw),
        }
    }

    /// Appends a text that was made as a value of the field.
    fn write(&self, text: &str, out: &mut String) {
        let from = out.len();
        self.rule.write(Some(text), out);
        // a text that looks like a list is none
        if out[from..].starts_with('[') {
            out.truncate(from);
            write_string(out, text);
        }
    }
}

/// A text after a change; `None` where it stays.
fn changed(change: &Change, text: &str) -> Option<String> {
    let new = match change {
        Change::Trim => text.trim().to_owned(),
        Change::Replace(old, with) => text.replace(old, with),
        Change::Regex(regex, with) => regex.replace_all(text, with).into_owned(),
        Change::Set(_) | Change::Map(_) => return None,
    };
    (new != text).then_some(new)
}

/// A JSON text as a value that is shown.
pub(crate) fn shown(raw: &str) -> Value {
    serde_json::from_str(raw).unwrap_or(Value::Null)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn schema() -> Schema {
        let field = |id: &str, name: &str, kind: &str, is_list: bool| {
            json!({"fieldId": id, "name": name, "active": true, "dataType": kind, "isPrimaryKey": false,
                "isSortKey": false, "isRequired": false, "isMultivalue": is_list})
        };
        let document = json!({"schemaId": "s", "name": "Thing", "businessAreaId": "a", "businessAreaName": "A",
            "createdDate": "2026-01-01T00:00:00.000Z", "fields": [field("t", "Text", "string", false),
            field("n", "Size", "integer", false), field("l", "List", "string", true)]});
        Schema::read_unchecked(&document.to_string()).expect("a schema")
    }

    #[track_caller]
    #[expect(
        clippy::needless_pass_by_value,
        reason = "so that a row of a table stays short"
    )]
    fn check(action: Value, field: &str, before: Value, after: Option<Value>) {
        let schema = schema();
        let options = json!({"field": field, "action": action});
        let options: RepairOptions = serde_json::from_value(options).expect("options");
        let repair = Repair::of(&options, &schema).expect("a repair");
        let body = json!({ field: before }).to_string();
        let made = repair.of_body(&body).map(|(_, after)| shown(&after));
        assert_eq!(made, after);
    }

    #[test]
    fn each_action_changes_what_it_is_about_and_nothing_else() {
        check(json!({"set": 5}), "Size", json!("x"), Some(json!(5)));
        check(json!({"set": null}), "Size", json!(1), Some(json!(null)));
        check(json!({"set": 5}), "Size", json!(5), None);
        check(json!("trim"), "Text", json!(" a "), Some(json!("a")));
        check(json!("trim"), "Text", json!("a"), None);
        check(json!("trim"), "Size", json!(" 12 "), Some(json!(12)));
        let replace = || json!({"replace": {"text": "St.", "with": "Street"}});
        let street = Some(json!("Main Street"));
        check(replace(), "Text", json!("Main St."), street);
        check(replace(), "Text", json!(null), None);
        check(replace(), "Size", json!(7), None);
        check(
            replace(),
            "List",
            json!(["St.", "x"]),
            Some(json!(["Street", "x"])),
        );
        let kilometres = || json!({"regex": {"pattern": "^(\\d+) km$", "with": "$1"}});
        check(kilometres(), "Size", json!("12 km"), Some(json!(12)));
        check(kilometres(), "Text", json!("12 km"), Some(json!("12")));
        let map = || json!({"map": {"D": "DE", "1": 10, "x": null}});
        check(map(), "Text", json!("D"), Some(json!("DE")));
        check(map(), "Size", json!(1), Some(json!(10)));
        check(map(), "List", json!(["D", "F"]), Some(json!(["DE", "F"])));
        check(map(), "Text", json!("DE"), None);
    }

    #[test]
    fn what_can_not_be_done_is_told_with_its_place() {
        let schema = schema();
        for (options, path) in [
            (json!({"field": "Nobody", "action": "trim"}), "$.field"),
            (
                json!({"field": "Text", "action": {"regex": {"pattern": "(", "with": ""}}}),
                "$.action.regex.pattern",
            ),
            (
                json!({"field": "Text", "action": {"replace": {"text": "", "with": "x"}}}),
                "$.action.replace.text",
            ),
        ] {
            let options: RepairOptions = serde_json::from_value(options).expect("options");
            let refusal = Repair::of(&options, &schema).expect_err("it can't be done");
            let Refusal::Invalid(problems) = refusal else {
                panic!("{refusal}");
            };
            assert_eq!(problems[0].path, path);
        }
    }
}
