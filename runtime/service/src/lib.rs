//! What the business means: who is calling, what they may do, and what each request does to catalog and
//! records. It speaks no HTTP and no SQL. Data walks one way here: a credential becomes a [`Caller`],
//! a caller and a path become a [`Permit`], a permit and a body become a write.

mod access;
mod authenticate;
mod catalog;
mod current;
pub mod files;
pub mod ids;
mod last_used;
mod lookups;
pub mod manage;
mod page_cache;
mod paging;
mod records;
mod refusal;
mod rekey;
pub mod search;
pub mod secrets;
mod settings;
mod system;
mod tries;

pub use access::Permit;
pub use authenticate::{Caller, IssuedToken};
pub use paging::{PageRequest, RecordPage};
pub use records::Created;
pub use refusal::Refusal;
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
    searching: OnceLock<search::Searching>,
    filing: OnceLock<files::Filing>,
    links: files::Links,
    pages: page_cache::PageCache,
    attempts: manage::Attempts,
    browsers: manage::Browsers,
}

impl std::fmt::Debug for Service {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Service")
            .field("settings", &self.settings)
            .finish_non_exhaustive()
    }
}

impl Service {
    /// A service on a store. A store that has no secret yet gets one.
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
            pages: page_cache::PageCache::new(settings.page_cache_bytes),
            attempts: manage::Attempts::new(),
            browsers: manage::Browsers::new(&secret),
            store,
            clock,
            entropy,
            settings,
            last_used: LastUsed::default(),
            searching: OnceLock::new(),
            filing: OnceLock::new(),
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

    /// Writes the times of use that came together. Call it every few seconds and at the end.
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
