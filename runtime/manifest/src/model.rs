//! What a manifest may say, noun by noun. Names bind it to the store; ids are the store's own.

pub use crate::model_access::{AllAreas, ApiKey, Areas, Client, Secret, User, Webhook};

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use store::catalog::{DomainCode, Resource, Verb};

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
    /// Whether users who have it must have a second factor; without it, those of a new one need not, and another stays as it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub second_factor_required: Option<bool>,
}

/// A resource as a key.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct ResourceName(String);

impl ResourceName {
    /// The name of a resource.
    pub(crate) fn of(resource: Resource) -> Self {
        ResourceName(resource.name())
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
        Err(format!(
            "there is no resource `{}`; there are {}",
            named.0,
            Resource::ALL.map(Resource::name).join(", ")
        ))
    }
}

impl From<ResourceName> for String {
    fn from(name: ResourceName) -> Self {
        name.0
    }
}
