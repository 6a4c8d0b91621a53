//! What is to be known of each operation beyond its summary, and of the ids in paths. Of what can be done with every
//! noun of management, the table of its routes tells it.

mod data;
mod management;

/// Of every body.
pub(super) const BODY: &str = "What is sent, in UTF-8 and uncompressed. How large it may be, the operator sets: 1 MiB \
    where neither the operator nor the operation says another size; more is 413";

/// A text that somebody wrote into a schema, as it stands in a description: those are Markdown, and readers make pages
/// of them.
pub(super) fn harmless(text: &str) -> String {
    text.replace('<', "&lt;")
}

/// What is to be known of an operation; empty of one that is not known.
pub(super) fn of_operation(id: &str) -> &'static str {
    let mut all = data::ALL
        .iter()
        .chain(management::OWN)
        .chain(management::OTHERS);
    all.find(|(own, _)| *own == id).map_or("", |(_, text)| text)
}

/// What an id in a path is, by its name and what stands before it.
pub(super) fn of_path_parameter(name: &str, noun: &str) -> &'static str {
    match (name, noun) {
        ("businessAreaId", _) => "The id of the business area, as its list has it",
        ("schemaId", _) => "The id of the schema, as its list has it",
        ("datasetId", _) => "The id of the dataset: `dataSetId`, as its list has it",
        ("dataObjectId", _) => "The id of the data object: its `_dataObjectId`",
        ("pkValue", _) => {
            "The value of the primary key, percent-encoded as one segment (`/` is `%2F`; `+` stays a plus). White space \
                around it is left out; upper and lower case differ. A number or `true` and `false` are written as in \
                JSON. The keys `.` and `..` need a `%20` behind them, since clients tidy up a path that has them alone"
        }
        ("record", "deleted-records") => "The id of the deleted record, as their list has it",
        ("record", _) => "The id of the record: its `_dataObjectId`",
        ("version", _) => {
            "The version that it had: a record's `_version`, from 0; a schema's, from 1"
        }
        ("kind", _) => {
            "What the schema is given as: `json`, `json-schema`, `sqlite`, `postgresql`, `rust`, `typescript`, `python` or \
                `markdown`"
        }
        (_, "files") => "The id of the file",
        (_, "areas") => "The id of the business area: `businessAreaId`",
        (_, "schemas") => "The id of the schema: `schemaId`",
        (_, "datasets") => "The id of the dataset: `dataSetId`",
        (_, "domains") => "The id of the data domain: `dataDomainId`",
        (_, "roles") => "The id of the role: `roleId`",
        (_, "users") => "The id of the user: `userId`",
        (_, "api-keys") => "The id of the key: `apiKeyId`",
        (_, "apps") => "The id of the client: `clientId`",
        (_, "webhooks") => "The id of the webhook: `webhookId`",
        ("letter", _) => "The number of the dead letter, as the list has it",
        (_, "saved-views") => "The id of the saved view: `savedViewId`",
        (_, "sessions") => "The id of the session: `sessionId`",
        (_, "jobs") => "The id of the job: `jobId`",
        _ => "",
    }
}
