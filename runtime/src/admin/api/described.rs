//! The operations of the management interface, as its OpenAPI document tells them.

use super::schemas::SchemaBody;
use super::sessions::{PasswordChange, Session, SignIn, Who};
use crate::admin::sent::{MadeApiKey, MadeApp};
use crate::openapi::Operation;
use crate::service::manage::{
    ApiKeyContent, ApiKeyView, AppContent, AppView, AreaContent, AreaView, AuditItem,
    DatasetContent, DatasetView, DeletedRecord, DomainContent, DomainView, NewApiKey, NewUser,
    RecordChange, RoleContent, RoleView, SchemaView, TenantContent, TenantView, UserContent,
    UserView,
};
use crate::wire::{Page, SchemaItem};

/// Every operation of [`router`](super::router).
pub(crate) fn operations() -> Vec<Operation> {
    let mut all = desk();
    all.extend(places());
    all.extend(below());
    all.extend(people());
    all.extend(credentials());
    all
}

/// Who is signed in, where, and what was done.
fn desk() -> Vec<Operation> {
    use Operation as O;
    vec![
        O::management(
            "POST",
            "/sessions",
            ("manage.signIn", "Sign in with a password"),
        )
        .takes::<SignIn>()
        .gives::<Session>(200)
        .to_everyone(),
        O::management("GET", "/session", ("manage.whoAmI", "Who is signed in"))
            .gives::<Who<'static>>(200),
        O::management("DELETE", "/session", ("manage.signOut", "Sign out")).is_done(),
        O::management(
            "PUT",
            "/session/password",
            ("manage.changePassword", "Change one's own password"),
        )
        .takes::<PasswordChange>()
        .is_done()
        .refuses(&[404, 409]),
        O::management(
            "GET",
            "/tenant",
            ("manage.getTenant", "The caller's tenant"),
        )
        .gives::<TenantView>(200)
        .refuses(&[404]),
        O::management(
            "PUT",
            "/tenant",
            ("manage.updateTenant", "Change the caller's tenant"),
        )
        .takes::<TenantContent>()
        .gives::<TenantView>(200)
        .refuses(&[404, 409]),
        O::management(
            "GET",
            "/audit",
            (
                "manage.listAudit",
                "List what changed in the catalog, newest first",
            ),
        )
        .paged()
        .gives::<Page<AuditItem>>(200),
    ]
}

/// Areas, schemas and their datasets.
fn places() -> Vec<Operation> {
    use Operation as O;
    vec![
        O::management(
            "GET",
            "/areas",
            ("manage.listAreas", "List them, in order of creation"),
        )
        .paged()
        .gives::<Page<AreaView>>(200),
        O::management("POST", "/areas", ("manage.createArea", "Make one"))
            .takes::<AreaContent>()
            .gives::<AreaView>(201)
            .refuses(&[409]),
        O::management("GET", "/areas/{id}", ("manage.getArea", "Get one")).gives::<AreaView>(200),
        O::management(
            "PUT",
            "/areas/{id}",
            ("manage.updateArea", "Give it a whole new set of properties"),
        )
        .takes::<AreaContent>()
        .gives::<AreaView>(200)
        .refuses(&[409]),
        O::management("DELETE", "/areas/{id}", ("manage.deleteArea", "Delete it"))
            .is_done()
            .refuses(&[409]),
        O::management(
            "POST",
            "/areas/{id}/restore",
            ("manage.restoreArea", "Take it back from the deleted ones"),
        )
        .gives::<AreaView>(200)
        .refuses(&[409]),
        O::management(
            "GET",
            "/areas/{id}/schemas",
            ("manage.listSchemas", "List them, in order of creation"),
        )
        .paged()
        .gives::<Page<SchemaItem>>(200),
        O::management(
            "POST",
            "/areas/{id}/schemas",
            ("manage.createSchema", "Make one"),
        )
        .takes::<SchemaBody>()
        .gives::<SchemaView>(201)
        .refuses(&[409]),
        O::management("GET", "/schemas/{id}", ("manage.getSchema", "Get one"))
            .gives::<SchemaView>(200),
        O::management(
            "PUT",
            "/schemas/{id}",
            (
                "manage.updateSchema",
                "Give it a whole new set of properties",
            ),
        )
        .takes::<SchemaBody>()
        .gives::<SchemaView>(200)
        .refuses(&[409]),
        O::management(
            "DELETE",
            "/schemas/{id}",
            ("manage.deleteSchema", "Delete it"),
        )
        .is_done()
        .refuses(&[409]),
        O::management(
            "POST",
            "/schemas/{id}/restore",
            ("manage.restoreSchema", "Take it back from the deleted ones"),
        )
        .gives::<SchemaView>(200)
        .refuses(&[409]),
        O::management(
            "GET",
            "/schemas/{id}/datasets",
            ("manage.listDatasets", "List them, in order of creation"),
        )
        .paged()
        .gives::<Page<DatasetView>>(200),
        O::management(
            "POST",
            "/schemas/{id}/datasets",
            ("manage.createDataset", "Make one"),
        )
        .takes::<DatasetContent>()
        .gives::<DatasetView>(201)
        .refuses(&[409]),
    ]
}

