//! Every route of management with its description: the router and the document are made of it. What the nouns
//! of the catalog have in common is told by [`Noun`](super::noun::Noun). `docs/interface.md`, "Management".

use super::noun::Noun;
use super::nouns::{
    create, create_below, delete, disable, enable, get, list, list_with_deleted, restore, update,
};
use super::schemas::SchemaBody;
use super::sessions::{PasswordChange, Session, SignIn, Who};
use super::{api_keys, apps, audit, datasets, records, schemas, sessions, tenants, users};
use crate::admin::response::{MadeApiKey, MadeApp};
use crate::http::route::Route;
use crate::openapi::Operation as O;
use service::manage::{
    ApiKeyContent, ApiKeyView, AppContent, AppView, AreaContent, AreaView, AuditItem,
    DatasetContent, DatasetView, DeletedRecord, DomainContent, DomainView, NewApiKey, NewApp,
    NewUser, RecordChange, RoleContent, RoleView, SchemaView, TenantContent, TenantView,
    UserContent, UserView,
};
use store::catalog::{ApiKey, App, Area, Dataset, Domain, Role, SchemaEntry, User};
use wire::{Page, SchemaItem};

/// All of them.
pub(in crate::admin) fn routes() -> Vec<Route> {
    [
        own,
        of_areas,
        of_schemas,
        of_datasets,
        of_records,
        of_domains,
        of_roles,
        of_users,
        of_api_keys,
        of_apps,
    ]
    .into_iter()
    .flat_map(|routes| routes())
    .collect()
}

/// The caller's own session and tenant, and the trail.
fn own() -> Vec<Route> {
    let sign_in = O::management("signIn", "Sign in with a password")
        .takes::<SignIn>()
        .gives::<Session>(200)
        .refuses(&[429])
        .never(&[403])
        .for_everyone();
    let who = O::management("whoAmI", "Who is signed in")
        .gives::<Who<'static>>(200)
        .never(&[403]);
    let change_password = O::management("changePassword", "Change one's own password")
        .takes::<PasswordChange>()
        .gives_nothing()
        .refuses(&[409, 429]);
    let tenant = O::management("getTenant", "The caller's tenant")
        .gives::<TenantView>(200)
        .refuses(&[404])
        .never(&[403]);
    let change_tenant = O::management("updateTenant", "Change the caller's tenant")
        .takes::<TenantContent>()
        .gives::<TenantView>(200)
        .refuses(&[404, 409]);
    let audit = O::management(
        "listAudit",
        "List what changed in the catalog, newest first",
    )
    .paged()
    .gives::<Page<AuditItem>>(200);
    vec![
        Route::post("/sessions", sessions::sign_in, sign_in),
        Route::get("/session", sessions::who, who),
        Route::delete(
            "/session",
            sessions::sign_out,
            O::management("signOut", "Sign out").gives_nothing(),
        ),
        Route::put(
            "/session/password",
            sessions::change_password,
            change_password,
        ),
        Route::get("/tenant", tenants::get, tenant),
        Route::put("/tenant", tenants::update, change_tenant),
        Route::get("/audit", audit::list, audit),
    ]
}

fn of_areas() -> Vec<Route> {
    const ALL: &str = "/areas";
    const ONE: &str = "/areas/{id}";
    const RESTORE: &str = "/areas/{id}/restore";
    let noun = Noun("Area");
    vec![
        Route::get(
            ALL,
            list_with_deleted::<Area>,
            noun.list_with_deleted::<AreaView>(),
        ),
        Route::post(ALL, create::<Area>, noun.create::<AreaContent, AreaView>()),
        Route::get(ONE, get::<Area>, noun.get::<AreaView>()),
        Route::put(ONE, update::<Area>, noun.update::<AreaContent, AreaView>()),
        Route::delete(ONE, delete::<Area>, noun.delete()),
        Route::post(RESTORE, restore::<Area>, noun.restore::<AreaView>()),
    ]
}

fn of_schemas() -> Vec<Route> {
    const ALL: &str = "/areas/{id}/schemas";
    const ONE: &str = "/schemas/{id}";
    const RESTORE: &str = "/schemas/{id}/restore";
    let noun = Noun("Schema");
    vec![
        Route::get(ALL, schemas::list, noun.list_with_deleted::<SchemaItem>()),
        Route::post(
            ALL,
            schemas::create,
            noun.create::<SchemaBody, SchemaView>(),
        ),
        Route::get(ONE, get::<SchemaEntry>, noun.get::<SchemaView>()),
        Route::put(
            ONE,
            schemas::update,
            noun.update::<SchemaBody, SchemaView>(),
        ),
        Route::delete(ONE, delete::<SchemaEntry>, noun.delete()),
        Route::post(
            RESTORE,
            restore::<SchemaEntry>,
            noun.restore::<SchemaView>(),
        ),
    ]
}

fn of_datasets() -> Vec<Route> {
    const ALL: &str = "/schemas/{id}/datasets";
    const ONE: &str = "/datasets/{id}";
    const RESTORE: &str = "/datasets/{id}/restore";
    let noun = Noun("Dataset");
    vec![
        Route::get(ALL, datasets::list, noun.list_with_deleted::<DatasetView>()),
        Route::post(
            ALL,
            create_below::<Dataset>,
            noun.create::<DatasetContent, DatasetView>(),
        ),
        Route::get(ONE, get::<Dataset>, noun.get::<DatasetView>()),
        Route::put(
            ONE,
            update::<Dataset>,
            noun.update::<DatasetContent, DatasetView>(),
        ),
        Route::delete(ONE, delete::<Dataset>, noun.delete()),
        Route::post(RESTORE, restore::<Dataset>, noun.restore::<DatasetView>()),
    ]
}

