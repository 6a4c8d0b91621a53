//! A running tenant as a manifest: applied to an empty store, it makes the same, and applied to its own, it changes
//! nothing. Fields keep their ids, domains and areas go by their names. Secrets and passwords are not in it: who applies
//! it elsewhere gets new ones. Keys that ran out, deleted things and the contents of files are left out. Records are not
//! in it either: their lines are events, so that no more than a page of them is in memory.

use crate::access::Sight;
use crate::applier::explain;
use crate::by::By;
use crate::events::{Event, Events, RecordLines};
use crate::model::{
    AllAreas, ApiKey, Area, Areas, Client, Codes, Dataset, Document, Domain, Manifest, Records,
    ResourceName, Role, Schema, Tenant, Text, User, Webhook,
};
use crate::webhooks;
use anyhow::Context as _;
use schema::Provenance;
use schema::json::{Value as Tree, parse, write_string};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;
use service::manage::Noun;
use service::{PageRequest, Permit as _, Service};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use store::Catalog;
use store::catalog::{self, Grant, Resource, Row as _, SchemaEntry, Verb};

/// Bytes of lines that are told together.
const BYTES_TOGETHER: usize = 16 << 10;

/// A request for a tenant as a manifest.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ExportRequest {
    /// The tenant's name; the only tenant, without it.
    pub tenant: Option<String>,
    /// Whether the records come along, as events.
    pub records: bool,
}

/// Writes a tenant down, as far as whoever asks sees it.
pub(crate) async fn export(
    service: &Arc<Service>,
    by: &By,
    request: &ExportRequest,
    events: &Events,
) -> anyhow::Result<Manifest> {
    let catalog = service.store().catalog();
    let id = by.tenant(&catalog, request.tenant.as_deref())?;
    let tenant = catalog.tenants.get(&id).context("the tenant is gone")?;
    let export = Export {
        service,
        by,
        catalog: &catalog,
        tenant: &id,
        records: request.records.then_some(events),
    };
    Ok(Manifest {
        tenants: vec![Tenant {
            name: Some(tenant.name.clone()),
            domains: export.domains(),
            areas: export.areas().await?,
            roles: export.roles(),
            users: export.users(),
            api_keys: export.api_keys(),
            clients: export.clients(),
            webhooks: export.webhooks(),
        }],
    })
}

struct Export<'a> {
    service: &'a Arc<Service>,
    by: &'a By,
    catalog: &'a Catalog,
    tenant: &'a str,
    /// Where records go, if they come along.
    records: Option<&'a Events>,
}

