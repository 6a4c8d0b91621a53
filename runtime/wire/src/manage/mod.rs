//! The shapes of the management interface, a file for each noun: what may be said of it (its content) and
//! what is shown of it (its view). Plain data: whether a content is right is the service's to say.

mod api_keys;
mod apps;
mod areas;
mod audit;
mod datasets;
mod date_texts;
mod domains;
mod faults;
mod health;
mod job_options;
mod job_progress;
mod jobs;
pub mod limits;
mod number_texts;
mod quotas;
mod records;
mod revisions;
mod roles;
mod saved_views;
mod schemas;
mod sessions;
mod settings;
mod tenants;
mod users;
mod webhooks;
mod words;

pub use api_keys::{ApiKeyContent, ApiKeyView, KeyExpiry, KeyRotation, NewApiKey};
pub use apps::{AppContent, AppView, NewApp};
pub use areas::{AreaContent, AreaView};
pub use audit::{Actor, ActorKind, AuditEntry, AuditItem, RecordChange, Via};
pub use datasets::{DailyCount, DailyCounts, DatasetContent, DatasetView};
pub use date_texts::{DateProposal, DateTexts};
pub use domains::{DomainCode, DomainContent, DomainDraft, DomainView};
pub use faults::{DatasetFault, DatasetFaults, Facet, FacetKey, FacetValue, Facets, OtherValues};
pub use health::{HealthView, SearchHealth};
pub use job_options::{
    DataFormat, DateReading, DecimalMark, ExportOptions, ImportMode, ImportOptions, Packing,
};
pub use job_progress::JobProgress;
pub use jobs::{
    BulkResult, ExportResult, FaultCount, FoundColumn, FoundFile, ImportResult, JobFile,
    JobFileView, JobKind, JobLogLine, JobMaker, JobState, JobView, RejectionCount, RowCount,
    RowPreview, RowSample, TextSample, UnusedColumn, ValuePreview,
};
pub use number_texts::NumberTexts;
pub use quotas::{QuotaUse, QuotaView};
pub use records::{
    DeletedRecord, FieldChange, HistoryItem, RecentChange, RecentChanges, VersionRestore,
};
pub use revisions::{
    FaultChange, LeftRecord, RepairAction, RepairOptions, RevisionResult, RevisionSample,
    SchemaEffects, UndoOptions, UndoResult,
};
pub use roles::{Grant, Permission, Resource, RoleContent, RoleView, Verb, Verbs};
pub use saved_views::{SavedViewContent, SavedViewView};
pub use schemas::{FieldEvidence, InferredSchema, SampleFault};
pub use schemas::{SchemaTrial, SchemaView, TriedSchema};
pub use sessions::{RecoveryCodes, SecondFactorSetup, SessionView};
pub use settings::{SettingSource, SettingUnit, SettingView, SettingsView};
pub use tenants::{TenantContent, TenantView};
pub use users::{Invitee, NewUser, Password, UserContent, UserView};
pub use webhooks::{DeadLetterView, DeliveryView, WebhookContent, WebhookView};
pub use words::{AuditAction, Kind, LogAction};

use crate::Timestamp;
use serde::Serialize;

/// Who made something and changed it last, and when.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct StampView {
    /// The id of who made it.
    pub created_by: String,
    /// The id of who changed it last.
    pub updated_by: String,
    /// When it was made.
    pub created_date: Timestamp,
    /// When it was changed last.
    pub updated_date: Timestamp,
}

/// One thing that is wrong with what was sent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct Problem {
    /// Where: a path such as `$.name`.
    pub path: String,
    /// What is wrong, and what to do.
    pub message: String,
    /// The same by code, where it has one.
    #[serde(flatten)]
    pub wording: Option<Wording>,
}

/// What is said, for whoever says it in another language.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct Wording {
    /// What it is; it stays, whatever becomes of the words.
    pub code: &'static str,
    /// What stands in the words, in the order of its places.
    pub values: Vec<String>,
}

impl From<schema::Wording> for Wording {
    fn from(wording: schema::Wording) -> Self {
        let schema::Wording { code, values } = wording;
        Wording { code, values }
    }
}

impl Problem {
    /// What is wrong, and where.
    pub fn new(path: impl Into<String>, message: impl Into<String>) -> Self {
        Problem {
            path: path.into(),
            message: message.into(),
            wording: None,
        }
    }
}

/// What switches default to.
fn yes() -> bool {
    true
}
