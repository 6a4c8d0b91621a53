//! What the business means: who is calling, what they may do, and what each request does to catalog and
//! records. It speaks no HTTP and no SQL. Data walks one way here: a credential becomes a [`Caller`],
//! a caller and a path become a permit ([`DatasetPermit`]), a permit and a body become a write.

mod audit;
pub mod files;
mod housekeeping;
pub mod ids;
mod incidents;
mod last_used;
mod listing;
pub mod nouns;
mod open;
mod pager;
mod passwords;
mod records;
mod refusal;
mod rights;
pub mod search;
pub mod secrets;
mod sessions;
mod settings;
mod system;

/// Management: the catalogue's nouns, sessions and the shapes of both.
pub mod manage {
    pub use crate::nouns::{
        ADMINISTRATOR, Content, MEMBER, NewSecret, Noun, Nouns, Restorable, SchemaContent,
        Switchable, tenant_view,
    };
    pub use crate::rights::Operator;
    pub use crate::sessions::{NewSession, SignInName, SignInOrigin, csrf_token};
    pub use wire::manage::*;
}

pub use incidents::{About, Incident};
pub use open::{FileParts, Parts, Schedule};
pub use pager::{PageRequest, RecordPage};
pub use records::CreatedRecord;
pub use refusal::{Blame, Refusal};
pub use rights::{
    AreaPermit, Caller, DatasetPermit, IssuedToken, Operator, Permit, Rights, SchemaPermit,
};
pub use settings::Settings;
pub use system::{Clock, Entropy, SystemClock, SystemEntropy};

use ids::IdCipher;
use last_used::LastUsed;
use std::sync::{Arc, OnceLock};
use store::catalog::{CatalogWrite, Setting};
use store::{Catalogs, Issued, Records, StoreError};
use wire::Timestamp;

/// A store of records, of the catalog and of what is issued.
pub trait Store: Records + Catalogs + Issued {}

impl<S: Records + Catalogs + Issued> Store for S {}

/// The service: one for a store, shared by all doors.
pub struct Service {
    store: Arc<dyn Store>,
    clock: Arc<dyn Clock>,
    entropy: Arc<dyn Entropy>,
    settings: Settings,
    ids: IdCipher,
    last_used: LastUsed,
    incidents: incidents::Incidents,
    live_index: OnceLock<search::LiveIndex>,
    file_backend: OnceLock<files::FileBackend>,
    housekeeping: OnceLock<housekeeping::Housekeeping>,
    links: files::Links,
    pages: records::PageCache,
    attempts: sessions::Attempts,
    browsers: sessions::Browsers,
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
    /// them; [`open`](Self::open) makes a whole one. A store that has no secret yet gets one.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn new(
        store: Arc<dyn Store>,
        clock: Arc<dyn Clock>,
        entropy: Arc<dyn Entropy>,
        settings: Settings,
    ) -> Result<Self, StoreError> {
        let secret = remembered_secret(&*store, &*entropy).await?;
        Ok(Service {
            ids: IdCipher::new(&secret),
            links: files::Links::new(&secret),
            pages: records::PageCache::new(settings.page_cache_bytes),
            attempts: sessions::Attempts::new(),
            browsers: sessions::Browsers::new(&secret),
            store,
            clock,
            entropy,
            settings,
            last_used: LastUsed::default(),
            incidents: incidents::Incidents::default(),
            live_index: OnceLock::new(),
            file_backend: OnceLock::new(),
            housekeeping: OnceLock::new(),
        })
    }

    /// The store beneath.
    pub fn store(&self) -> &Arc<dyn Store> {
        &self.store
    }

    /// The settings it was made with.
    pub fn settings(&self) -> &Settings {
        &self.settings
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
        if used.is_empty() {
            return Ok(());
        }
        self.store.note_last_used(used).await
    }
}

/// The deployment's secret: made once, the same on every server.
async fn remembered_secret(store: &dyn Store, entropy: &dyn Entropy) -> Result<String, StoreError> {
    const ID: &str = "secret";
    let fresh = secrets::random_text(entropy, 43);
    let decided = store
        .decide(Box::new(move |catalog| {
            let mut write = CatalogWrite::default();
            if !catalog.settings.contains_key(ID) {
                write.put.push(
                    Setting {
                        id: ID.to_owned(),
                        value: fresh.clone(),
                    }
                    .into(),
                );
            }
            Ok(write)
        }))
        .await?;
    let catalog = decided.map_err(|error| StoreError::Damaged(format!("{error:?}")))?;
    let secret = catalog
        .settings
        .get(ID)
        .map(|setting| setting.value.clone());
    secret.ok_or_else(|| StoreError::Damaged("the deployment's secret is gone".to_owned()))
}
