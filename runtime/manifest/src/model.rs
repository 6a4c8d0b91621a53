//! What a manifest may say, noun by noun. Names bind it to the store; ids are the store's own.

use crate::moment::expiry;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use store::catalog::{DomainCode, Resource, Verb};
use wire::Timestamp;

/// The whole.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Manifest {
    /// Its tenants.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tenants: Vec<Tenant>,
}

/// A tenant and what it holds.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Tenant {
    /// Its name; a command may leave it out where the store has one tenant only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Its data domains.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub domains: Vec<Domain>,
    /// Its business areas, with all below them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub areas: Vec<Area>,
    /// Its roles.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub roles: Vec<Role>,
    /// Its users.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub users: Vec<User>,
    /// Its API keys.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub api_keys: Vec<ApiKey>,
    /// Its application clients.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub clients: Vec<Client>,
    /// Its webhooks.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub webhooks: Vec<Webhook>,
}

/// A data domain.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Domain {
    /// Its name, unique within the tenant.
    pub name: String,
    /// What the manifest's schema documents call it in `dataDomainId`; its name will do too.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// Its codes.
    #[serde(default)]
    pub codes: Codes,
    /// What its codes are to those that are there: merged with them, without it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mode: Option<DomainMode>,
}

/// What the codes of a manifest are to those of a domain that is there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum DomainMode {
    /// Added to them; a description that is said is changed, and codes that the manifest does not have stay.
    #[default]
    Merge,
    /// All there are: others are removed.
    Replace,
}

/// The codes of a domain.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum Codes {
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
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CodesFrom {
    /// A record file.
    pub file: String,
    /// The field with the code.
    pub code: String,
    /// The field with its meaning.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
}

/// A business area.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Area {
    /// Its name, unique within the tenant.
    pub name: String,
    /// What it is for; as it is, without it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Whether it is switched on; without it, a new one is, and another stays as it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub active: Option<bool>,
    /// Its schemas.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub schemas: Vec<Schema>,
}

/// A schema.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Schema {
    /// The schema-detail document.
    pub document: Document,
    /// `draft` or `published`; without it, a new one is published, and another stays as it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub state: Option<String>,
    /// Whether it is switched on; without it, a new one is, and another stays as it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub active: Option<bool>,
    /// Its datasets.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub datasets: Vec<Dataset>,
}

/// A schema-detail document.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum Document {
    /// In a file, its path as seen from the manifest.
    File(String),
    /// As it stood in a file, to the letter.
    Text(Text),
    /// In the manifest itself.
    Inline(
        #[cfg_attr(
            feature = "schema",
            schemars(with = "crate::json_schema::InlineDocument")
        )]
        serde_json::Value,
    ),
}

/// The content of a file, taken along because the server may not see the file.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Text {
    /// The path it was read from.
    pub path: String,
    /// What it says.
    pub text: String,
}

/// A dataset.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Dataset {
    /// Its name, unique within the schema.
    pub name: String,
    /// What it is for; as it is, without it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// What the records of its files are to it, where a file says nothing else: seeds, without it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mode: Option<RecordMode>,
    /// Record files: NDJSON (a record a line), or a JSON array.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub records: Vec<Records>,
}

/// A record file: `customers.ndjson`, or `{file: customers.ndjson, mode: upsert}`.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Records {
    /// Its path as seen from the manifest.
    pub file: String,
    /// What its records are to the dataset; as the dataset says, without it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mode: Option<RecordMode>,
    /// What it says, once it is read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}

/// What records of a file are to a dataset. Records that are not in the file stay, in every mode.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum RecordMode {
    /// Made where there is none of their primary key; one that is there stays as it is.
    #[default]
    Seed,
    /// Made, or changed where the file says another thing; fields that it does not name stay.
    Upsert,
    /// The same, and fields that it does not name are cleared.
    Replace,
}

/// A role.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Role {
    /// Its name, unique within the tenant.
    pub name: String,
    /// What it is for; as it is, without it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// What it allows, such as `DATA OBJECTS: [view, add]`.
    #[cfg_attr(feature = "schema", schemars(with = "crate::json_schema::Permissions"))]
    pub permissions: BTreeMap<ResourceName, Vec<Verb>>,
}

