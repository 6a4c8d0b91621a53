//! Every route of management with its description: the router and the document are made of it. What the nouns
//! of the catalog have in common is told by [`NounRoutes`]. `docs/interface.md`, "Management".

use super::account::{Confirmation, EmailChange, PasswordChange, Proof};
use super::bulk::BulkVerdict;
use super::noun::NounRoutes;
use super::schemas::SchemaBody;
use super::sessions::{Session, SignIn, Who};
use super::{
    account, api_keys, apps, audit, bulk, datasets, faults, jobs, operations, records, schemas,
    sessions, tenants, users, webhooks,
};
use crate::admin::response::{MadeApiKey, MadeApp, MadeWebhook};
use crate::http::route::Route;
use crate::openapi::Operation as O;
use crate::openapi::shapes::{BulkLines, ImportFile, OperationLine, OperationRequest, Record};
use serde_json::{Value, json};
use service::manage::{
    AuditItem, DatasetFaults, DatasetView, DeadLetterView, DeletedRecord, DeliveryView,
    ExportOptions, Facets, HistoryItem, JobView, KeyRotation, NewApiKey, NewApp, NewUser,
    QuotaView, RecordChange, RecoveryCodes, RepairOptions, SchemaEffects, SchemaView,
    SecondFactorSetup, SessionView, TenantView, UserContent, UserView, VersionRestore,
    WebhookContent,
};
use store::catalog::{ApiKey, App, Area, Dataset, Domain, Role, SchemaEntry, User, Webhook};
use wire::{ErrorCode, Page, SchemaItem};

/// All of them.
pub(in crate::admin) fn routes() -> Vec<Route> {
    [
        own(),
        of_account(),
        of_areas(),
        of_schemas(),
        of_datasets(),
        of_records(),
        of_many_records(),
        of_faults(),
        of_past_records(),
        of_jobs(),
        NounRoutes::<Domain>::at("/domains", "Domain", "a data domain")
            .may_stay()
            .under_quota()
            .all(),
        with_proof(
            NounRoutes::<Role>::at("/roles", "Role", "a role")
                .may_stay()
                .all(),
        ),
        with_proof(of_users()),
        with_proof(of_api_keys()),
        with_proof(of_apps()),
        with_proof(of_webhooks()),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// The same, where a change asks a session for a fresh proof.
fn with_proof(routes: Vec<Route>) -> Vec<Route> {
    let routes = routes.into_iter();
    routes.map(Route::with_proof).collect()
}

/// The caller's own session and tenant, and the trail.
fn own() -> Vec<Route> {
    let sign_in = O::management("signIn", "Sign in with a password")
        .takes::<SignIn>()
        .gives::<Session>(200)
        .refuses(&[429])
        .only_codes(
            403,
            &[ErrorCode::SecondFactorRequired, ErrorCode::QuotaExceeded],
        )
        .for_everyone();
    let who = O::management("whoAmI", "Show who asks")
        .gives::<Who<'static>>(200)
        .never(&[403]);
    let tenant = O::management("getTenant", "Get the caller's tenant")
        .gives::<TenantView>(200)
        .refuses(&[404])
        .only_codes(403, &[ErrorCode::PasswordChangeRequired]);
    let quotas = O::management(
        "getQuotas",
        "Get what the tenant may have at most, and what it has",
    )
    .gives::<QuotaView>(200);
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
            O::management("signOut", "Sign out")
                .gives_nothing()
                .only_codes(403, &[]),
        ),
        Route::post("/operations", operations::carry_out, operation()),
        Route::get("/tenant", tenants::get, tenant),
        Route::get("/tenant/quotas", tenants::quotas, quotas),
        Route::get("/audit", audit::list, audit),
    ]
}

/// What a command sends to a server elsewhere.
fn operation() -> O {
    O::management(
        "carryOutOperation",
        "Carry out what a command of the program asks for, such as applying a manifest",
    )
    .takes::<OperationRequest>()
    .gives_lines::<OperationLine>(200)
    .needs_proof()
    .refuses(&[404, 409])
}

