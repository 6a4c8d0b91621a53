//! What the store itself must remember: secrets that all servers of a deployment share.

use serde::{Deserialize, Serialize};

/// One remembered value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Setting {
    /// Its name.
    pub id: String,
    /// Its value.
    pub value: String,
}
