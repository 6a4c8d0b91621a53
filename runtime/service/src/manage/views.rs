//! Nouns as management shows and remembers them. What is not here (hashes, above all) is never shown.

use crate::catalog::area_item;
use serde_json::value::RawValue;
use store::catalog::{ApiKey, App, Area, Dataset, Domain, Role, SchemaEntry, Stamp, Tenant, User};
use store::records::Counts;
use wire::manage::{
    ApiKeyView, AppView, AreaView, DatasetView, DomainView, RoleView, SchemaView, StampView,
    TenantView, UserView,
};

/// How a noun of the catalogue is shown.
pub trait View<N> {
    /// The noun as it is shown.
    fn of(noun: &N) -> Self;
}

impl View<Stamp> for StampView {
    fn of(stamp: &Stamp) -> Self {
        StampView {
            created_by: stamp.created_by.name.clone(),
            updated_by: stamp.updated_by.name.clone(),
            created_date: stamp.created_at,
            updated_date: stamp.updated_at,
        }
    }
}

impl View<Tenant> for TenantView {
    fn of(tenant: &Tenant) -> Self {
        TenantView {
            tenant_id: tenant.id.clone(),
            name: tenant.name.clone(),
            stamp: StampView::of(&tenant.stamp),
        }
    }
}

impl View<Area> for AreaView {
    fn of(area: &Area) -> Self {
        AreaView {
            item: area_item(area),
            deleted: area.deleted,
        }
    }
}

impl View<SchemaEntry> for SchemaView {
    fn of(entry: &SchemaEntry) -> Self {
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

impl View<Dataset> for DatasetView {
    fn of(dataset: &Dataset) -> Self {
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
}

/// A dataset's view with its counts.
pub fn counted(view: DatasetView, counts: Counts) -> DatasetView {
    DatasetView {
        record_count: Some(counts.records),
        errored_records_count: Some(counts.errored),
        ..view
    }
}

impl View<Domain> for DomainView {
    fn of(domain: &Domain) -> Self {
        DomainView {
            data_domain_id: domain.id.clone(),
            name: domain.name.clone(),
            codes: domain.codes.clone(),
            version: domain.version,
            stamp: StampView::of(&domain.stamp),
        }
    }
}

impl View<Role> for RoleView {
    fn of(role: &Role) -> Self {
        RoleView {
            role_id: role.id.clone(),
            name: role.name.clone(),
            description: role.description.clone(),
            built_in: role.built_in,
            permissions: role.permissions.clone(),
        }
    }
}

impl View<ApiKey> for ApiKeyView {
    fn of(key: &ApiKey) -> Self {
        ApiKeyView {
            api_key_id: key.id.clone(),
            name: key.name.clone(),
            description: key.description.clone(),
            masked_key: key.masked.clone(),
            expires_at: key.expires_at,
            active: key.active,
            roles: key.roles.clone(),
            grants: key.grants.clone(),
            last_used_at: key.last_used_at.get(),
            stamp: StampView::of(&key.stamp),
        }
    }
}

impl View<App> for AppView {
    fn of(app: &App) -> Self {
        AppView {
            client_id: app.id.clone(),
            name: app.name.clone(),
            description: app.description.clone(),
            active: app.active,
            token_seconds: app.token_seconds,
            roles: app.roles.clone(),
            grants: app.grants.clone(),
            last_used_at: app.last_used_at.get(),
            stamp: StampView::of(&app.stamp),
        }
    }
}

impl View<User> for UserView {
    fn of(user: &User) -> Self {
        UserView {
            user_id: user.id.clone(),
            username: user.username.clone(),
            full_name: user.full_name.clone(),
            email: user.email.clone(),
            active: user.active,
            roles: user.roles.clone(),
            grants: user.grants.clone(),
            last_used_at: user.last_used_at.get(),
            stamp: StampView::of(&user.stamp),
        }
    }
}

/// A user as the audit trail remembers it: what identifies the person is masked.
pub(super) fn masked_user(user: &User) -> UserView {
    UserView {
        full_name: masked(&user.full_name),
        email: masked(&user.email),
        ..UserView::of(user)
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