/// What users change of themselves, and their sessions.
fn of_account() -> Vec<Route> {
    const FACTOR: &str = "/session/second-factor";
    let change_password = O::management(
        "changePassword",
        "Change one's own password; ends all of one's sessions",
    )
    .takes::<PasswordChange>()
    .gives_nothing()
    .only_codes(403, &[])
    .refuses(&[409, 429]);
    let change_email = O::management("changeEmail", "Change one's own e-mail address")
        .takes::<EmailChange>()
        .gives_nothing()
        .refuses(&[409, 429]);
    let prove = O::management(
        "proveSession",
        "Show the password anew, for changes that ask a session for a fresh proof",
    )
    .takes::<Proof>()
    .gives_nothing()
    .codes(403, &[ErrorCode::SecondFactorRequired])
    .refuses(&[429]);
    let begin = O::management(
        "beginSecondFactor",
        "Get the secret of a second factor, which a code then confirms",
    )
    .gives::<SecondFactorSetup>(200)
    .needs_proof()
    .refuses(&[409]);
    let confirm = O::management(
        "confirmSecondFactor",
        "Put one's second factor in force; gives the recovery codes",
    )
    .takes::<Confirmation>()
    .gives::<RecoveryCodes>(200)
    .needs_proof()
    .refuses(&[409]);
    let remove = O::management("removeSecondFactor", "Remove one's second factor")
        .gives_nothing()
        .needs_proof();
    let list =
        O::management("listSessions", "List one's own sessions").gives::<Page<SessionView>>(200);
    let end = O::management("endSession", "End one of one's own sessions").gives_nothing();
    let end_others = O::management(
        "endOtherSessions",
        "End all of one's own sessions but the one that asks",
    )
    .gives_nothing();
    vec![
        Route::put(
            "/session/password",
            account::change_password,
            change_password,
        ),
        Route::put("/session/email", account::change_email, change_email),
        Route::post("/session/proof", account::prove, prove),
        Route::post(FACTOR, account::begin_second_factor, begin),
        Route::post(
            format!("{FACTOR}/confirm"),
            account::confirm_second_factor,
            confirm,
        ),
        Route::delete(FACTOR, account::remove_second_factor, remove),
        Route::get("/my/sessions", sessions::list, list),
        Route::delete("/my/sessions", sessions::end_others, end_others),
        Route::delete("/my/sessions/{id}", sessions::end, end),
    ]
}

fn of_areas() -> Vec<Route> {
    let nouns = NounRoutes::<Area>::at("/areas", "Area", "a business area");
    nouns.restorable(nouns.list_with_deleted(), nouns.create(), nouns.update())
}

fn of_schemas() -> Vec<Route> {
    const ALL: &str = "/areas/{id}/schemas";
    let nouns =
        NounRoutes::<SchemaEntry>::at("/schemas", "ManagedSchema", "a schema").under_quota();
    let list = nouns.listed_with_deleted::<SchemaItem>();
    let create = nouns.made::<SchemaBody, SchemaView>();
    let update = nouns.changed::<SchemaBody, SchemaView>();
    let effects = O::management(
        "judgeSchema",
        "Tell what a change of a schema would make faulty",
    )
    .takes::<SchemaBody>()
    .gives::<SchemaEffects>(200)
    .codes(403, &[ErrorCode::QuotaExceeded])
    .refuses(&[404]);
    let mut routes = nouns.restorable(
        Route::get(ALL, schemas::list, list),
        Route::post(ALL, schemas::create, create),
        Route::put("/schemas/{id}", schemas::update, update),
    );
    routes.push(Route::post(
        "/schemas/{id}/effects",
        schemas::effects,
        effects,
    ));
    routes
}

fn of_datasets() -> Vec<Route> {
    const ALL: &str = "/schemas/{id}/datasets";
    let nouns = NounRoutes::<Dataset>::at("/datasets", "ManagedDataset", "a dataset");
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
        "List what changed in the records of a dataset, oldest first",
    )
    .paged()
    .gives::<Page<RecordChange>>(200);
    let deleted = O::management(
        "listDeletedRecords",
        "List the deleted records of a dataset",
    )
    .paged()
    .gives::<Page<DeletedRecord>>(200);
    let purge = O::management("purgeRecord", "Remove a deleted record for good").gives_nothing();
    let restore = O::management("restoreRecord", "Take a record back from the deleted ones")
        .gives_nothing()
        .refuses(&[409])
        .codes(403, &[ErrorCode::QuotaExceeded]);
    vec![
        Route::get(CHANGES, records::changes, changes),
        Route::get(DELETED, records::deleted, deleted),
        Route::delete(ONE, records::purge, purge),
        Route::post(RESTORE, records::restore, restore),
    ]
}

/// Many writes at once.
fn of_many_records() -> Vec<Route> {
    let write = O::management("writeRecords", "Write many records, one a line")
        .takes_as::<BulkLines>(jobs::FILE_TYPE)
        .gives_lines::<BulkVerdict>(200)
        .refuses(&[404]);
    vec![Route::post(
        "/datasets/{id}/records/bulk",
        bulk::write,
        write,
    )]
}

