//! What a form of a request was filled in with, for whoever sees it refused.

use std::sync::{Arc, OnceLock};

/// What a form of a request was filled in with, for whoever sees it refused.
#[derive(Clone, Default)]
pub(super) struct FilledIn(Arc<OnceLock<Vec<(String, String)>>>);

impl FilledIn {
    pub(super) fn set(&self, pairs: &[(String, String)]) {
        self.0.get_or_init(|| pairs.to_vec());
    }

    pub(super) fn get(&self) -> Option<&Vec<(String, String)>> {
        self.0.get()
    }
}
