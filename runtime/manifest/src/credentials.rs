//! Credentials that are there: shown, switched on and off, deleted; users without their second factor.

use crate::applier::explain;
use crate::by::By;
use anyhow::bail;
use serde::{Deserialize, Serialize};
use service::manage::{KeyRotation, Noun, Nouns, Switchable};
use service::{Caller, Refusal, Service};
use std::sync::Arc;
use store::catalog::{ApiKey, App, Area, Grant, Role, Row, User, folded};
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
    let before = all(service, &by, kind)?;
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
    let found = found
        .ok_or_else(|| Refusal::NotFound(format!("there is no {} `{name}`", kind.name()).into()))?;
    let span = tracing::debug_span!("set state", tenant, id = found.id, ?state);
    let change = set_state(service, &by, kind, &found.id, state);
    let secret = change.instrument(span).await?;
    let mut after = all(service, &by, kind)?;
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

/// Those that the caller sees.
fn all(
    service: &Service,
    by: &Caller,
    kind: CredentialKind,
) -> Result<Vec<CredentialView>, Refusal> {
    let sight = Sight { service, by };
    let views = match kind {
        CredentialKind::Key => {
            let key = |key: &ApiKey| CredentialView {
                status: key.view().status(service.now()).to_owned(),
                masked: Some(key.masked.clone()),
                expires: key.expires_at,
                ..sight.view(key)
            };
            sight.all()?.iter().map(|noun| key(noun)).collect()
        }
        CredentialKind::Client => {
            let apps = sight.all::<App>()?;
            apps.iter().map(|app| sight.view(&**app)).collect()
        }
        CredentialKind::User => {
            let users = sight.all::<User>()?;
            users.iter().map(|user| sight.view(&**user)).collect()
        }
    };
    Ok(views)
}

/// Whose eyes look: nobody is told more here than elsewhere.
#[derive(Clone, Copy)]
struct Sight<'a> {
    service: &'a Service,
    by: &'a Caller,
}

impl Sight<'_> {
    /// Nouns of a kind; whoever lacks the right to see any is refused.
    fn all<N: Noun>(self) -> Result<Vec<Arc<N>>, Refusal> {
        let catalog = self.service.store().catalog();
        let nouns = N::all(&catalog).values();
        let own = nouns.filter(|noun| noun.tenant() == self.by.tenant());
        let seen = own.filter_map(|noun| match self.find::<N>(noun.key()) {
            Err(Refusal::NotFound(_)) => None,
            found => Some(found),
        });
        seen.collect()
    }

    fn find<N: Noun>(self, id: &str) -> Result<Arc<N>, Refusal> {
        self.service.nouns::<N>().get(self.by, id)
    }

    /// What every credential shows. What is not seen stands there by its id.
    fn view(self, noun: &impl Row) -> CredentialView {
        let (roles, grants) = noun.access().unwrap_or_default();
        let role = |id: &String| match self.find::<Role>(id) {
            Ok(role) => role.name.clone(),
            Err(_) => id.clone(),
        };
        let is_active = noun.is_active().unwrap_or_default();
        CredentialView {
            id: noun.key().to_owned(),
            name: noun.name().to_owned(),
            status: if is_active { "Active" } else { "Inactive" }.to_owned(),
            masked: None,
            roles: roles.iter().map(role).collect(),
            areas: self.areas(grants),
            expires: None,
            last_used: noun.last_used(),
            secret: None,
        }
    }

    fn areas(self, grants: &[Grant]) -> Vec<String> {
        let catalog = self.service.store().catalog();
        let name_of = |grant: &Grant| {
            if grant.is_of_all_areas() {
                return Some("all areas".to_owned());
            }
            let area = catalog.areas.get(&grant.area);
            let area = area.filter(|area| !area.deleted)?;
            Some(match self.find::<Area>(&area.id) {
                Ok(seen) => seen.name.clone(),
                Err(_) => area.id.clone(),
            })
        };
        let named = grants.iter().filter_map(|grant| {
            let name = name_of(grant)?;
            let verbs = serde_json::to_value(grant.verbs).ok()?;
            let verbs = verbs.as_array()?.iter().filter_map(|verb| verb.as_str());
            let verbs: Vec<_> = verbs.collect();
            Some(format!("{name} ({})", verbs.join(", ")))
        });
        named.collect()
    }
}
