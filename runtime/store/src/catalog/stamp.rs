//! Who made and changed a noun, and when.

use serde::{Deserialize, Serialize};
use wire::Timestamp;
use wire::manage::Actor;

/// Who made and last changed something, and when.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Stamp {
    /// Who made it.
    pub created_by: Actor,
    /// When.
    pub created_at: Timestamp,
    /// Who changed it last.
    pub updated_by: Actor,
    /// When.
    pub updated_at: Timestamp,
}

impl Stamp {
    /// The stamp of something new.
    pub fn new(actor: Actor, at: Timestamp) -> Self {
        Stamp {
            created_by: actor.clone(),
            created_at: at,
            updated_by: actor,
            updated_at: at,
        }
    }

    /// The stamp after a change.
    #[must_use]
    pub fn changed(&self, actor: Actor, at: Timestamp) -> Self {
        Stamp {
            updated_by: actor,
            updated_at: at,
            ..self.clone()
        }
    }
}
