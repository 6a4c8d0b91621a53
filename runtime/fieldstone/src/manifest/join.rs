//! Several manifests as one: what they say of one tenant stands together, so that what one file names
//! another may make, and the order of files changes nothing. Two that say different things of one thing
//! are refused: each application would change it there and back.

use super::{Document, Manifest, Tenant};
use anyhow::bail;
use serde::Serialize;
use serde_json::Value;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

impl Manifest {
    /// The same with each tenant once.
    pub(crate) fn joined(self) -> Self {
        let mut joined: Vec<Tenant> = Vec::new();
        for tenant in self.tenants {
            match joined.iter_mut().find(|known| known.name == tenant.name) {
                Some(known) => known.extend(tenant),
                None => joined.push(tenant),
            }
        }
        Manifest { tenants: joined }
    }
}

impl Tenant {
    fn extend(&mut self, more: Tenant) {
        let Tenant {
            name: _,
            domains,
            areas,
            roles,
            users,
            api_keys,
            clients,
        } = more;
        self.domains.extend(domains);
        self.areas.extend(areas);
        self.roles.extend(roles);
        self.users.extend(users);
        self.api_keys.extend(api_keys);
        self.clients.extend(clients);
    }
}

/// What was said of each thing, by kind and path.
#[derive(Default)]
struct Said(BTreeMap<(&'static str, Vec<String>), String>);

impl Said {
    fn say(
        &mut self,
        what: &'static str,
        path: &[&str],
        own: &impl Serialize,
    ) -> anyhow::Result<()> {
        let own = serde_json::to_string(own)?;
        let place = (what, path.iter().map(|&name| name.to_owned()).collect());
        match self.0.entry(place) {
            Entry::Vacant(place) => {
                place.insert(own);
                Ok(())
            }
            Entry::Occupied(before) if *before.get() == own => Ok(()),
            Entry::Occupied(_) => {
                let name = path.last().copied().unwrap_or_default();
                bail!("the {what} {name} stands twice, and not the same each time; keep one")
            }
        }
    }
}

/// Refuses a tenant with two of a name that are not the same.
pub(super) fn each_said_once(tenant: &Tenant) -> anyhow::Result<()> {
    let mut said = Said::default();
    for domain in &tenant.domains {
        said.say("data domain", &[&domain.name], domain)?;
        if let Some(id) = &domain.id {
            said.say("data domain with the id", &[id], &domain.name)?;
        }
    }
    for area in &tenant.areas {
        let own = (&area.description, area.active);
        said.say("area", &[&area.name], &own)?;
        for schema in &area.schemas {
            // what is no schema is told when it is read
            let Some(document) = document(&schema.document) else {
                continue;
            };
            let name = document["name"].as_str().unwrap_or_default();
            let own = (&document, &schema.state, schema.active);
            said.say("schema", &[&area.name, name], &own)?;
            for dataset in &schema.datasets {
                let path = [&area.name, name, &dataset.name];
                said.say("dataset", &path, &dataset.description)?;
            }
        }
    }
    for role in &tenant.roles {
        said.say("role", &[&role.name], role)?;
    }
    for user in &tenant.users {
        said.say("user", &[&user.username], user)?;
    }
    for key in &tenant.api_keys {
        said.say("API key", &[&key.name], key)?;
    }
    for client in &tenant.clients {
        said.say("application client", &[&client.name], client)?;
    }
    Ok(())
}

fn document(document: &Document) -> Option<Value> {
    match document {
        Document::Text(text) => serde_json::from_str(&text.text).ok(),
        Document::Inline(value) => Some(value.clone()),
        Document::File(_) => None,
    }
}
