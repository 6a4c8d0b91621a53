//! What a tenant may have at most and what it has, as management shows it.

use serde::Serialize;

/// One quota.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct QuotaUse {
    /// What there may be.
    pub limit: u64,
    /// What there is.
    pub used: u64,
}

/// The quotas of a tenant.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct QuotaView {
    /// Records that are not deleted.
    pub records: QuotaUse,
    /// Bytes of files.
    pub file_bytes: QuotaUse,
    /// Versions of schemas, all schemas together but those that are deleted.
    pub schema_versions: QuotaUse,
    /// Codes of data domains, all domains together.
    pub domain_codes: QuotaUse,
    /// Sessions of users.
    pub sessions: QuotaUse,
    /// Bytes of the files of jobs: what was sent, what was exported, what could not be stored.
    pub job_bytes: QuotaUse,
    /// Bytes of schemas, with all their versions, and of data domains.
    pub catalog_bytes: QuotaUse,
    /// Resources of each kind (areas, schemas, datasets, data domains, roles, users, API keys, application clients); used are
    /// those of the kind that has most.
    pub resources: QuotaUse,
    /// Webhooks.
    pub webhooks: QuotaUse,
}
