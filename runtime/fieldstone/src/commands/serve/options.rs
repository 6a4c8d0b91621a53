//! What an operator can set about a server; what comes of it for the rooms below is in `settings_of_rooms.rs`.

use super::backup_options::BackupOptions;
use super::connection_options::ConnectionOptions;
use super::door_options::DoorOptions;
use super::job_options::JobOptions;
use super::quota_options::QuotaOptions;
use super::retention_options::RetentionOptions;
use super::trace_options::TraceOptions;
use crate::database_options::DatabaseOptions;
use crate::failure::usage;
use crate::file_options::FileOptions;
use crate::private_files;
use crate::time_bounds::{YEAR_HOURS, YEAR_SECONDS};
use crate::tls::Certificate;
use crate::web_address;
use crate::webhook_options::WebhookOptions;
use clap::{ArgAction, Args};
use service::manage::SettingView;
use std::path::PathBuf;

#[derive(Args)]
#[command(next_help_heading = "Settings of the server")]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a setting of its own"
)]
pub(crate) struct ServeOptions {
    /// Where to listen; port 0 picks a free one
    #[arg(
        long,
        env = "FIELDSTONE_LISTEN",
        value_name = "ADDR",
        default_value = "127.0.0.1:8080",
        value_parser = web_address::listener
    )]
    pub(super) listen: String,

    /// Address at which figures for Prometheus are shown, under /metrics; without it, no figures are kept. Whoever
    /// reaches it sees them, and no data of tenants
    #[arg(
        long,
        env = "FIELDSTONE_METRICS_LISTEN",
        value_name = "ADDR",
        value_parser = web_address::listener
    )]
    pub(super) metrics_listen: Option<String>,

    /// Bytes of store and search index, with their logs, at which the log warns that one machine may not be enough;
    /// from four fifths of that on, it says that they come near. 0 for never. It has no effect on a store in a
    /// database
    #[arg(
        long,
        env = "FIELDSTONE_STORE_WARN_BYTES",
        value_name = "BYTES",
        default_value_t = 100_000_000_000
    )]
    pub(super) store_warn_bytes: u64,

    /// Load the demo tenant, if it is not there: real airports, countries, languages …
    #[arg(long, env = "FIELDSTONE_DEMO", action = ArgAction::SetTrue)]
    pub(super) demo: bool,

    /// How many customers to invent for the demo; a job imports them once the server runs. 0 for none
    #[arg(
        long,
        env = "FIELDSTONE_DEMO_RECORDS",
        value_name = "COUNT",
        default_value_t = crate::demo_customers::COUNT,
        value_parser = clap::value_parser!(u64).range(..=9_000_000)
    )]
    pub(super) demo_records: u64,

    /// Begin an empty store, though the folder has files of a store whose database is gone or empty; for this
    /// start alone, so only as a flag
    #[arg(long, action = ArgAction::SetTrue)]
    pub(super) create: bool,

    /// Go on with a database that was in use when it was copied, though the write-ahead log that belongs to it is
    /// missing or another's: what only the log had is lost; for this start alone, so only as a flag
    #[arg(long, action = ArgAction::SetTrue)]
    pub(super) without_log: bool,

    /// Only read: writes and management are refused. What is in the data folder stays as it is, beside files of SQLite's
    /// own (-shm, -wal) until the server ends, or for longer if it is killed; the folder may be on a disk that can't be written
    #[arg(long, env = "FIELDSTONE_READ_ONLY", action = ArgAction::SetTrue)]
    pub(super) read_only: bool,

    /// The address at which clients reach the server, for links and for Location behind a proxy; without it, the
    /// address that it listens on
    #[arg(
        long,
        env = "FIELDSTONE_PUBLIC_URL",
        value_name = "URL",
        value_parser = web_address::server
    )]
    pub(super) public_url: Option<String>,

    /// A certificate chain (PEM), to serve HTTPS; read again when it changes, and on SIGHUP
    #[arg(long, env = "FIELDSTONE_TLS_CERT", value_name = "FILE")]
    pub(super) tls_cert: Option<PathBuf>,

    /// The certificate's private key (PEM)
    #[arg(long, env = "FIELDSTONE_TLS_KEY", value_name = "FILE")]
    pub(super) tls_key: Option<PathBuf>,

    /// Items on a page of a list, where the request does not say how many
    #[arg(
        long,
        env = "FIELDSTONE_PAGE_SIZE",
        value_name = "COUNT",
        default_value_t = 100
    )]
    pub(super) page_size: usize,

    /// Items on a page of a list, at most
    #[arg(
        long,
        env = "FIELDSTONE_PAGE_SIZE_MAX",
        value_name = "COUNT",
        default_value_t = 1000
    )]
    pub(super) page_size_max: usize,

    /// Bytes of records at which a page ends even where more follow; this limits the memory that a page takes
    #[arg(
        long,
        env = "FIELDSTONE_PAGE_BYTES",
        value_name = "BYTES",
        default_value_t = 16 << 20
    )]
    pub(super) page_bytes: usize,

    /// Bytes of memory in which records stay that were looked up by primary key; 0 for none. By default an eighth of
    /// the memory, 32 MiB at most
    #[arg(long, env = "FIELDSTONE_RECORD_CACHE_BYTES", value_name = "BYTES")]
    pub(super) record_cache_bytes: Option<u64>,

    /// Bytes of memory in which pages of records stay that were read; 0 for none. By default a sixteenth of the
    /// memory, 40 MiB at most
    #[arg(long, env = "FIELDSTONE_PAGE_CACHE_BYTES", value_name = "BYTES")]
    pub(super) page_cache_bytes: Option<u64>,

    /// Bytes of memory that requests, pages that are made and answers may take together; a request that finds no room
    /// is answered with 503. By default an eighth of the memory, 96 MiB at most
    #[arg(
        long,
        env = "FIELDSTONE_MEMORY_BUDGET_BYTES",
        value_name = "BYTES",
        value_parser = clap::value_parser!(u64).range(1 << 20..)
    )]
    pub(super) memory_budget_bytes: Option<u64>,

    /// Bytes that the body of a request may have
    #[arg(
        long,
        env = "FIELDSTONE_BODY_BYTES_MAX",
        value_name = "BYTES",
        default_value_t = 1 << 20
    )]
    pub(super) body_bytes_max: usize,

    /// Bytes that a command sent from elsewhere (`--server`) may have: a manifest with its record files. Never more
    /// than a quarter of --memory-budget-bytes, so 24 MiB or less where that is not set
    #[arg(
        long,
        env = "FIELDSTONE_OPERATION_BYTES_MAX",
        value_name = "BYTES",
        default_value_t = 64 << 20
    )]
    pub(super) operation_bytes_max: usize,

    /// Bytes that a request of many writes may have. Never more than a quarter of --memory-budget-bytes, so 24 MiB or
    /// less where that is not set
    #[arg(
        long,
        env = "FIELDSTONE_BULK_BYTES_MAX",
        value_name = "BYTES",
        default_value_t = 32 << 20
    )]
    pub(super) bulk_bytes_max: usize,

    /// Seconds in which a client has to send the body of its request, a year at most
    #[arg(
        long,
        env = "FIELDSTONE_BODY_SECONDS",
        value_name = "SECONDS",
        default_value_t = 30,
        value_parser = clap::value_parser!(u64).range(1..=YEAR_SECONDS)
    )]
    pub(super) body_seconds: u64,

    /// Seconds that a search may take, with its wait until the index has all that was written before it; a year at
    /// most
    #[arg(
        long,
        env = "FIELDSTONE_SEARCH_SECONDS",
        value_name = "SECONDS",
        default_value_t = 10,
        value_parser = clap::value_parser!(u64).range(1..=YEAR_SECONDS)
    )]
    pub(super) search_seconds: u64,

    /// Seconds in which a client has to finish a TLS hand-shake or the head of a request; also how long an idle
    /// connection is kept; a year at most
    #[arg(
        long,
        env = "FIELDSTONE_HEAD_SECONDS",
        value_name = "SECONDS",
        default_value_t = 30,
        value_parser = clap::value_parser!(u64).range(1..=YEAR_SECONDS)
    )]
    pub(super) head_seconds: u64,

    /// Seconds that running requests still get when the server stops, a year at most
    #[arg(
        long,
        env = "FIELDSTONE_STOP_SECONDS",
        value_name = "SECONDS",
        default_value_t = 30,
        value_parser = clap::value_parser!(u64).range(..=YEAR_SECONDS)
    )]
    pub(super) stop_seconds: u64,

    /// Seconds that a session may stay unused, a year at most; it ends after twelve hours in any case
    #[arg(
        long,
        env = "FIELDSTONE_SESSION_IDLE_SECONDS",
        value_name = "SECONDS",
        default_value_t = 7200,
        value_parser = clap::value_parser!(u64).range(1..=YEAR_SECONDS)
    )]
    pub(super) session_idle_seconds: u64,

    /// Seconds for which a session may change users, roles, keys and clients before its password is asked for again;
    /// a year at most
    #[arg(
        long,
        env = "FIELDSTONE_PROOF_SECONDS",
        value_name = "SECONDS",
        default_value_t = 900,
        value_parser = clap::value_parser!(u64).range(1..=YEAR_SECONDS)
    )]
    pub(super) proof_seconds: u64,

    /// Hours that a password works which someone else chose and its user has to change, a year at most; 0 for as long
    /// as it is not changed
    #[arg(
        long,
        env = "FIELDSTONE_INITIAL_PASSWORD_HOURS",
        value_name = "HOURS",
        default_value_t = 72,
        value_parser = clap::value_parser!(u32).range(..=YEAR_HOURS)
    )]
    pub(super) initial_password_hours: u32,

    #[command(flatten)]
    pub(super) door: DoorOptions,

    #[command(flatten)]
    pub(super) connections: ConnectionOptions,

    #[command(flatten)]
    pub(super) files: FileOptions,

    #[command(flatten)]
    pub(super) quotas: QuotaOptions,

    #[command(flatten)]
    pub(super) jobs: JobOptions,

    #[command(flatten)]
    pub(super) webhooks: WebhookOptions,

    #[command(flatten)]
    pub(super) backups: BackupOptions,

    #[command(flatten)]
    pub(super) retention: RetentionOptions,

    #[command(flatten)]
    pub(crate) traces: TraceOptions,

    /// All of them, as administrators are told.
    #[arg(skip)]
    pub(crate) told: Vec<SettingView>,
}

