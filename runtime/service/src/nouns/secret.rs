//! What is made with a secret: it is shown once and never kept, only its hash is.

use super::noun::Content;
use crate::Refusal;
use std::sync::Arc;
use store::catalog::Grant;
use wire::Timestamp;

/// Something new together with its secret, which is shown this once.
#[derive(Clone)]
pub struct NewSecret<N> {
    /// What was made.
    pub noun: Arc<N>,
    /// Its secret.
    pub secret: String,
}

impl<N: std::fmt::Debug> std::fmt::Debug for NewSecret<N> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("NewSecret").finish_non_exhaustive()
    }
}

/// What is to be made, with the secret that it will have.
pub struct Minted<N> {
    pub(super) new: N,
    pub(super) secret: String,
}

impl<N: Content> Content for Minted<N> {
    fn judge(&self, now: Timestamp) -> Result<(), Refusal> {
        self.new.judge(now)
    }

    fn name(&self) -> &str {
        self.new.name()
    }

    fn access(&self) -> Option<(&[String], &[Grant])> {
        self.new.access()
    }
}
