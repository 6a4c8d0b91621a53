//! What things are called that pages know by their ids, for who may see them: also deleted ones, since what was done to them
//! is told further on.

use service::Caller;
use service::catalog::{Resource, Row as _, Verb};
use service::manage::Kind;

/// What is known of an id.
pub(super) enum Known<'c> {
    /// Its name.
    Seen(&'c str),
    /// That the caller may not see what it is of.
    Unseen,
    /// Nothing: what it was of is gone for good.
    Gone,
}

/// What a caller knows of the id of an area, a schema, a dataset, a domain, a key, a role, a user, a client or a webhook; of other
/// things nothing.
pub(super) fn known<'c>(caller: &'c Caller, kind: Kind, id: &str) -> Known<'c> {
    let (catalog, rights) = (caller.catalog(), caller.rights());
    let may = |resource| rights.may(resource, Verb::View);
    let may_in = |resource, area: &str| may(resource) && rights.manages(area, Verb::View);
    let found = match kind {
        Kind::Area => catalog.areas.get(id).map(|area| {
            let is_seen = rights.manages(id, Verb::View);
            (area.tenant(), area.name(), is_seen)
        }),
        Kind::Schema => catalog.schemas.get(id).map(|schema| {
            let is_seen = may_in(Resource::Schemas, &schema.area);
            (schema.tenant(), schema.name(), is_seen)
        }),
        Kind::Dataset => catalog.datasets.get(id).map(|dataset| {
            let is_seen = may_in(Resource::Datasets, &dataset.area);
            (dataset.tenant(), dataset.name(), is_seen)
        }),
        Kind::Domain => catalog
            .domains
            .get(id)
            .map(|domain| (domain.tenant(), domain.name(), may(Resource::Domains))),
        Kind::ApiKey => catalog
            .api_keys
            .get(id)
            .map(|key| (key.tenant(), key.name(), may(Resource::ApiKeys))),
        Kind::Role => catalog
            .roles
            .get(id)
            .map(|role| (role.tenant(), role.name(), may(Resource::Roles))),
        Kind::User => catalog
            .users
            .get(id)
            .map(|user| (user.tenant(), user.name(), may(Resource::Users))),
        Kind::App => catalog
            .apps
            .get(id)
            .map(|app| (app.tenant(), app.name(), may(Resource::Apps))),
        Kind::Webhook => catalog
            .webhooks
            .get(id)
            .map(|hook| (hook.tenant(), hook.name(), may(Resource::Apps))),
        _ => None,
    };
    match found {
        Some((tenant, name, true)) if tenant == caller.tenant() => Known::Seen(name),
        Some(_) => Known::Unseen,
        None => Known::Gone,
    }
}