impl Export<'_> {
    /// The tenant's nouns of a kind below a parent that whoever asks sees, by their names.
    fn all<N: Noun>(&self, parent: &str) -> Vec<&N> {
        let sight = Sight {
            service: self.service,
            by: self.by,
        };
        let all = N::all(self.catalog).values().map(|noun| &**noun);
        let own = all.filter(|noun: &&N| {
            noun.tenant() == self.tenant && noun.parent() == parent && !noun.is_deleted()
        });
        let mut seen: Vec<&N> = own.filter(|noun| sight.sees(*noun)).collect();
        seen.sort_by(|one, other| one.name().cmp(other.name()));
        seen
    }

    fn domains(&self) -> Vec<Domain> {
        let domain = |domain: &catalog::Domain| Domain {
            name: domain.name.clone(),
            id: None,
            codes: Codes::Written(domain.codes.clone()),
            mode: None,
        };
        let all = self.all::<catalog::Domain>(catalog::Domain::TOP);
        all.into_iter().map(domain).collect()
    }

    async fn areas(&self) -> anyhow::Result<Vec<Area>> {
        let mut areas = Vec::new();
        for area in self.all::<catalog::Area>(catalog::Area::TOP) {
            let mut schemas = Vec::new();
            for schema in self.all::<SchemaEntry>(&area.id) {
                let result = self.schema(area, schema).await;
                schemas.push(result.with_context(|| format!("the schema {}", schema.id))?);
            }
            areas.push(Area {
                name: area.name.clone(),
                description: said(&area.description),
                active: Some(area.active),
                schemas,
            });
        }
        Ok(areas)
    }

    async fn schema(&self, area: &catalog::Area, entry: &SchemaEntry) -> anyhow::Result<Schema> {
        let mut datasets = Vec::new();
        for dataset in self.all::<catalog::Dataset>(&entry.id) {
            let ids = [&*area.id, &*entry.id, &*dataset.id];
            let mut records = Vec::new();
            if let Some(events) = self.records {
                let file = file_name(&[area.name.as_str(), entry.name(), &dataset.name]);
                self.tell_lines(ids, &file, events).await?;
                records.push(Records {
                    file,
                    mode: None,
                    text: None,
                });
            }
            datasets.push(Dataset {
                name: dataset.name.clone(),
                description: said(&dataset.description),
                mode: None,
                records,
            });
        }
        Ok(Schema {
            document: self.document(entry)?,
            state: Some(entry.state.clone()),
            active: Some(entry.active),
            datasets,
        })
    }

    /// The schema document, without what the service adds to it, domains by their names. One with numbers that are
    /// written in a way of their own (`1.50`) stands there as a text, so that not a digit of it is another.
    fn document(&self, entry: &SchemaEntry) -> anyhow::Result<Document> {
        let mut schema = schema::Schema {
            area_id: None,
            area_name: None,
            version: None,
            provenance: Provenance::default(),
            ..entry.current().schema.clone()
        };
        for field in &mut schema.fields {
            field.provenance = Provenance::default();
            let domain = field.data_domain_id.as_mut();
            let Some(id) = domain else { continue };
            let own = self.catalog.domains.get(id);
            if let Some(own) = own.filter(|own| own.tenant == self.tenant) {
                id.clone_from(&own.name);
            }
        }
        let text = schema.to_json();
        let value: Value = serde_json::from_str(&text)?;
        if schema::Schema::read_unchecked(&value.to_string()).as_ref() == Some(&schema) {
            return Ok(Document::Inline(value));
        }
        let path = schema.name;
        Ok(Document::Text(Text { path, text }))
    }

    /// The live records of a dataset, one a line, without what the service adds, without missing values, and without those
    /// that who asks may not see: a mask in their place would be taken for a value.
    async fn tell_lines(&self, ids: [&str; 3], file: &str, events: &Events) -> anyhow::Result<()> {
        let caller = self.by.caller(self.service, self.tenant)?;
        let permit = caller.permit_dataset(Resource::Records, Verb::View, ids);
        let permit = permit.map_err(explain)?;
        let hidden = permit.caller().masked_fields(permit.schema());
        let mut lines = String::new();
        let told = |lines| {
            let file = file.to_owned();
            events.tell_alone(Event::Records(RecordLines { file, lines }))
        };
        let mut page = PageRequest::default();
        loop {
            let read = self.service.seen_records(&permit, &page).await;
            let read = read.map_err(explain)?;
            let read: RecordsJson<'_> = serde_json::from_slice(&read.json)?;
            for record in &read.items {
                write_values(&mut lines, record.get(), &hidden)?;
                if lines.len() >= BYTES_TOGETHER {
                    told(std::mem::take(&mut lines)).await;
                }
            }
            if read.next_page_key.is_none() {
                break;
            }
            page.key = read.next_page_key;
        }
        // a file without records is one, too
        told(lines).await;
        Ok(())
    }

    fn roles(&self) -> Vec<Role> {
        let permissions = |role: &catalog::Role| -> BTreeMap<ResourceName, Vec<Verb>> {
            let all = role.permissions.iter().map(|permission| {
                let verbs = Vec::from(permission.verbs);
                (ResourceName::of(permission.resource), verbs)
            });
            all.collect()
        };
        let all = self.all::<catalog::Role>(catalog::Role::TOP).into_iter();
        // of those that every tenant has, only this is the tenant's
        let own = all.filter(|role| !role.built_in || role.second_factor_required);
        own.map(|role| Role {
            name: role.name.clone(),
            description: said(&role.description),
            permissions: permissions(role),
            second_factor_required: role.second_factor_required.then_some(true),
        })
        .collect()
    }

    fn users(&self) -> Vec<User> {
        let user = |user: &catalog::User| User {
            username: user.username.clone(),
            full_name: said(&user.full_name),
            email: user.email.clone(),
            password: None,
            active: Some(user.active),
            second_factor_required: user.second_factor_required.then_some(true),
            roles: Some(self.role_names(&user.roles)),
            areas: Some(self.area_names(&user.grants)),
        };
        let all = self.all::<catalog::User>(catalog::User::TOP);
        all.into_iter().map(user).collect()
    }

    fn api_keys(&self) -> Vec<ApiKey> {
        let now = self.service.now();
        let all = self.all::<catalog::ApiKey>(catalog::ApiKey::TOP);
        let lives = |key: &&catalog::ApiKey| !key.has_ended_by(now);
        let key = |key: &catalog::ApiKey| ApiKey {
            name: key.name.clone(),
            description: said(&key.description),
            expires: key.expires_at,
            active: Some(key.active),
            roles: Some(self.role_names(&key.roles)),
            areas: Some(self.area_names(&key.grants)),
        };
        all.into_iter().filter(lives).map(key).collect()
    }

    fn clients(&self) -> Vec<Client> {
        let client = |app: &catalog::App| Client {
            name: app.name.clone(),
            description: said(&app.description),
            token_seconds: Some(app.token_seconds),
            active: Some(app.active),
            roles: Some(self.role_names(&app.roles)),
            areas: Some(self.area_names(&app.grants)),
        };
        let all = self.all::<catalog::App>(catalog::App::TOP);
        all.into_iter().map(client).collect()
    }

    /// Those whose address is shown whole to who asks, which is who may change them; datasets that are gone are left out.
    fn webhooks(&self) -> Vec<Webhook> {
        let is_whole = |hook: &&catalog::Webhook| match self.by {
            By::Operator => true,
            By::Caller(caller) => {
                let hooks = self.service.nouns::<catalog::Webhook>();
                hooks
                    .show(caller, &hook.id)
                    .is_ok_and(|shown| shown.url == hook.url)
            }
        };
        let webhook = |hook: &catalog::Webhook| {
            let datasets = hook.datasets.iter().filter_map(|id| {
                let dataset = self.catalog.datasets.get(id)?;
                let path = webhooks::path(self.catalog, dataset);
                path.filter(|_| !dataset.deleted)
            });
            Webhook {
                name: hook.name.clone(),
                description: said(&hook.description),
                url: hook.url.clone(),
                datasets: datasets.collect(),
                active: Some(hook.active),
                secret: None,
                removed: false,
            }
        };
        let all = self.all::<catalog::Webhook>(catalog::Webhook::TOP);
        let own = all.into_iter().filter(is_whole).map(webhook);
        own.filter(|hook| !hook.datasets.is_empty()).collect()
    }

    fn role_names(&self, ids: &[String]) -> Vec<String> {
        let roles = ids.iter().filter_map(|id| self.catalog.roles.get(id));
        let mut names: Vec<String> = roles.map(|role| role.name.clone()).collect();
        names.sort();
        names
    }

    fn area_names(&self, grants: &[Grant]) -> Areas {
        if let [grant] = grants
            && grant.is_of_all_areas()
        {
            let all = Vec::from(grant.verbs);
            return Areas::All(AllAreas { all });
        }
        let named = grants.iter().filter_map(|grant| {
            if grant.is_of_all_areas() {
                return Some((grant.area.clone(), Vec::from(grant.verbs)));
            }
            let area = self.catalog.areas.get(&grant.area);
            let area = area.filter(|area| !area.deleted)?;
            Some((area.name.clone(), Vec::from(grant.verbs)))
        });
        Areas::Named(named.collect())
    }
}

