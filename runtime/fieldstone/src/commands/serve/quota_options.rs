//! What an operator can set about quotas: what a tenant may have at most.

use clap::Args;
use service::Quotas;

#[derive(Args)]
#[command(next_help_heading = "Settings of quotas")]
pub(crate) struct QuotaOptions {
    /// Records a tenant may have
    #[arg(long = "quota-records", env = "FIELDSTONE_QUOTA_RECORDS", value_name = "COUNT", default_value_t = Quotas::default().records)]
    records: u64,

    /// Bytes of files a tenant may have
    #[arg(long = "quota-file-bytes", env = "FIELDSTONE_QUOTA_FILE_BYTES", value_name = "BYTES", default_value_t = Quotas::default().file_bytes)]
    file_bytes: u64,

    /// Versions of schemas a tenant may have, all schemas together
    #[arg(long = "quota-schema-versions", env = "FIELDSTONE_QUOTA_SCHEMA_VERSIONS", value_name = "COUNT", default_value_t = Quotas::default().schema_versions)]
    schema_versions: u64,

    /// Codes of data domains a tenant may have, all domains together
    #[arg(long = "quota-domain-codes", env = "FIELDSTONE_QUOTA_DOMAIN_CODES", value_name = "COUNT", default_value_t = Quotas::default().domain_codes)]
    domain_codes: u64,

    /// Sessions the users of a tenant may have
    #[arg(long = "quota-sessions", env = "FIELDSTONE_QUOTA_SESSIONS", value_name = "COUNT", default_value_t = Quotas::default().sessions)]
    sessions: u64,

    /// Bytes of files of jobs a tenant may have: uploads, exports, rejects
    #[arg(long = "quota-job-bytes", env = "FIELDSTONE_QUOTA_JOB_BYTES", value_name = "BYTES", default_value_t = Quotas::default().job_bytes)]
    job_bytes: u64,

    /// Bytes of schemas, with all their versions, and of data domains a tenant may have: they are in memory, and take two to
    /// three times as much there
    #[arg(long = "quota-catalog-bytes", env = "FIELDSTONE_QUOTA_CATALOG_BYTES", value_name = "BYTES", default_value_t = Quotas::default().catalog_bytes)]
    catalog_bytes: u64,

    /// Areas a tenant may have, and as many schemas, datasets, data domains, roles, users, API keys and application clients
    #[arg(long = "quota-resources", env = "FIELDSTONE_QUOTA_RESOURCES", value_name = "COUNT", default_value_t = Quotas::default().resources)]
    resources: u64,

    /// Webhooks a tenant may have
    #[arg(long = "quota-webhooks", env = "FIELDSTONE_QUOTA_WEBHOOKS", value_name = "COUNT", default_value_t = Quotas::default().webhooks)]
    webhooks: u64,
}

impl QuotaOptions {
    pub(super) fn quotas(&self) -> Quotas {
        Quotas {
            records: self.records,
            file_bytes: self.file_bytes,
            schema_versions: self.schema_versions,
            domain_codes: self.domain_codes,
            sessions: self.sessions,
            job_bytes: self.job_bytes,
            catalog_bytes: self.catalog_bytes,
            resources: self.resources,
            webhooks: self.webhooks,
        }
    }
}
