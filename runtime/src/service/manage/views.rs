//! Nouns as management shows and remembers them. What is not here (hashes, above all) is never shown.

use crate::service::catalog::area_item;
use crate::store::catalog::{
    ApiKey, App, Area, Dataset, Domain, DomainCode, Grant, Permission, Role, SchemaEntry, Stamp,
    Tenant, User,
};
use crate::store::records::Counts;
use crate::value::Timestamp;
use crate::wire::AreaItem;
use serde::Serialize;
use serde_json::value::RawValue;

/// Who made something and changed it last, and when.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "server", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
#[allow(missing_docs, reason = "named as in the interface")]
pub struct StampView {
    pub created_by: String,
    pub updated_by: String,
    pub created_date: Timestamp,
    pub updated_date: Timestamp,
}

impl StampView {
    fn of(stamp: &Stamp) -> Self {
        StampView {
            created_by: stamp.created_by.name.clone(),
            updated_by: stamp.updated_by.name.clone(),
            created_date: stamp.created_at,
            updated_date: stamp.updated_at,
        }
    }
}

/// A tenant.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "server", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
#[allow(missing_docs, reason = "each is the noun's own")]
pub struct TenantView {
    pub tenant_id: String,
    pub name: String,
    #[serde(flatten)]
    pub stamp: StampView,
}

impl TenantView {
    /// The tenant as it is shown.
    pub fn of(tenant: &Tenant) -> Self {
        TenantView {
            tenant_id: tenant.id.clone(),
            name: tenant.name.clone(),
            stamp: StampView::of(&tenant.stamp),
        }
    }
}

/// A business area.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "server", derive(schemars::JsonSchema))]
pub struct AreaView {
    /// As the interface lists it.
    #[serde(flatten)]
    pub item: AreaItem,
    /// Whether it was deleted.
    pub deleted: bool,
}

impl AreaView {
    /// The area as it is shown.
    pub fn of(area: &Area) -> Self {
        AreaView {
            item: area_item(area),
            deleted: area.deleted,
        }
    }
}

/// A schema with its document.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "server", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
#[allow(missing_docs, reason = "each is the noun's own")]
pub struct SchemaView {
    pub schema_id: String,
    pub name: String,
    pub business_area_id: String,
    pub state: String,
    pub active: bool,
    pub deleted: bool,
    pub version: i64,
    #[serde(flatten)]
    pub stamp: StampView,
    /// The schema-detail document of the version in force.
    #[cfg_attr(
        feature = "server",
        schemars(with = "Option<crate::openapi::SchemaDocument>")
    )]
    pub document: Option<Box<RawValue>>,
}

impl SchemaView {
    /// The schema as it is shown.
    pub fn of(entry: &SchemaEntry) -> Self {
        let current = entry.current();
        SchemaView {
            schema_id: entry.id.clone(),
            name: current.schema.name.clone(),
            business_area_id: entry.area.clone(),
            state: entry.state.clone(),
            active: entry.active,
            deleted: entry.deleted,
            version: current.number,
            stamp: StampView::of(&entry.stamp),
            document: RawValue::from_string(current.schema.to_json()).ok(),
        }
    }
}

/// A dataset.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "server", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
#[allow(missing_docs, reason = "each is the noun's own")]
pub struct DatasetView {
    pub data_set_id: String,
    pub data_set_name: String,
    pub data_set_description: String,
    pub business_area_id: String,
    pub schema_id: String,
    pub deleted: bool,
    pub version: i64,
    #[serde(flatten)]
    pub stamp: StampView,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub record_count: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub errored_records_count: Option<u64>,
}

impl DatasetView {
    /// The dataset as it is shown, without its counts.
    pub fn of(dataset: &Dataset) -> Self {
        DatasetView {
            data_set_id: dataset.id.clone(),
            data_set_name: dataset.name.clone(),
            data_set_description: dataset.description.clone(),
            business_area_id: dataset.area.clone(),
            schema_id: dataset.schema.clone(),
            deleted: dataset.deleted,
            version: dataset.version,
            stamp: StampView::of(&dataset.stamp),
            record_count: None,
            errored_records_count: None,
        }
    }

    /// The same with its counts.
    #[must_use]
    pub fn with(self, counts: Counts) -> Self {
        DatasetView {
            record_count: Some(counts.records),
            errored_records_count: Some(counts.errored),
            ..self
        }
    }
}

/// A data domain.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "server", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
#[allow(missing_docs, reason = "each is the noun's own")]
pub struct DomainView {
    pub data_domain_id: String,
    pub name: String,
    pub codes: Vec<DomainCode>,
    pub version: i64,
    #[serde(flatten)]
    pub stamp: StampView,
}

