//! How a field is told where one is asked for by name: on the command line and in a configuration.

use schema::{Field, Schema};

/// Whether a field is told as `Schema.Field`, by its display name or by its id.
pub fn is_told(schema: &Schema, field: &Field, told: &str) -> bool {
    let of = |schema: &str, field: &str| {
        let rest = told.strip_prefix(schema);
        rest.and_then(|rest| rest.strip_prefix('.')) == Some(field)
    };
    told == field.name
        || told == field.id
        || of(&schema.name, &field.name)
        || of(&schema.id, &field.id)
}
