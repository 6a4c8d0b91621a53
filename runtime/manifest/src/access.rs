//! What users, API keys and application clients have in common: roles and areas by their names, to be turned
//! into the store's ids.

use crate::by::By;
use crate::model::{AllAreas, Areas, Tenant};
use crate::report::PropertyChange;
use anyhow::{Context as _, bail};
use serde_json::Value;
use service::manage::{ADMINISTRATOR, MEMBER, Noun};
use service::{Refusal, Service};
use std::collections::{BTreeMap, BTreeSet};
use store::Catalog;
use store::catalog::{Area, Grant, Role, Row, Verb, Verbs};

/// The tenant under way.
#[derive(Clone, Copy)]
pub(crate) struct Tenancy<'a> {
    /// Its id; none while it is yet to be made.
    pub(crate) id: Option<&'a str>,
    /// All that the manifest says of it.
    pub(crate) manifest: &'a Tenant,
}

/// Whose eyes look: nobody is told more of roles and areas here than elsewhere.
#[derive(Clone, Copy)]
pub(crate) struct Sight<'a> {
    pub(crate) service: &'a Service,
    pub(crate) by: &'a By,
}

impl Sight<'_> {
    /// Whether a noun that is there is seen.
    pub(crate) fn sees<N: Noun>(self, noun: &N) -> bool {
        match self.by {
            By::Operator => true,
            By::Caller(caller) => self.service.nouns::<N>().get(caller, noun.key()).is_ok(),
        }
    }

    /// Refuses who sees no noun of a kind at all: that none is there is not known then.
    fn require<N: Noun>(self) -> anyhow::Result<()> {
        let By::Caller(caller) = self.by else {
            return Ok(());
        };
        // rights are judged before ids
        match self.service.nouns::<N>().get(caller, "") {
            Err(refusal @ Refusal::Forbidden(_)) => Err(refusal.into()),
            _ => Ok(()),
        }
    }
}

/// Roles and areas by their ids.
pub(crate) struct Access {
    pub(crate) roles: Vec<String>,
    pub(crate) grants: Vec<Grant>,
    /// Whether all of them are there; in a dry run one may be yet to be made.
    pub(crate) is_complete: bool,
}

impl Access {
    /// Of a noun that has no rights.
    pub(crate) fn none() -> Self {
        Access {
            roles: Vec::new(),
            grants: Vec::new(),
            is_complete: true,
        }
    }

    /// Looks the names up; one that neither the store nor the manifest has is refused. Roles or areas that are not
    /// said are those that are there, `old`.
    pub(crate) fn find(
        catalog: &Catalog,
        tenancy: Tenancy<'_>,
        (roles, areas): (Option<&[String]>, Option<&Areas>),
        old: (&[String], &[Grant]),
        sight: Sight<'_>,
    ) -> anyhow::Result<Self> {
        let mut access = Access::none();
        match roles {
            Some(roles) => access.find_roles(catalog, tenancy, roles, sight)?,
            None => access.roles = old.0.to_vec(),
        }
        match areas {
            Some(areas) => access.find_grants(catalog, tenancy, areas, sight)?,
            None => access.grants = old.1.to_vec(),
        }
        Ok(access)
    }

    /// What becomes of the roles and areas of a noun, by their names; what is not seen goes by its id.
    pub(crate) fn changes(
        &self,
        noun: &impl Row,
        catalog: &Catalog,
        sight: Sight<'_>,
    ) -> Vec<PropertyChange> {
        let roles = |ids: &[String]| -> Value {
            let role = |id: &String| {
                let role = catalog.roles.get(id).filter(|role| sight.sees(&***role));
                role.map_or_else(|| id.clone(), |role| role.name.clone())
            };
            let names: BTreeSet<String> = ids.iter().map(role).collect();
            names.into_iter().collect()
        };
        let areas = |grants: &[Grant]| -> Value {
            let area = |grant: &Grant| {
                let area = catalog.areas.get(&grant.area);
                let area = area.filter(|area| sight.sees(&***area));
                let name = area.map_or_else(|| grant.area.clone(), |area| area.name.clone());
                (name, names(grant.verbs))
            };
            let named: BTreeMap<String, Value> = grants.iter().map(area).collect();
            Value::Object(named.into_iter().collect())
        };
        let old = noun.access().unwrap_or_default();
        PropertyChange::among([
            ("roles", roles(old.0), roles(&self.roles)),
            ("areas", areas(old.1), areas(&self.grants)),
        ])
    }