impl DomainView {
    /// The domain as it is shown.
    pub fn of(domain: &Domain) -> Self {
        DomainView {
            data_domain_id: domain.id.clone(),
            name: domain.name.clone(),
            codes: domain.codes.clone(),
            version: domain.version,
            stamp: StampView::of(&domain.stamp),
        }
    }
}

/// A role.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "server", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
#[allow(missing_docs, reason = "each is the noun's own")]
pub struct RoleView {
    pub role_id: String,
    pub name: String,
    pub description: String,
    pub built_in: bool,
    pub permissions: Vec<Permission>,
}

impl RoleView {
    /// The role as it is shown.
    pub fn of(role: &Role) -> Self {
        RoleView {
            role_id: role.id.clone(),
            name: role.name.clone(),
            description: role.description.clone(),
            built_in: role.built_in,
            permissions: role.permissions.clone(),
        }
    }
}

/// An API key, masked.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "server", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
#[allow(missing_docs, reason = "each is the noun's own")]
pub struct ApiKeyView {
    pub api_key_id: String,
    pub name: String,
    pub description: String,
    pub masked_key: String,
    pub expires_at: Option<Timestamp>,
    pub active: bool,
    pub roles: Vec<String>,
    pub grants: Vec<Grant>,
    pub last_used_at: Option<Timestamp>,
    #[serde(flatten)]
    pub stamp: StampView,
}

impl ApiKeyView {
    /// The key as it is shown.
    pub fn of(key: &ApiKey) -> Self {
        ApiKeyView {
            api_key_id: key.id.clone(),
            name: key.name.clone(),
            description: key.description.clone(),
            masked_key: key.masked.clone(),
            expires_at: key.expires_at,
            active: key.active,
            roles: key.roles.clone(),
            grants: key.grants.clone(),
            last_used_at: key.last_used_at,
            stamp: StampView::of(&key.stamp),
        }
    }

    /// `Active`, `Inactive` or `Expired`. Interface, "API key status".
    pub fn status(&self, now: Timestamp) -> &'static str {
        match (self.active, self.expires_at) {
            (_, Some(end)) if end <= now => "Expired",
            (true, _) => "Active",
            (false, _) => "Inactive",
        }
    }
}

/// An application client, without its secret.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "server", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
#[allow(missing_docs, reason = "each is the noun's own")]
pub struct AppView {
    pub client_id: String,
    pub name: String,
    pub description: String,
    pub active: bool,
    pub token_seconds: i64,
    pub roles: Vec<String>,
    pub grants: Vec<Grant>,
    pub last_used_at: Option<Timestamp>,
    #[serde(flatten)]
    pub stamp: StampView,
}

impl AppView {
    /// The client as it is shown.
    pub fn of(app: &App) -> Self {
        AppView {
            client_id: app.id.clone(),
            name: app.name.clone(),
            description: app.description.clone(),
            active: app.active,
            token_seconds: app.token_seconds,
            roles: app.roles.clone(),
            grants: app.grants.clone(),
            last_used_at: app.last_used_at,
            stamp: StampView::of(&app.stamp),
        }
    }
}

/// A user, without its password.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "server", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
#[allow(missing_docs, reason = "each is the noun's own")]
pub struct UserView {
    pub user_id: String,
    pub username: String,
    pub full_name: String,
    pub email: String,
    pub active: bool,
    pub roles: Vec<String>,
    pub grants: Vec<Grant>,
    pub last_used_at: Option<Timestamp>,
    #[serde(flatten)]
    pub stamp: StampView,
}

impl UserView {
    /// The user as it is shown.
    pub fn of(user: &User) -> Self {
        UserView {
            user_id: user.id.clone(),
            username: user.username.clone(),
            full_name: user.full_name.clone(),
            email: user.email.clone(),
            active: user.active,
            roles: user.roles.clone(),
            grants: user.grants.clone(),
            last_used_at: user.last_used_at,
            stamp: StampView::of(&user.stamp),
        }
    }

    /// The user as the audit trail remembers it: what identifies the person is masked.
    pub(super) fn masked(user: &User) -> Self {
        UserView {
            full_name: masked(&user.full_name),
            email: masked(&user.email),
            ..UserView::of(user)
        }
    }
}

/// What stands in the audit trail for what is personal.
pub(super) const MASK: &str = "***";

fn masked(text: &str) -> String {
    if text.is_empty() {
        String::new()
    } else {
        MASK.to_owned()
    }
}
