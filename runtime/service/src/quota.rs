//! What a tenant may have so much of, and what makes room where it is used up. Nothing is counted here.

use std::fmt;

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
