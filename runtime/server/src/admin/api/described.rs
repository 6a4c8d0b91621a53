//! The operations of the management interface, as its OpenAPI document tells them.

use super::schemas::SchemaBody;
use super::sessions::{PasswordChange, Session, SignIn, Who};
use crate::admin::sent::{MadeApiKey, MadeApp};
use crate::openapi::Operation;
use schemars::JsonSchema;
use service::manage::{
    ApiKeyContent, ApiKeyView, AppContent, AppView, AreaContent, AreaView, AuditItem,
    DatasetContent, DatasetView, DeletedRecord, DomainContent, DomainView, NewApiKey, NewApp,
    NewUser, RecordChange, RoleContent, RoleView, SchemaView, TenantContent, TenantView,
    UserContent, UserView,
};
use wire::{Page, SchemaItem};

/// Every operation of [`router`](super::router).
pub(crate) fn operations() -> Vec<Operation> {
    let mut all = desk();
    all.extend(places());
    all.extend(below());
    all.extend(removed());
    all.extend(people());
    all.extend(credentials());
    all.extend(apps());
    all
}

/// What can be done with every kind of noun: listed, made, shown, changed, deleted.
fn noun<Item, New, Made, Content, View>(
    [all, one]: [&str; 2],
    [list, create, get, update, delete]: [&'static str; 5],
) -> [Operation; 5]
where
    Item: JsonSchema,
    New: JsonSchema,
    Made: JsonSchema,
    Content: JsonSchema,
    View: JsonSchema,
{
    use Operation as O;
    const CHANGE: &str = "Give it a whole new set of properties";
    [
        O::management("GET", all, (list, "List them, in order of creation"))
            .paged()
            .gives::<Page<Item>>(200),
        O::management("POST", all, (create, "Make one"))
            .takes::<New>()
            .gives::<Made>(201)
            .refuses(&[409]),
        O::management("GET", one, (get, "Get one")).gives::<View>(200),
        O::management("PUT", one, (update, CHANGE))
            .takes::<Content>()
            .gives::<View>(200)
            .refuses(&[409]),
        O::management("DELETE", one, (delete, "Delete it")).gives_nothing(),
    ]
}

/// The same, of which some can't be deleted as things are.
fn may_have_to_stay([list, make, get, change, delete]: [Operation; 5]) -> [Operation; 5] {
    [list, make, get, change, delete.refuses(&[409])]
}

/// The same, whose list may also be of those that were deleted, and that are taken back from there.
fn restorable<View: JsonSchema>(
    noun: [Operation; 5],
    one: &str,
    restore: &'static str,
) -> [Operation; 6] {
    const DELETED: &str = "`true` lists those that were deleted, and only those";
    const RESTORE: &str = "Take it back from the deleted ones";
    let [list, make, get, change, delete] = noun;
    let restore = Operation::management("POST", &format!("{one}/restore"), (restore, RESTORE));
    [
        list.asks("deleted", DELETED, false),
        make,
        get,
        change,
        delete,
        restore.gives::<View>(200).refuses(&[409]),
    ]
}

/// Switching on and off.
fn switches<View: JsonSchema>(one: &str, [on, off]: [&'static str; 2]) -> [Operation; 2] {
    let switch = |action: &str, is: (&'static str, &'static str)| {
        let switch = Operation::management("POST", &format!("{one}/{action}"), is);
        switch.gives::<View>(200)
    };
    [
        switch("enable", (on, "Switch it on")),
        switch("disable", (off, "Switch it off")),
    ]
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
        .refuses(&[429])
        .never(&[403])
        .for_everyone(),
        O::management("GET", "/session", ("manage.whoAmI", "Who is signed in"))
            .gives::<Who<'static>>(200)
            .never(&[403]),
        O::management("DELETE", "/session", ("manage.signOut", "Sign out")).gives_nothing(),
        O::management(
            "PUT",
            "/session/password",
            ("manage.changePassword", "Change one's own password"),
        )
        .takes::<PasswordChange>()
        .gives_nothing()
        .refuses(&[409, 429]),
        O::management(
            "GET",
            "/tenant",
            ("manage.getTenant", "The caller's tenant"),
        )
        .gives::<TenantView>(200)
        .refuses(&[404])
        .never(&[403]),
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

/// Areas and schemas.
fn places() -> Vec<Operation> {
    let areas = noun::<AreaView, AreaContent, AreaView, AreaContent, AreaView>(
        ["/areas", "/areas/{id}"],
        [
            "manage.listAreas",
            "manage.createArea",
            "manage.getArea",
            "manage.updateArea",
            "manage.deleteArea",
        ],
    );
    let schemas = noun::<SchemaItem, SchemaBody, SchemaView, SchemaBody, SchemaView>(
        ["/areas/{id}/schemas", "/schemas/{id}"],
        [
            "manage.listSchemas",
            "manage.createSchema",
            "manage.getSchema",
            "manage.updateSchema",
            "manage.deleteSchema",
        ],
    );
    let mut all = Vec::new();
    all.extend(restorable::<AreaView>(
        areas,
        "/areas/{id}",
        "manage.restoreArea",
    ));
    all.extend(restorable::<SchemaView>(
        schemas,
        "/schemas/{id}",
        "manage.restoreSchema",
    ));
    all
}

/// Datasets and what changed in them.
fn below() -> Vec<Operation> {
    use Operation as O;
    let datasets = noun::<DatasetView, DatasetContent, DatasetView, DatasetContent, DatasetView>(
        ["/schemas/{id}/datasets", "/datasets/{id}"],
        [
            "manage.listDatasets",
            "manage.createDataset",
            "manage.getDataset",
            "manage.updateDataset",
            "manage.deleteDataset",
        ],
    );
    let mut all = Vec::new();
    all.extend(restorable::<DatasetView>(
        datasets,
        "/datasets/{id}",
        "manage.restoreDataset",
    ));
    all.push(
        O::management(
            "GET",
            "/datasets/{id}/changes",
            (
                "manage.listChanges",
                "List what changed in its records, oldest first",
            ),
        )
        .paged()
        .gives::<Page<RecordChange>>(200),
    );
    all
}

/// Deleted records, and data domains.
fn removed() -> Vec<Operation> {
    use Operation as O;
    let mut all = Vec::new();
    all.push(
        O::management(
            "GET",
            "/datasets/{id}/deleted-records",
            ("manage.listDeletedRecords", "List its deleted records"),
        )
        .paged()
        .gives::<Page<DeletedRecord>>(200),
    );
    all.push(
        O::management(
            "DELETE",
            "/datasets/{id}/deleted-records/{record}",
            ("manage.purgeRecord", "Remove a deleted record for good"),
        )
        .gives_nothing(),
    );
    all.push(
        O::management(
            "POST",
            "/datasets/{id}/deleted-records/{record}/restore",
            (
                "manage.restoreRecord",
                "Take a record back from the deleted ones",
            ),
        )
        .gives_nothing()
        .refuses(&[409]),
    );
    let domains = noun::<DomainView, DomainContent, DomainView, DomainContent, DomainView>(
        ["/domains", "/domains/{id}"],
        [
            "manage.listDomains",
            "manage.createDomain",
            "manage.getDomain",
            "manage.updateDomain",
            "manage.deleteDomain",
        ],
    );
    all.extend(may_have_to_stay(domains));
    all
}

/// Roles and users.
fn people() -> Vec<Operation> {
    let mut all = Vec::new();
    let roles = noun::<RoleView, RoleContent, RoleView, RoleContent, RoleView>(
        ["/roles", "/roles/{id}"],
        [
            "manage.listRoles",
            "manage.createRole",
            "manage.getRole",
            "manage.updateRole",
            "manage.deleteRole",
        ],
    );
    all.extend(may_have_to_stay(roles));
    let users = noun::<UserView, NewUser, UserView, UserContent, UserView>(
        ["/users", "/users/{id}"],
        [
            "manage.listUsers",
            "manage.createUser",
            "manage.getUser",
            "manage.updateUser",
            "manage.deleteUser",
        ],
    );
    let [list, make, get, change, delete] = may_have_to_stay(users);
    // a new password is costly, so only a few are made at a time
    let (make, change) = (make.refuses(&[429]), change.refuses(&[429]));
    all.extend([list, make, get, change, delete]);
    let switches = switches::<UserView>("/users/{id}", ["manage.enableUser", "manage.disableUser"]);
    let [enable, disable] = switches;
    // the last administrator stays
    all.extend([enable, disable.refuses(&[409])]);
    all
}

/// API keys and application clients.
fn credentials() -> Vec<Operation> {
    let mut all = Vec::new();
    all.extend(noun::<
        ApiKeyView,
        NewApiKey,
        MadeApiKey,
        ApiKeyContent,
        ApiKeyView,
    >(
        ["/api-keys", "/api-keys/{id}"],
        [
            "manage.listApiKeys",
            "manage.createApiKey",
            "manage.getApiKey",
            "manage.updateApiKey",
            "manage.deleteApiKey",
        ],
    ));
    all.extend(switches::<ApiKeyView>(
        "/api-keys/{id}",
        ["manage.enableApiKey", "manage.disableApiKey"],
    ));
    all
}

/// Application clients.
fn apps() -> Vec<Operation> {
    use Operation as O;
    let mut all = Vec::new();
    all.extend(noun::<AppView, NewApp, MadeApp, AppContent, AppView>(
        ["/apps", "/apps/{id}"],
        [
            "manage.listApps",
            "manage.createApp",
            "manage.getApp",
            "manage.updateApp",
            "manage.deleteApp",
        ],
    ));
    all.extend(switches::<AppView>(
        "/apps/{id}",
        ["manage.enableApp", "manage.disableApp"],
    ));
    all.push(
        O::management(
            "POST",
            "/apps/{id}/secret",
            ("manage.renewSecretOfApp", "Give it a new secret"),
        )
        .gives::<MadeApp>(200),
    );
    all
}