/// A resource as a key.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct ResourceName(String);

impl ResourceName {
    /// The name of a resource.
    pub(crate) fn of(resource: Resource) -> Option<Self> {
        let name = serde_json::to_value(resource).ok()?;
        name.as_str().map(|name| ResourceName(name.to_owned()))
    }

    /// The resource it names.
    pub fn resource(&self) -> Option<Resource> {
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
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum Areas {
    /// The same in every area of the tenant there is: `all: [view]`.
    All(AllAreas),
    /// By the area's name.
    Named(BTreeMap<String, Vec<Verb>>),
}

/// The same in every area.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AllAreas {
    /// What is allowed in each of them.
    pub all: Vec<Verb>,
}

impl Default for Areas {
    fn default() -> Self {
        Areas::Named(BTreeMap::new())
    }
}

/// A person.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct User {
    /// The name to sign in with.
    pub username: String,
    /// The full name; without it, that of a new one is the user name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub full_name: Option<String>,
    /// The e-mail address.
    pub email: String,
    /// For a new user; without it one is made and shown once. It never changes an existing user's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub password: Option<String>,
    /// Whether it is switched on; without it, a new one is, and another stays as it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub active: Option<bool>,
    /// Its roles, by their names: these and no others. As they are, without it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub roles: Option<Vec<String>>,
    /// The areas it reaches, by their names: these and no others. As they are, without it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub areas: Option<Areas>,
}

/// An API key.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ApiKey {
    /// Its name, unique within the tenant.
    pub name: String,
    /// What it is for; as it is, without it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// When it stops working, a time or a day (its start, in UTC); without it, a new one never does.
    #[serde(
        default,
        deserialize_with = "expiry",
        skip_serializing_if = "Option::is_none"
    )]
    #[cfg_attr(feature = "schema", schemars(with = "Option<String>"))]
    pub expires: Option<Timestamp>,
    /// Whether it is switched on; without it, a new one is, and another stays as it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub active: Option<bool>,
    /// Its roles, by their names: these and no others. As they are, without it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub roles: Option<Vec<String>>,
    /// The areas it reaches, by their names: these and no others. As they are, without it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub areas: Option<Areas>,
}

/// An application client.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Client {
    /// Its name, unique within the tenant.
    pub name: String,
    /// What it is for; as it is, without it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// How long its tokens live, in seconds; without it, those of a new one an hour.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub token_seconds: Option<i64>,
    /// Whether it is switched on; without it, a new one is, and another stays as it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub active: Option<bool>,
    /// Its roles, by their names: these and no others. As they are, without it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub roles: Option<Vec<String>>,
    /// The areas it reaches, by their names: these and no others. As they are, without it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub areas: Option<Areas>,
}

/// A webhook: where changes of datasets are sent.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Webhook {
    /// Its name, unique within the tenant.
    pub name: String,
    /// What it is for; as it is, without it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// The address that changes are sent to.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub url: String,
    /// The datasets whose changes are sent, each as `AREA/SCHEMA/DATASET` by their names, or by its id: these and no others.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub datasets: Vec<String>,
    /// Whether it is switched on; without it, a new one is, and another stays as it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub active: Option<bool>,
    /// Where its secret is kept; without it, a new one gets one that is shown once, and another keeps its own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub secret: Option<Secret>,
    /// Whether it is to be gone, for good, where there is one.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub removed: bool,
}

/// Where a secret is kept: in a file, or in a variable of the environment of who reads the manifest.
#[derive(Clone, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Secret {
    /// The path of a file as seen from the manifest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// The name of a variable.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub environment: Option<String>,
    /// What it is, once it is read; never in the text of a manifest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(skip))]
    pub text: Option<String>,
}

impl std::fmt::Debug for Secret {
    /// Without the secret.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Secret")
            .field("file", &self.file)
            .field("environment", &self.environment)
            .finish_non_exhaustive()
    }
}
