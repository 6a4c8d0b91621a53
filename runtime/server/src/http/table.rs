//! Every route of the data interface with its description: the router and the document are made of it.
//! `docs/interface.md`, "Endpoints".

use super::call::{Call, PublicCall};
use super::description::{Documents, SchemaPlace};
use super::path::PathIds;
use super::route::Route;
use super::{areas, changes, datasets, files, front_page, health, records, schemas, search, token};
use crate::openapi::record_shapes::{
    ChangeOfRecord, Hits, NewRecord, PageOfChanges, Record, RecordChanges,
};
use crate::openapi::shapes::{ClientCredentials, Document, Health, SchemaDetail, UploadForm};
use crate::openapi::{Endpoint, Operation as O};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::json;
use service::CHANGES_WAIT_MAX;
use service::files::FileItem;
use service::search::QUERY_LENGTH_MAX;
use wire::ErrorCode as Code;
use wire::{AreaItem, DatasetItem, Page, SchemaItem, TokenAnswer, TokenError};

const SCHEMAS: &str = "/v1/businessareas/{area}/schemas";
const SCHEMA: &str = "/v1/businessareas/{area}/schemas/{schema}";
const SCHEMA_DOCUMENT: &str = "/v1/businessareas/{area}/schemas/{schema}/openapi.json";
const DATASETS: &str = "/v1/businessareas/{area}/schemas/{schema}/datasets";
const RECORDS: &str = "/v1/businessareas/{area}/schemas/{schema}/datasets/{dataset}/dataobjects";
const RECORD: &str =
    "/v1/businessareas/{area}/schemas/{schema}/datasets/{dataset}/dataobjects/{record}";
const BY_KEY: &str =
    "/v1/businessareas/{area}/schemas/{schema}/datasets/{dataset}/dataobjects/by-pk/{key}";
/// A blank key is one that no record has, not another address.
const BY_EMPTY_KEY: &str =
    "/v1/businessareas/{area}/schemas/{schema}/datasets/{dataset}/dataobjects/by-pk/";
/// What stands as it is in a segment of a path.
const SEGMENT: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~');
const CHANGES: &str = "/v1/businessareas/{area}/schemas/{schema}/datasets/{dataset}/changes";
const FILES: &str = "/v1/businessareas/{area}/schemas/{schema}/datasets/{dataset}/files";

/// All of them.
pub(super) fn routes(documents: &Documents) -> Vec<Route> {
    let mut all = public(documents);
    all.extend(catalog(documents));
    all.extend(of_records());
    all.extend(search_and_files());
    all
}

/// What the document says of them.
pub(crate) fn endpoints(documents: &Documents) -> Vec<Endpoint> {
    routes(documents).into_iter().map(endpoint).collect()
}

/// What can be done with the records of a schema, at its own addresses, for the document of that schema.
pub(crate) fn record_endpoints(place: &SchemaPlace<'_>) -> Vec<Endpoint> {
    let segment = |id: &str| utf8_percent_encode(id, SEGMENT).to_string();
    let has_key = place.schema.primary_key().is_some();
    let mut routes = vec![issue_token(), datasets()];
    routes.extend(of_records());
    routes.push(changes_of_records());
    routes.push(search(Some(place)));
    routes.push(upload());
    let own = routes.into_iter().map(endpoint).map(|mut endpoint| {
        endpoint.path = endpoint
            .path
            .replace("{businessAreaId}", &segment(place.area_id))
            .replace("{schemaId}", &segment(place.schema_id));
        endpoint
    });
    own.filter(|endpoint| has_key || !endpoint.path.ends_with("{pkValue}"))
        .collect()
}

/// A route under the names that the interface has for its ids.
fn endpoint(route: Route) -> Endpoint {
    let mut endpoint = route.endpoint("");
    endpoint.path = endpoint
        .path
        .replace("{area}", "{businessAreaId}")
        .replace("{schema}", "{schemaId}")
        .replace("{dataset}", "{datasetId}")
        .replace("{record}", "{dataObjectId}")
        .replace("{key}", "{pkValue}");
    endpoint
}

