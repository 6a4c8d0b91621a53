//! Nouns that tests put straight into the catalog, and what they are made of.

use super::TestServer;
use super::documents::{next_version, version};
use runtime::service::{ids, secrets};
use runtime::store::catalog::{
    Actor, ActorKind, ApiKey, App, Area, Catalog, CatalogWrite, Dataset, DomainCode, Grant, Noun,
    Permission, Resource, Role, SchemaEntry, Stamp, Tenant, Verb, Verbs,
};
use runtime::value::Clock as _;
use std::sync::Arc;

impl TestServer {
    /// Puts nouns into the catalog.
    pub(crate) fn put(&self, noun: impl Into<Noun>) {
        let noun = noun.into();
        self.decide(move |_| CatalogWrite {
            put: vec![noun.clone()],
            ..CatalogWrite::default()
        });
    }

    pub(crate) fn decide(&self, mut write: impl FnMut(&Catalog) -> CatalogWrite + Send + 'static) {
        let decision = Box::new(move |catalog: &Catalog| Ok(write(catalog)));
        let decided = self.runtime.block_on(self.service.store().decide(decision));
        decided.expect("the store works").expect("it is decided");
    }

    pub(crate) fn new_id(&self) -> String {
        ids::new_id(self.clock.now(), self.service.entropy())
    }

    pub(crate) fn stamp(&self) -> Stamp {
        let actor = Actor {
            kind: ActorKind::User,
            id: "u-1".to_owned(),
            name: "ada".to_owned(),
            email: Some("ada@example.org".to_owned()),
            full_name: Some("Ada Smith".to_owned()),
            via: None,
            job: None,
        };
        Stamp::new(actor, self.clock.now())
    }

    pub(super) fn tenant(&self, name: &str) -> String {
        let id = self.new_id();
        self.put(Tenant {
            id: id.clone(),
            name: name.to_owned(),
            stamp: self.stamp(),
        });
        id
    }

    pub(crate) fn area(&self, tenant: &str, name: &str) -> String {
        let id = self.new_id();
        self.put(Area {
            id: id.clone(),
            tenant: tenant.to_owned(),
            name: name.to_owned(),
            description: format!("about {name}"),
            active: true,
            deleted: false,
            version: 1,
            stamp: self.stamp(),
        });
        id
    }

    pub(crate) fn schema(&self, tenant: &str, area: &str, document: &str) -> String {
        let id = self.new_id();
        self.put(SchemaEntry {
            id: id.clone(),
            tenant: tenant.to_owned(),
            area: area.to_owned(),
            state: "published".to_owned(),
            active: true,
            deleted: false,
            versions: vec![Arc::new(version(&id, 1, document))],
            stamp: self.stamp(),
        });
        id
    }

    /// Gives a schema another version.
    pub(crate) fn change_schema(&self, id: &str, document: &str) {
        let catalog = self.service.store().catalog();
        self.put(next_version(&catalog.schemas[id], document));
    }

    pub(crate) fn dataset(&self, schema: &str, name: &str) -> String {
        let catalog = self.service.store().catalog();
        let entry = catalog.schemas[schema].clone();
        let id = self.new_id();
        self.put(Dataset {
            id: id.clone(),
            tenant: entry.tenant.clone(),
            area: entry.area.clone(),
            schema: schema.to_owned(),
            number: u32::try_from(catalog.datasets.len()).expect("a number") + 1,
            name: name.to_owned(),
            description: format!("cities of {name}"),
            deleted: false,
            version: 1,
            stamp: self.stamp(),
        });
        id
    }

    /// A role of the own tenant.
    pub(crate) fn role(&self, permissions: &[Permission]) -> String {
        let id = self.new_id();
        self.put(Role {
            id: id.clone(),
            tenant: self.names.tenant.clone(),
            name: format!("role {id}"),
            description: String::new(),
            built_in: false,
            permissions: permissions.to_vec(),
            second_factor_required: false,
        });
        id
    }

    /// An API key of the own tenant with these areas and this one role.
    pub(crate) fn key(&self, grants: &[(Verbs, &str)], permissions: &[Permission]) -> String {
        self.key_with(grants, permissions, |_| {})
    }

    pub(crate) fn key_with(
        &self,
        grants: &[(Verbs, &str)],
        permissions: &[Permission],
        change: impl FnOnce(&mut ApiKey),
    ) -> String {
        let key = secrets::new_api_key(self.service.entropy());
        let mut noun = ApiKey {
            id: self.new_id(),
            tenant: self.names.tenant.clone(),
            name: format!("key {}", &key[4..12]),
            description: String::new(),
            hash: secrets::hash(&key),
            masked: secrets::masked(&key),
            expires_at: None,
            has_ended: false,
            ends_with: None,
            replaced: Vec::new(),
            active: true,
            roles: vec![self.role(permissions)],
            grants: granted(grants),
            last_used_at: None.into(),
            stamp: self.stamp(),
        };
        change(&mut noun);
        self.put(noun);
        key
    }

    pub(super) fn app(&self, grants: &[(Verbs, &str)], permissions: &[Permission]) -> String {
        let id = self.new_id();
        self.put(App {
            id: id.clone(),
            tenant: self.names.tenant.clone(),
            name: "an app".to_owned(),
            description: String::new(),
            secret_hash: secrets::hash(&self.names.app_secret),
            active: true,
            token_seconds: 3600,
            roles: vec![self.role(permissions)],
            grants: granted(grants),
            last_used_at: None.into(),
            stamp: self.stamp(),
        });
        id
    }

    /// Changes the key that a credential is.
    pub(crate) fn change_key(&self, key: &str, change: impl FnOnce(&mut ApiKey)) {
        let catalog = self.service.store().catalog();
        let mut noun = (*catalog.keys_by_hash[&secrets::hash(key)]).clone();
        change(&mut noun);
        self.put(noun);
    }
}

/// The same verbs on every resource.
pub(crate) fn everything(verbs: Verbs) -> Vec<Permission> {
    Resource::ALL
        .map(|resource| Permission { resource, verbs })
        .to_vec()
}

pub(crate) fn only(resource: Resource, verb: Verb) -> Vec<Permission> {
    vec![Permission {
        resource,
        verbs: Verbs::of(verb),
    }]
}

fn granted(grants: &[(Verbs, &str)]) -> Vec<Grant> {
    let grant = |(verbs, area): &(Verbs, &str)| Grant {
        area: (*area).to_owned(),
        verbs: *verbs,
    };
    grants.iter().map(grant).collect()
}

pub(super) fn code(code: &str) -> DomainCode {
    DomainCode {
        code: code.to_owned(),
        description: String::new(),
    }
}
