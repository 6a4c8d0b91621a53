//! A request is judged by one catalog. When that is no longer the newest by the time it matters (the schema
//! changed before the write was committed, or a record read is of a newer version), the request was
//! overtaken, nothing was written, and it is judged again, whole, by the newest. Who changes the schema without a pause would
//! overtake it each time, so behind a few tries the catalog is held while it is judged.

use crate::{Permit, Refusal, Service};
use std::borrow::Cow;
use store::catalog::CatalogHold;
use store::{Store, StoreError};

/// How often a request is judged that is overtaken each time. Where the store has no hold, because writes and decisions
/// stand in one queue, each try wins about every other time, so a few would not do.
const TRIES_MAX: u32 = 32;
/// How often it is judged while others may change the catalog.
const FREE_TRIES_MAX: u32 = 4;

/// The tries of what may be overtaken.
pub(crate) struct Tries<'s> {
    store: &'s dyn Store,
    tried: u32,
    hold: Option<CatalogHold>,
}

impl<'s> Tries<'s> {
    /// None yet.
    pub(crate) fn new(store: &'s dyn Store) -> Self {
        Tries {
            store,
            tried: 0,
            hold: None,
        }
    }

    /// To be called behind a try that was overtaken, before the next one: from some try on nobody changes the catalog meanwhile.
    ///
    /// # Errors
    /// [`StoreError::Overtaken`] when there were enough; the store's.
    pub(crate) async fn another(&mut self) -> Result<(), StoreError> {
        self.tried += 1;
        if self.tried == TRIES_MAX {
            return Err(StoreError::Overtaken);
        }
        if self.tried >= FREE_TRIES_MAX {
            // one ends by itself after some seconds, so each try has its own
            self.hold = None;
            if let Some(hold) = self.store.hold_catalog() {
                self.hold = Some(hold.await?);
            }
        }
        Ok(())
    }
}

impl Service {
    /// The tries of what may be overtaken.
    pub(crate) fn tries(&self) -> Tries<'_> {
        Tries::new(&*self.store)
    }

    /// Judges a request until it was not overtaken. Each try has a permit of its own, renewed from the one
    /// before, so a request may only do what every catalog allows that it was judged by.
    pub(crate) async fn retry<'p, P: Permit, T, F: Future<Output = Result<T, Refusal>>>(
        &self,
        permit: &'p P,
        judge: impl Fn(Cow<'p, P>) -> F,
    ) -> Result<T, Refusal> {
        let mut permit = Cow::Borrowed(permit);
        let mut tries = self.tries();
        loop {
            match judge(permit.clone()).await {
                Err(Refusal::Store(StoreError::Overtaken)) => tries.another().await?,
                result => return result,
            }
            permit = Cow::Owned(permit.renewed(self.store.catalog(), self.clock.now())?);
        }
    }
}
