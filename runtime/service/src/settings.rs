//! What can be set about the service: by an operator, and some of it by who embeds it alone.

use crate::jobs::JobSettings;
use crate::passwords::BreachedPasswords;
use crate::quota::Quotas;
use crate::retention::RetentionSettings;
use crate::search::{IndexPace, WAIT_MAX};
use std::sync::Arc;
use std::time::Duration;
use store::memory;
use wire::manage::SettingView;

/// The settings, with the defaults of docs/interface.md, "Limits".
#[derive(Clone, Debug)]
pub struct Settings {
    /// Items a page has when the caller does not say.
    pub page_size: usize,
    /// Items a page has at most.
    pub page_size_max: usize,
    /// Bytes of records at which a page ends, though it has fewer items than were asked for; the record
    /// that brings it there is on it. What a page of large records takes of memory is bounded by it.
    pub page_bytes: usize,
    /// Bytes of memory for pages of records that were read before; 0 keeps none.
    pub page_cache_bytes: u64,
    /// Bytes of memory that bodies, pages that are made and answers may take together.
    pub memory_budget_bytes: usize,
    /// Bytes a body has at most.
    pub body_bytes_max: usize,
    /// Bytes that the body of an operation (a manifest with its files) has at most; never more than a
    /// quarter of the memory budget.
    pub operation_bytes_max: usize,
    /// Bytes that the body of a request of many writes has at most; never more than a quarter of the memory budget.
    pub bulk_bytes_max: usize,
    /// How long a body may take to arrive.
    pub body_time_max: Duration,
    /// How long a session of management may stay unused; it is over then, before its time.
    pub session_idle_max: Duration,
    /// How long a search may take.
    pub search_time_max: Duration,
    /// How writers are slowed down while the search index is far behind them.
    pub index_pace: IndexPace,
    /// How long who listens to changes hears nothing: then a comment comes, and its rights are looked at.
    pub events_silence_max: Duration,
    /// How old the proof of its user's password may be in a session that changes users, roles, keys or clients.
    pub proof_age_max: Duration,
    /// How long a password works that someone else chose and its user is to replace; without, until it is replaced.
    pub initial_password_max: Option<Duration>,
    /// Passwords that became known elsewhere, and are nobody's here; without, none is looked for.
    pub breached_passwords: Option<BreachedPasswords>,
    /// What a tenant may have at most.
    pub quotas: Quotas,
    /// The limits of jobs.
    pub jobs: JobSettings,
    /// For how long things are kept.
    pub retention: RetentionSettings,
    /// Whether webhooks may go to other machines by plain HTTP.
    pub plain_webhooks: bool,
    /// The address under which clients reach the service, for links; without a slash at the end.
    pub public_url: String,
    /// Whether the service only reads, as its owner wants it: it is ready then without taking writes. The store
    /// itself is opened so by its owner.
    pub read_only: bool,
    /// What administrators are told of how all this is set, each with the names that whoever has the service gives it.
    pub told: Arc<[SettingView]>,
}

impl Settings {
    /// Whether clients reach the service by HTTPS.
    pub fn is_https(&self) -> bool {
        self.public_url.starts_with("https://")
    }
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            page_size: 100,
            page_size_max: 1000,
            page_bytes: 16 << 20,
            page_cache_bytes: memory::part(16, 40 << 20),
            memory_budget_bytes: usize::try_from(memory::part(8, 96 << 20)).unwrap_or(usize::MAX),
            body_bytes_max: 1 << 20,
            operation_bytes_max: 64 << 20,
            bulk_bytes_max: 32 << 20,
            body_time_max: Duration::from_secs(30),
            session_idle_max: Duration::from_secs(2 * 3600),
            search_time_max: WAIT_MAX,
            index_pace: IndexPace::default(),
            events_silence_max: Duration::from_secs(15),
            proof_age_max: Duration::from_secs(15 * 60),
            initial_password_max: Some(Duration::from_secs(72 * 3600)),
            breached_passwords: None,
            quotas: Quotas::default(),
            jobs: JobSettings::default(),
            retention: RetentionSettings::default(),
            plain_webhooks: false,
            public_url: "http://127.0.0.1".to_owned(),
            read_only: false,
            told: Arc::default(),
        }
    }
}