fn issue_token() -> Route {
    let operation = O::public(
        "issueToken",
        "Exchange client credentials for an access token",
    )
    .takes::<ClientCredentials>()
    .gives::<TokenAnswer>(200)
    .refuses(&[401, 403])
    .refuses_as::<TokenError>();
    Route::post("/oauth2/token", token::issue, operation)
}

/// What needs no credential, or has one of its own.
fn public(documents: &Documents) -> Vec<Route> {
    let documents = documents.clone();
    vec![
        issue_token(),
        Route::get(
            "/",
            front_page::showing(documents.pages().map(str::to_owned), documents.front()),
            O::public("showFrontPage", "What this is, for people").gives_page(),
        )
        .always(),
        Route::get(
            "/healthz",
            health::is_alive,
            O::public("isAlive", "Whether the program runs").gives::<Health>(200),
        )
        .always(),
        // it asks by itself, and that the store can't be reached is an answer
        Route::get(
            "/readyz",
            health::is_ready,
            O::public(
                "isReady",
                "Whether it can serve: the store was read and written just now",
            )
            .gives::<Health>(200)
            .refuses(&[503]),
        )
        .always(),
        Route::get(
            "/v1/files/{id}",
            files::download,
            O::public("downloadFile", "Download a file by a signed link")
                .asks("dataset", "The dataset the file was uploaded to", true)
                .asks("expires", "When the link stops working", true)
                .asks("key", "The id of the secret that signed it", false)
                .asks("signature", "What makes it a link of this service", true)
                .gives_bytes(200)
                .gives_bytes(206)
                .gives_unchanged()
                .refuses(&[403, 404, 412, 416, 503]),
        ),
        Route::get(
            "/openapi.json",
            async move |call: PublicCall| documents.whole(&call),
            O::public("describe", "This document").gives::<Document>(200),
        )
        .always(),
    ]
}

/// Areas, schemas and datasets.
fn catalog(documents: &Documents) -> Vec<Route> {
    let documents = documents.clone();
    vec![
        Route::get(
            "/v1/my/businessareas",
            areas::list,
            O::data(
                "listBusinessAreas",
                "List the business areas the caller may access",
            )
            .paged()
            .gives::<Page<AreaItem>>(200),
        ),
        Route::get(
            SCHEMAS,
            schemas::list,
            O::data("listSchemas", "List the schemas of a business area")
                .paged()
                .gives::<Page<SchemaItem>>(200),
        ),
        Route::get(
            SCHEMA,
            schemas::detail,
            O::data("getSchema", "Get one schema with its fields").gives::<SchemaDetail>(200),
        ),
        Route::get(
            SCHEMA_DOCUMENT,
            async move |call: Call<PathIds>| documents.of_schema(&call),
            O::data(
                "describeSchema",
                "The OpenAPI document of one schema's records, with their own properties",
            )
            .gives::<Document>(200),
        ),
        datasets(),
    ]
}

fn datasets() -> Route {
    let operation = O::data("listDatasets", "List the datasets of a schema")
        .paged()
        .gives::<Page<DatasetItem>>(200);
    Route::get(DATASETS, datasets::list, operation)
}

/// Data objects.
fn of_records() -> Vec<Route> {
    use Code::{
        DataObjectConcurrentModification as Concurrent, DataObjectNotFound as Missing,
        DataObjectVersionConflict as Stale, DuplicatePrimaryKey as Duplicate,
        InvalidRequestBody as Invalid, PrimaryKeyRequired as Required, QuotaExceeded as Quota,
    };
    vec![
        Route::get(
            RECORDS,
            records::list,
            O::data("listDataObjects", "List data objects")
                .paged()
                .gives::<Page<Record>>(200),
        ),
        Route::post(
            RECORDS,
            records::create,
            O::data(
                "createDataObject",
                "Create a data object; a faulty one is created too, with its faults in `_errors`",
            )
            .takes::<NewRecord>()
            .gives::<Record>(201)
            .codes(400, &[Invalid, Required, Duplicate])
            .codes(403, &[Quota]),
        ),
        Route::get(
            RECORD,
            records::by_id,
            O::data("getDataObject", "Get a data object by its id")
                .gives::<Record>(200)
                .codes(404, &[Missing]),
        ),
        Route::put(
            RECORD,
            records::update,
            O::data(
                "updateDataObject",
                "Change the named fields of a data object",
            )
            .takes::<RecordChanges>()
            .gives_nothing()
            .codes(400, &[Invalid, Required, Duplicate, Stale])
            .codes(404, &[Missing]),
        ),
        Route::delete(
            RECORD,
            records::delete,
            O::data("deleteDataObject", "Delete a data object")
                .gives_nothing()
                .codes(404, &[Missing])
                .codes(409, &[Concurrent]),
        ),
        Route::get(
            BY_KEY,
            records::by_key,
            O::data(
                "getDataObjectByPrimaryKey",
                "Get the data object with a primary key",
            )
            .gives::<Record>(200)
            .or_empty(),
        )
        .or_at(BY_EMPTY_KEY),
    ]
}