impl ServeOptions {
    /// Refuses numbers that contradict each other.
    pub(super) fn check(&self) -> anyhow::Result<()> {
        if !(1..=self.page_size_max).contains(&self.page_size) {
            return Err(usage("--page-size must be from 1 to --page-size-max"));
        }
        if self.read_only && (self.demo || self.create || self.without_log) {
            return Err(usage(
                "--read-only changes nothing, so it goes with none of --demo, --create and --without-log",
            ));
        }
        if let (Some(url), Some(path)) = (&self.public_url, self.door.pages_path())
            && let Some(root) = url.strip_suffix(path)
            && root.matches('/').count() == 2
        {
            return Err(usage(format!(
                "--public-url is the address of the server, and its pages are below it, at {path}: give {root}"
            )));
        }
        Ok(())
    }

    /// Refuses what a store in a database has no use for.
    pub(super) fn check_engine(&self, database: &DatabaseOptions) -> anyhow::Result<()> {
        if database.address().is_none() {
            return Ok(());
        }
        if self.read_only {
            crate::engine::refuse_database(
                database,
                "--read-only",
                "give clients credentials that only view",
            )?;
        }
        if self.create || self.without_log {
            crate::engine::refuse_database(
                database,
                "--create or --without-log",
                "an empty database gets its tables by itself",
            )?;
        }
        Ok(())
    }

    /// The certificate that hand-shakes show; none for plain HTTP.
    pub(super) fn certificate(&self) -> anyhow::Result<Option<Certificate>> {
        match (&self.tls_cert, &self.tls_key) {
            (Some(chain), Some(key)) => {
                private_files::warn_if_readable_by_all("file of the TLS key", key);
                Ok(Some(Certificate::open(chain.clone(), key.clone())?))
            }
            (None, None) => Ok(None),
            _ => Err(usage(
                "--tls-cert and --tls-key go together; give both or neither",
            )),
        }
    }
}
