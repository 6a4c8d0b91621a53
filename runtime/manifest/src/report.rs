//! How a manifest is to be applied, and what came of it: the shape that commands print and that travels from
//! a running server. Nothing is decided here.

use crate::failure::FailureCode;
use serde::{Deserialize, Serialize};

/// Reasons told of each file.
const REASONS_MAX: usize = 5;

/// How a manifest is applied.
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a switch of its own, and all are named where they are given"
)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ApplyMode {
    /// Tell the steps and write nothing.
    pub dry_run: bool,
    /// Refuse what is there already, but the tenant.
    pub only_new: bool,
    /// Refuse a tenant that is not there.
    pub existing_tenant: bool,
    /// Change and make also records that someone edited or deleted since a manifest wrote them.
    #[serde(default)]
    pub overwrite: bool,
}

/// What applying it did.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ApplyReport {
    /// Whether nothing was written.
    pub dry_run: bool,
    /// The steps, in order.
    pub steps: Vec<StepReport>,
    /// The record files.
    pub records: Vec<FileReport>,
    /// What looks wrong and stopped nothing.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
    /// Why it stopped before its end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure: Option<String>,
    /// What kind of failure that is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure_code: Option<FailureCode>,
}

/// One step.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct StepReport {
    /// What it does.
    pub action: StepAction,
    /// The kind of thing, such as `area`.
    pub what: String,
    /// Its name.
    pub name: String,
    /// Its id; none while it is yet to be made.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// The key, client secret or password that was made, shown this once.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub secret: Option<String>,
    /// Of a schema that is changed: what becomes of its fields.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub fields: Vec<FieldChange>,
    /// Of what is changed: its other properties, with roles and areas by their names. Never a secret.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub properties: Vec<PropertyChange>,
    /// Of a data domain that is there: what becomes of its codes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub codes: Option<CodeChanges>,
}

/// What becomes of the codes of a data domain.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CodeChanges {
    /// New ones.
    pub added: CodeList,
    /// Those with another description.
    pub changed: CodeList,
    /// Those that go.
    pub removed: CodeList,
    /// Those that the manifest does not have, and that stay.
    pub kept: CodeList,
}

/// Codes, counted.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CodeList {
    /// How many.
    pub count: usize,
    /// The first of them.
    pub first: Vec<String>,
}

impl CodeList {
    /// Counts one more.
    pub(crate) fn add(&mut self, code: &str) {
        self.count += 1;
        if self.first.len() < REASONS_MAX {
            self.first.push(code.to_owned());
        }
    }
}

impl CodeChanges {
    /// Whether the domain's codes are as they were.
    pub(crate) fn is_none(&self) -> bool {
        self.added.count + self.changed.count + self.removed.count == 0
    }
}

/// What becomes of a field.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FieldChange {
    /// What is done to it.
    pub action: FieldAction,
    /// Its name; the new one of a field that is renamed.
    pub name: String,
    /// The name it had, if that was another.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub renamed_from: Option<String>,
    /// Of a field that is changed: which of its properties, but the name.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub properties: Vec<PropertyChange>,
    /// Of a field that is removed or switched off: how many records have a value in it, which is hidden from then
    /// on and stays in the store.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hidden_values: Option<u64>,
    /// Of a field that is there again, whose id this schema had before: how many records have a value in it, which
    /// is seen again from then on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub returning_values: Option<u64>,
}

/// What is done to a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FieldAction {
    /// It is new, or active again.
    Add,
    /// Its name or another property changes.
    Change,
    /// It is gone, or not active any more.
    Remove,
}

/// Another value of a property.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PropertyChange {
    /// Its name, such as `max`.
    pub property: String,
    /// What it was; null where it was not there.
    pub from: serde_json::Value,
    /// What it becomes; null where it goes.
    pub to: serde_json::Value,
}

impl PropertyChange {
    /// Those of these properties, each as it is and as it is to be, that differ.
    pub(crate) fn among<const N: usize>(
        all: [(&str, serde_json::Value, serde_json::Value); N],
    ) -> Vec<Self> {
        let all = all.into_iter().map(|(property, from, to)| PropertyChange {
            property: property.to_owned(),
            from,
            to,
        });
        all.filter(|change| change.from != change.to).collect()
    }
}

/// What a step does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StepAction {
    /// Makes it.
    Create,
    /// Changes it.
    Update,
    /// Leaves it as it is.
    Keep,
    /// Removes it for good.
    Remove,
}

/// What became of a record file.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FileReport {
    /// The dataset's name.
    pub dataset: String,
    /// The file, as the manifest names it.
    pub file: String,
    /// Records that were made.
    pub created: usize,
    /// Records that were changed.
    pub updated: usize,
    /// Records that were so already.
    pub unchanged: usize,
    /// Records that were left alone, though the file says another thing, because someone edited or deleted them.
    pub edited: usize,
    /// Which, of the first of them.
    pub edits: Vec<String>,
    /// Why the file was left alone as a whole.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub left_alone: Option<String>,
    /// Records that can't be stored.
    pub left_out: usize,
    /// Why, of the first of them.
    pub reasons: Vec<String>,
}

impl ApplyReport {
    /// Whether anything is, or would be, other than before.
    pub fn changes(&self) -> bool {
        let stepped = self
            .steps
            .iter()
            .any(|step| step.action != StepAction::Keep);
        stepped
            || self
                .records
                .iter()
                .any(|file| file.created + file.updated > 0)
    }

    /// Takes ids and secrets of a dry run out: what has them is gone.
    pub(crate) fn forget_what_was_made(&mut self) {
        for step in &mut self.steps {
            step.secret = None;
            if step.action == StepAction::Create {
                step.id = None;
            }
        }
    }

    /// The step of a thing.
    pub fn step(&self, what: &str, name: &str) -> Option<&StepReport> {
        let mut steps = self.steps.iter();
        steps.find(|step| step.what == what && step.name == name)
    }
}

impl FileReport {
    pub(crate) fn new(dataset: &str, path: &str) -> Self {
        FileReport {
            dataset: dataset.to_owned(),
            file: path.to_owned(),
            ..FileReport::default()
        }
    }

    /// Notes that all of the records are left as they were, as none can be found.
    pub(crate) fn keep_all(&mut self, records: usize) {
        self.unchanged += records;
        self.left_alone = Some("as they were: the dataset has no key to find them by".to_owned());
    }

    /// Notes a record that is left alone.
    pub(crate) fn leave_alone(&mut self, line: usize, who: &str) {
        self.edited += 1;
        if self.edits.len() < REASONS_MAX {
            self.edits.push(format!("line {line}: {who}"));
        }
    }

    /// Notes a record that can't be stored.
    pub(crate) fn leave_out(&mut self, line: usize, reason: &str) {
        self.left_out += 1;
        if self.reasons.len() < REASONS_MAX {
            self.reasons.push(format!("line {line}: {reason}"));
        }
    }
}