fn search_and_files() -> Vec<Route> {
    vec![changes_of_records(), search(None), upload()]
}

/// What changed in a dataset.
fn changes_of_records() -> Route {
    const AFTER: &str = "Where to go on: `next` of the answer before, or `position` of a change; `latest` for what comes \
        from now on; left out, the beginning";
    const WAIT: &str = "Seconds to wait where there is no change yet";
    const SIZE: &str =
        "How many changes are given at most. A page of large records may end earlier";
    let seconds = json!({"type": "integer", "minimum": 0, "maximum": CHANGES_WAIT_MAX, "default": 0, "examples": [30]});
    let size = json!({"type": "integer", "minimum": 1, "examples": [100]});
    let operation = O::data(
        "listDataObjectChanges",
        "List the changes to a dataset, or follow them as they happen",
    )
    .asks("after", AFTER, false)
    .asks_for("wait", WAIT, false, seconds)
    .asks_for("pageSize", SIZE, false, size)
    .gives_or_tells::<PageOfChanges, ChangeOfRecord>(200)
    .refuses(&[400, 410]);
    Route::get(CHANGES, changes::list, operation)
}

/// The search, or that for the records of one schema, which stands in the filters then.
fn search(place: Option<&SchemaPlace<'_>>) -> Route {
    const QUERY: &str = "Words, all of which must be found; `\"phrases\"`, `word*`, `AND`, `OR`, `NOT`, \
        parentheses, `Field:value`, `Field:=value`, `Field:>4` and the other comparisons, `Field:a..b`, `Field:none`, `is:faulty`, \
        `fault:Field`, `fault:Field/rule`; `*` is everything. A name with spaces stands in quotes: \
        `\"Full Name\":grace`. Case and accents make no difference";
    const SORT: &str = "Sort keys with commas between, each with a `-` before it where the greatest comes first: \
        `Name,-Founded`";
    let name = |own: Option<&str>| match own {
        Some(own) => json!({"type": "string", "enum": [own]}),
        None => json!({"type": "string"}),
    };
    let (area, schema) = (
        place.map(|place| place.area_name),
        place.map(|place| place.schema.name.as_str()),
    );
    let is_one = place.is_some();
    let query =
        json!({"type": "string", "pattern": r"\S", "minLength": 1, "maxLength": QUERY_LENGTH_MAX});
    let operation = O::data("searchDataObjects", "Search data objects")
        .asks_for("query", QUERY, true, query)
        .asks_for(
            "businessArea",
            "The name of an area, or `all`",
            is_one,
            name(area),
        )
        .asks_for(
            "schema",
            "The name of a schema, or `all`",
            is_one,
            name(schema),
        )
        .asks("dataSet", "The name of a dataset, or `all`", false)
        .asks_for(
            "sort",
            SORT,
            false,
            json!({"type": "string", "minLength": 1}),
        )
        .paged()
        .gives::<Hits>(200)
        .refuses(&[503]);
    Route::get("/v1/dataobjects/search", search::search, operation)
}

fn upload() -> Route {
    let operation = O::data(
        "uploadFile",
        "Upload a file that a data object can then have as a value",
    )
    .takes_as::<UploadForm>("multipart/form-data")
    .gives::<FileItem>(201)
    .codes(403, &[Code::QuotaExceeded])
    .refuses(&[503]);
    Route::post(FILES, files::upload, operation)
}
