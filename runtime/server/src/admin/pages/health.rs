//! How the service is, in words; management tells it to administrators alone.

use super::numbers::moment;
use super::visit::Visit;
use crate::http::error::Failure;
use service::Refusal;
use service::manage::SearchHealth;

/// How the service is.
pub(super) struct Health {
    pub(super) is_ready: bool,
    /// What there is to say of the search index; empty where it is current.
    pub(super) search: &'static str,
    pub(super) backup: Option<String>,
}

/// How the service is; nothing for who is no administrator.
pub(super) async fn of(visit: &Visit) -> Result<Option<Health>, Failure> {
    let texts = visit.texts;
    match visit.site.service.health(&visit.caller).await {
        Ok(found) => Ok(Some(Health {
            is_ready: found.is_ready,
            search: match found.search {
                SearchHealth::Current => "",
                SearchHealth::CatchingUp => texts.health_search_behind,
                SearchHealth::Failed => texts.health_search_failed,
                SearchHealth::Absent => texts.health_search_absent,
            },
            backup: found.last_backup_date.map(moment),
        })),
        Err(Refusal::Forbidden(_)) => Ok(None),
        Err(refusal) => Err(refusal.into()),
    }
}
