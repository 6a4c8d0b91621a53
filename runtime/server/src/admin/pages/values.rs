//! Values of records as texts to be read and filled in, and texts of inputs as values. It judges nothing: what is no
//! value of its type stays text, and the judgement says so.

use super::texts::Texts;
use schema::{DataType, Field};
use serde::Deserialize;
use serde_json::value::RawValue;
use service::is_of_other_kind;
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

    /// How many of its fields are faulty, where any is.
    pub(super) fn faulty_fields(&self) -> Option<String> {
        let count = self.faults().len();
        (count > 0).then(|| count.to_string())
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

    /// The value of a field as an input holds it, from which [`value_of`] makes the same value: several values a line each,
    /// and as a JSON array where lines would make others.
    pub(super) fn filled(&self, field: &Field) -> String {
        let Some(raw) = self.members.get(&*field.name) else {
            return String::new();
        };
        let texts = texts_of(raw);
        let lines = texts.join("\n");
        // a browser sends each end of a line as CR and LF, whichever it was
        let are_lines = || {
            makes_itself(field, raw, &texts)
                || !lines.contains('\r') && is_list(raw, &value_of(field, &lines))
        };
        if !field.is_multivalue() || texts.is_empty() || are_lines() {
            return lines;
        }
        let elements: Vec<_> = elements(raw).into_iter().map(RawValue::get).collect();
        format!("[{}]", elements.join(","))
    }

    /// The value of a field as JSON.
    pub(super) fn json(&self, field: &Field) -> &str {
        let raw = self.members.get(&*field.name);
        raw.map_or("null", |raw| raw.get())
    }

    /// Whether the value of a field is of another kind than its text makes, filled in once more.
    pub(super) fn is_of_other_kind(&self, field: &Field) -> bool {
        is_of_other_kind(field, self.json(field))
    }

    /// What such a value is, in a word; nothing of any other, and of several.
    pub(super) fn other_kind(&self, field: &Field, texts: &Texts) -> &'static str {
        if !self.is_of_other_kind(field) {
            return "";
        }
        match self.json(field).bytes().next() {
            Some(b'"') => texts.grid.kind_text,
            Some(b't' | b'f') => texts.grid.kind_truth,
            Some(b'-' | b'0'..=b'9') => texts.grid.kind_number,
            _ => "",
        }
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
        return elements(raw).into_iter().map(text_of).collect();
    }
    match text_of(raw) {
        text if text.is_empty() => Vec::new(),
        text => vec![text],
    }
}

/// The elements of an array; a value that is none counts as an array of one.
fn elements(raw: &RawValue) -> Vec<&RawValue> {
    if raw.get().starts_with('[') {
        return serde_json::from_str(raw.get()).unwrap_or_default();
    }
    vec![raw]
}

/// Whether a JSON text is an array of the elements that a value has.
fn is_list(raw: &RawValue, json: &str) -> bool {
    let Ok(made) = serde_json::from_str::<Vec<&RawValue>>(json) else {
        return false;
    };
    let held = elements(raw);
    let is_string = |raw: &RawValue| raw.get().starts_with('"');
    let mut pairs = held.iter().zip(&made);
    held.len() == made.len()
        && pairs.all(|(held, made)| {
            is_string(held) == is_string(made) && text_of(held) == text_of(made)
        })
}

