//! What this server does for all that share its store, for as long as it says so: by a lease of a name, which no other server
//! has meanwhile. One that ends lets go of its leases, one that dies is silent until they run out. Of a store that servers
//! don't share, it has every lease. docs/scale.md, "Several servers".

use crate::{Service, ids};
use parking_lot::Mutex;
use std::collections::BTreeSet;
use std::sync::OnceLock;
use std::time::Duration;
use store::StoreError;
use store::leases::Lease;

/// How long letting go of leases may take at the end: where the store is away, they run out by themselves.
const LET_GO_MAX: Duration = Duration::from_secs(3);

/// The leases of this server.
#[derive(Default)]
pub(crate) struct HeldLeases {
    /// Who this server is.
    holder: OnceLock<String>,
    names: Mutex<BTreeSet<String>>,
}

impl Service {
    /// Takes a lease for so long, or prolongs it; whether this server has it. No server takes it for longer than `longest`.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn hold_lease(
        &self,
        name: &str,
        time: Duration,
        longest: Duration,
    ) -> Result<bool, StoreError> {
        let is_held = self.ask_for_lease(name, time, longest).await?;
        let mut names = self.leases.names.lock();
        if is_held {
            names.insert(name.to_owned());
        } else {
            names.remove(name);
        }
        Ok(is_held)
    }

    /// Lets go of a lease, if this server has it: another one may take it at once.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn let_go_of_lease(&self, name: &str) -> Result<(), StoreError> {
        let was_held = self.leases.names.lock().remove(name);
        if was_held {
            // one that another server has by now is left alone, however long that has it
            let (time, longest) = (Duration::ZERO, Duration::MAX);
            self.ask_for_lease(name, time, longest).await?;
        }
        Ok(())
    }

    /// Lets go of all that this server has.
    pub(crate) async fn let_go_of_leases(&self) {
        let names: Vec<String> = self.leases.names.lock().iter().cloned().collect();
        let all = async {
            for name in names {
                if let Err(error) = self.let_go_of_lease(&name).await {
                    tracing::debug!(
                        error = &error as &dyn std::error::Error,
                        name,
                        "a lease runs out"
                    );
                    return;
                }
            }
        };
        // one that is held on to runs out by itself
        let _ = tokio::time::timeout(LET_GO_MAX, all).await;
    }

    async fn ask_for_lease(
        &self,
        name: &str,
        time: Duration,
        longest: Duration,
    ) -> Result<bool, StoreError> {
        let new_holder = || ids::new_id(self.now(), self.entropy());
        let holder = self.leases.holder.get_or_init(new_holder).clone();
        let lease = Lease {
            name: name.to_owned(),
            holder,
            time,
            longest,
        };
        self.store().hold_lease(lease).await
    }
}
