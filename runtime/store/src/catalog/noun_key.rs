//! What a noun of the catalog is found by.

use serde::{Deserialize, Serialize};
use wire::manage::Kind;

/// What a noun is found by.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct NounKey {
    /// Its kind.
    pub kind: Kind,
    /// Its id, or a credential's hash.
    pub id: String,
}
