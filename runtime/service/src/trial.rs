//! A service on a throwaway copy of its store: what is asked of it is judged and written as by the service itself, as of
//! the moment the copy was made, and nobody else sees anything of it. It has no search, and sees to nothing by itself.

use crate::{
    MemoryBudget, Refusal, Service, backups, files, incidents, masking, quotas, readiness, records,
};
use crate::{ended, last_used, leases, sessions};
use std::sync::{Arc, OnceLock};
use store::ThrowawayCopy;

impl Service {
    /// Such a service; it goes with its last handle, and what was written with it.
    ///
    /// # Errors
    /// When the store can't be copied: its disk has no room for it, or it fails. [`Refusal::NotReady`] where its
    /// engine makes no copies.
    pub async fn trial(&self) -> Result<Arc<Service>, Refusal> {
        let copy = self.store.throwaway_copy().await?;
        let ThrowawayCopy { store, files } = copy.ok_or(Refusal::NotReady { seconds: 60 })?;
        store.limit_records(self.settings.quotas.records);
        let trial = Service {
            store,
            clock: self.clock.clone(),
            entropy: self.entropy.clone(),
            settings: self.settings.clone(),
            ids: self.ids.clone(),
            last_used: last_used::LastUsed::default(),
            ended: ended::Ended::default(),
            incidents: incidents::Incidents::default(),
            told_looks: masking::ToldLooks::default(),
            live_index: OnceLock::new(),
            file_backend: OnceLock::new(),
            files_held: Arc::default(),
            told_by_cleanings: files::ToldRecords::default(),
            housekeeping: OnceLock::new(),
            links: self.links.copy(),
            pages: records::PageCache::new(0),
            quota_rooms: quotas::QuotaRooms::default(),
            memory: MemoryBudget::new(self.settings.memory_budget_bytes),
            attempts: sessions::Attempts::new(),
            set_up_code: sessions::SetUpCode::default(),
            hash_pool: self.hash_pool.clone(),
            browsers: self.browsers.copy(),
            pending_tokens: self.pending_tokens.copy(),
            readiness: readiness::Readiness::default(),
            ending: records::Ending::default(),
            webhooks_at_work: OnceLock::new(),
            signing_file: parking_lot::Mutex::default(),
            seen_secrets: parking_lot::RwLock::default(),
            job_folder: OnceLock::new(),
            job_runner: OnceLock::new(),
            backups: backups::Backups::default(),
            leases: leases::HeldLeases::default(),
        };
        if let Some(backend) = self.file_backend.get() {
            let files::FileBackend {
                storage, settings, ..
            } = backend;
            trial.use_files(files, storage.clone(), settings.clone());
        }
        Ok(Arc::new(trial))
    }
}
