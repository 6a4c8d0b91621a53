//! The operations of the data interface. Interface, "Endpoints", and this project's extensions.

use super::operation::Operation;
use super::shapes::{
    ClientCredentials, ClientCredentialsForm, Document, Health, Hits, NewRecord, Record,
    RecordChanges, SchemaDetail, UploadForm,
};
use crate::http;
use serde_json::json;
use service::files::FileItem;
use wire::{AreaItem, DatasetItem, Page, SchemaItem, TokenAnswer};

/// A route's path under the names of the interface.
fn named(route: &str) -> String {
    route
        .replace("{area}", "{businessAreaId}")
        .replace("{schema}", "{schemaId}")
        .replace("{dataset}", "{datasetId}")
        .replace("{record}", "{dataObjectId}")
        .replace("{key}", "{pkValue}")
}

pub(super) fn operations() -> Vec<Operation> {
    use Operation as O;
    let mut all = vec![
        O::public(
            "POST",
            http::TOKEN,
            (
                "issueToken",
                "Exchange client credentials for an access token",
            ),
        )
        .takes::<ClientCredentials>()
        .takes_as::<ClientCredentialsForm>("application/x-www-form-urlencoded")
        .gives::<TokenAnswer>(200)
        .refuses(&[401]),
        O::data(
            "GET",
            http::AREAS,
            (
                "listBusinessAreas",
                "List the business areas the caller may access",
            ),
        )
        .paged()
        .gives::<Page<AreaItem>>(200),
        O::data(
            "GET",
            &named(http::SCHEMAS),
            ("listSchemas", "List the schemas of a business area"),
        )
        .paged()
        .gives::<Page<SchemaItem>>(200),
        O::data(
            "GET",
            &named(http::SCHEMA),
            ("getSchema", "Get one schema with its fields"),
        )
        .gives::<SchemaDetail>(200),
        O::data(
            "GET",
            &named(http::SCHEMA_DOCUMENT),
            (
                "describeSchema",
                "The OpenAPI document of one schema's records, with their own properties",
            ),
        )
        .gives::<Document>(200),
        O::data(
            "GET",
            &named(http::DATASETS),
            ("listDatasets", "List the datasets of a schema"),
        )
        .paged()
        .gives::<Page<DatasetItem>>(200),
    ];
    all.extend(record_operations());
    all.extend(extensions());
    all
}

/// What the interface does not have or says little of: search, files, and what is public.
fn extensions() -> Vec<Operation> {
    use Operation as O;
    vec![
        O::data(
            "POST",
            &named(http::FILES),
            (
                "uploadFile",
                "Upload a file, for a field of a data object to name",
            ),
        )
        .takes_as::<UploadForm>("multipart/form-data")
        .gives::<FileItem>(201)
        .refuses(&[503]),
        O::data(
            "GET",
            http::SEARCH,
            ("searchDataObjects", "Search data objects"),
        )
        .paged()
        .asks_for(
            "query",
            "Words, all of which must be found; `\"phrases\"`, `word*`, `AND`, `OR`, `NOT`, parentheses, \
             `Field:value`",
            true,
            json!({"type": "string", "pattern": r"\S"}),
        )
        .asks("businessArea", "The name of an area, or `all`", false)
        .asks("schema", "The name of a schema, or `all`", false)
        .asks("dataSet", "The name of a dataset, or `all`", false)
        .gives::<Hits>(200)
        .refuses(&[503]),
        O::public(
            "GET",
            http::FILE,
            ("downloadFile", "Download a file by a signed link"),
        )
        .asks("dataset", "The dataset the file was uploaded to", true)
        .asks("expires", "When the link stops working", true)
        .asks("signature", "What makes it a link of this service", true)
        .gives_bytes(200)
        .gives_bytes(206)
        .refuses(&[403, 404, 503]),
        O::public("GET", http::ALIVE, ("isAlive", "Whether the program runs")).gives::<Health>(200),
        O::public("GET", http::READY, ("isReady", "Whether it can serve")).gives::<Health>(200),
        O::public("GET", http::DOCUMENT, ("describe", "This document")).gives::<Document>(200),
    ]
}

/// What can be done with records.
pub(super) fn record_operations() -> Vec<Operation> {
    use Operation as O;
    const BODY: &str = "INVALID_REQUEST_BODY";
    const REQUIRED: &str = "PRIMARY_KEY_REQUIRED";
    const DUPLICATE: &str = "DUPLICATE_PRIMARY_KEY";
    const STALE: &str = "DATA_OBJECT_VERSION_CONFLICT";
    const MISSING: &str = "DATA_OBJECT_NOT_FOUND";
    const CONCURRENT: &str = "DATA_OBJECT_CONCURRENT_MODIFICATION";
    let (records, record) = (named(http::RECORDS), named(http::RECORD));
    vec![
        O::data("GET", &records, ("listDataObjects", "List data objects"))
            .paged()
            .gives::<Page<Record>>(200),
        O::data(
            "POST",
            &records,
            (
                "createDataObject",
                "Create a data object; one with faults is created too, and tells them in `_errors`",
            ),
        )
        .takes::<NewRecord>()
        .gives::<Record>(201)
        .codes(400, &[BODY, REQUIRED, DUPLICATE]),
        O::data(
            "PUT",
            &record,
            (
                "updateDataObject",
                "Change the named fields of a data object",
            ),
        )
        .takes::<RecordChanges>()
        .gives_nothing()
        .codes(400, &[BODY, REQUIRED, DUPLICATE, STALE])
        .codes(404, &[MISSING]),
        O::data(
            "DELETE",
            &record,
            ("deleteDataObject", "Delete a data object"),
        )
        .gives_nothing()
        .codes(404, &[MISSING])
        .codes(409, &[CONCURRENT]),
        O::data(
            "GET",
            &named(http::BY_KEY),
            (
                "getDataObjectByPrimaryKey",
                "Get the data object of a primary key value",
            ),
        )
        .gives::<Record>(200)
        .or_empty(),
    ]
}
