//! What changed lately: records, for those who may see them, each with its history; and in the catalogue, who did what to
//! what, with the page of what is still there, which is the trail, for those who may see that.

use super::actor_names::actor_name;
use super::numbers::moment;
use super::visit::Visit;
use crate::http::error::Failure;
use service::catalog::Row;
use service::manage::{AuditFilter, AuditItem, Kind, RecentChange, name_in};
use service::{Overview, PageRequest, Refusal};

/// Changes that are shown.
const CHANGES: &str = "8";
/// Characters of a name that are shown at most.
const NAME_CHARS: usize = 80;

pub(super) struct Change {
    pub(super) at: String,
    pub(super) who: String,
    pub(super) action: &'static str,
    pub(super) noun: &'static str,
    pub(super) name: String,
    /// The page of it, where it is there and the visitor may see it.
    pub(super) path: Option<String>,
}

/// The newest changes that the visitor may see; none for who may not see the trail.
pub(super) async fn of(visit: &Visit) -> Result<Vec<Change>, Failure> {
    let filter = AuditFilter {
        only_changes: true,
        ..AuditFilter::default()
    };
    let request = PageRequest {
        key: None,
        size: Some(CHANGES.to_owned()),
    };
    let service = &visit.site.service;
    match service.audit_trail(&visit.caller, &filter, &request).await {
        Ok(found) => found.items.iter().map(|it| change(visit, it)).collect(),
        Err(Refusal::Forbidden(_)) => Ok(Vec::new()),
        Err(refusal) => Err(refusal.into()),
    }
}

/// A record that was changed.
pub(super) struct ChangedRecord {
    pub(super) at: String,
    pub(super) who: String,
    pub(super) action: &'static str,
    pub(super) dataset: String,
    pub(super) name: String,
    /// Whether the name is a mask.
    pub(super) is_masked: bool,
    pub(super) path: String,
    pub(super) fields: String,
}

/// The records that were changed last, of those that the visitor may see.
pub(super) async fn records(
    visit: &Visit,
    overview: &Overview,
) -> Result<Vec<ChangedRecord>, Failure> {
    let service = &visit.site.service;
    match service.recent_changes_in(&visit.caller, overview).await {
        Ok(found) => {
            let items = found.items.into_iter();
            Ok(items.map(|item| record(visit, item)).collect())
        }
        Err(Refusal::Forbidden(_)) => Ok(Vec::new()),
        Err(refusal) => Err(refusal.into()),
    }
}

fn record(visit: &Visit, item: RecentChange) -> ChangedRecord {
    let texts = visit.texts;
    let (dataset, record) = (&item.data_set_id, &item.data_object_id);
    let named = item.primary_key.as_deref().filter(|key| !key.is_empty());
    ChangedRecord {
        at: moment(item.at),
        who: actor_name(item.actor.kind, &item.actor.name, texts),
        action: texts.access.of_trail(item.action.as_str()),
        name: shortened(named.unwrap_or(record)),
        is_masked: item.is_key_masked,
        path: format!("/datasets/{dataset}/records/{record}/history"),
        fields: shortened(&item.fields.join(", ")),
        dataset: item.data_set_name,
    }
}

fn change(visit: &Visit, item: &AuditItem) -> Result<Change, Failure> {
    let entry = &item.entry;
    let texts = &visit.texts.access;
    let documents = [entry.after.as_deref(), entry.before.as_deref()];
    let name = || {
        let name = documents.into_iter().flatten().find_map(name_in);
        name.map(|name| shortened(&name))
    };
    // an entry of a change holds what changed: what is there tells its own name
    let (path, name) = match there(visit, entry.noun, &entry.id)? {
        Some((path, own)) => (Some(path), Some(own)),
        None => (None, name()),
    };
    Ok(Change {
        at: moment(entry.at),
        who: actor_name(entry.actor.kind, &entry.actor.name, visit.texts),
        action: texts.of_trail(entry.action.as_str()),
        noun: texts.of_trail(entry.noun.as_str()),
        name: name.unwrap_or_else(|| entry.id.clone()),
        path,
    })
}

/// A text of a length that has a place in a line.
pub(super) fn shortened(text: &str) -> String {
    match text.char_indices().nth(NAME_CHARS) {
        Some((at, _)) => format!("{} …", &text[..at]),
        None => text.to_owned(),
    }
}

/// What people call it.
fn named<N: Row>(noun: &std::sync::Arc<N>) -> String {
    noun.name().to_owned()
}

/// The page and the name of something that is there and that the visitor may see.
///
/// # Errors
/// The visitor may not call any more.
pub(super) fn there(
    visit: &Visit,
    noun: Kind,
    id: &str,
) -> Result<Option<(String, String)>, Failure> {
    let (service, caller) = (&visit.site.service, &visit.caller);
    let (pages, found) = match noun {
        Kind::Area => (
            "areas",
            service.areas().get(caller, id).map(|it| named(&it)),
        ),
        Kind::Schema => (
            "schemas",
            service.schemas().get(caller, id).map(|it| named(&it)),
        ),
        Kind::Dataset => (
            "datasets",
            service.datasets().get(caller, id).map(|it| named(&it)),
        ),
        Kind::Domain => (
            "domains",
            service.domains().get(caller, id).map(|it| named(&it)),
        ),
        Kind::Role => (
            "roles",
            service.roles().get(caller, id).map(|it| named(&it)),
        ),
        Kind::User => (
            "users",
            service.users().get(caller, id).map(|it| named(&it)),
        ),
        Kind::ApiKey => (
            "keys",
            service.api_keys().get(caller, id).map(|it| named(&it)),
        ),
        Kind::App => (
            "clients",
            service.apps().get(caller, id).map(|it| named(&it)),
        ),
        Kind::Webhook => (
            "webhooks",
            service.webhooks().get(caller, id).map(|it| named(&it)),
        ),
        _ => return Ok(None),
    };
    match found {
        Ok(name) => Ok(Some((format!("/{pages}/{id}"), name))),
        Err(Refusal::Forbidden(_) | Refusal::NotFound(_)) => Ok(None),
        Err(refusal) => Err(refusal.into()),
    }
}
