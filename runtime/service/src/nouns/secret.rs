//! What is made with a secret.

use std::sync::Arc;

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
