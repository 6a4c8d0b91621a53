//! How the service is, told to administrators: whether it takes writes, how far the search index is, when it was backed
//! up. Numbers of all tenants together are not told: the log and the metrics have them, for the operator.

use crate::{Caller, Refusal, Service};
use wire::manage::{HealthView, SearchHealth};

/// How many entries of the change log the index may be behind and still count as current: what is written in a moment.
const BEHIND_MAX: u64 = 10_000;
/// What a look takes of memory, about.
const HEALTH_BYTES: usize = 4 << 10;

impl Service {
    /// How the service is.
    ///
    /// # Errors
    /// The caller is no administrator.
    pub async fn health(&self, by: &Caller) -> Result<HealthView, Refusal> {
        let _room = self.memory().reserve(by.owner(), HEALTH_BYTES)?;
        let caller = self.newest(by)?;
        if !caller.rights().is_administrator() {
            let text = "only an administrator sees how the service is";
            return Err(Refusal::Forbidden(text.into()));
        }
        let search = match self.search_state().await {
            Ok(None) => SearchHealth::Absent,
            Ok(Some(state)) if state.failure.is_some() => SearchHealth::Failed,
            Ok(Some(state)) if state.reading > 0 || state.behind > BEHIND_MAX => {
                SearchHealth::CatchingUp
            }
            Ok(Some(_)) => SearchHealth::Current,
            // the store tells how far the log is; that it does not, readiness says
            Err(_) => SearchHealth::Failed,
        };
        Ok(HealthView {
            is_ready: self.require_ready().await.is_ok(),
            search,
            last_backup_date: self.last_backup(),
        })
    }
}
