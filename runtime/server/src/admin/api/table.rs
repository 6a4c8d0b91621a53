//! Every route of management with its description: the router and the document are made of it. What the nouns
//! of the catalog have in common is told by [`NounRoutes`]. `docs/interface.md`, "Management".

use super::noun::NounRoutes;
use super::schemas::SchemaBody;
use super::sessions::{PasswordChange, Session, SignIn, Who};
use super::{api_keys, apps, audit, datasets, records, schemas, sessions, tenants, users};
use crate::admin::response::{MadeApiKey, MadeApp};
use crate::http::route::Route;
use crate::openapi::Operation as O;
use service::manage::{
    AuditItem, DatasetView, DeletedRecord, NewApiKey, NewApp, NewUser, RecordChange, SchemaView,
    TenantView, UserContent, UserView,
};
use store::catalog::{ApiKey, App, Area, Dataset, Domain, Role, SchemaEntry, User};
use wire::{Page, SchemaItem};

/// All of them.
pub(in crate::admin) fn routes() -> Vec<Route> {
    [
        own(),
        of_areas(),
        of_schemas(),
        of_datasets(),
        of_records(),
        NounRoutes::<Domain>::at("/domains", "Domain")
            .may_stay()
            .all(),
        NounRoutes::<Role>::at("/roles", "Role").may_stay().all(),
        of_users(),
        of_api_keys(),
        of_apps(),
    ]
    .into_iter()
    .flatten()
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
        Route::get("/audit", audit::list, audit),
    ]
}

fn of_areas() -> Vec<Route> {
    let nouns = NounRoutes::<Area>::at("/areas", "Area");
    nouns.restorable(nouns.list_with_deleted(), nouns.create(), nouns.update())
}

fn of_schemas() -> Vec<Route> {
    const ALL: &str = "/areas/{id}/schemas";
    let nouns = NounRoutes::<SchemaEntry>::at("/schemas", "Schema");
    let list = nouns.listed_with_deleted::<SchemaItem>();
    let create = nouns.made::<SchemaBody, SchemaView>();
    let update = nouns.changed::<SchemaBody, SchemaView>();
    nouns.restorable(
        Route::get(ALL, schemas::list, list),
        Route::post(ALL, schemas::create, create),
        Route::put("/schemas/{id}", schemas::update, update),
    )
}

fn of_datasets() -> Vec<Route> {
    const ALL: &str = "/schemas/{id}/datasets";
    let nouns = NounRoutes::<Dataset>::at("/datasets", "Dataset");
    let list = nouns.listed_with_deleted::<DatasetView>();
    nouns.restorable(
        Route::get(ALL, datasets::list, list),
        nouns.create_below(ALL),
        nouns.update(),
    )
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

fn of_users() -> Vec<Route> {
    // the last administrator stays
    let nouns = NounRoutes::<User>::at("/users", "User").may_stay();
    // a new password is costly, so only a few are made at a time
    let create = nouns.made::<NewUser, UserView>().refuses(&[429]);
    let update = nouns.changed::<UserContent, UserView>().refuses(&[429]);
    nouns.switchable(
        Route::post("/users", users::create, create),
        Route::put("/users/{id}", users::update, update),
    )
}

fn of_api_keys() -> Vec<Route> {
    let nouns = NounRoutes::<ApiKey>::at("/api-keys", "ApiKey");
    let create = nouns.made::<NewApiKey, MadeApiKey>();
    let create = Route::post("/api-keys", api_keys::create, create);
    nouns.switchable(create, nouns.update())
}

fn of_apps() -> Vec<Route> {
    let nouns = NounRoutes::<App>::at("/apps", "App");
    let create = nouns.made::<NewApp, MadeApp>();
    let create = Route::post("/apps", apps::create, create);
    let renew_secret =
        O::management("renewSecretOfApp", "Give it a new secret").gives::<MadeApp>(200);
    let mut routes = nouns.switchable(create, nouns.update());
    routes.push(Route::post(
        "/apps/{id}/secret",
        apps::renew_secret,
        renew_secret,
    ));
    routes
}
