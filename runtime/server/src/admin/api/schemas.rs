//! Schemas: sent and shown as schema-detail documents, listed as the interface lists them.

use super::imports::{FILE_TYPE, taken};
use super::noun::NounRoutes;
use super::nouns::{Answer, shown};
use crate::admin::request::{body, parameter, shelf};
use crate::admin::response::{created, created_among};
use crate::http::call::Call;
use crate::http::response;
use crate::http::route::Route;
use crate::openapi::Operation as O;
use crate::openapi::shapes::ImportFile;
use crate::schema_files::file_of;
use serde::Deserialize;
use serde_json::value::RawValue;
use service::Refusal;
use service::manage::{InferredSchema, SchemaTrial, TriedSchema};
use service::manage::{JobView, Noun as _, SchemaContent, SchemaEffects, SchemaView};
use store::catalog::SchemaEntry;
use wire::shapes::SchemaDocument;
use wire::{ErrorCode, SchemaItem};

/// A schema as it is sent: the document, and what stands beside it.
#[derive(Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct SchemaBody {
    /// The schema with its fields. All contradictions are told at once, each with its path and remedy.
    #[schemars(with = "wire::shapes::SchemaDocument")]
    document: Box<RawValue>,
    /// `draft` or `published`; records may be written in both.
    #[serde(default = "draft")]
    #[schemars(extend("enum" = ["draft", "published"]))]
    state: String,
    /// Whether it is active. An inactive one is listed, readable and writable as before.
    #[serde(default = "yes")]
    active: bool,
    /// In a change: the version it was made from, if that is to be compared.
    #[serde(default)]
    version: Option<i64>,
}

/// Schemas, and what a change of one would do.
pub(super) fn routes() -> Vec<Route> {
    const ALL: &str = "/areas/{id}/schemas";
    const NAME: &str = "What the schema is called";
    let nouns =
        NounRoutes::<SchemaEntry>::at("/schemas", "ManagedSchema", "a schema").under_quota();
    let list = nouns.listed_with_deleted::<SchemaItem>();
    let create = nouns.made::<SchemaBody, SchemaView>();
    let update = nouns.changed::<SchemaBody, SchemaView>();
    let effects = O::management(
        "judgeSchema",
        "Show what a change to a schema would make faulty",
    )
    .takes::<SchemaBody>()
    .gives::<SchemaEffects>(200)
    .codes(403, &[ErrorCode::QuotaExceeded])
    .refuses(&[404, 409]);
    let judged = O::management(
        "judgeDataset",
        "Show what a change to a dataset's schema would make faulty in it, as a job",
    )
    .takes::<SchemaBody>()
    .gives::<JobView>(201)
    .codes(403, &[ErrorCode::QuotaExceeded])
    .refuses(&[409]);
    let tried = O::management("trySchema", "Check a schema without saving it")
        .says("And a record by it, where one is sent. A schema that can't be made is 400 with all that is wrong with it in \
            `problems`. Nothing is stored. Asks for view of schemas.")
        .takes::<SchemaTrial>()
        .gives::<TriedSchema>(200);
    let of_version = O::management("getSchemaVersion", "Get a schema as it was in a version")
        .says("Its document. Versions count from 1 to the one in force. Asks for view of schemas.")
        .gives::<SchemaDocument>(200);
    let exported = O::management("exportSchema", "Get a schema in another form, such as SQL or types")
        .says("Its document, a JSON Schema, tables for SQLite or PostgreSQL, types of Rust, TypeScript or Python, or a data \
            dictionary in Markdown, as a file. 400 where it is more than a table can be, 404 for another `kind`. Asks for view of \
            schemas.")
        .gives_bytes(200)
        .refuses(&[400]);
    let inferred = O::management("inferSchema", "Propose a schema from a sample file")
        .says("With what speaks for each field, and the rows that would be faulty under it. The file has 8 MiB at most. \
            Nothing is stored. Asks for add of schemas.")
        .asks("name", NAME, false)
        .takes_as::<ImportFile>(FILE_TYPE)
        .gives::<InferredSchema>(200);
    let mut routes = nouns.restorable(
        Route::get(ALL, self::list, list),
        Route::post(ALL, self::create, create),
        Route::put("/schemas/{id}", self::update, update),
    );
    routes.extend([
        Route::get("/schemas/{id}/versions/{version}", version, of_version),
        Route::get("/schemas/{id}/exports/{kind}", export, exported),
        Route::post("/schemas/trials", try_schema, tried),
        Route::post("/schemas/inferences", infer, inferred),
        Route::post("/schemas/{id}/effects", self::effects, effects),
        Route::post("/datasets/{id}/effects", judge_dataset, judged),
    ]);
    routes
}

