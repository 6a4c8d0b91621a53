//! What a difference is to a crate that publishes the generated types: `generator` makes a struct with public fields of
//! a schema, `T`, `Option<T>` or `Vec<T>` of a field, and an enum of a static picklist. Names of items are decided by
//! the generator, which knows when another display name has the same identifier; here each is another.

use super::change::Semver;
use super::codes::CodeChanges;
use crate::data_type::DataType;
use crate::model::{Field, PicklistType};

/// Of a property of a field that records have before and after.
pub(super) fn of_property(
    property: &str,
    codes: Option<&CodeChanges>,
    pair: [&Field; 2],
) -> Semver {
    let [old, new] = pair;
    let differs = match property {
        "name" => true,
        "dataType" | "picklistType" => value(old) != value(new),
        "isRequired" | "isMultivalue" => wrapper(old) != wrapper(new),
        "staticPicklist" => {
            let codes = codes.is_some_and(|it| !it.added.is_empty() || !it.removed.is_empty());
            codes && value(old) == CODES && value(new) == CODES
        }
        _ => false,
    };
    if differs {
        Semver::Major
    } else {
        Semver::Patch
    }
}

/// Of a property of a schema: the struct is named after it.
pub(super) fn of_head(property: &str) -> Semver {
    if property == "name" {
        Semver::Major
    } else {
        Semver::Patch
    }
}

/// What stands for the enum of a static picklist, which has a name of its own.
const CODES: &str = "enum";

fn value(field: &Field) -> &'static str {
    let is_static = field.picklist_type == Some(PicklistType::Static);
    if field.data_type == DataType::Picklist && is_static {
        CODES
    } else {
        field.data_type.facts().rust
    }
}

fn wrapper(field: &Field) -> &'static str {
    match (field.is_multivalue(), field.required) {
        (true, _) => "Vec",
        (false, true) => "",
        (false, false) => "Option",
    }
}
