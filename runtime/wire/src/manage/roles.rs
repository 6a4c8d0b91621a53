//! Roles and area grants: what a caller may do, and where. docs/interface.md, "Rights".

#[cfg(feature = "schemars")]
use super::limits::{DESCRIPTION_LENGTH_MAX, NAME_LENGTH_MAX};
use serde::{Deserialize, Serialize};

/// What can be done to a resource.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Verb {
    /// See it.
    View,
    /// Make one.
    Add,
    /// Change it.
    Edit,
    /// Delete it.
    Delete,
}

/// A set of verbs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(from = "Vec<Verb>", into = "Vec<Verb>")]
pub struct Verbs(u8);

impl Verbs {
    /// No verb.
    pub const NONE: Verbs = Verbs(0);
    /// Every verb.
    pub const ALL: Verbs = Verbs(0b1111);

    /// The set of one verb.
    pub const fn of(verb: Verb) -> Self {
        Verbs(1 << verb as u8)
    }

    /// Whether the verb is in the set.
    pub const fn has(self, verb: Verb) -> bool {
        self.0 & (1 << verb as u8) != 0
    }

    /// Both sets together.
    #[must_use]
    pub const fn and(self, other: Verbs) -> Self {
        Verbs(self.0 | other.0)
    }
}

impl From<Vec<Verb>> for Verbs {
    fn from(verbs: Vec<Verb>) -> Self {
        verbs
            .into_iter()
            .fold(Verbs::NONE, |set, verb| set.and(Verbs::of(verb)))
    }
}

impl From<Verbs> for Vec<Verb> {
    fn from(set: Verbs) -> Self {
        [Verb::View, Verb::Add, Verb::Edit, Verb::Delete]
            .into_iter()
            .filter(|verb| set.has(*verb))
            .collect()
    }
}

/// What a role speaks of: the resources of the data interface and those of management.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Resource {
    /// Business areas.
    #[serde(rename = "BUSINESS AREAS")]
    Areas,
    /// Schemas.
    #[serde(rename = "SCHEMA MODELS")]
    Schemas,
    /// Datasets.
    #[serde(rename = "DATASETS")]
    Datasets,
    /// Records.
    #[serde(rename = "DATA OBJECTS")]
    Records,
    /// Searching records.
    #[serde(rename = "DATASET OBJECTS SEARCH")]
    Search,
    /// Data domains.
    #[serde(rename = "DATA DOMAINS")]
    Domains,
    /// Roles.
    #[serde(rename = "ROLES")]
    Roles,
    /// Users.
    #[serde(rename = "USERS")]
    Users,
    /// API keys.
    #[serde(rename = "API KEYS")]
    ApiKeys,
    /// Application clients.
    #[serde(rename = "APPLICATION CLIENTS")]
    Apps,
    /// The audit trail.
    #[serde(rename = "AUDIT")]
    Audit,
    /// Values of fields that hold personally identifiable information (`isPII`), as management and, for users, the data interface
    /// show them: `view` alone has a meaning. To keys and clients the data interface shows records whole.
    #[serde(rename = "PERSONAL DATA")]
    PersonalData,
}

impl Resource {
    /// Every resource.
    pub const ALL: [Resource; 12] = [
        Resource::Areas,
        Resource::Schemas,
        Resource::Datasets,
        Resource::Records,
        Resource::Search,
        Resource::Domains,
        Resource::Roles,
        Resource::Users,
        Resource::ApiKeys,
        Resource::Apps,
        Resource::Audit,
        Resource::PersonalData,
    ];

    /// What interfaces call it, such as `DATA OBJECTS`.
    pub fn name(self) -> String {
        let name = serde_json::to_value(self).unwrap_or_default();
        name.as_str().unwrap_or_default().to_owned()
    }

    /// Whether a verb has a meaning for it: what is looked at alone is neither added, changed nor deleted.
    pub fn takes(self, verb: Verb) -> bool {
        use Resource::{Audit, PersonalData, Search};
        verb == Verb::View || !matches!(self, Search | Audit | PersonalData)
    }
}

// by hand: a derive would tell each name's docs
#[cfg(feature = "schemars")]
crate::shaped!(Resource, "Resource", |_| {
    let names: Vec<_> = Resource::ALL
        .iter()
        .map(|name| serde_json::json!(name))
        .collect();
    schemars::json_schema!({
        "description": "What a role speaks of: the resources of the data interface and those of management.",
        "type": "string",
        "enum": names,
    })
});

/// What a role allows on one resource.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct Permission {
    /// The resource.
    pub resource: Resource,
    /// The verbs.
    pub verbs: Verbs,
}

/// What a key, client or user may do in one area, or in all.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct Grant {
    /// The area's id, or `*` for all areas of the tenant, also those that are made later.
    pub area: String,
    /// The verbs.
    pub verbs: Verbs,
}

impl Grant {
    /// What stands for all areas of a tenant. No area has this id.
    pub const ALL_AREAS: &str = "*";

    /// Whether it is one of all areas.
    pub fn is_of_all_areas(&self) -> bool {
        self.area == Self::ALL_AREAS
    }
}

/// What can be said of a role.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RoleContent {
    /// Its name, unique within the tenant.
    #[cfg_attr(feature = "schemars", schemars(length(min = 1, max = NAME_LENGTH_MAX)))]
    pub name: String,
    /// What it is for.
    #[cfg_attr(feature = "schemars", schemars(length(max = DESCRIPTION_LENGTH_MAX)))]
    #[serde(default)]
    pub description: String,
    /// What it allows.
    pub permissions: Vec<Permission>,
    /// Whether users who have it must set up a second factor before they may do anything else; absent, it stays as it is.
    #[serde(default)]
    pub second_factor_required: Option<bool>,
}

/// A role.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct RoleView {
    /// Its id.
    pub role_id: String,
    /// Its name.
    pub name: String,
    /// What it is for.
    pub description: String,
    /// Whether it is one of those that every tenant has.
    pub built_in: bool,
    /// What it allows.
    pub permissions: Vec<Permission>,
    /// Whether users who have it must have a second factor.
    pub second_factor_required: bool,
}