/// Changes of records, and those that were deleted.
fn of_records() -> Vec<Route> {
    const CHANGES: &str = "/datasets/{id}/changes";
    const DELETED: &str = "/datasets/{id}/deleted-records";
    const ONE: &str = "/datasets/{id}/deleted-records/{record}";
    const RESTORE: &str = "/datasets/{id}/deleted-records/{record}/restore";
    let changes = O::management(
        "listChanges",
        "List what changed in its records, oldest first",
    )
    .paged()
    .gives::<Page<RecordChange>>(200);
    let deleted = O::management("listDeletedRecords", "List its deleted records")
        .paged()
        .gives::<Page<DeletedRecord>>(200);
    let purge = O::management("purgeRecord", "Remove a deleted record for good").gives_nothing();
    let restore = O::management("restoreRecord", "Take a record back from the deleted ones")
        .gives_nothing()
        .refuses(&[409]);
    vec![
        Route::get(CHANGES, records::changes, changes),
        Route::get(DELETED, records::deleted, deleted),
        Route::delete(ONE, records::purge, purge),
        Route::post(RESTORE, records::restore, restore),
    ]
}

fn of_domains() -> Vec<Route> {
    const ALL: &str = "/domains";
    const ONE: &str = "/domains/{id}";
    let noun = Noun("Domain");
    vec![
        Route::get(ALL, list::<Domain>, noun.list::<DomainView>()),
        Route::post(
            ALL,
            create::<Domain>,
            noun.create::<DomainContent, DomainView>(),
        ),
        Route::get(ONE, get::<Domain>, noun.get::<DomainView>()),
        Route::put(
            ONE,
            update::<Domain>,
            noun.update::<DomainContent, DomainView>(),
        ),
        // one that schemas name stays
        Route::delete(ONE, delete::<Domain>, noun.delete().refuses(&[409])),
    ]
}

fn of_roles() -> Vec<Route> {
    const ALL: &str = "/roles";
    const ONE: &str = "/roles/{id}";
    let noun = Noun("Role");
    vec![
        Route::get(ALL, list::<Role>, noun.list::<RoleView>()),
        Route::post(ALL, create::<Role>, noun.create::<RoleContent, RoleView>()),
        Route::get(ONE, get::<Role>, noun.get::<RoleView>()),
        Route::put(ONE, update::<Role>, noun.update::<RoleContent, RoleView>()),
        // one that callers have stays
        Route::delete(ONE, delete::<Role>, noun.delete().refuses(&[409])),
    ]
}

fn of_users() -> Vec<Route> {
    const ALL: &str = "/users";
    const ONE: &str = "/users/{id}";
    const ENABLE: &str = "/users/{id}/enable";
    const DISABLE: &str = "/users/{id}/disable";
    let noun = Noun("User");
    // a new password is costly, so only a few are made at a time
    let create = noun.create::<NewUser, UserView>().refuses(&[429]);
    let update = noun.update::<UserContent, UserView>().refuses(&[429]);
    // the last administrator stays
    let (stays, stays_on) = (noun.delete(), noun.disable::<UserView>());
    vec![
        Route::get(ALL, list::<User>, noun.list::<UserView>()),
        Route::post(ALL, users::create, create),
        Route::get(ONE, get::<User>, noun.get::<UserView>()),
        Route::put(ONE, users::update, update),
        Route::delete(ONE, delete::<User>, stays.refuses(&[409])),
        Route::post(ENABLE, enable::<User>, noun.enable::<UserView>()),
        Route::post(DISABLE, disable::<User>, stays_on.refuses(&[409])),
    ]
}

fn of_api_keys() -> Vec<Route> {
    const ALL: &str = "/api-keys";
    const ONE: &str = "/api-keys/{id}";
    const ENABLE: &str = "/api-keys/{id}/enable";
    const DISABLE: &str = "/api-keys/{id}/disable";
    let noun = Noun("ApiKey");
    vec![
        Route::get(ALL, list::<ApiKey>, noun.list::<ApiKeyView>()),
        Route::post(
            ALL,
            api_keys::create,
            noun.create::<NewApiKey, MadeApiKey>(),
        ),
        Route::get(ONE, get::<ApiKey>, noun.get::<ApiKeyView>()),
        Route::put(
            ONE,
            update::<ApiKey>,
            noun.update::<ApiKeyContent, ApiKeyView>(),
        ),
        Route::delete(ONE, delete::<ApiKey>, noun.delete()),
        Route::post(ENABLE, enable::<ApiKey>, noun.enable::<ApiKeyView>()),
        Route::post(DISABLE, disable::<ApiKey>, noun.disable::<ApiKeyView>()),
    ]
}

fn of_apps() -> Vec<Route> {
    const ALL: &str = "/apps";
    const ONE: &str = "/apps/{id}";
    const ENABLE: &str = "/apps/{id}/enable";
    const DISABLE: &str = "/apps/{id}/disable";
    const SECRET: &str = "/apps/{id}/secret";
    let noun = Noun("App");
    let renew_secret =
        O::management("renewSecretOfApp", "Give it a new secret").gives::<MadeApp>(200);
    vec![
        Route::get(ALL, list::<App>, noun.list::<AppView>()),
        Route::post(ALL, apps::create, noun.create::<NewApp, MadeApp>()),
        Route::get(ONE, get::<App>, noun.get::<AppView>()),
        Route::put(ONE, update::<App>, noun.update::<AppContent, AppView>()),
        Route::delete(ONE, delete::<App>, noun.delete()),
        Route::post(ENABLE, enable::<App>, noun.enable::<AppView>()),
        Route::post(DISABLE, disable::<App>, noun.disable::<AppView>()),
        Route::post(SECRET, apps::renew_secret, renew_secret),
    ]
}
