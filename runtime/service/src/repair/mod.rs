//! The repair of one field's values: JSON in, JSON out. It knows no store, judges nothing and never refuses a value: one
//! that it is not about stays as it is.
//!
//! | action | before | after |
//! | - | - | - |
//! | trim | `" Ada "` | `"Ada"` |
//! | replace `St.` with `Street` | `"Main St."` | `"Main Street"` |
//! | regular expression `(\d+) km` with `$1`, in a field of integers | `"12 km"` | `12` |
//! | map `D` to `DE` | `"D"` | `"DE"` |
//! | trim, in a field of strings | `5` | `"5"` |

mod change;
mod expression;
mod faults;
mod forms;
mod kinds;
mod numbers;
mod proposals;
mod replacing;
mod shown;

pub(crate) use expression::Patience;
pub use faults::errors_of_value;
pub use kinds::is_of_other_kind;
pub use proposals::{codes, proposals};
pub(crate) use replacing::Unmade;
pub(crate) use shown::shown;

use crate::Refusal;
use change::{Change, change_of, changed};
use kinds::takes;
use replacing::BoundedText;
use schema::json::{Node, Value as Read, parse, write_string};
use schema::{Field, Schema};
use tabular::CellRule;
use wire::manage::{Problem, RepairAction, RepairOptions};

/// A repair that was judged: its field is there, its expression can be read.
#[derive(Debug)]
pub(crate) struct Repair<'f> {
    field: &'f Field,
    rule: CellRule,
    change: Change,
}

impl<'f> Repair<'f> {
    /// Reads what is said of a repair.
    ///
    /// # Errors
    /// A field that is not there, an expression that can't be read, an empty text.
    pub(crate) fn of(options: &RepairOptions, schema: &'f Schema) -> Result<Self, Refusal> {
        let field = schema.active_fields().find(|it| it.name == options.field);
        Self::of_field(field, &options.action)
    }

