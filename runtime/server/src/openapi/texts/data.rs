//! What is to be known of the operations of the data interface, and of what stands beside them at its door.

/// By the operation's id.
pub(super) const ALL: &[(&str, &str)] = &[
    (
        "issueToken",
        "Send the id and the secret of an application client; the token goes into the header `Authorization` of later \
            requests as it is, without `Bearer`. It works for `expires_in` seconds (an hour, unless the client says \
            otherwise), then requests are 401 and a new one is to be asked for. An unknown id and a wrong secret are \
            one 401. The form of RFC 6749 (`application/x-www-form-urlencoded` with `grant_type=client_credentials`, \
            the secret in the body or in Basic) is read, too.",
    ),
    (
        "showFrontPage",
        "A few lines of HTML for whoever opens the address in a browser. Programs begin at `/openapi.json`.",
    ),
    (
        "isAlive",
        "200 while the program runs, whatever its store does. For whoever starts it again when it hangs.",
    ),
    (
        "isReady",
        "200 when the store was read and written within the last five seconds, else 503 with `Retry-After`; the log has \
            the cause. For load balancers. A service that only reads is ready without a write.",
    ),
    (
        "downloadFile",
        "Links to it stand in records and in the answers of uploads. They work for 15 minutes unless the operator says \
            otherwise, need no credential, and are taken as they are: a link that ran out, or that the service did not \
            make, is 403; read the record again for a fresh one. `Range` and `If-Range` are understood for one range, \
            and so are `If-None-Match` and `If-Match`, by the `ETag` of an answer.",
    ),
    (
        "describe",
        "The data interface and management, in OpenAPI 3.1. `fieldstone openapi` prints the same.",
    ),
    (
        "listBusinessAreas",
        "In order of creation. An area that was not granted to the credential is left out. Asks for `BUSINESS AREAS`, view.",
    ),
    (
        "listSchemas",
        "In order of creation, active or not. Asks for `SCHEMA MODELS`, view, and the area's grant.",
    ),
    (
        "getSchema",
        "The schema-detail document of the version in force: its fields with types, limits and formats. Asks for \
            `SCHEMA MODELS`, view, and the area's grant.",
    ),
    (
        "describeSchema",
        "A document with types of its own for the records of this schema, to make a client of: operations for its \
            datasets, with the fields as properties. It changes when the schema does. Asks for `SCHEMA MODELS`, view, \
            and the area's grant.",
    ),
    (
        "listDatasets",
        "In order of creation, with how many records each has (`recordCount`) and how many of them have faults \
            (`erroredRecordsCount`), exactly. Asks for `DATASETS`, view, and the area's grant.",
    ),
    (
        "listDataObjects",
        "In order of creation, without deleted ones. A record that is there throughout a walk comes exactly once, \
            whatever is written meanwhile. Asks for `DATA OBJECTS`, view, and the area's grant.",
    ),
    (
        "createDataObject",
        "The body has values by the display names of active fields; another name, one that begins with `_`, or a value \
            that is an object is 400 and nothing is stored. A value that is not what its field asks for is no error: it \
            is stored as it was sent, and `_errors` of the answer names it. The answer is the record as every later read \
            shows it. Asks for `DATA OBJECTS`, add, and the area's grant.",
    ),
    (
        "getDataObject",
        "The id is that of `_dataObjectId`, and stands in the `Location` of a create. Asks for `DATA OBJECTS`, view, and the \
            area's grant.",
    ),
    (
        "updateDataObject",
        "Fields that are left out stay as they are, `null` clears one. `_version` must be that of the record, which then \
            rises by one: after a 204 the next change may send `_version` + 1 without reading again. The whole record is \
            judged anew, and its `_errors` with it. On a 400 nothing was written. Asks for `DATA OBJECTS`, edit, and the \
            area's grant.",
    ),
    (
        "deleteDataObject",
        "It is in no list and no search any more, and its primary key is free; management can restore it. Asks for \
            `DATA OBJECTS`, delete, and the area's grant.",
    ),
    (
        "getDataObjectByPrimaryKey",
        "One look-up, however large the dataset is. Keys are compared as text, exactly. Asks for `DATA OBJECTS`, view, \
            and the area's grant.",
    ),
    (
        "listDataObjectChanges",
        "In the order in which they were committed, each exactly once, deletes too. `next` says where to go on, whenever \
            that is; with `wait` an answer without changes is held back until there is one. With `Accept: \
            text/event-stream` they come as server-sent events as they happen: `id` is the position, `data` the change; \
            `Last-Event-ID` goes on behind it. Records have the names and forms of the schema as it is now. A position that \
            is older than what is kept, or of before the service was restored, is 410: read the records anew. Asks for `DATA OBJECTS`, view, and the area's grant.",
    ),
    (
        "searchDataObjects",
        "Looks into all datasets that the caller may view, or those that the filters name (by name, not by id); a filter \
            that names none of them leaves no hits. It sees every write that was answered before it came. `total` is \
            exact up to 1,000 and stays there. A query that does not parse is 400 with the character's number, \
            as is one that names a field which no schema in view has, with those that come near. It has 2,000 \
            characters, 64 words and 16 levels of parentheses at most. Asks for `DATASET OBJECTS SEARCH`, view, \
            and `DATA OBJECTS`, view.",
    ),
    (
        "uploadFile",
        "A form with one part named `file`, of 100 MiB at most where the operator says nothing else; an empty one is 400. \
            The `fileId` of the answer is then sent as the value of a field. A file that no record names goes after a \
            day. Asks for `DATA OBJECTS`, add or edit, and the area's grant.",
    ),
];
