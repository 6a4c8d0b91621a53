//! What a struct derives: all that holds for its fields. `Eq` and `Hash` where none is a double, `Default` where a record
//! without values is one.

use super::model::FieldPlan;
use crate::rust_type::Cardinality;

/// Types that hold doubles, which are neither `Eq` nor `Hash`.
const DOUBLES: &[&str] = &["LatLng", "Latitude", "Longitude", "f64"];

/// What every enum derives.
pub(crate) const OF_PICKLIST: &[&str] = &[
    "Clone",
    "Copy",
    "Debug",
    "PartialEq",
    "Eq",
    "Hash",
    "PartialOrd",
    "Ord",
    "Picklist",
];

/// What a struct of these fields derives.
pub(super) fn of_record(fields: &[FieldPlan<'_>]) -> Vec<&'static str> {
    let mut derives = vec!["Clone"];
    let is_needed =
        |field: &FieldPlan<'_>| field.cardinality == Cardinality::Required || field.source.required;
    if !fields.iter().any(is_needed) {
        derives.push("Default");
    }
    derives.push("PartialEq");
    if !fields.iter().any(|field| DOUBLES.contains(&&*field.value)) {
        derives.extend(["Eq", "Hash"]);
    }
    derives.push("Record");
    derives
}

/// What the configuration adds to them: nothing twice.
pub(super) fn without_own(own: &[&str], added: Vec<String>) -> Vec<String> {
    let name = |path: &str| path.rsplit("::").next().unwrap_or(path).to_owned();
    let is_own = |path: &String| own.contains(&name(path).as_str());
    added.into_iter().filter(|path| !is_own(path)).collect()
}