/// Datasets, their records, and data domains.
fn below() -> Vec<Operation> {
    use Operation as O;
    vec![
        O::management("GET", "/datasets/{id}", ("manage.getDataset", "Get one"))
            .gives::<DatasetView>(200),
        O::management(
            "PUT",
            "/datasets/{id}",
            (
                "manage.updateDataset",
                "Give it a whole new set of properties",
            ),
        )
        .takes::<DatasetContent>()
        .gives::<DatasetView>(200)
        .refuses(&[409]),
        O::management(
            "DELETE",
            "/datasets/{id}",
            ("manage.deleteDataset", "Delete it"),
        )
        .is_done()
        .refuses(&[409]),
        O::management(
            "POST",
            "/datasets/{id}/restore",
            (
                "manage.restoreDataset",
                "Take it back from the deleted ones",
            ),
        )
        .gives::<DatasetView>(200)
        .refuses(&[409]),
        O::management(
            "GET",
            "/datasets/{id}/changes",
            (
                "manage.listChanges",
                "List what changed in its records, newest first",
            ),
        )
        .paged()
        .gives::<Page<RecordChange>>(200),
        O::management(
            "GET",
            "/datasets/{id}/deleted-records",
            ("manage.listDeletedRecords", "List its deleted records"),
        )
        .paged()
        .gives::<Page<DeletedRecord>>(200),
        O::management(
            "DELETE",
            "/datasets/{id}/deleted-records/{record}",
            ("manage.purgeRecord", "Remove a deleted record for good"),
        )
        .is_done()
        .codes(404, &["DATA_OBJECT_NOT_FOUND"])
        .refuses(&[409]),
        O::management(
            "POST",
            "/datasets/{id}/deleted-records/{record}/restore",
            (
                "manage.restoreRecord",
                "Take a record back from the deleted ones",
            ),
        )
        .is_done()
        .codes(400, &["DUPLICATE_PRIMARY_KEY"])
        .codes(404, &["DATA_OBJECT_NOT_FOUND"])
        .refuses(&[409]),
        O::management(
            "GET",
            "/domains",
            ("manage.listDomains", "List them, in order of creation"),
        )
        .paged()
        .gives::<Page<DomainView>>(200),
        O::management("POST", "/domains", ("manage.createDomain", "Make one"))
            .takes::<DomainContent>()
            .gives::<DomainView>(201)
            .refuses(&[409]),
        O::management("GET", "/domains/{id}", ("manage.getDomain", "Get one"))
            .gives::<DomainView>(200),
        O::management(
            "PUT",
            "/domains/{id}",
            (
                "manage.updateDomain",
                "Give it a whole new set of properties",
            ),
        )
        .takes::<DomainContent>()
        .gives::<DomainView>(200)
        .refuses(&[409]),
        O::management(
            "DELETE",
            "/domains/{id}",
            ("manage.deleteDomain", "Delete it"),
        )
        .is_done()
        .refuses(&[409]),
    ]
}