/// What is wrong with the records of a dataset, and how often their values are there.
fn of_faults() -> Vec<Route> {
    const QUERY: &str = "Only of the records that it finds; as `query` of a search";
    const FIELD: &str = "The name of a picklist or a boolean; without it, all of them are counted";
    let faults = O::management(
        "listFaults",
        "Count the faults of a dataset by field and rule",
    )
    .gives::<DatasetFaults>(200)
    .refuses(&[503]);
    let facets = O::management(
        "countValues",
        "Count the values of picklists and booleans, and the faults, of a dataset",
    )
    .asks("query", QUERY, false)
    .asks("field", FIELD, false)
    .gives::<Facets>(200)
    .refuses(&[400, 503]);
    vec![
        Route::get("/datasets/{id}/faults", faults::faults, faults),
        Route::get("/datasets/{id}/facets", faults::facets, facets),
    ]
}

/// The past of each record.
fn of_past_records() -> Vec<Route> {
    const VERSION: &str = "/datasets/{id}/records/{record}/versions/{version}";
    let history = O::management(
        "listRecordHistory",
        "List what was done to a record, newest first",
    )
    .paged()
    .gives::<Page<HistoryItem>>(200);
    let version = O::management("getRecordVersion", "Get a record as it was in a version")
        .gives::<Record>(200);
    let restore = O::management(
        "restoreRecordVersion",
        "Bring a record back to an earlier version",
    )
    .takes::<VersionRestore>()
    .gives_nothing()
    .refuses(&[409]);
    vec![
        Route::get(
            "/datasets/{id}/records/{record}/history",
            records::history,
            history,
        ),
        Route::get(VERSION, records::version, version),
        Route::post(
            format!("{VERSION}/restore"),
            records::restore_version,
            restore,
        ),
    ]
}

/// Imports, exports and other work that goes on when the request was answered.
fn of_jobs() -> Vec<Route> {
    const DATASET: &str = "The id of a dataset: its jobs alone";
    let list = O::management(
        "listJobs",
        "List one's own jobs, newest first; an administrator all",
    )
    .asks("dataset", DATASET, false)
    .paged()
    .gives::<Page<JobView>>(200);
    let get = O::management("getJob", "Get a job").gives::<JobView>(200);
    let cancel = O::management("cancelJob", "End a job; what it did stays").gives::<JobView>(200);
    let export = O::management("exportDataset", "Export the records of a dataset as a job")
        .takes::<ExportOptions>()
        .gives::<JobView>(201)
        .refuses(&[409]);
    let repair = O::management(
        "repairRecords",
        "Change the values of one field in many records as a job",
    )
    .takes::<RepairOptions>()
    .gives::<JobView>(201)
    .refuses(&[409]);
    let undo = O::management("undoJob", "Take back what a job wrote, as a job")
        .gives::<JobView>(201)
        .refuses(&[409]);
    let exported = O::management("downloadExport", "Download what a job exported").gives_bytes(200);
    let rejects = O::management(
        "downloadRejects",
        "Download the rows that a job could not store, with line and reason",
    )
    .gives_bytes(200);
    vec![
        Route::get("/jobs", jobs::list, list),
        Route::get("/jobs/{id}", jobs::get, get),
        Route::post("/jobs/{id}/cancel", jobs::cancel, cancel),
        Route::post("/jobs/{id}/undo", jobs::undo, undo),
        Route::post("/datasets/{id}/repairs", jobs::repair, repair),
        Route::get("/jobs/{id}/export", jobs::exported, exported),
        Route::get("/jobs/{id}/rejects", jobs::rejects, rejects),
        Route::post("/datasets/{id}/imports", jobs::import, import()),
        Route::post("/datasets/{id}/exports", jobs::export, export),
    ]
}

fn import() -> O {
    let operation = O::management("importDataset", "Import a file into a dataset as a job");
    let operation = options_of_import()
        .into_iter()
        .fold(operation, |operation, (name, what, shape)| {
            operation.asks_for(name, what, false, shape)
        });
    let operation = operation.takes_as::<ImportFile>(jobs::FILE_TYPE);
    operation.gives::<JobView>(201).refuses(&[409])
}

