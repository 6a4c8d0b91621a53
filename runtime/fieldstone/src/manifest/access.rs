//! What users, API keys and application clients have in common: roles and areas by their names, to be turned
//! into the store's ids.

use super::model::{Areas, Tenant};
use anyhow::bail;
use runtime::service::manage::{ADMINISTRATOR, MEMBER};
use runtime::store::Catalog;
use runtime::store::catalog::{Grant, Verb, Verbs};
use std::collections::BTreeSet;

/// Roles and areas by their ids.
pub(super) struct Access {
    pub(super) roles: Vec<String>,
    pub(super) grants: Vec<Grant>,
    /// Whether all of them are there; in a dry run one may be yet to be made.
    pub(super) is_complete: bool,
}

impl Access {
    /// Looks the names up; one that neither the store nor the manifest has is refused.
    pub(super) fn find(
        catalog: &Catalog,
        tenant: Option<&str>,
        manifest: &Tenant,
        roles: &[String],
        areas: &Areas,
    ) -> anyhow::Result<Self> {
        let own = catalog
            .roles
            .values()
            .filter(|role| Some(role.tenant.as_str()) == tenant);
        let own: Vec<_> = own.collect();
        let mut is_complete = true;
        let mut role_ids = Vec::new();
        for name in roles {
            match own.iter().find(|role| role.name == *name) {
                Some(role) => role_ids.push(role.id.clone()),
                None => is_complete = false,
            }
            let mut known: BTreeSet<&str> = own.iter().map(|role| role.name.as_str()).collect();
            known.extend(manifest.roles.iter().map(|role| role.name.as_str()));
            known.extend([ADMINISTRATOR, MEMBER]);
            refuse_unknown("role", name, &known)?;
        }
        let own: Vec<_> = tenant
            .into_iter()
            .flat_map(|tenant| catalog.areas_of(tenant))
            .collect();
        let grant = |area: &str, verbs: &[Verb]| Grant {
            area: area.to_owned(),
            verbs: Verbs::from(verbs.to_vec()),
        };
        let mut grants = Vec::new();
        match areas {
            Areas::All(everywhere) => {
                grants.extend(own.iter().map(|area| grant(&area.id, &everywhere.all)));
                let is_there = |name: &str| own.iter().any(|area| area.name == name);
                is_complete &= manifest.areas.iter().all(|area| is_there(&area.name));
            }
            Areas::Named(named) => {
                let mut known: BTreeSet<&str> = own.iter().map(|area| area.name.as_str()).collect();
                known.extend(manifest.areas.iter().map(|area| area.name.as_str()));
                for (name, verbs) in named {
                    match own.iter().find(|area| area.name == *name) {
                        Some(area) => grants.push(grant(&area.id, verbs)),
                        None => is_complete = false,
                    }
                    refuse_unknown("area", name, &known)?;
                }
            }
        }
        Ok(Access {
            roles: role_ids,
            grants,
            is_complete,
        })
    }

    /// Whether roles and grants are these, in whatever order.
    pub(super) fn is(&self, roles: &[String], grants: &[Grant]) -> bool {
        let sorted = |roles: &[String]| roles.iter().cloned().collect::<BTreeSet<_>>();
        let same_grants = self.grants.len() == grants.len()
            && self.grants.iter().all(|grant| grants.contains(grant));
        self.is_complete && same_grants && sorted(&self.roles) == sorted(roles)
    }
}

fn refuse_unknown(what: &str, name: &str, known: &BTreeSet<&str>) -> anyhow::Result<()> {
    if known.contains(name) {
        return Ok(());
    }
    let known: Vec<&str> = known.iter().copied().collect();
    if known.is_empty() {
        bail!("there is no {what} `{name}`, nor any other");
    }
    bail!(
        "there is no {what} `{name}`; there are {}",
        known.join(", ")
    )
}