/// Roles and users.
fn people() -> Vec<Operation> {
    use Operation as O;
    vec![
        O::management(
            "GET",
            "/roles",
            ("manage.listRoles", "List them, in order of creation"),
        )
        .paged()
        .gives::<Page<RoleView>>(200),
        O::management("POST", "/roles", ("manage.createRole", "Make one"))
            .takes::<RoleContent>()
            .gives::<RoleView>(201)
            .refuses(&[409]),
        O::management("GET", "/roles/{id}", ("manage.getRole", "Get one")).gives::<RoleView>(200),
        O::management(
            "PUT",
            "/roles/{id}",
            ("manage.updateRole", "Give it a whole new set of properties"),
        )
        .takes::<RoleContent>()
        .gives::<RoleView>(200)
        .refuses(&[409]),
        O::management("DELETE", "/roles/{id}", ("manage.deleteRole", "Delete it"))
            .is_done()
            .refuses(&[409]),
        O::management(
            "GET",
            "/users",
            ("manage.listUsers", "List them, in order of creation"),
        )
        .paged()
        .gives::<Page<UserView>>(200),
        O::management("POST", "/users", ("manage.createUser", "Make one"))
            .takes::<NewUser>()
            .gives::<UserView>(201)
            .refuses(&[409]),
        O::management("GET", "/users/{id}", ("manage.getUser", "Get one")).gives::<UserView>(200),
        O::management(
            "PUT",
            "/users/{id}",
            ("manage.updateUser", "Give it a whole new set of properties"),
        )
        .takes::<UserContent>()
        .gives::<UserView>(200)
        .refuses(&[409]),
        O::management("DELETE", "/users/{id}", ("manage.deleteUser", "Delete it"))
            .is_done()
            .refuses(&[409]),
        O::management(
            "POST",
            "/users/{id}/enable",
            ("manage.enableUser", "Switch it on"),
        )
        .gives::<UserView>(200)
        .refuses(&[409]),
        O::management(
            "POST",
            "/users/{id}/disable",
            ("manage.disableUser", "Switch it off"),
        )
        .gives::<UserView>(200)
        .refuses(&[409]),
    ]
}

/// API keys and application clients.
fn credentials() -> Vec<Operation> {
    use Operation as O;
    vec![
        O::management(
            "GET",
            "/api-keys",
            ("manage.listApiKeys", "List them, in order of creation"),
        )
        .paged()
        .gives::<Page<ApiKeyView>>(200),
        O::management("POST", "/api-keys", ("manage.createApiKey", "Make one"))
            .takes::<NewApiKey>()
            .gives::<MadeApiKey>(201)
            .refuses(&[409]),
        O::management("GET", "/api-keys/{id}", ("manage.getApiKey", "Get one"))
            .gives::<ApiKeyView>(200),
        O::management(
            "PUT",
            "/api-keys/{id}",
            (
                "manage.updateApiKey",
                "Give it a whole new set of properties",
            ),
        )
        .takes::<ApiKeyContent>()
        .gives::<ApiKeyView>(200)
        .refuses(&[409]),
        O::management(
            "DELETE",
            "/api-keys/{id}",
            ("manage.deleteApiKey", "Delete it"),
        )
        .is_done()
        .refuses(&[409]),
        O::management(
            "POST",
            "/api-keys/{id}/enable",
            ("manage.enableApiKey", "Switch it on"),
        )
        .gives::<ApiKeyView>(200)
        .refuses(&[409]),
        O::management(
            "POST",
            "/api-keys/{id}/disable",
            ("manage.disableApiKey", "Switch it off"),
        )
        .gives::<ApiKeyView>(200)
        .refuses(&[409]),
        O::management(
            "GET",
            "/apps",
            ("manage.listApps", "List them, in order of creation"),
        )
        .paged()
        .gives::<Page<AppView>>(200),
        O::management("POST", "/apps", ("manage.createApp", "Make one"))
            .takes::<AppContent>()
            .gives::<MadeApp>(201)
            .refuses(&[409]),
        O::management("GET", "/apps/{id}", ("manage.getApp", "Get one")).gives::<AppView>(200),
        O::management(
            "PUT",
            "/apps/{id}",
            ("manage.updateApp", "Give it a whole new set of properties"),
        )
        .takes::<AppContent>()
        .gives::<AppView>(200)
        .refuses(&[409]),
        O::management("DELETE", "/apps/{id}", ("manage.deleteApp", "Delete it"))
            .is_done()
            .refuses(&[409]),
        O::management(
            "POST",
            "/apps/{id}/enable",
            ("manage.enableApp", "Switch it on"),
        )
        .gives::<AppView>(200)
        .refuses(&[409]),
        O::management(
            "POST",
            "/apps/{id}/disable",
            ("manage.disableApp", "Switch it off"),
        )
        .gives::<AppView>(200)
        .refuses(&[409]),
        O::management(
            "POST",
            "/apps/{id}/secret",
            ("manage.renewSecretOfApp", "Give it a new secret"),
        )
        .gives::<MadeApp>(200)
        .refuses(&[409]),
    ]
}
