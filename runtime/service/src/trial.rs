//! A service on a throwaway copy of its store: what is asked of it is judged and written as by the service itself, as of
//! the moment the copy was made, and nobody else sees anything of it. It has no search, and sees to nothing by itself.

use crate::{Base, Refusal, Service, files, records, signing};
use std::sync::Arc;
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
        let trial = Service::on(Base {
            store,
            clock: self.clock.clone(),
            entropy: self.entropy.clone(),
            settings: self.settings.clone(),
            ids: self.ids.clone(),
            links: self.links.copy(),
            pages: records::PageCache::new(0),
            hash_pool: self.hash_pool.clone(),
            browsers: self.browsers.copy(),
            pending_tokens: self.pending_tokens.copy(),
            signing_file: None,
            seen_secrets: signing::SeenSecrets::default(),
        });
        if let Some(backend) = self.file_backend.get() {
            let files::FileBackend {
                storage, settings, ..
            } = backend;
            trial.use_files(files, storage.clone(), settings.clone());
        }
        Ok(Arc::new(trial))
    }
}
