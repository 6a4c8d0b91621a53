//! The static picklists of a schema as shapes of their own: `Country` becomes `CountryCode`, one type for every
//! record that has it. It names them; what a code means, the schema tells.

use super::texts::harmless;
use schema::{DataType, Field, PicklistType, Schema};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// The shapes of a schema's picklists.
pub(super) struct Picklists<'s> {
    /// Names of shapes by names of fields.
    names: BTreeMap<&'s str, String>,
}

impl<'s> Picklists<'s> {
    /// Names those of a schema. `taken` are the names that other shapes have.
    pub(super) fn of(schema: &'s Schema, taken: &[&str]) -> Self {
        let mut names = BTreeMap::new();
        let mut used: Vec<String> = taken.iter().map(|name| (*name).to_owned()).collect();
        for field in schema.active_fields().filter(|field| has_codes(field)) {
            let wanted = pascal(&field.name) + "Code";
            let numbered = (2..).map(|number| format!("{wanted}{number}"));
            let mut all = std::iter::once(wanted.clone()).chain(numbered);
            // generators tell names apart by their letters alone
            let is_free = |name: &String| !used.iter().any(|own| own.eq_ignore_ascii_case(name));
            let name = all.find(is_free).unwrap_or(wanted);
            used.push(name.clone());
            names.insert(field.name.as_str(), name);
        }
        Picklists { names }
    }

    /// A reference to the shape of a field's codes; none where it has no such list.
    pub(super) fn reference(&self, field: &Field) -> Option<Value> {
        let name = self.names.get(field.name.as_str())?;
        Some(json!({"$ref": format!("#/components/schemas/{name}")}))
    }

    /// All of them, by name.
    pub(super) fn shapes(&self, schema: &Schema) -> Map<String, Value> {
        let own = schema.active_fields().filter_map(|field| {
            let name = self.names.get(field.name.as_str())?.clone();
            let codes: Vec<_> = codes(field).map(|entry| &entry.code).collect();
            let mut about = format!("A code of `{}`", harmless(&field.name));
            for entry in codes_told(field) {
                about.push_str(&entry);
            }
            Some((
                name,
                json!({"type": "string", "enum": codes, "description": about}),
            ))
        });
        own.collect()
    }
}

fn codes(field: &Field) -> impl Iterator<Item = &schema::PicklistEntry> {
    field.static_picklist.iter().flatten()
}

/// What the codes mean, where that is said.
fn codes_told(field: &Field) -> impl Iterator<Item = String> {
    codes(field).filter_map(|entry| {
        let text = entry
            .description
            .as_deref()
            .filter(|text| !text.is_empty())?;
        Some(format!(
            "\n- `{}`: {}",
            harmless(&entry.code),
            harmless(text)
        ))
    })
}

/// Whether a field has a list of codes that is not empty.
fn has_codes(field: &Field) -> bool {
    let is_static = field.picklist_type == Some(PicklistType::Static);
    field.data_type == DataType::Picklist && is_static && codes(field).next().is_some()
}

/// The letters and digits of a name that every language has, each word with a capital.
fn pascal(name: &str) -> String {
    let words = name.split(|c: char| !c.is_ascii_alphanumeric());
    let capital = |word: &str| {
        let (first, rest) = word.split_at(word.len().min(1));
        first.to_ascii_uppercase() + rest
    };
    let text: String = words.map(capital).collect();
    if text.starts_with(|c: char| c.is_ascii_digit()) {
        return format!("Field{text}");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use schema::PicklistEntry;

    #[test]
    fn each_picklist_has_a_name_that_no_other_shape_has() {
        let picklist = |name: &str| {
            let mut field = Field::new(name, name, DataType::Picklist);
            field.picklist_type = Some(PicklistType::Static);
            field.static_picklist = Some(vec![PicklistEntry {
                code: "A".to_owned(),
                ..PicklistEntry::default()
            }]);
            field
        };
        let names = ["Home country", "home-country", "2nd", "国", "_"];
        let schema = Schema {
            fields: names.map(picklist).to_vec(),
            ..Schema::default()
        };
        let picklists = Picklists::of(&schema, &["Code"]);
        let own = names.map(|name| picklists.names[name].as_str());
        assert_eq!(
            own,
            [
                "HomeCountryCode",
                "HomeCountryCode2",
                "Field2ndCode",
                "Code2",
                "Code3"
            ]
        );
        assert_eq!(picklists.shapes(&schema).len(), names.len());
    }
}
