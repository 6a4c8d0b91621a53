//! Several manifests as one: what they say of one tenant stands together, so that what one file names
//! another may make, and the order of files changes nothing. Two that say different things of one thing
//! are refused: each application would change it there and back.

use crate::model::{Document, Manifest, Tenant};
use crate::spec::Spec;
use anyhow::bail;
use serde::Serialize;
use serde_json::Value;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

impl Manifest {
    /// The same with each tenant once.
    #[must_use]
    pub fn merge(self) -> Self {
        let mut tenants: Vec<Tenant> = Vec::new();
        for tenant in self.tenants {
            match tenants.iter_mut().find(|other| other.name == tenant.name) {
                Some(other) => other.extend(tenant),
                None => tenants.push(tenant),
            }
        }
        Manifest { tenants }
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
            webhooks,
        } = more;
        self.domains.extend(domains);
        self.areas.extend(areas);
        self.roles.extend(roles);
        self.users.extend(users);
        self.api_keys.extend(api_keys);
        self.clients.extend(clients);
        self.webhooks.extend(webhooks);
    }
}

/// What the manifest says of each thing, by kind and path.
#[derive(Default)]
struct Definitions(BTreeMap<(&'static str, Vec<String>), String>);

impl Definitions {
    fn add_each<S: Spec + Serialize>(&mut self, specs: &[S]) -> anyhow::Result<()> {
        let mut specs = specs.iter();
        specs.try_for_each(|spec| self.add(S::WHAT, &[spec.name()], spec))
    }

    fn add(
        &mut self,
        what: &'static str,
        path: &[&str],
        own: &impl Serialize,
    ) -> anyhow::Result<()> {
        let own = serde_json::to_string(own)?;
        let key = (what, path.iter().map(|&name| name.to_owned()).collect());
        match self.0.entry(key) {
            Entry::Vacant(slot) => {
                slot.insert(own);
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
pub(crate) fn refuse_contradictions(tenant: &Tenant) -> anyhow::Result<()> {
    // each by its name, so that none can be left out
    let Tenant {
        name: _,
        domains,
        areas,
        roles,
        users,
        api_keys,
        clients,
        webhooks,
    } = tenant;
    let mut definitions = Definitions::default();
    for domain in domains {
        definitions.add("data domain", &[&domain.name], domain)?;
        if let Some(id) = &domain.id {
            definitions.add("data domain with the id", &[id], &domain.name)?;
        }
    }
    for area in areas {
        let own = (&area.description, area.active);
        definitions.add("area", &[&area.name], &own)?;
        for schema in &area.schemas {
            // what is no schema is told when it is read
            let Some(document) = document(&schema.document) else {
                continue;
            };
            let name = document["name"].as_str().unwrap_or_default();
            let own = (&document, &schema.state, schema.active);
            definitions.add("schema", &[&area.name, name], &own)?;
            for dataset in &schema.datasets {
                let path = [&area.name, name, &dataset.name];
                let own = (&dataset.description, dataset.mode);
                definitions.add("dataset", &path, &own)?;
            }
        }
    }
    definitions.add_each(roles)?;
    definitions.add_each(users)?;
    definitions.add_each(api_keys)?;
    definitions.add_each(clients)?;
    for webhook in webhooks {
        definitions.add("webhook", &[&webhook.name], webhook)?;
    }
    Ok(())
}

/// A schema document of a manifest that is read.
pub(crate) fn document(document: &Document) -> Option<Value> {
    match document {
        Document::Text(text) => serde_json::from_str(&text.text).ok(),
        Document::Inline(value) => Some(value.clone()),
        Document::File(_) => None,
    }
}
