//! A schema document while it is edited: whatever stands in it is kept as it was written, also what contradicts itself.
//! Whether it holds, the service says.

use schema::{Field, Schema};
use serde_json::value::RawValue;
use std::collections::BTreeMap;

/// The members of an object, by name, with their JSON texts.
pub(super) type Members = BTreeMap<String, Box<RawValue>>;

/// The document.
#[derive(Clone, Default)]
pub(super) struct Draft {
    pub(super) head: Members,
    pub(super) fields: Vec<Members>,
}

const FIELDS: &str = "fields";

/// Why a text is no document.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Unread {
    /// It is no JSON; in the words of its reader.
    Json(String),
    /// It is no JSON object.
    NoObject,
    /// Its fields are no list of objects.
    NoFields,
}

impl Draft {
    /// Reads a document.
    ///
    /// # Errors
    /// A text that is no JSON object, or whose fields are no list of objects.
    pub(super) fn read(text: &str) -> Result<Self, Unread> {
        let whole = serde_json::from_str::<&RawValue>(text);
        let whole = whole.map_err(|error| Unread::Json(error.to_string()))?;
        let head = serde_json::from_str::<Members>(whole.get());
        let mut head = head.map_err(|_| Unread::NoObject)?;
        let fields = match head.remove(FIELDS) {
            Some(fields) => serde_json::from_str(fields.get()).map_err(|_| Unread::NoFields)?,
            None => Vec::new(),
        };
        Ok(Draft { head, fields })
    }

    /// The document of a schema.
    pub(super) fn of(schema: &Schema) -> Self {
        Draft::read(&schema.to_json()).unwrap_or_default()
    }

    pub(super) fn to_json(&self) -> String {
        let mut all = self.head.clone();
        all.insert(FIELDS.to_owned(), raw(&self.fields));
        serde_json::to_string(&all).unwrap_or_default()
    }

    /// A text of the schema itself.
    pub(super) fn text(&self, name: &str) -> String {
        text_of(&self.head, name)
    }

    /// Gives the schema itself a text; an empty one takes it away.
    pub(super) fn set(&mut self, name: &str, text: &str) {
        set_text(&mut self.head, name, text);
    }

    /// The schema without what only the one has that it is a copy of: its id and those of its fields, version, and who made
    /// it.
    pub(super) fn into_copy(mut self) -> Self {
        let is_own = |name: &str| {
            let made = ["createdBy", "createdDate", "updatedBy", "updatedDate"];
            [
                "schemaId",
                "fieldId",
                "version",
                "businessAreaId",
                "businessAreaName",
            ]
            .contains(&name)
                || made.contains(&name)
        };
        self.head.retain(|name, _| !is_own(name));
        for field in &mut self.fields {
            field.retain(|name, _| !is_own(name));
        }
        self
    }

    /// Each field as the model has it, where it can be read by itself.
    pub(super) fn model(&self) -> Vec<Option<Field>> {
        let one = |field: &Members| {
            let mut alone = Draft::default();
            alone.set("name", "a");
            alone.fields.push(field.clone());
            let schema = Schema::read_unchecked(&alone.to_json())?;
            schema.fields.into_iter().next()
        };
        self.fields.iter().map(one).collect()
    }
}

/// A value as JSON.
pub(super) fn raw(value: &impl serde::Serialize) -> Box<RawValue> {
    serde_json::value::to_raw_value(value).unwrap_or_else(|_| RawValue::NULL.to_owned())
}

/// A member as a text: a JSON text without its quotes, anything else as it was written.
pub(super) fn text_of(members: &Members, name: &str) -> String {
    let Some(raw) = members.get(name) else {
        return String::new();
    };
    let text = serde_json::from_str::<Option<String>>(raw.get());
    text.map_or_else(|_| raw.get().to_owned(), Option::unwrap_or_default)
}

/// Gives a member a text; an empty one takes it away.
pub(super) fn set_text(members: &mut Members, name: &str, text: &str) {
    if text.is_empty() {
        members.remove(name);
    } else {
        members.insert(name.to_owned(), raw(&text));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_touched_stays_as_it_was_written() {
        let text = r#"{"name":"A","odd":1.50,"fields":[{"name":"N","min":1.10,"new":[1e3]}]}"#;
        let mut draft = Draft::read(text).unwrap();
        draft.set("name", "B");
        let again = draft.to_json();
        for kept in [
            r#""odd":1.50"#,
            r#""min":1.10"#,
            r#""new":[1e3]"#,
            r#""name":"B""#,
        ] {
            assert!(again.contains(kept), "{again}");
        }
    }

    #[test]
    fn what_is_no_document_is_told() {
        for (text, unread) in [
            (" []", Unread::NoObject),
            ("7", Unread::NoObject),
            (r#"{"fields":{}}"#, Unread::NoFields),
            (r#"{"fields":[1]}"#, Unread::NoFields),
        ] {
            assert_eq!(Draft::read(text).err(), Some(unread), "{text}");
        }
        for text in ["", "{"] {
            let unread = Draft::read(text).err();
            assert!(matches!(unread, Some(Unread::Json(_))), "{text}");
        }
        assert!(Draft::read("{}").unwrap().model().is_empty());
    }
}
