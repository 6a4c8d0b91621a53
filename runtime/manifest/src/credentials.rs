//! Credentials that are there: shown, switched on and off, deleted; users without their second factor.

use crate::applier::explain;
use crate::by::By;
use anyhow::{Context as _, bail};
use serde::{Deserialize, Serialize};
use service::manage::{KeyRotation, Noun as _, Nouns, Switchable};
use service::{Caller, Service};
use std::sync::Arc;
use store::Catalog;
use store::catalog::{ApiKey, App, Grant, Row, User, folded};
use tracing::Instrument as _;
use wire::Timestamp;

/// Which credentials.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CredentialKind {
    /// API keys.
    Key,
    /// Application clients.
    Client,
    /// Users.
    User,
}

/// What is to be done.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Operation {
    /// All of them.
    List,
    /// Switch the one of this name or id on.
    Enable(String),
    /// Switch it off.
    Disable(String),
    /// Delete it.
    Delete(String),
    /// Give a key a new secret.
    Rotate {
        /// The key's name or id.
        name: String,
        /// Seconds for which the old secret still works.
        grace_seconds: i64,
    },
    /// Take the second factor of a user away.
    RemoveSecondFactor(String),
}

/// A request about credentials.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct CredentialRequest {
    /// Their kind.
    pub kind: CredentialKind,
    /// The tenant's name; the only tenant, without it.
    pub tenant: Option<String>,
    /// What is to be done.
    pub what: Operation,
}

/// A credential, without its secret.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CredentialView {
    /// Its id.
    pub id: String,
    /// Its name.
    pub name: String,
    /// `Active`, `Inactive`, `Expired` or `Deleted`.
    pub status: String,
    /// Of a key: as much of it as is shown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub masked: Option<String>,
    /// The names of its roles.
    pub roles: Vec<String>,
    /// The areas that it reaches, each with what it may do there.
    pub areas: Vec<String>,
    /// When it stops working, if it does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires: Option<Timestamp>,
    /// When it was used last.
    pub last_used: Option<Timestamp>,
    /// The secret that was made.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub secret: Option<String>,
}

/// Does what is asked; gives those it was done to.
pub(crate) async fn carry_out(
    service: &Arc<Service>,
    by: &By,
    request: CredentialRequest,
) -> anyhow::Result<Vec<CredentialView>> {
    let catalog = service.store().catalog();
    let tenant = by.tenant(&catalog, request.tenant.as_deref())?;
    let by = by.caller(service, &tenant)?;
    let kind = request.kind;
    let before = all(service, &tenant, kind);
    let (name, state) = match request.what {
        Operation::List => return Ok(before),
        Operation::Enable(name) => (name, State::Active(true)),
        Operation::Disable(name) => (name, State::Active(false)),
        Operation::Delete(name) => (name, State::Deleted),
        Operation::Rotate {
            name,
            grace_seconds,
        } => (name, State::Rotated(KeyRotation { grace_seconds })),
        Operation::RemoveSecondFactor(name) => (name, State::OneFactor),
    };
    // a name may be what another's id is; the id wins
    let by_id = before.iter().find(|view| view.id == name);
    let by_name = || before.iter().find(|view| view.name == name);
    // of users, names are the same however they are written
    let by_folded = || {
        let mut users = before.iter().filter(|_| kind == CredentialKind::User);
        users.find(|view| folded(&view.name) == folded(&name))
    };
    let found = by_id.or_else(by_name).or_else(by_folded);
    let found = found.with_context(|| format!("there is no {} `{name}`", kind.name()))?;
    let span = tracing::debug_span!("set state", tenant, id = found.id, ?state);
    let change = set_state(service, &by, kind, &found.id, state);
    let secret = change.instrument(span).await?;
    let mut after = all(service, &tenant, kind);
    after.retain(|view| view.id == found.id);
    for view in &mut after {
        view.secret.clone_from(&secret);
    }
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
    Rotated(KeyRotation),
    /// Without a second factor: of users only.
    OneFactor,
}

/// Sets it; gives the secret that was made by it.
async fn set_state(
    service: &Service,
    by: &Caller,
    kind: CredentialKind,
    id: &str,
    state: State,
) -> anyhow::Result<Option<String>> {
    if let (CredentialKind::Key, State::Rotated(rotation)) = (kind, state) {
        let rotated = service.api_keys().rotate(by, id, rotation).await;
        return Ok(Some(rotated.map_err(explain)?.secret));
    }
    match kind {
        CredentialKind::Key => set(service.api_keys(), by, id, state).await,
        CredentialKind::Client => set(service.apps(), by, id, state).await,
        CredentialKind::User if matches!(state, State::OneFactor) => {
            let removed = service.users().remove_second_factor(by, id).await;
            removed.map(|_| None).map_err(explain)
        }
        CredentialKind::User => set(service.users(), by, id, state).await,
    }
}

async fn set<N: Switchable>(
    nouns: Nouns<'_, N>,
    by: &Caller,
    id: &str,
    state: State,
) -> anyhow::Result<Option<String>> {
    let result = match state {
        State::Rotated(_) => bail!("only API keys are given a new secret by this command"),
        State::Active(on) => nouns.set_active(by, id, on).await.map(drop),
        State::Deleted => nouns.delete(by, id).await,
        State::OneFactor => bail!("only users have a second factor"),
    };
    result.map_err(explain)?;
    Ok(None)
}

fn all(service: &Service, tenant: &str, kind: CredentialKind) -> Vec<CredentialView> {
    let catalog = service.store().catalog();
    match kind {
        CredentialKind::Key => {
            let key = |key: &ApiKey| CredentialView {
                status: key.view().status(service.now()).to_owned(),
                masked: Some(key.masked.clone()),
                expires: key.expires_at,
                ..view(&catalog, key)
            };
            of_tenant(&catalog, tenant).map(key).collect()
        }
        CredentialKind::Client => of_tenant(&catalog, tenant)
            .map(|app: &App| view(&catalog, app))
            .collect(),
        CredentialKind::User => of_tenant(&catalog, tenant)
            .map(|user: &User| view(&catalog, user))
            .collect(),
    }
}

fn of_tenant<'c, N: Row + 'static>(
    catalog: &'c Catalog,
    tenant: &str,
) -> impl Iterator<Item = &'c N> {
    let all = N::all(catalog).values().map(|noun| &**noun);
    all.filter(move |noun| noun.tenant() == tenant)
}

/// What every credential shows.
fn view(catalog: &Catalog, noun: &impl Row) -> CredentialView {
    let (roles, grants) = noun.access().unwrap_or_default();
    let role = |id: &String| catalog.roles.get(id).map(|role| role.name.clone());
    let is_active = noun.is_active().unwrap_or_default();
    CredentialView {
        id: noun.key().to_owned(),
        name: noun.name().to_owned(),
        status: if is_active { "Active" } else { "Inactive" }.to_owned(),
        masked: None,
        roles: roles.iter().filter_map(role).collect(),
        areas: areas(catalog, grants),
        expires: None,
        last_used: noun.last_used(),
        secret: None,
    }
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