    /// The same of a field that was found.
    ///
    /// # Errors
    /// As [`of`](Self::of).
    pub(crate) fn of_field(
        field: Option<&'f Field>,
        action: &RepairAction,
    ) -> Result<Self, Refusal> {
        let mut problems = Vec::new();
        if field.is_none() {
            let text = "is no active field of the schema; send its display name";
            problems.push(Problem::new("$.field", text));
        }
        let change = change_of(action, &mut problems);
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
    ///
    /// # Errors
    /// A value that would have more bytes than these, and than it has, or takes more time.
    pub(crate) fn of_body(
        &self,
        body: &str,
        (bytes_max, patience): (usize, &Patience<'_>),
    ) -> Result<Option<(String, String)>, Unmade> {
        let Ok(tree) = parse(body) else {
            return Ok(None);
        };
        let node = tree.get(&self.field.name);
        let before = node.map_or("null", |node| &body[node.start..node.end]);
        // what is there is let through, however large
        let mut after = BoundedText::new(bytes_max.max(before.len()));
        match (&self.change, node) {
            (Change::Set(value), _) => after.push(value)?,
            (_, None) => return Ok(None),
            (_, Some(node)) => self.of_value(node, (body, patience), &mut after)?,
        }
        let after = after.into_string();
        Ok((after != before).then(|| (before.to_owned(), after)))
    }

    fn of_value(
        &self,
        node: &Node<'_>,
        (body, patience): (&str, &Patience<'_>),
        out: &mut BoundedText,
    ) -> Result<(), Unmade> {
        let raw = &body[node.start..node.end];
        match (&node.value, &self.change) {
            (Read::Array(elements), _) => {
                out.push("[")?;
                let kept = elements
                    .iter()
                    .filter(|element| !self.clears(element, body));
                for (index, element) in kept.enumerate() {
                    if index > 0 {
                        out.push(",")?;
                    }
                    self.of_value(element, (body, patience), out)?;
                }
                out.push("]")
            }
            (Read::String(text), Change::Map(entries)) => {
                out.push(entries.get(&**text).map_or(raw, |entry| entry))
            }
            // a missing value is none: `null` names the text
            (_, Change::Map(entries)) if node.value != Read::Null => {
                out.push(entries.get(raw).map_or(raw, |entry| entry))
            }
            (Read::String(text), _) => self.of_text(text, (raw, patience), out),
            // its text, where the field takes texts
            (Read::Number(_) | Read::Bool(_), _) if self.retyped(raw, raw).is_some() => {
                self.of_text(raw, (raw, patience), out)
            }
            _ => out.push(raw),
        }
    }

    /// Whether a value of several is mapped to none: it goes, since a gap in its place would be a fault.
    fn clears(&self, element: &Node<'_>, body: &str) -> bool {
        let Change::Map(entries) = &self.change else {
            return false;
        };
        let entry = match &element.value {
            Read::Null => None,
            Read::String(text) => entries.get(&**text),
            _ => entries.get(&body[element.start..element.end]),
        };
        entry.is_some_and(|entry| entry == "null")
    }

    /// A value by its text. One that stays the same is written anew only where that makes the kind of value that the field
    /// takes of another kind.
    fn of_text(
        &self,
        text: &str,
        (raw, patience): (&str, &Patience<'_>),
        out: &mut BoundedText,
    ) -> Result<(), Unmade> {
        if let Some(new) = changed(&self.change, text, (out.room(), patience))? {
            return out.push(&self.written(&new));
        }
        let retyped = self.retyped(text, raw);
        let retyped = retyped.filter(|_| self.change.is_about(text));
        out.push(retyped.as_deref().unwrap_or(raw))
    }

    /// The same text as a value of the field, where the value that there is, is of another kind than the field takes.
    fn retyped(&self, text: &str, raw: &str) -> Option<String> {
        if takes(self.field, raw) {
            return None;
        }
        Some(self.written(text)).filter(|value| takes(self.field, value))
    }

    /// A text that was made as a value of the field.
    fn written(&self, text: &str) -> String {
        let mut value = String::new();
        self.rule.write(Some(text), &mut value);
        // a text that looks like a list is none
        if value.starts_with('[') {
            value.clear();
            write_string(&mut value, text);
        }
        value
    }
}

#[cfg(test)]
mod tests {
    use super::change::TEXT_BYTES_MAX;
    use super::expression::tests::patience;
    use super::*;
    use serde_json::{Value, json};

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
        let made = repair.of_body(&body, (1 << 20, &patience()));
        let made = made.expect("it is small");
        let after = after.map(wire::RawJson::from);
        assert_eq!(made.map(|(_, after)| shown(&after)), after);
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
        check(json!("trim"), "Text", json!(5), Some(json!("5")));
        check(json!("trim"), "Text", json!(true), Some(json!("true")));
        check(json!("trim"), "Size", json!("5"), Some(json!(5)));
        check(json!("trim"), "Size", json!(true), None);
        check(
            json!("trim"),
            "List",
            json!([5, "a"]),
            Some(json!(["5", "a"])),
        );
        check(replace(), "Text", json!(5), None);
        let same = || json!({"regex": {"pattern": "^([0-9]+)$", "with": "$1"}});
        check(same(), "Text", json!(5), Some(json!("5")));
        check(same(), "Text", json!("5"), None);
        check(same(), "Text", json!(5.5), None);
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
        check(map(), "Text", json!("x"), Some(json!(null)));
        check(map(), "List", json!(["x", "D", "x"]), Some(json!(["DE"])));
        check(map(), "List", json!(["x"]), Some(json!([])));
        check(map(), "List", json!([null, "a"]), None);
        let of_null = || json!({"map": {"null": "none"}});
        check(of_null(), "Text", json!(null), None);
        check(of_null(), "Text", json!("null"), Some(json!("none")));
        check(of_null(), "List", json!([null]), None);
    }

    #[test]
    fn a_value_that_would_be_too_large_is_not_made() {
        const BYTES_MAX: usize = 100_000;
        let schema = schema();
        let with = "z".repeat(TEXT_BYTES_MAX);
        let large = "b".repeat(20_000);
        let list = vec!["b"; 1000];
        for (field, value, action) in [
            (
                "Text",
                json!(large),
                json!({"replace": {"text": "b", "with": with}}),
            ),
            (
                "Text",
                json!(large),
                json!({"regex": {"pattern": "b", "with": with}}),
            ),
            (
                "Text",
                json!(large),
                json!({"regex": {"pattern": "b+", "with": "$0$0$0$0$0$0"}}),
            ),
            ("List", json!(list), json!({"map": {"b": "z".repeat(1000)}})),
            (
                "List",
                json!(list),
                json!({"replace": {"text": "b", "with": "z".repeat(1000)}}),
            ),
            // six bytes of JSON for each
            (
                "Text",
                json!(large),
                json!({"replace": {"text": "b", "with": "\u{1}"}}),
            ),
            ("Text", json!("b"), json!({"set": "z".repeat(BYTES_MAX)})),
        ] {
            let options = json!({"field": field, "action": action});
            let options: RepairOptions = serde_json::from_value(options).expect("options");
            let repair = Repair::of(&options, &schema).expect("a repair");
            let body = json!({ field: value }).to_string();
            let made = repair.of_body(&body, (BYTES_MAX, &patience()));
            assert_eq!(made, Err(Unmade::TooLarge), "{field}");
        }
        // what is large already stays as it is
        let options = json!({"field": "Text", "action": {"replace": {"text": "x", "with": "y"}}});
        let options: RepairOptions = serde_json::from_value(options).expect("options");
        let repair = Repair::of(&options, &schema).expect("a repair");
        let body = json!({"Text": "b".repeat(2 * BYTES_MAX)}).to_string();
        let made = repair.of_body(&body, (BYTES_MAX, &patience()));
        assert_eq!(made, Ok(None));
    }

    #[test]
    fn what_can_not_be_done_is_told_with_its_place() {
        let (schema, long) = (schema(), "z".repeat(TEXT_BYTES_MAX + 1));
        for (options, path) in [
            (json!({"field": "Nobody", "action": "trim"}), "$.field"),
            (
                json!({"field": "Text", "action": {"set": "\0"}}),
                "$.action.set",
            ),
            (
                json!({"field": "Text", "action": {"map": {"a": "\0"}}}),
                "$.action.map",
            ),
            (
                json!({"field": "Text", "action": {"regex": {"pattern": "(", "with": ""}}}),
                "$.action.regex.pattern",
            ),
            (
                json!({"field": "Text", "action": {"replace": {"text": "", "with": "x"}}}),
                "$.action.replace.text",
            ),
            (
                json!({"field": "Text", "action": {"regex": {"pattern": "^u([0-9]+)$", "with": "v$1w"}}}),
                "$.action.regex.with",
            ),
            (
                json!({"field": "Text", "action": {"regex": {"pattern": &long, "with": ""}}}),
                "$.action.regex.pattern",
            ),
            (
                json!({"field": "Text", "action": {"regex": {"pattern": "a", "with": &long}}}),
                "$.action.regex.with",
            ),
            (
                json!({"field": "Text", "action": {"replace": {"text": &long, "with": ""}}}),
                "$.action.replace.text",
            ),
            (
                json!({"field": "Text", "action": {"replace": {"text": "a", "with": &long}}}),
                "$.action.replace.with",
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
