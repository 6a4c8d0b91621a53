//! Work on many records that are there: repairs, the judgement by a schema or a data domain that changed, and the undoing
//! of a job. What may be said of it and what came of it: the same words in a request, in the job's row and in commands.

use crate::RawJson;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What becomes of the values of one field. Texts that it makes are read as cells of a file are: `12` is a number in a
/// field of numbers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum RepairAction {
    /// This value takes the place of whatever is there; `null` clears.
    Set(RawJson),
    /// White space at both ends of texts goes.
    Trim,
    /// Each occurrence of a text within texts is replaced.
    Replace {
        /// What is looked for.
        text: String,
        /// What takes its place.
        with: String,
    },
    /// Each match of a regular expression within texts is replaced.
    Regex {
        /// The expression, as the `regex` crate has them.
        pattern: String,
        /// What takes its place; `$1` or `${name}` stand for its groups, `${1}` where letters or digits follow, `$$` for a `$`.
        with: String,
    },
    /// Each whole value that has an entry is replaced by the entry's: a text by itself, any other value by its JSON. A missing
    /// value has none: `null` is the text.
    Map(BTreeMap<String, RawJson>),
}

/// What is said of a repair.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RepairOptions {
    /// Which records: as `query` of a search; without, all of the dataset.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub query: Option<String>,
    /// The name of the field.
    pub field: String,
    /// What becomes of its values: `"trim"`, or an object with one member of `set`, `replace`, `regex` and `map`.
    #[cfg_attr(feature = "schemars", schemars(with = "serde_json::Value", extend("examples" = ["trim"])))]
    pub action: RepairAction,
    /// Whether it is only tried: everything is judged, nothing is written.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub dry_run: bool,
    /// The `jobId` of a dry run with the same options, which is done now as it was tried: once, and only while the values are
    /// those that it showed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trial: Option<String>,
}

/// How many records get or lose a fault.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct FaultChange {
    /// The field's display name.
    pub field: String,
    /// The rule's code.
    pub rule: String,
    /// How many records have it that did not have it before.
    pub come: u64,
    /// How many records had it and don't have it any more.
    pub gone: u64,
    /// The ids of the first few records that get it.
    pub samples: Vec<String>,
}

/// A record before and after.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct RevisionSample {
    /// The id of the record.
    pub data_object_id: String,
    /// The value of the field before; masked where it is personal.
    pub before: RawJson,
    /// The value after.
    pub after: RawJson,
}

/// A record that was left as it is, though it was meant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct LeftRecord {
    /// The id of the record.
    pub data_object_id: String,
    /// Why.
    pub reason: String,
}

/// What came of a repair or of a judgement so far; of one that was only tried, what would have.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", default)]
pub struct RevisionResult {
    /// Records that were looked at.
    pub records: u64,
    /// Records that were changed.
    pub changed: u64,
    /// Records that could not be changed.
    pub left: u64,
    /// Records that were looked at and were faulty before.
    pub faulty_before: u64,
    /// Records that were looked at, were not faulty before and are now.
    pub become_faulty: u64,
    /// Records that were looked at and are faulty now.
    pub faulty_after: u64,
    /// Faults that come and go, by field and rule.
    pub faults: Vec<FaultChange>,
    /// The first few records that are changed by a repair.
    pub samples: Vec<RevisionSample>,
    /// The first few that could not be changed.
    pub left_records: Vec<LeftRecord>,
}

/// What a change of a schema or of a data domain would make faulty among the records that there are.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", default)]
pub struct SchemaEffects {
    /// Records of the datasets that it concerns.
    pub record_count: u64,
    /// How many of them were judged: all, or as many as there was time for, the oldest of each dataset first.
    pub judged_count: u64,
    /// Judged records that are faulty as they are.
    pub faulty_before: u64,
    /// Judged records that are not faulty as they are and would be.
    pub become_faulty: u64,
    /// Judged records that would be faulty.
    pub faulty_after: u64,
    /// Faults that would come and go, by field and rule, under the names of the change.
    pub faults: Vec<FaultChange>,
}

/// What is said of the undoing of a job.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct UndoOptions {
    /// The id of the job whose writes are taken back.
    pub job_id: String,
}

/// What came of the undoing of a job so far.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", default)]
pub struct UndoResult {
    /// Records that the job wrote.
    pub records: u64,
    /// Records that have their values of before the job again.
    pub reverted: u64,
    /// Records that the job made and that are deleted now.
    pub deleted: u64,
    /// Records that the job deleted and that are there again.
    pub restored: u64,
    /// Records that are left as they are: someone wrote them since the job, or there is no way back.
    pub left: u64,
    /// The first few of those.
    pub left_records: Vec<LeftRecord>,
}