/// Whether lines of texts are just the values that they were taken from, as is known without making any: a rule of a cell,
/// with all the codes of its field, is much to make for each cell of a page.
fn makes_itself(field: &Field, raw: &RawValue, texts: &[String]) -> bool {
    use DataType as T;
    let keeps_texts = !matches!(
        field.data_type,
        T::Boolean
            | T::Integer
            | T::DateYear
            | T::DateMonth
            | T::DateDay
            | T::Currency
            | T::Float
            | T::Latitude
            | T::Longitude
    );
    let keeps_spaces = field.data_type == T::String;
    let is_plain = |text: &String| {
        let trimmed = text.trim();
        let is_kept = keeps_spaces || trimmed.len() == text.len();
        is_kept && !trimmed.is_empty() && !text.contains(['\r', '\n'])
    };
    let mut first = texts.iter().take(1);
    keeps_texts
        && first.all(|text| !text.trim_start().starts_with('['))
        && texts.iter().all(is_plain)
        && elements(raw).iter().all(|it| it.get().starts_with('"'))
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

/// A boolean as it is read: yes or no; of a faulty one what it holds.
pub(super) fn told_boolean(text: String, texts: &Texts) -> String {
    match &*text {
        "true" => texts.yes.to_owned(),
        "false" => texts.no.to_owned(),
        _ => text,
    }
}

/// A text that was filled in as JSON of the field; an empty one is no value. Where a field takes several, a text that is a
/// JSON array is that array, and of any other each line is a value, but for blank ones.
pub(super) fn value_of(field: &Field, text: &str) -> String {
    let mut out = String::new();
    if text.is_empty() {
        return "null".to_owned();
    }
    CellRule::of(field, None).write(Some(text), &mut out);
    if !field.is_multivalue() || out.trim_start().starts_with('[') {
        return out;
    }
    let single = Field {
        multivalue: Some(false),
        ..field.clone()
    };
    let rule = CellRule::of(&single, None);
    let lines = text.lines().filter(|line| !line.trim().is_empty());
    out.clear();
    out.push('[');
    for (index, line) in lines.enumerate() {
        if index > 0 {
            out.push(',');
        }
        rule.write(Some(line), &mut out);
    }
    out.push(']');
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

/// What is wrong with a field's value, of which this is the entry of `_errors`, in the reader's language, with the bounds that it
/// was judged by.
pub(super) fn fault_text(errors: &str, texts: &Texts) -> String {
    let told = texts_told(errors).into_iter().map(|text| texts.fault(text));
    told.collect::<Vec<_>>().join("; ")
}

#[cfg(test)]
mod tests {
    use super::*;

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
            (DataType::Integer, true, "1\n 2 ", "[1,2]"),
            (DataType::Integer, true, "[1]\n2", r#"["[1]",2]"#),
            (DataType::Integer, true, " [1, 2]\n", " [1, 2]\n"),
            (
                DataType::String,
                true,
                "[A] one\n[B] two",
                r#"["[A] one","[B] two"]"#,
            ),
            (DataType::String, true, "[A]", r#"["[A]"]"#),
            (DataType::String, true, "a \r\n  d", r#"["a ","  d"]"#),
            (DataType::Date, false, "2020-02-29", r#""2020-02-29""#),
        ] {
            assert_eq!(value_of(&field(data_type, is_multivalue), text), json);
        }
    }

    #[test]
    fn several_values_are_read_back_from_what_is_filled_in_for_them() {
        use DataType as T;
        for (data_type, json, filled) in [
            (T::String, r#"["a","b"]"#, "a\nb"),
            (T::String, r#"["[A] one","[B] two"]"#, "[A] one\n[B] two"),
            (T::String, r#"["[\"a\"]","null","5"]"#, "[\"a\"]\nnull\n5"),
            (T::String, r#"["[1]"]"#, r#"["[1]"]"#),
            (T::String, r#"["[1","2]"]"#, "[1\n2]"),
            (T::String, r#"["[1,","2]"]"#, r#"["[1,","2]"]"#),
            (T::String, r#"["  d ","\"q\""]"#, "  d \n\"q\""),
            (T::String, r#"["a","b\nc"]"#, r#"["a","b\nc"]"#),
            (T::String, r#"["a","b\rc"]"#, r#"["a","b\rc"]"#),
            (T::String, r#"["a",""]"#, r#"["a",""]"#),
            (T::String, r#"["a"," "]"#, r#"["a"," "]"#),
            (T::String, r#"["a",null]"#, r#"["a",null]"#),
            (T::String, r#"[5,"5"]"#, r#"[5,"5"]"#),
            (T::String, r#"["\u00e4"]"#, "ä"),
            (T::Integer, "[1,2]", "1\n2"),
            (T::Integer, r#"[1,"two"]"#, "1\ntwo"),
            (T::Integer, r#"[1,"2"]"#, r#"[1,"2"]"#),
            (T::Float, "[1.0,1000.0]", "1.0\n1000.0"),
            (T::Date, r#"[" 2020-02-29"]"#, r#"[" 2020-02-29"]"#),
            (T::Boolean, "[true,false]", "true\nfalse"),
        ] {
            let text = format!(r#"{{"F":{json}}}"#);
            let record: ShownRecord = serde_json::from_str(&text).unwrap();
            let field = field(data_type, true);
            assert_eq!(record.filled(&field), filled, "{json}");
            let made: serde_json::Value = serde_json::from_str(&value_of(&field, filled)).unwrap();
            let held: serde_json::Value = serde_json::from_str(json).unwrap();
            assert_eq!(made, held, "{json}");
        }
        // one value counts as an array of it
        let record: ShownRecord = serde_json::from_str(r#"{"F":"b\nc"}"#).unwrap();
        let field = field(DataType::String, true);
        assert_eq!(record.filled(&field), r#"["b\nc"]"#);
    }

    #[test]
    fn values_that_are_known_to_make_themselves_do() {
        use DataType as T;
        for json in [
            r#"["a","b"]"#,
            r#"["true","5","2020-02-29"]"#,
            r#"["a"," b "]"#,
            r#"["a",""]"#,
            r#"["a\nb"]"#,
            r#"["[1]"]"#,
            r#"["a","[1]"]"#,
            r#"["a",5]"#,
            r#"["a",null]"#,
            r#""a""#,
        ] {
            let raw: &RawValue = serde_json::from_str(json).unwrap();
            let texts = texts_of(raw);
            let lines = texts.join("\n");
            for data_type in [T::String, T::Picklist, T::Date, T::Datetime, T::Integer] {
                let field = field(data_type, true);
                let is_known = makes_itself(&field, raw, &texts);
                let are = is_list(raw, &value_of(&field, &lines));
                assert!(are || !is_known, "{data_type:?} {json}");
            }
        }
        let raw: &RawValue = serde_json::from_str(r#"["a","[1]"]"#).unwrap();
        let field = field(T::Picklist, true);
        assert!(makes_itself(&field, raw, &texts_of(raw)));
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
