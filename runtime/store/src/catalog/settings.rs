//! What the store itself must remember: secrets that all servers of a deployment share.

use serde::{Deserialize, Serialize};
use std::fmt;

/// One remembered value.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Setting {
    /// Its name.
    pub id: String,
    /// Its value.
    pub value: String,
}

/// Shows its name; the value may be a secret.
impl fmt::Debug for Setting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Setting")
            .field("id", &self.id)
            .finish_non_exhaustive()
    }
}
