//! What the business means: who is calling, what they may do, and what each request does to catalog and
//! records. It speaks no HTTP and no SQL. Data walks one way here: a credential becomes a [`Caller`],
//! a caller and a path become a permit ([`DatasetPermit`]), a permit and a body become a write.

mod audit;
mod audit_filter;
mod audit_look;
mod backups;
mod catalog_quotas;
mod chores;
mod clocks;
mod daily_counts;
mod drafts;
mod ended;
mod epoch;
pub mod files;
mod form_turns;
mod health;
mod housekeeping;
pub mod ids;
mod incidents;
mod jobs;
mod last_used;
mod leases;
mod listing;
mod masking;
mod memory_budget;
pub mod nouns;
mod open;
mod overview;
mod pager;
mod passwords;
mod personal;
mod pieces;
mod quota;
mod quota_rooms;
mod quotas;
mod readiness;
mod records;
mod refusal;
mod repair;
mod retention;
mod rights;
mod samples;
pub mod search;
pub mod secrets;
mod sessions;
mod set_up_codes;
mod settings;
pub mod signing;
mod source;
mod system;
mod told_errors;
mod told_settings;
mod trial;
pub mod webhooks;

/// What a door needs to know of what is in the catalog, and of what may be done there.
pub mod catalog {
    pub use store::catalog::{
        ApiKey, App, Area, AuditAction, Grant, Permission, Resource, Row, SchemaEntry,
        SchemaVersion, Verb, Verbs, Webhook,
    };
    pub use store::records::Shelf;
}

/// What a door needs to know of the judgement, to tell it.
pub mod judgement {
    pub use crate::nouns::MASK;
    pub use crate::repair::errors_of_value;
    pub use engine::validate::{
        RemarkParts, Rule, Told, is_worded_as_now, rules_of, texts_told, values_within,
    };
}

/// Management: the catalogue's nouns, sessions and the shapes of both.
pub mod manage {
    pub use crate::audit_filter::{AuditFilter, name_in};
    pub use crate::nouns::{
        ADMINISTRATOR, Content, FirstTenant, MEMBER, NewInvitation, NewSecret, Noun, Nouns,
        Restorable, SchemaContent, Switchable, VersionAuthor, WebhookWithSecret, is_by_itself,
        judge_names, mark, tenant_view,
    };
    pub use crate::rights::Operator;
    pub use crate::sessions::{CodeRequest, FailedTries, PendingSignIn, SignInStep};
    pub use crate::sessions::{NewSession, SignInName, SignInOrigin, csrf_token};
    pub use wire::manage::*;
}

pub use chores::Schedule;
pub use daily_counts::{DAYS_KEPT, DAYS_SHOWN};
pub use epoch::{is_epoch, new_epoch};
pub use incidents::{About, Incident};
pub use jobs::{FormJob, ImportUpload, JOBS_FOLDER, JobDownload, JobSettings, Undoing};
pub use memory_budget::{MemoryBudget, Owner, Reservation, body_bytes_max};
pub use nouns::{DATASETS_AT_ONCE, is_on_this_machine};
pub use open::{FileParts, Parts};
pub use overview::{AreaOverview, Overview};
pub use pager::{PageInRoom, PageRequest, RecordPage};
pub use passwords::{BreachedPasswords, BreachedPasswordsError};
pub use quota::{Quota, Quotas};
pub use records::{BULK_LINES_MAX, BulkAction, BulkDone, BulkJudged};
pub use records::{CHANGES_WAIT_MAX, Changes, ChangesPosition, ChangesRequest, Waited};
pub use records::{CreatedRecord, LastAuthor, PastRecord, RecordName, SeenKey, SeenValue};
pub use refusal::{Blame, Refusal};
pub use repair::{codes, is_of_other_kind, proposals};
pub use retention::{RetentionReport, RetentionSettings};
pub use rights::{
    AreaPermit, Caller, DatasetPermit, IssuedToken, Operator, Permit, Rights, SchemaPermit,
};
pub use samples::SAMPLE_BYTES_MAX;
pub use settings::Settings;
pub use store::{Store, StoreError};
pub use system::{Clock, Entropy, SystemClock, SystemEntropy};
pub use tabular::{Encoding, Mapping};

use ids::IdCipher;
use last_used::LastUsed;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, OnceLock};
use wire::Timestamp;

/// The service: one for a store, shared by all doors.
pub struct Service {
    store: Arc<dyn Store>,
    clock: Arc<dyn Clock>,
    entropy: Arc<dyn Entropy>,
    settings: Settings,
    ids: IdCipher,
    last_used: LastUsed,
    ended: ended::Ended,
    incidents: incidents::Incidents,
    told_looks: personal::ToldLooks,
    live_index: OnceLock<search::LiveIndex>,
    file_backend: OnceLock<files::FileBackend>,
    files_held: Arc<tokio::sync::RwLock<()>>,
    upload_places: files::UploadPlaces,
    told_by_cleanings: files::ToldRecords,
    housekeeping: OnceLock<housekeeping::Housekeeping>,
    links: files::Links,
    pages: records::PageCache,
    form_turns: form_turns::FormTurns,
    quota_rooms: quotas::QuotaRooms,
    memory: Arc<MemoryBudget>,
    samples_at_work: samples::SamplesAtWork,
    attempts: sessions::Attempts,
    hash_pool: Arc<passwords::HashPool>,
    browsers: sessions::Browsers,
    pending_tokens: sessions::PendingTokens,
    set_up_code: set_up_codes::OwnSetUpCode,
    readiness: readiness::Readiness,
    ending: records::Ending,
    webhooks_at_work: OnceLock<webhooks::AtWork>,
    signing_file: parking_lot::Mutex<Option<signing::SigningSecretFile>>,
    seen_secrets: parking_lot::RwLock<signing::SeenSecrets>,
    job_folder: OnceLock<jobs::JobFolder>,
    job_runner: OnceLock<jobs::JobRunner>,
    /// Whether it is one of a command, which ends at once, and its jobs with it.
    is_of_command: AtomicBool,
    backups: backups::Backups,
    leases: leases::HeldLeases,
    clock_difference: clocks::ClockDifference,
}

