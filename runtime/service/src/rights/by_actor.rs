//! The caller that someone is by now who asked for work which goes on without a request. A job acts with its maker's
//! rights, judged anew whenever it matters: a key that was revoked since, or lost an area, does nothing more by it.

use super::Caller;
use super::caller::Principal;
use super::usable::is_usable;
use crate::Refusal;
use std::sync::Arc;
use store::catalog::{Actor, ActorKind, Catalog};
use wire::Timestamp;

impl Caller {
    /// Who asked for a job of a tenant, by the newest catalog. The session or token that it came in with plays no part:
    /// what counts is that the key, client or user still works. The operator is whoever the machine's own row names.
    ///
    /// # Errors
    /// [`Refusal::Unauthenticated`], when it may no longer call.
    pub(crate) fn of_job(
        maker: &Actor,
        tenant: &str,
        catalog: Arc<Catalog>,
        now: Timestamp,
    ) -> Result<Self, Refusal> {
        let principal = match maker.kind {
            ActorKind::ApiKey => {
                let key = catalog.api_keys.get(&maker.id).cloned();
                let key = key.filter(|key| is_usable(key, &catalog, now));
                key.map(Principal::Key)
            }
            ActorKind::App => {
                let app = catalog.apps.get(&maker.id).cloned();
                app.filter(|app| app.active).map(Principal::App)
            }
            ActorKind::User => {
                let user = catalog.users.get(&maker.id).cloned();
                user.filter(|user| user.active).map(Principal::User)
            }
            ActorKind::Operator => {
                let is_there = catalog.tenants.contains_key(tenant);
                is_there.then(|| Principal::Operator {
                    tenant: tenant.to_owned(),
                    actor: maker.clone(),
                })
            }
            ActorKind::Unknown => None,
        };
        let principal = principal.filter(|principal| principal.tenant() == tenant);
        let principal = principal.ok_or(Refusal::Unauthenticated)?;
        Ok(Caller::new(principal, catalog))
    }
}
