//! Credentials that are there: shown, switched on and off, deleted.

use super::applier::{explain, operator};
use super::tenants::find_tenant;
use anyhow::Context as _;
use serde::{Deserialize, Serialize};
use service::manage::Noun as _;
use service::{Caller, Service};
use std::sync::Arc;
use store::Catalog;
use store::catalog::Grant;
use tracing::Instrument as _;
use wire::Timestamp;

/// Which credentials.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum CredentialKind {
    Key,
    Client,
    User,
}

/// What is to be done.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Operation {
    /// All of them.
    List,
    /// Switch the one of this name or id on.
    Enable(String),
    /// Switch it off.
    Disable(String),
    /// Delete it.
    Delete(String),
}

/// A request about credentials.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct CredentialRequest {
    pub(crate) kind: CredentialKind,
    /// The tenant's name; the only tenant, without it.
    pub(crate) tenant: Option<String>,
    pub(crate) what: Operation,
}

/// A credential, without its secret.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CredentialView {
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) status: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) masked: Option<String>,
    pub(crate) roles: Vec<String>,
    pub(crate) areas: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) expires: Option<Timestamp>,
    pub(crate) last_used: Option<Timestamp>,
}

/// Does what is asked; gives those it was done to.
pub(crate) async fn carry_out(
    service: &Arc<Service>,
    request: CredentialRequest,
) -> anyhow::Result<Vec<CredentialView>> {
    let catalog = service.store().catalog();
    let tenant = find_tenant(&catalog, request.tenant.as_deref())?;
    let by = service
        .operator(&operator(), &tenant)
        .context("the tenant is gone")?;
    let kind = request.kind;
    let before = all(service, &tenant, kind);
    let (name, state) = match request.what {
        Operation::List => return Ok(before),
        Operation::Enable(name) => (name, State::Active(true)),
        Operation::Disable(name) => (name, State::Active(false)),
        Operation::Delete(name) => (name, State::Deleted),
    };
    // a name may be what another's id is; the id wins
    let by_id = before.iter().find(|view| view.id == name);
    let found = by_id.or_else(|| before.iter().find(|view| view.name == name));
    let found = found.with_context(|| format!("there is no {} `{name}`", kind.name()))?;
    let span = tracing::debug_span!("set state", tenant, id = found.id, ?state);
    let change = set_state(service, &by, kind, &found.id, state);
    change.instrument(span).await?;
    let mut after = all(service, &tenant, kind);
    after.retain(|view| view.id == found.id);
    if after.is_empty() {
        let status = "Deleted".to_owned();
        after.push(CredentialView {
            status,
            ..found.clone()
        });
    }
    Ok(after)
}

impl CredentialKind {
    fn name(self) -> &'static str {
        match self {
            CredentialKind::Key => "API key",
            CredentialKind::Client => "application client",
            CredentialKind::User => "user",
        }
    }
}

/// What a credential is to be.
#[derive(Clone, Copy, Debug)]
enum State {
    Active(bool),
    Deleted,
}

async fn set_state(
    service: &Service,
    by: &Caller,
    kind: CredentialKind,
    id: &str,
    state: State,
) -> anyhow::Result<()> {
    use CredentialKind::{Client, Key, User};
    let result = match (kind, state) {
        (Key, State::Active(on)) => service.api_keys().set_active(by, id, on).await.map(drop),
        (Key, State::Deleted) => service.api_keys().delete(by, id).await,
        (Client, State::Active(on)) => service.apps().set_active(by, id, on).await.map(drop),
        (Client, State::Deleted) => service.apps().delete(by, id).await,
        (User, State::Active(on)) => service.users().set_active(by, id, on).await.map(drop),
        (User, State::Deleted) => service.users().delete(by, id).await,
    };
    result.map_err(explain)
}

fn all(service: &Service, tenant: &str, kind: CredentialKind) -> Vec<CredentialView> {
    let catalog = service.store().catalog();
    let status = |active: bool| if active { "Active" } else { "Inactive" }.to_owned();
    let view = |roles: &[String], grants: &[Grant]| CredentialView {
        id: String::new(),
        name: String::new(),
        status: String::new(),
        masked: None,
        roles: names(roles, |id| {
            catalog.roles.get(id).map(|role| role.name.clone())
        }),
        areas: areas(&catalog, grants),
        expires: None,
        last_used: None,
    };
    match kind {
        CredentialKind::Key => {
            let keys = catalog.api_keys.values().filter(|key| key.tenant == tenant);
            keys.map(|key| CredentialView {
                id: key.id.clone(),
                name: key.name.clone(),
                status: key.view().status(service.now()).to_owned(),
                masked: Some(key.masked.clone()),
                expires: key.expires_at,
                last_used: key.last_used_at.get(),
                ..view(&key.roles, &key.grants)
            })
            .collect()
        }
        CredentialKind::Client => {
            let apps = catalog.apps.values().filter(|app| app.tenant == tenant);
            apps.map(|app| CredentialView {
                id: app.id.clone(),
                name: app.name.clone(),
                status: status(app.active),
                last_used: app.last_used_at.get(),
                ..view(&app.roles, &app.grants)
            })
            .collect()
        }
        CredentialKind::User => {
            let users = catalog.users.values().filter(|user| user.tenant == tenant);
            users
                .map(|user| CredentialView {
                    id: user.id.clone(),
                    name: user.username.clone(),
                    status: status(user.active),
                    last_used: user.last_used_at.get(),
                    ..view(&user.roles, &user.grants)
                })
                .collect()
        }
    }
}

fn names(ids: &[String], name: impl Fn(&String) -> Option<String>) -> Vec<String> {
    ids.iter().filter_map(name).collect()
}

fn areas(catalog: &Catalog, grants: &[Grant]) -> Vec<String> {
    let named = grants.iter().filter_map(|grant| {
        let area = catalog
            .areas
            .get(&grant.area)
            .filter(|area| !area.deleted)?;
        let verbs = serde_json::to_value(grant.verbs).ok()?;
        let verbs: Vec<_> = verbs
            .as_array()?
            .iter()
            .filter_map(|verb| verb.as_str())
            .collect();
        Some(format!("{} ({})", area.name, verbs.join(", ")))
    });
    named.collect()
}