/// What a service is given, or has of the one that its trial is of (`trial.rs`).
struct Base {
    store: Arc<dyn Store>,
    clock: Arc<dyn Clock>,
    entropy: Arc<dyn Entropy>,
    settings: Settings,
    ids: IdCipher,
    links: files::Links,
    pages: records::PageCache,
    hash_pool: Arc<passwords::HashPool>,
    browsers: sessions::Browsers,
    pending_tokens: sessions::PendingTokens,
    signing_file: Option<signing::SigningSecretFile>,
    seen_secrets: signing::SeenSecrets,
}

impl std::fmt::Debug for Service {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Service")
            .field("settings", &self.settings)
            .finish_non_exhaustive()
    }
}

impl Service {
    /// A service on a store that does nothing by itself, and has no files and no search until it is given
    /// them; [`open`](Self::open) makes a whole one. The store keeps its signing secret, and gets one where it has
    /// none.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn new(
        store: Arc<dyn Store>,
        clock: Arc<dyn Clock>,
        entropy: Arc<dyn Entropy>,
        settings: Settings,
    ) -> Result<Self, StoreError> {
        let place = signing::SecretPlace::Store;
        Self::with_secrets_in(store, clock, entropy, settings, place).await
    }

    /// The same, with its signing secrets in a place.
    async fn with_secrets_in(
        store: Arc<dyn Store>,
        clock: Arc<dyn Clock>,
        entropy: Arc<dyn Entropy>,
        settings: Settings,
        place: signing::SecretPlace,
    ) -> Result<Self, StoreError> {
        let start = signing::Start::of(&*store, &*entropy, &place, clock.now());
        let signing::Start {
            id_keys,
            epoch,
            secrets,
        } = start.await?;
        Ok(Service::on(Base {
            ids: IdCipher::new(&id_keys).in_epoch(epoch),
            links: files::Links::new(&secrets),
            pages: records::PageCache::new(settings.page_cache_bytes),
            hash_pool: Arc::default(),
            browsers: sessions::Browsers::new(&secrets),
            pending_tokens: sessions::PendingTokens::new(&secrets),
            signing_file: place.into_file(),
            seen_secrets: signing::SeenSecrets::of(&secrets),
            store,
            clock,
            entropy,
            settings,
        }))
    }

    /// A service on what it is given, and with all else as it begins.
    fn on(base: Base) -> Self {
        base.store.limit_records(base.settings.quotas.records);
        Service {
            memory: MemoryBudget::new(base.settings.memory_budget_bytes),
            store: base.store,
            clock: base.clock,
            entropy: base.entropy,
            settings: base.settings,
            ids: base.ids,
            links: base.links,
            pages: base.pages,
            hash_pool: base.hash_pool,
            browsers: base.browsers,
            pending_tokens: base.pending_tokens,
            signing_file: parking_lot::Mutex::new(base.signing_file),
            seen_secrets: parking_lot::RwLock::new(base.seen_secrets),
            form_turns: form_turns::FormTurns::default(),
            quota_rooms: quotas::QuotaRooms::default(),
            samples_at_work: samples::SamplesAtWork::default(),
            attempts: sessions::Attempts::new(),
            set_up_code: set_up_codes::OwnSetUpCode::default(),
            last_used: LastUsed::default(),
            ended: ended::Ended::default(),
            incidents: incidents::Incidents::default(),
            told_looks: personal::ToldLooks::default(),
            live_index: OnceLock::new(),
            file_backend: OnceLock::new(),
            files_held: Arc::default(),
            upload_places: files::UploadPlaces::default(),
            told_by_cleanings: files::ToldRecords::default(),
            housekeeping: OnceLock::new(),
            readiness: readiness::Readiness::default(),
            ending: records::Ending::default(),
            webhooks_at_work: OnceLock::new(),
            job_folder: OnceLock::new(),
            job_runner: OnceLock::new(),
            is_of_command: AtomicBool::new(false),
            backups: backups::Backups::default(),
            leases: leases::HeldLeases::default(),
            clock_difference: clocks::ClockDifference::default(),
        }
    }

    /// The store beneath.
    pub fn store(&self) -> &Arc<dyn Store> {
        &self.store
    }

    /// The settings it was made with.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The memory that requests may take together.
    pub fn memory(&self) -> &Arc<MemoryBudget> {
        &self.memory
    }

    /// The time.
    pub fn now(&self) -> Timestamp {
        self.clock.now()
    }

    /// The source of chance.
    pub fn entropy(&self) -> &dyn Entropy {
        &*self.entropy
    }

    /// Writes the times of use that came together. [`open`](Self::open) sees to it that it is done every few
    /// seconds, [`close`](Self::close) does it at the end.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn flush_last_used(&self) -> Result<(), StoreError> {
        let used = self.last_used.take();
        // of a store that is only read, nobody learns when
        if used.is_empty() || self.store.is_read_only() {
            return Ok(());
        }
        self.store.note_last_used(used).await
    }
}