fn draft() -> String {
    "draft".to_owned()
}

fn yes() -> bool {
    true
}

impl From<SchemaBody> for SchemaContent {
    fn from(body: SchemaBody) -> Self {
        SchemaContent {
            document: body.document.get().to_owned(),
            state: body.state,
            active: body.active,
            version: body.version,
        }
    }
}

pub(super) async fn list(call: Call<String>) -> Answer {
    let schemas = call.service.schemas();
    let (shelf, page) = (shelf(&call)?, call.page());
    let found = schemas.list_items(&call.caller, &call.ids, shelf, &page);
    response::open_value(&found.await?)
}

pub(super) async fn create(mut call: Call<String>) -> Answer {
    let sent: SchemaBody = body(&mut call).await?;
    let schemas = call.service.schemas();
    let made = schemas.define(&call.caller, &call.ids, sent.into()).await?;
    created(&call, &made.id, &made.view())
}

pub(super) async fn effects(mut call: Call<String>) -> Answer {
    let sent: SchemaBody = body(&mut call).await?;
    let service = call.service.clone();
    let effects = service.schema_effects(&call.caller, &call.ids, sent.into());
    response::value(&effects.await?)
}

pub(super) async fn try_schema(mut call: Call) -> Answer {
    let trial: SchemaTrial = body(&mut call).await?;
    let tried = call.service.try_schema(&call.caller, &trial)?;
    response::value(&tried)
}

pub(super) async fn version(call: Call<(String, String)>) -> Answer {
    let (id, number) = &call.ids;
    let schema = call.service.schemas().get(&call.caller, id)?;
    let number = number.parse().ok();
    let version = number.and_then(|number| schema.version(number));
    let version = version.ok_or_else(|| Refusal::no_such("version of the schema"))?;
    Ok(response::open_json(version.schema.to_json()))
}

pub(super) async fn export(call: Call<(String, String)>) -> Answer {
    let (id, kind) = &call.ids;
    let schema = call.service.schemas().get(&call.caller, id)?;
    file_of(&schema.current().schema, kind)
}

pub(super) async fn infer(mut call: Call) -> Answer {
    let name = parameter(&call, "name")?.unwrap_or_default();
    let sample = taken(&mut call)?;
    let sample = sample.sample(call.service.settings()).await?;
    let service = call.service.clone();
    let inferred = service.infer_schema(&call.caller, &name, sample);
    response::value(&inferred.await?)
}

pub(super) async fn judge_dataset(mut call: Call<String>) -> Answer {
    let sent: SchemaBody = body(&mut call).await?;
    let service = call.service.clone();
    let job = service.dataset_effects(&call.caller, &call.ids, sent.into());
    let job = job.await?;
    created_among(&call, "jobs", &job.job_id, &job)
}

pub(super) async fn update(mut call: Call<String>) -> Answer {
    let sent: SchemaBody = body(&mut call).await?;
    let schemas = call.service.schemas();
    shown(
        &schemas
            .redefine(&call.caller, &call.ids, sent.into())
            .await?,
    )
}
