//! One entry of `_errors` (interface, "Data object").

use schema::json::write_string;
use serde::ser::SerializeStruct;

/// What is wrong with one field of a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldError {
    /// The field's display name.
    pub name: String,
    /// The texts of its faults, joined with `; `.
    pub errors: String,
}

impl FieldError {
    /// Appends `{"name":…,"errors":…}`.
    pub fn write_json(&self, out: &mut String) {
        out.push_str("{\"name\":");
        write_string(out, &self.name);
        out.push_str(",\"errors\":");
        write_string(out, &self.errors);
        out.push('}');
    }
}

impl serde::Serialize for FieldError {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_struct("FieldError", 2)?;
        object.serialize_field("name", &self.name)?;
        object.serialize_field("errors", &self.errors)?;
        object.end()
    }
}
