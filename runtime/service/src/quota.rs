//! What a tenant may have so much of, and what makes room where it is used up. Nothing is counted here.

use std::fmt;

/// What a tenant may have at most.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Quotas {
    /// Records that are not deleted.
    pub records: u64,
    /// Bytes of files.
    pub file_bytes: u64,
    /// Versions of schemas, all schemas together; those of deleted ones count from as many on.
    pub schema_versions: u64,
    /// Codes of data domains, all domains together.
    pub domain_codes: u64,
    /// Sessions of users.
    pub sessions: u64,
    /// Bytes of the files of jobs: what was sent, what was exported, what could not be stored.
    pub job_bytes: u64,
    /// Bytes of schemas, with all their versions, and of data domains: all of them are in memory.
    pub catalog_bytes: u64,
    /// Resources of each kind: areas, schemas, datasets, data domains, roles, users, API keys, application clients.
    pub resources: u64,
    /// Webhooks.
    pub webhooks: u64,
}

impl Default for Quotas {
    fn default() -> Self {
        Quotas {
            records: 100_000_000,
            file_bytes: 1 << 40,
            schema_versions: 10_000,
            domain_codes: 5_000_000,
            sessions: 10_000,
            job_bytes: 100 << 30,
            catalog_bytes: 256 << 20,
            resources: 20_000,
            webhooks: 1_000,
        }
    }
}

/// What a tenant may have so much of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quota {
    /// Records.
    Records,
    /// Bytes of files.
    FileBytes,
    /// Versions of schemas.
    SchemaVersions,
    /// Codes of data domains.
    DomainCodes,
    /// Sessions.
    Sessions,
    /// Bytes of files of jobs.
    JobBytes,
    /// Bytes of schemas and data domains.
    CatalogBytes,
    /// Resources of one kind: areas, schemas, datasets, data domains, roles, users, API keys, application clients.
    Resources,
    /// Webhooks.
    Webhooks,
}

impl fmt::Display for Quota {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Quota::Records => "records",
            Quota::FileBytes => "bytes of files",
            Quota::SchemaVersions => "versions of schemas",
            Quota::DomainCodes => "codes of data domains",
            Quota::Sessions => "sessions",
            Quota::JobBytes => "bytes of files of jobs",
            Quota::CatalogBytes => "bytes of schemas and data domains",
            Quota::Resources => "resources of one kind",
            Quota::Webhooks => "webhooks",
        })
    }
}

impl Quota {
    /// What whoever has used it up can do to make room.
    pub(crate) fn remedy(self) -> &'static str {
        match self {
            Quota::Records => {
                "delete some (those of deleted datasets count, too: restore such a dataset to delete them)"
            }
            Quota::FileBytes => {
                "take files out of records and have deleted records with files purged, which makes room a day later"
            }
            Quota::SchemaVersions => "delete schemas that nobody needs",
            Quota::DomainCodes => "take codes out of data domains",
            Quota::Sessions => "end some, or wait until some have run out",
            Quota::JobBytes => "delete files of jobs that have ended",
            Quota::CatalogBytes => "delete schemas and data domains that nobody needs",
            Quota::Resources | Quota::Webhooks => "delete those that nobody needs",
        }
    }
}
