//! How many searches look at a time: so many in all, and of one tenant half of them, so that others find places
//! whatever it asks. Who finds none waits, no longer than a search may take.

use parking_lot::Mutex;
use std::collections::HashMap;
use std::sync::Arc;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// The fewest there are in all.
const PLACES_MIN: usize = 4;
/// How many there are for each core.
const PLACES_A_CORE: usize = 2;

/// The places.
pub(super) struct SearchPlaces {
    all: Arc<Semaphore>,
    a_tenant: usize,
    tenants: Mutex<HashMap<String, Arc<Semaphore>>>,
}

/// A place; it is free again when this is dropped.
pub(super) struct Place {
    _tenant: OwnedSemaphorePermit,
    _all: OwnedSemaphorePermit,
}

impl Default for SearchPlaces {
    fn default() -> Self {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        SearchPlaces::new((cores * PLACES_A_CORE).max(PLACES_MIN))
    }
}

impl SearchPlaces {
    fn new(all: usize) -> Self {
        SearchPlaces {
            all: Arc::new(Semaphore::new(all)),
            a_tenant: (all / 2).max(1),
            tenants: Mutex::default(),
        }
    }

    /// Waits for a place of a tenant; `None` when there are none any more.
    pub(super) async fn take(&self, tenant: &str) -> Option<Place> {
        let own = {
            let mut tenants = self.tenants.lock();
            // those of tenants that do not search now are as good as new ones
            tenants.retain(|_, own| Arc::strong_count(own) > 1);
            let own = tenants.entry(tenant.to_owned());
            let own = own.or_insert_with(|| Arc::new(Semaphore::new(self.a_tenant)));
            own.clone()
        };
        // its own first: who waits for that holds nothing that others need
        let tenant = own.acquire_owned().await.ok()?;
        let all = self.all.clone().acquire_owned().await.ok()?;
        Some(Place {
            _tenant: tenant,
            _all: all,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[tokio::test]
    async fn a_tenant_that_takes_all_its_places_leaves_places_for_others() {
        let places = SearchPlaces::new(4);
        let take = |tenant| tokio::time::timeout(Duration::from_millis(20), places.take(tenant));
        let (first, second) = (take("a").await.unwrap(), take("a").await.unwrap());
        assert!(take("a").await.is_err(), "it has half");
        let others = [take("b").await.unwrap(), take("b").await.unwrap()];
        assert!(take("c").await.is_err(), "all are taken");
        drop(first);
        assert!(take("c").await.is_ok());
        assert!(take("a").await.is_ok());
        drop((second, others));
        assert!(take("a").await.is_ok());
        assert_eq!(places.tenants.lock().len(), 1, "who is gone is forgotten");
    }
}
