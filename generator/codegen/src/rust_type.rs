//! The Rust type of a field: the table's own, an enum of its own for a static picklist, inside
//! `Vec` or `Option` as the field asks. It writes nothing.

use schema::{DataType, Field, PicklistType};

/// Types of the table that the language or its prelude has; all others are the runtime's.
const BUILT_IN: &[&str] = &["String", "bool", "f64", "i32", "i64", "u8"];

/// How many values a record has in a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cardinality {
    Required,
    Optional,
    Multiple,
}

/// How many values the field holds.
pub(crate) fn cardinality(field: &Field) -> Cardinality {
    match (field.is_multivalue(), field.required) {
        (true, _) => Cardinality::Multiple,
        (false, true) => Cardinality::Required,
        (false, false) => Cardinality::Optional,
    }
}

/// Whether the field's codes are known, so that it has an enum.
pub(crate) fn is_enum(field: &Field) -> bool {
    field.data_type == DataType::Picklist && field.picklist_type == Some(PicklistType::Static)
}

/// The name of the type of one value, where it has no enum.
pub(crate) fn value_type(field: &Field) -> &'static str {
    field.data_type.facts().rust
}

/// Whether the type has to be imported from the runtime.
pub(crate) fn is_imported(name: &str) -> bool {
    !BUILT_IN.contains(&name)
}

/// Whether the derive infers the data type from the Rust type alone.
pub(crate) fn is_inferred(data_type: DataType) -> bool {
    let table = DataType::table();
    let rust = data_type.facts().rust;
    // `String` stands for text where nothing else is said
    data_type == DataType::String || table.iter().filter(|row| row.rust == rust).count() == 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_shared_types_need_their_data_type_told() {
        let names: Vec<_> = DataType::table()
            .iter()
            .filter(|row| !is_inferred(row.data_type))
            .map(|row| row.name)
            .collect();
        assert_eq!(
            names,
            [
                "date-month",
                "date-day",
                "picklist",
                "attachment",
                "image",
                "document",
                "video"
            ]
        );
    }
}
