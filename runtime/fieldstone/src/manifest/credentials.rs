//! Credentials that are there: shown, switched on and off, deleted.

use super::plan::{operator, told};
use anyhow::{Context as _, bail};
use runtime::service::manage::ApiKeyView;
use runtime::service::manage::View;
use runtime::service::{Caller, Service};
use runtime::store::Catalog;
use runtime::store::catalog::Grant;
use runtime::value::Timestamp;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Which credentials.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Kind {
    Key,
    Client,
    User,
}

/// What is to be done.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum What {
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
pub(crate) struct Request {
    pub(crate) kind: Kind,
    /// The tenant's name; the only tenant, without it.
    pub(crate) tenant: Option<String>,
    pub(crate) what: What,
}

/// A credential, without its secret.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Shown {
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

/// The id of the tenant of this name; of the only one there is, without a name.
pub(super) fn tenant(catalog: &Catalog, name: Option<&str>) -> anyhow::Result<String> {
    let mut tenants = catalog.tenants.values();
    let Some(name) = name else {
        let Some(only) = tenants.next() else {
            bail!("there is no tenant yet; `fieldstone init` makes one");
        };
        if tenants.next().is_some() {
            let names: Vec<_> = catalog
                .tenants
                .values()
                .map(|it| it.name.as_str())
                .collect();
            bail!(
                "there are several tenants; say which with --tenant: {}",
                names.join(", ")
            );
        }
        return Ok(only.id.clone());
    };
    let found = tenants.find(|tenant| tenant.name == name);
    Ok(found
        .with_context(|| format!("there is no tenant `{name}`"))?
        .id
        .clone())
}

/// Does what is asked; gives those it was done to.
pub(crate) async fn carry_out(
    service: &Arc<Service>,
    request: Request,
) -> anyhow::Result<Vec<Shown>> {
    let catalog = service.store().catalog();
    let tenant = tenant(&catalog, request.tenant.as_deref())?;
    let by = service
        .operator(&operator(), &tenant)
        .context("the tenant is gone")?;
    let kind = request.kind;
    let before = all(service, &tenant, kind);
    let (name, what) = match request.what {
        What::List => return Ok(before),
        What::Enable(name) => (name, Change::Active(true)),
        What::Disable(name) => (name, Change::Active(false)),
        What::Delete(name) => (name, Change::Deleted),
    };
    // a name may be what another's id is; the id wins
    let by_id = before.iter().find(|shown| shown.id == name);
    let found = by_id.or_else(|| before.iter().find(|shown| shown.name == name));
    let found = found.with_context(|| format!("there is no {} `{name}`", kind.name()))?;
    change(service, &by, kind, &found.id, what).await?;
    let mut after = all(service, &tenant, kind);
    after.retain(|shown| shown.id == found.id);
    if after.is_empty() {
        let status = "Deleted".to_owned();
        after.push(Shown {
            status,
            ..found.clone()
        });
    }
    Ok(after)
}

impl Kind {
    fn name(self) -> &'static str {
        match self {
            Kind::Key => "API key",
            Kind::Client => "application client",
            Kind::User => "user",
        }
    }
}

#[derive(Clone, Copy)]
enum Change {
    Active(bool),
    Deleted,
}

async fn change(
    service: &Service,
    by: &Caller,
    kind: Kind,
    id: &str,
    change: Change,
) -> anyhow::Result<()> {
    let done = match (kind, change) {
        (Kind::Key, Change::Active(on)) => service.set_api_key_active(by, id, on).await.map(drop),
        (Kind::Key, Change::Deleted) => service.delete_api_key(by, id).await,
        (Kind::Client, Change::Active(on)) => service.set_app_active(by, id, on).await.map(drop),
        (Kind::Client, Change::Deleted) => service.delete_app(by, id).await,
        (Kind::User, Change::Active(on)) => service.set_user_active(by, id, on).await.map(drop),
        (Kind::User, Change::Deleted) => service.delete_user(by, id).await,
    };
    done.map_err(told)
}

fn all(service: &Service, tenant: &str, kind: Kind) -> Vec<Shown> {
    let catalog = service.store().catalog();
    let switched = |active: bool| if active { "Active" } else { "Inactive" }.to_owned();
    let shown = |roles: &[String], grants: &[Grant]| Shown {
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
        Kind::Key => {
            let keys = catalog.api_keys.values().filter(|key| key.tenant == tenant);
            keys.map(|key| Shown {
                id: key.id.clone(),
                name: key.name.clone(),
                status: ApiKeyView::of(key).status(service.now()).to_owned(),
                masked: Some(key.masked.clone()),
                expires: key.expires_at,
                last_used: key.last_used_at,
                ..shown(&key.roles, &key.grants)
            })
            .collect()
        }
        Kind::Client => {
            let apps = catalog.apps.values().filter(|app| app.tenant == tenant);
            apps.map(|app| Shown {
                id: app.id.clone(),
                name: app.name.clone(),
                status: switched(app.active),
                last_used: app.last_used_at,
                ..shown(&app.roles, &app.grants)
            })
            .collect()
        }
        Kind::User => {
            let users = catalog.users.values().filter(|user| user.tenant == tenant);
            users
                .map(|user| Shown {
                    id: user.id.clone(),
                    name: user.username.clone(),
                    status: switched(user.active),
                    last_used: user.last_used_at,
                    ..shown(&user.roles, &user.grants)
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