/// A text, where there is one.
fn said(text: &str) -> Option<String> {
    (!text.is_empty()).then(|| text.to_owned())
}

/// A page of records.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct RecordsJson<'p> {
    #[serde(borrow)]
    items: Vec<&'p RawValue>,
    #[serde(default)]
    next_page_key: Option<String>,
}

/// A record's values as a line, but for those of hidden fields.
fn write_values(lines: &mut String, record: &str, hidden: &BTreeSet<&str>) -> anyhow::Result<()> {
    let tree = parse(record)?;
    let Tree::Object(members) = &tree.value else {
        return Ok(());
    };
    let has_value = |value: &Tree<'_>| *value != Tree::Null;
    let mut is_first = true;
    lines.push('{');
    for member in members {
        // names of fields never begin so
        let is_left_out = member.key.starts_with('_') || hidden.contains(&*member.key);
        if is_left_out || !has_value(&member.value.value) {
            continue;
        }
        if !std::mem::take(&mut is_first) {
            lines.push(',');
        }
        write_string(lines, &member.key);
        lines.push(':');
        lines.push_str(&record[member.value.start..member.value.end]);
    }
    lines.push_str("}\n");
    Ok(())
}

/// The name of a record file: what can be read of its place, and what tells it from every other.
fn file_name(names: &[&str]) -> String {
    let plain = |c: char| match c {
        c if c.is_ascii_alphanumeric() => c.to_ascii_lowercase(),
        _ => '-',
    };
    let mark = schema::id_of(names);
    let names: Vec<String> = names
        .iter()
        .map(|name| name.chars().take(40).map(plain).collect())
        .collect();
    format!("{}-{mark}.ndjson", names.join("."))
}
