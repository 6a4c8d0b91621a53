//! How many uploads are under way, of a caller and of a tenant. Their bytes are not counted here.

use parking_lot::Mutex;
use rustc_hash::FxHashMap;

/// How many uploads a caller may have under way, and all callers of a tenant together.
const OF_CALLER_MAX: usize = 64;
const OF_TENANT_MAX: usize = 128;

/// Uploads under way, by the ids of callers and of tenants.
#[derive(Default)]
pub(crate) struct UploadPlaces(Mutex<FxHashMap<String, usize>>);

/// A place for an upload, until it is dropped.
pub(super) struct UploadPlace<'p> {
    places: &'p UploadPlaces,
    ids: [String; 2],
}

impl UploadPlaces {
    /// A place for one more upload; none where there are too many.
    pub(super) fn take(&self, tenant: &str, caller: &str) -> Option<UploadPlace<'_>> {
        let mut counts = self.0.lock();
        let count = |id: &str| counts.get(id).copied().unwrap_or_default();
        if count(tenant) >= OF_TENANT_MAX || count(caller) >= OF_CALLER_MAX {
            return None;
        }
        let ids = [tenant, caller].map(str::to_owned);
        for id in &ids {
            *counts.entry(id.clone()).or_default() += 1;
        }
        Some(UploadPlace { places: self, ids })
    }
}

impl Drop for UploadPlace<'_> {
    fn drop(&mut self) {
        let mut counts = self.places.0.lock();
        for id in &self.ids {
            let Some(count) = counts.get_mut(id) else {
                continue;
            };
            *count -= 1;
            if *count == 0 {
                counts.remove(id);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_caller_leaves_uploads_for_others_and_so_does_a_tenant() {
        let places = UploadPlaces::default();
        let all = |tenant: &str, caller: &str| -> Vec<_> {
            std::iter::from_fn(|| places.take(tenant, caller)).collect()
        };
        let one = all("alpha", "a");
        assert_eq!(one.len(), OF_CALLER_MAX);
        let others = [all("alpha", "b"), all("alpha", "c")];
        assert_eq!(others.each_ref().map(Vec::len), [OF_CALLER_MAX, 0]);
        assert!(places.take("beta", "d").is_some());
        drop((one, others));
        assert!(places.0.lock().is_empty());
    }
}
