//! What a form of a request was filled in with, for whoever sees it refused.

use std::sync::{Arc, OnceLock};

type Pairs = Vec<(String, String)>;

/// The inputs of a form, once they were read.
#[derive(Clone, Default)]
pub(super) struct FilledIn {
    taken: Arc<OnceLock<Pairs>>,
    stale: Arc<OnceLock<Pairs>>,
}

impl FilledIn {
    /// Notes those of a form that had the session's token.
    pub(super) fn take(&self, pairs: &[(String, String)]) {
        self.taken.get_or_init(|| pairs.to_vec());
    }

    /// Notes those of a form that a page of ours sent with the token of another session.
    pub(super) fn note_stale(&self, pairs: &[(String, String)]) {
        self.stale.get_or_init(|| pairs.to_vec());
    }

    /// Those of a form that had the session's token.
    pub(super) fn taken(&self) -> Option<&[(String, String)]> {
        self.taken.get().map(Vec::as_slice)
    }

    /// Those of a form of another session.
    pub(super) fn stale(&self) -> Option<&[(String, String)]> {
        let stale = self.stale.get().filter(|_| self.taken.get().is_none());
        stale.map(Vec::as_slice)
    }
}