    fn find_roles(
        &mut self,
        catalog: &Catalog,
        tenancy: Tenancy<'_>,
        wanted: &[String],
        sight: Sight<'_>,
    ) -> anyhow::Result<()> {
        let stored = catalog.roles.values();
        let stored: Vec<_> = stored
            .filter(|role| Some(&*role.tenant) == tenancy.id && sight.sees(&***role))
            .collect();
        let mut known: BTreeSet<&str> = stored.iter().map(|role| role.name.as_str()).collect();
        known.extend(tenancy.manifest.roles.iter().map(|role| role.name.as_str()));
        if tenancy.id.is_none() {
            // every tenant is made with them
            known.extend([ADMINISTRATOR, MEMBER]);
        }
        for name in wanted {
            refuse_unknown::<Role>("role", name, &known, sight)?;
            match stored.iter().find(|role| role.name == *name) {
                Some(role) => self.roles.push(role.id.clone()),
                None => self.is_complete = false,
            }
        }
        Ok(())
    }

    fn find_grants(
        &mut self,
        catalog: &Catalog,
        tenancy: Tenancy<'_>,
        wanted: &Areas,
        sight: Sight<'_>,
    ) -> anyhow::Result<()> {
        let stored = tenancy
            .id
            .into_iter()
            .flat_map(|tenant| catalog.areas_of(tenant));
        let stored: Vec<_> = stored.filter(|area| sight.sees(&***area)).collect();
        let find = |name: &str| stored.iter().find(|area| area.name == name);
        let grant = |area: &Area, verbs: &[Verb]| Grant {
            area: area.id.clone(),
            verbs: Verbs::from(verbs.to_vec()),
        };
        let of_all = |verbs: &[Verb]| Grant {
            area: Grant::ALL_AREAS.to_owned(),
            verbs: Verbs::from(verbs.to_vec()),
        };
        let planned = tenancy.manifest.areas.iter().map(|area| area.name.as_str());
        match wanted {
            Areas::All(AllAreas { all }) => self.grants.push(of_all(all)),
            Areas::Named(named) => {
                let names = stored.iter().map(|area| area.name.as_str());
                let known: BTreeSet<&str> = names.chain(planned).collect();
                for (name, verbs) in named {
                    if name == Grant::ALL_AREAS && !known.contains(&**name) {
                        self.grants.push(of_all(verbs));
                        continue;
                    }
                    refuse_unknown::<Area>("area", name, &known, sight)?;
                    match find(name) {
                        Some(area) => self.grants.push(grant(area, verbs)),
                        None => self.is_complete = false,
                    }
                }
            }
        }
        Ok(())
    }

    /// Whether roles and grants are those of a noun, in whatever order.
    pub(crate) fn is_of(&self, noun: &impl Row) -> bool {
        let (roles, grants) = noun.access().unwrap_or_default();
        let sorted = |roles: &[String]| roles.iter().cloned().collect::<BTreeSet<_>>();
        let same_grants = self.grants.len() == grants.len()
            && self.grants.iter().all(|grant| grants.contains(grant));
        self.is_complete && same_grants && sorted(&self.roles) == sorted(roles)
    }
}

/// Verbs by their names.
pub(crate) fn names(verbs: Verbs) -> Value {
    // INVARIANT: verbs are written as a list of texts
    serde_json::to_value(verbs).unwrap_or_default()
}

fn refuse_unknown<N: Noun>(
    what: &str,
    name: &str,
    known: &BTreeSet<&str>,
    sight: Sight<'_>,
) -> anyhow::Result<()> {
    if known.contains(name) {
        return Ok(());
    }
    let seen = sight.require::<N>();
    seen.with_context(|| format!("the {what} `{name}` can't be looked up"))?;
    let known: Vec<&str> = known.iter().copied().collect();
    if known.is_empty() {
        bail!("there is no {what} `{name}`, nor any other");
    }
    bail!(
        "there is no {what} `{name}`; there are {}",
        known.join(", ")
    )
}
