//! What a manifest may say, noun by noun. Names bind it to the store; ids are the store's own.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use store::catalog::{DomainCode, Resource, Verb};
use wire::Timestamp;

/// The whole.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Manifest {
    /// Its tenants.
    #[serde(default)]
    pub(crate) tenants: Vec<Tenant>,
}

/// A tenant and what it holds.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Tenant {
    /// Its name; a command may leave it out where the store has one tenant only.
    #[serde(default)]
    pub(crate) name: Option<String>,
    #[serde(default)]
    pub(crate) domains: Vec<Domain>,
    #[serde(default)]
    pub(crate) areas: Vec<Area>,
    #[serde(default)]
    pub(crate) roles: Vec<Role>,
    #[serde(default)]
    pub(crate) users: Vec<User>,
    #[serde(default)]
    pub(crate) api_keys: Vec<ApiKey>,
    #[serde(default)]
    pub(crate) clients: Vec<Client>,
}

/// A data domain.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Domain {
    pub(crate) name: String,
    /// What the manifest's schema documents call it in `dataDomainId`; its name will do too.
    #[serde(default)]
    pub(crate) id: Option<String>,
    #[serde(default)]
    pub(crate) codes: Codes,
}

/// The codes of a domain.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub(crate) enum Codes {
    /// Written out.
    Written(Vec<DomainCode>),
    /// Two fields of the records of a file.
    From(CodesFrom),
}

impl Default for Codes {
    fn default() -> Self {
        Codes::Written(Vec::new())
    }
}

/// Where codes stand.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct CodesFrom {
    /// A record file.
    pub(crate) file: String,
    /// The field with the code.
    pub(crate) code: String,
    /// The field with its meaning.
    #[serde(default)]
    pub(crate) description: Option<String>,
}

/// A business area.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Area {
    pub(crate) name: String,
    #[serde(default)]
    pub(crate) description: String,
    #[serde(default = "yes")]
    pub(crate) active: bool,
    #[serde(default)]
    pub(crate) schemas: Vec<Schema>,
}

/// A schema.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Schema {
    /// The schema-detail document.
    pub(crate) document: Document,
    /// `draft` or `published`.
    #[serde(default = "published")]
    pub(crate) state: String,
    #[serde(default = "yes")]
    pub(crate) active: bool,
    #[serde(default)]
    pub(crate) datasets: Vec<Dataset>,
}

/// A schema-detail document.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub(crate) enum Document {
    /// In a file, its path as seen from the manifest.
    File(String),
    /// As it stood in a file, to the letter.
    Text(Text),
    /// In the manifest itself.
    Inline(serde_json::Value),
}

/// The content of a file, taken along because the server may not see the file.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Text {
    /// The path it was read from.
    pub(crate) path: String,
    pub(crate) text: String,
}

/// A dataset.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Dataset {
    pub(crate) name: String,
    #[serde(default)]
    pub(crate) description: String,
    /// Record files: NDJSON (a record a line), or a JSON array.
    #[serde(default)]
    pub(crate) records: Vec<Records>,
}

/// A record file.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub(crate) enum Records {
    /// Its path as seen from the manifest.
    File(String),
    /// Its content.
    Text(Text),
}

/// A role.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Role {
    pub(crate) name: String,
    #[serde(default)]
    pub(crate) description: String,
    /// What it allows, such as `DATA OBJECTS: [view, add]`.
    pub(crate) permissions: BTreeMap<ResourceName, Vec<Verb>>,
}

/// A resource as a key.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub(crate) struct ResourceName(String);

impl ResourceName {
    /// The resource it names.
    pub(crate) fn resource(&self) -> Option<Resource> {
        serde_json::from_value(self.0.as_str().into()).ok()
    }
}

impl TryFrom<String> for ResourceName {
    type Error = String;
    fn try_from(name: String) -> Result<Self, String> {
        let named = ResourceName(name);
        if named.resource().is_some() {
            return Ok(named);
        }
        let all = Resource::ALL.map(|resource| {
            serde_json::to_value(resource).map(|name| name.as_str().unwrap_or_default().to_owned())
        });
        let all: Result<Vec<_>, _> = all.into_iter().collect();
        Err(format!(
            "there is no resource `{}`; there are {}",
            named.0,
            all.unwrap_or_default().join(", ")
        ))
    }
}

impl From<ResourceName> for String {
    fn from(name: ResourceName) -> Self {
        name.0
    }
}

/// Which areas are reached, and how.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub(crate) enum Areas {
    /// The same in every area of the tenant there is: `all: [view]`.
    All(AllAreas),
    /// By the area's name.
    Named(BTreeMap<String, Vec<Verb>>),
}

/// The same in every area.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct AllAreas {
    pub(crate) all: Vec<Verb>,
}

impl Default for Areas {
    fn default() -> Self {
        Areas::Named(BTreeMap::new())
    }
}

/// A person.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct User {
    pub(crate) username: String,
    #[serde(default)]
    pub(crate) full_name: String,
    pub(crate) email: String,
    /// For a new user; without it one is made and shown once. It never changes an existing user's.
    #[serde(default)]
    pub(crate) password: Option<String>,
    /// Whether it is switched on; without it, a new one is, and another stays as it is.
    #[serde(default)]
    pub(crate) active: Option<bool>,
    #[serde(default)]
    pub(crate) roles: Vec<String>,
    #[serde(default)]
    pub(crate) areas: Areas,
}

/// An API key.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct ApiKey {
    pub(crate) name: String,
    #[serde(default)]
    pub(crate) description: String,
    /// When it stops working; never, without it.
    #[serde(default)]
    pub(crate) expires: Option<Timestamp>,
    /// Whether it is switched on; without it, a new one is, and another stays as it is.
    #[serde(default)]
    pub(crate) active: Option<bool>,
    #[serde(default)]
    pub(crate) roles: Vec<String>,
    #[serde(default)]
    pub(crate) areas: Areas,
}

/// An application client.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Client {
    pub(crate) name: String,
    #[serde(default)]
    pub(crate) description: String,
    /// How long its tokens live.
    #[serde(default = "an_hour")]
    pub(crate) token_seconds: i64,
    /// Whether it is switched on; without it, a new one is, and another stays as it is.
    #[serde(default)]
    pub(crate) active: Option<bool>,
    #[serde(default)]
    pub(crate) roles: Vec<String>,
    #[serde(default)]
    pub(crate) areas: Areas,
}

fn yes() -> bool {
    true
}

fn published() -> String {
    "published".to_owned()
}

fn an_hour() -> i64 {
    3600
}
