//! The JSON Schema of a value, a picklist or a record, as `generator export --to json-schema` writes it.

use crate::{Picklist, Record};
use ::serde_json::Value;
use schema::export::json_schema;
use schema::{DataType, Field, PicklistType};
use std::sync::LazyLock;

/// Of one value of a data type.
pub(super) fn value(data_type: DataType) -> Value {
    read(&json_schema::of_value(&Field::new("id", "name", data_type)))
}

/// Of one code.
pub(super) fn picklist<P: Picklist>() -> Value {
    let mut field = Field::new("id", "name", DataType::Picklist);
    field.picklist_type = Some(PicklistType::Static);
    let entries = P::ENTRIES
        .iter()
        .map(crate::typed::Entry::to_picklist_entry);
    field.static_picklist = Some(entries.collect());
    read(&json_schema::of_value(&field))
}

/// Of a record, without the dialect: that is the document's around it.
pub(super) fn record<R: Record>() -> Value {
    let mut document = read(&json_schema::write(LazyLock::force(R::SCHEMA)));
    if let Value::Object(members) = &mut document {
        members.remove("$schema");
    }
    document
}

fn read(json: &str) -> Value {
    // INVARIANT: what was written as JSON is read as JSON
    ::serde_json::from_str(json).unwrap_or_default()
}
