//! Values of records as texts to be read and filled in, and texts of inputs as values. It judges nothing: what is no
//! value of its type stays text, and the judgement says so.

use super::texts::Texts;
use schema::Field;
use serde::Deserialize;
use serde_json::value::RawValue;
use service::judgement::texts_told;
use std::borrow::Cow;
use std::collections::HashMap;
use tabular::CellRule;
use wire::FieldError;

/// A record as the interface shows it: its members by name.
#[derive(Deserialize)]
#[serde(transparent)]
pub(super) struct ShownRecord<'r> {
    #[serde(borrow)]
    members: HashMap<Cow<'r, str>, &'r RawValue>,
}

impl ShownRecord<'_> {
    /// `_dataObjectId`
    pub(super) fn id(&self) -> String {
        self.system("_dataObjectId")
    }

    /// `_version`; a hit of a search has none.
    pub(super) fn version(&self) -> i64 {
        let raw = self.members.get("_version");
        raw.and_then(|raw| raw.get().parse().ok()).unwrap_or(0)
    }

    /// `_errors`
    pub(super) fn faults(&self) -> Vec<FieldError> {
        let raw = self.members.get("_errors");
        raw.and_then(|raw| serde_json::from_str(raw.get()).ok())
            .unwrap_or_default()
    }

    /// A member that begins with `_`.
    pub(super) fn system(&self, name: &str) -> String {
        self.members
            .get(name)
            .map(|raw| text_of(raw))
            .unwrap_or_default()
    }

    /// The value of a field on one line.
    pub(super) fn line(&self, field: &Field) -> String {
        self.texts(field).join(", ")
    }

    /// The value of a field as an input holds it: several values a line each.
    pub(super) fn filled(&self, field: &Field) -> String {
        self.texts(field).join("\n")
    }

    /// The values of a field.
    pub(super) fn texts(&self, field: &Field) -> Vec<String> {
        self.members
            .get(&*field.name)
            .map(|raw| texts_of(raw))
            .unwrap_or_default()
    }
}

/// The values of a JSON text: of an array each element.
pub(super) fn texts_of(raw: &RawValue) -> Vec<String> {
    if raw.get().starts_with('[') {
        let items: Vec<&RawValue> = serde_json::from_str(raw.get()).unwrap_or_default();
        return items.into_iter().map(text_of).collect();
    }
    match text_of(raw) {
        text if text.is_empty() => Vec::new(),
        text => vec![text],
    }
}

fn text_of(raw: &RawValue) -> String {
    let text = raw.get();
    if text == "null" {
        return String::new();
    }
    let string = text
        .starts_with('"')
        .then(|| serde_json::from_str(text).ok());
    string.flatten().unwrap_or_else(|| text.to_owned())
}

/// A text that was filled in as JSON of the field; an empty one is no value.
pub(super) fn value_of(field: &Field, text: &str) -> String {
    let mut out = String::new();
    if text.is_empty() {
        return "null".to_owned();
    }
    if field.is_multivalue() && !text.trim_start().starts_with('[') {
        let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
        let single = Field {
            multivalue: Some(false),
            ..field.clone()
        };
        let rule = CellRule::of(&single, None);
        out.push('[');
        for (index, line) in lines.enumerate() {
            if index > 0 {
                out.push(',');
            }
            rule.write(Some(line), &mut out);
        }
        out.push(']');
        return out;
    }
    CellRule::of(field, None).write(Some(text), &mut out);
    out
}

/// Whether the values of a field stand to the right.
pub(super) fn is_number(field: &Field) -> bool {
    field.data_type.is_number()
}

/// The class of a cell: numbers stand to the right, and a fault is to be seen.
pub(super) fn cell_class(is_number: bool, is_faulty: bool) -> &'static str {
    match (is_number, is_faulty) {
        (true, true) => "num fault",
        (true, false) => "num",
        (false, true) => "fault",
        (false, false) => "",
    }
}

/// What is wrong with a field's value, in the reader's language, with the bounds that it was judged by.
pub(super) fn fault_text(errors: &str, texts: &Texts) -> String {
    let told = texts_told(errors).into_iter().map(|text| texts.fault(text));
    told.collect::<Vec<_>>().join("; ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use schema::DataType;

    fn field(data_type: DataType, is_multivalue: bool) -> Field {
        let mut field = Field::new("f", "F", data_type);
        field.multivalue = Some(is_multivalue);
        field
    }

    #[test]
    fn texts_of_inputs_become_values_as_cells_of_files_do() {
        for (data_type, is_multivalue, text, json) in [
            (DataType::String, false, " a ", r#"" a ""#),
            (DataType::String, false, "", "null"),
            (DataType::Integer, false, "12", "12"),
            (DataType::Integer, false, "twelve", r#""twelve""#),
            (DataType::Boolean, false, "true", "true"),
            (DataType::String, true, "a\nb\n\n", r#"["a","b"]"#),
            (DataType::Integer, true, "1\n2", "[1,2]"),
            (DataType::Date, false, "2020-02-29", r#""2020-02-29""#),
        ] {
            assert_eq!(value_of(&field(data_type, is_multivalue), text), json);
        }
    }

    #[test]
    fn values_are_shown_as_they_are_filled_in() {
        let text = r#"{"_dataObjectId":"x","_version":3,"_errors":[],"F":["a","b\"c",null]}"#;
        let record: ShownRecord = serde_json::from_str(text).unwrap();
        let field = field(DataType::String, true);
        assert_eq!(record.line(&field), r#"a, b"c, "#);
        assert_eq!((record.id().as_str(), record.version()), ("x", 3));
    }
}
