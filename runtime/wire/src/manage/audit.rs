//! The audit trail: who did what, and when.

use super::{AuditAction, Kind, LogAction};
use crate::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

/// What kind of caller acted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum ActorKind {
    /// A person.
    User,
    /// An API key.
    ApiKey,
    /// An application client.
    App,
    /// The operator of this machine: the command line.
    Operator,
    /// Someone who showed no credential that is one.
    Unknown,
}

/// A caller, as it is remembered: by id and by the name it had then.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct Actor {
    /// What it is.
    pub kind: ActorKind,
    /// Its id.
    pub id: String,
    /// Its name: of a key or client its own, of a user the user name.
    pub name: String,
    /// A user's e-mail address; masked in the trail.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub email: Option<String>,
    /// A user's full name; masked in the trail.
    #[serde(default, skip_serializing_if = "Option::is_none", rename = "fullName")]
    pub full_name: Option<String>,
    /// By what it worked; absent for a request of its own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub via: Option<Via>,
    /// The job that did it, or the request of many writes; absent for a request of its own.
    #[serde(default, skip_serializing_if = "Option::is_none", rename = "jobId")]
    pub job: Option<String>,
}

/// By what a caller worked, where that was no request about the one thing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Via {
    /// A manifest that it applied.
    Manifest,
    /// A file that it imported.
    Import,
    /// A request of many writes.
    Bulk,
    /// A repair of many records.
    Repair,
    /// The undoing of a job.
    Undo,
    /// The judgement of records by a schema or a data domain that changed.
    Revalidation,
}

/// One entry of the audit trail of the catalog. Changes of records stand in their own log.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct AuditEntry {
    /// The tenant it belongs to.
    pub tenant: String,
    /// When.
    pub at: Timestamp,
    /// Who.
    pub actor: Actor,
    /// What was done, such as `create`.
    #[cfg_attr(feature = "schemars", schemars(with = "String"))]
    pub action: AuditAction,
    /// To what kind of thing, such as `api_key`.
    #[cfg_attr(feature = "schemars", schemars(with = "String"))]
    pub noun: Kind,
    /// To which.
    pub id: String,
    /// The id of the business area that it is in or is; absent for what is the tenant's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub area: Option<String>,
    /// What of its document was another before, without secrets; all of one that went.
    #[cfg_attr(feature = "schemars", schemars(with = "Option<serde_json::Value>"))]
    pub before: Option<Box<RawValue>>,
    /// What of its document is another after, without secrets; all of one that came.
    #[cfg_attr(feature = "schemars", schemars(with = "Option<serde_json::Value>"))]
    pub after: Option<Box<RawValue>>,
}

impl PartialEq for AuditEntry {
    /// Documents are compared as they are written.
    fn eq(&self, other: &Self) -> bool {
        let text =
            |document: &Option<Box<RawValue>>| document.as_ref().map(|it| it.get().to_owned());
        (
            &self.tenant,
            self.at,
            &self.actor,
            self.action,
            self.noun,
            &self.id,
            &self.area,
        ) == (
            &other.tenant,
            other.at,
            &other.actor,
            other.action,
            other.noun,
            &other.id,
            &other.area,
        ) && text(&self.before) == text(&other.before)
            && text(&self.after) == text(&other.after)
    }
}

/// One change of the catalog.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct AuditItem {
    /// Its number, the tenant's own: rises with every entry.
    pub number: i64,
    /// What was done.
    #[serde(flatten)]
    pub entry: AuditEntry,
}

/// One change of a record.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct RecordChange {
    /// Its number, the dataset's own: counts the changes that are there, from 1.
    pub number: u64,
    /// The record: its `_dataObjectId`.
    pub data_object_id: String,
    /// `create`, `update`, `delete` or `restore`.
    #[cfg_attr(feature = "schemars", schemars(with = "String"))]
    pub action: LogAction,
    /// `_version` after it.
    pub version: i64,
    /// When.
    pub at: Timestamp,
    /// Who.
    pub actor: Actor,
    /// The values before it, personal ones masked.
    #[cfg_attr(
        feature = "schemars",
        schemars(with = "Option<crate::shapes::RecordValues>")
    )]
    pub before: Option<Box<RawValue>>,
    /// The values after it, personal ones masked.
    #[cfg_attr(
        feature = "schemars",
        schemars(with = "Option<crate::shapes::RecordValues>")
    )]
    pub after: Option<Box<RawValue>>,
}