/// What may be said of a file, and what is to become of it.
fn options_of_import() -> [(&'static str, &'static str, Value); 12] {
    const MAP: &str = "The field of a column that doesn't have the field's name, as `Column=Field`; `Column=` leaves the \
        column out. May be there several times";
    let words = |words: &[&str]| json!({"type": "string", "enum": words});
    let flag = || json!({"type": "string", "enum": ["false", "true"]});
    [
        (
            "mode",
            "What becomes of records that are there",
            words(&["create", "update", "upsert", "replace"]),
        ),
        (
            "dryRun",
            "Whether it is only tried: everything is judged, nothing is written",
            flag(),
        ),
        (
            "deleteMissing",
            "Whether records that the file does not have are deleted; with `replace` only",
            flag(),
        ),
        (
            "format",
            "How rows stand in the file; found by itself",
            words(&["csv", "ndjson", "json", "xlsx"]),
        ),
        (
            "encoding",
            "How its text is encoded; found by itself",
            words(&["utf-8", "utf-16le", "utf-16be", "windows-1252"]),
        ),
        (
            "delimiter",
            "What parts its cells: one ASCII character, or `tab`; found by itself",
            json!({"type": "string"}),
        ),
        (
            "header",
            "Whether its first row has the names of its columns; found by itself",
            flag(),
        ),
        (
            "sheet",
            "The sheet of a workbook; without, the first",
            json!({"type": "string"}),
        ),
        (
            "map",
            MAP,
            json!({"type": "array", "items": {"type": "string"}}),
        ),
        (
            "split",
            "What parts the values of a cell that holds several, beside JSON arrays",
            json!({"type": "string"}),
        ),
        (
            "forSpreadsheets",
            "Whether its texts are guarded against spreadsheets: the guard is taken off",
            flag(),
        ),
        (
            "fileName",
            "What the file is called, for people",
            json!({"type": "string"}),
        ),
    ]
}

fn of_users() -> Vec<Route> {
    // the last administrator stays
    let nouns = NounRoutes::<User>::at("/users", "User", "a user").may_stay();
    // a new password is costly, so only a few are made at a time
    let create = nouns.made::<NewUser, UserView>().refuses(&[429]);
    let update = nouns.changed::<UserContent, UserView>().refuses(&[429]);
    let mut routes = nouns.switchable(
        Route::post("/users", users::create, create),
        Route::put("/users/{id}", users::update, update),
    );
    let remove_factor = O::management(
        "removeSecondFactorOfUser",
        "Remove the second factor of a user that lost it",
    )
    .gives::<UserView>(200);
    routes.push(Route::delete(
        "/users/{id}/second-factor",
        users::remove_second_factor,
        remove_factor,
    ));
    routes
}

fn of_api_keys() -> Vec<Route> {
    let nouns = NounRoutes::<ApiKey>::at("/api-keys", "ApiKey", "an API key");
    let create = nouns.made::<NewApiKey, MadeApiKey>();
    let create = Route::post("/api-keys", api_keys::create, create);
    let rotate = O::management(
        "rotateApiKey",
        "Give an API key a new secret; the old one works for a while",
    )
    .takes::<KeyRotation>()
    .gives::<MadeApiKey>(200);
    let mut routes = nouns.switchable(create, nouns.update());
    routes.push(Route::post(
        "/api-keys/{id}/secret",
        api_keys::rotate,
        rotate,
    ));
    routes
}

fn of_apps() -> Vec<Route> {
    let nouns = NounRoutes::<App>::at("/apps", "App", "an application client");
    let create = nouns.made::<NewApp, MadeApp>();
    let create = Route::post("/apps", apps::create, create);
    let renew_secret = O::management(
        "renewSecretOfApp",
        "Give an application client a new secret",
    )
    .gives::<MadeApp>(200);
    let mut routes = nouns.switchable(create, nouns.update());
    routes.push(Route::post(
        "/apps/{id}/secret",
        apps::renew_secret,
        renew_secret,
    ));
    routes
}

fn of_webhooks() -> Vec<Route> {
    const LETTERS: &str = "/webhooks/{id}/dead-letters";
    let nouns = NounRoutes::<Webhook>::at("/webhooks", "Webhook", "a webhook");
    let create = nouns.made::<WebhookContent, MadeWebhook>().refuses(&[404]);
    let create = Route::post("/webhooks", webhooks::create, create);
    let renew_secret = O::management("renewSecretOfWebhook", "Give a webhook a new secret")
        .gives::<MadeWebhook>(200);
    let delivery = O::management("getWebhookDelivery", "Get how far a webhook has come")
        .gives::<DeliveryView>(200);
    let letters = O::management(
        "listDeadLetters",
        "List what a webhook gave up to deliver, oldest first",
    )
    .paged()
    .gives::<Page<DeadLetterView>>(200);
    let resend = O::management("resendDeadLetter", "Send once more what a webhook gave up")
        .gives_nothing()
        .refuses(&[409]);
    let mut routes = nouns.switchable(create, nouns.update());
    routes.extend([
        Route::post(
            "/webhooks/{id}/secret",
            webhooks::renew_secret,
            renew_secret,
        ),
        Route::get("/webhooks/{id}/delivery", webhooks::delivery, delivery),
        Route::get(LETTERS, webhooks::dead_letters, letters),
        Route::post(
            format!("{LETTERS}/{{letter}}/resend"),
            webhooks::resend,
            resend,
        ),
    ]);
    routes
}
