//! What is wrong with the records of a dataset, and how often each of their few values is there.

use serde::Serialize;

/// The faults of a dataset's records.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct DatasetFaults {
    /// How many records there are.
    pub record_count: u64,
    /// How many of them have a fault, of whichever field.
    pub errored_records_count: u64,
    /// The faults of active fields: of fields in the schema's order, the most frequent first.
    pub faults: Vec<DatasetFault>,
}

/// A fault that records of a dataset have.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct DatasetFault {
    /// The id of the field.
    pub field_id: String,
    /// Its display name.
    pub field: String,
    /// The code of the rule.
    pub rule: String,
    /// How many records have it.
    pub record_count: u64,
    /// The first of them: their `_dataObjectId`.
    pub samples: Vec<String>,
}

/// How often values are there.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Facets {
    /// Each picklist and boolean field, in the schema's order, or the one that was asked for.
    pub facets: Vec<Facet>,
    /// The faults of the records that the query finds: of fields in the schema's order, the most frequent first.
    pub faults: Vec<DatasetFault>,
}

/// How often each value of a field is there.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Facet {
    /// The id of the field.
    pub field_id: String,
    /// Its display name.
    pub field: String,
    /// Its values, the most frequent first: 1,000 at most.
    pub values: Vec<FacetValue>,
    /// The others, where there are more.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub others: Option<OtherValues>,
}

/// Values that are not told one by one.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct OtherValues {
    /// How many there are.
    pub value_count: u64,
    /// How many records have one; one that has several of them counts for each.
    pub record_count: u64,
}

/// How often a value is there.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct FacetValue {
    /// The value.
    pub value: FacetKey,
    /// How many records have it.
    pub record_count: u64,
    /// The query that finds these records; missing where the field is not searched, and for a text that was cut.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schemars", schemars(extend("examples" = ["\"Country\":=\"DE\""])))]
    pub query: Option<String>,
}

/// A value that is counted.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schemars", schemars(extend("examples" = ["DE"])))]
#[serde(untagged)]
pub enum FacetKey {
    /// Of a boolean.
    Flag(bool),
    /// Of a picklist; or a text that is no value of its field, of a long one the beginning.
    Code(String),
}
