//! What is to be known of each operation beyond its summary, and of the ids in paths. Of what can be done with every
//! noun of management, the table of its routes tells it.

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
    let mut all = DATA.iter().chain(OWN).chain(OTHERS);
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
                JSON. The keys `.` and `..` can't be written in a path that clients tidy up: search for them"
        }
        ("record", "deleted-records") => "The id of the deleted record, as their list has it",
        ("record", _) => "The id of the record: its `_dataObjectId`",
        ("version", _) => {
            "The version that it had: a record's `_version`, from 0; a schema's, from 1"
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

/// Operations of the data interface.
const DATA: &[(&str, &str)] = &[
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
            make, is 403; read the record again for a fresh one. `Range` and `If-Range` are understood for one range.",
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
            is older than what is kept is 410: read the records anew. Asks for `DATA OBJECTS`, view, and the area's grant.",
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

/// Operations of management about the caller.
const OWN: &[(&str, &str)] = &[
    (
        "signIn",
        "A browser gets its session as a cookie, and sends `csrfToken` in `X-CSRF-Token` with every change. A program \
            asks with `token` for the session's credential, and sends it in `Authorization`. Nothing tells an unknown \
            user from a wrong password. After 10 wrong ones from one address: 429 with `Retry-After`.",
    ),
    (
        "whoAmI",
        "The caller, by whichever credential, and the token that a browser's changes need.",
    ),
    (
        "signOut",
        "Ends the session that asks; a key or token stays as it is.",
    ),
    ("getTenant", "Everyone who may sign in may see it."),
    (
        "getQuotas",
        "Each quota is a setting of the operator. What would pass one is 403 `QUOTA_EXCEEDED`. For administrators.",
    ),
    (
        "getHealth",
        "Whether it takes writes, how far the search index is, and when the server backed itself up last. For administrators.",
    ),
    (
        "carryOutOperation",
        "What the program's commands send with `--server`; program and server are of one version. The work goes on while \
            the answer is taken, an object a line: how far a record file is, records that were refused, and at last the \
            outcome, or why it broke off. Each step is judged by the caller's rights, in its own tenant. A body may \
            have 64 MiB (a setting), and a quarter of the memory budget at most.",
    ),
    (
        "listAudit",
        "Who did what, when, with what differs before and after; personal values and secrets are left out. A page may have \
            fewer entries than it could while there is a `nextPageKey`. Asks for `AUDIT`, view; entries about areas that \
            are not granted are left out.",
    ),
    (
        "changePassword",
        "Asks for the password one has. The new one has 12 characters to 1,024 bytes, and is none that a million guesses \
            find.",
    ),
    ("changeEmail", "Asks for the password one has."),
    (
        "proveSession",
        "Changes of users, roles, keys and clients ask a session for its password when it was shown more than 15 minutes \
            ago (a setting): 403 `PROOF_REQUIRED`. This shows it, with a `code` where there is a second factor.",
    ),
    (
        "beginSecondFactor",
        "The secret is for an authenticator (RFC 6238: six digits, 30 seconds, SHA-1), and is shown this once. It is not \
            in force until it is confirmed.",
    ),
    (
        "confirmSecondFactor",
        "From then on, signing in asks for a code. The recovery codes are shown this once; each is good for one time.",
    ),
    (
        "removeSecondFactor",
        "From then on, signing in asks for the password alone.",
    ),
    (
        "listSessions",
        "With the addresses they were begun from. None of them shows its secret.",
    ),
    ("endSession", "It is over at once, and for good."),
    (
        "inviteUser",
        "Makes a user that chooses its password itself. The code is shown this once, for whoever asks to hand it over, and \
            works once, for seven days. Asks for add of users. Nobody gives rights that they don't have.",
    ),
    (
        "inviteUserAgain",
        "For a user that was not in time, or forgot its password. The password that it has and an invitation of before work \
            no more, and its sessions end. Asks for edit of users.",
    ),
    (
        "acceptInvitation",
        "Gives the user of an invitation the password that it chose. 404 for a code that is none, was used, or has ended.",
    ),
    (
        "endSessionsOfUser",
        "They are over at once. Asks for edit of users.",
    ),
    (
        "endOtherSessions",
        "For whoever fears that somebody else has one.",
    ),
];

/// What is one noun's alone.
const OTHERS: &[(&str, &str)] = &[
    (
        "listChanges",
        "Who wrote which record, when, with the values before and after; personal ones are masked without view of `PERSONAL DATA`. Asks \
            for `AUDIT`, view.",
    ),
    (
        "listDeletedRecords",
        "Each with its values, personal ones masked without view of `PERSONAL DATA`, until it is purged. Asks for `DATA OBJECTS`, view.",
    ),
    (
        "listFaults",
        "How many records break which rule in which field, with a few of them each; exact, and of every write that was \
            answered before. The records themselves a search for `is:faulty` or `fault:Field/rule` finds. Asks for \
            `DATASET OBJECTS SEARCH`, view, `DATA OBJECTS`, view, and the area's grant.",
    ),
    (
        "uploadDatasetFile",
        "A form with one part named `file`, of 100 MiB at most where the operator says nothing else; an empty one is 400. \
            The `fileId` of the answer is then written as the value of a field (`writeRecords`). A file that no record \
            names goes after a day. Asks for `DATA OBJECTS`, add or edit, and the area's grant.",
    ),
    (
        "countValues",
        "How many records have each value; exact, also under a query. Asks for `DATASET OBJECTS SEARCH`, view, \
            `DATA OBJECTS`, view, and the area's grant.",
    ),
    (
        "listRecordHistory",
        "Who, when, and which fields had which value before and after, under the names of the schema as it is now; personal \
            values are masked without view of `PERSONAL DATA`. Of deleted records, too, until they are purged. Asks for `DATA OBJECTS`, view.",
    ),
    (
        "getRecordVersion",
        "The whole record as it was, in the form of the schema as it is now; personal values are masked without view \
            of `PERSONAL DATA`. Asks for `DATA OBJECTS`, view.",
    ),
    (
        "restoreRecordVersion",
        "An update with the values of then, personal ones too, judged by the rules of now; its `_version` rises by one, and \
            its history tells a restore. 409 where it has another `_version` than the one sent, or another record has \
            the primary key. Asks for `DATA OBJECTS`, edit.",
    ),
    (
        "purgeRecord",
        "It goes with its entries of the change log; the trail remembers that it was done, and by whom. For \
            administrators. There is no way back.",
    ),
    (
        "listJobs",
        "Who asks for another's job gets what who asks for none gets.",
    ),
    (
        "getJob",
        "How far it is, and what came of it so far; its files are there when it has ended.",
    ),
    (
        "cancelJob",
        "One that waits ends at once, one under way behind its step of some hundred records. For its maker and for \
            administrators.",
    ),
    (
        "importDataset",
        "The body is the file itself, up to 4 GiB where the operator says nothing else. Asks for `DATA OBJECTS`, add for \
            `create`, view and edit for `update`, all three for the other modes, and delete for `deleteMissing`: at once, \
            and again with each step of the job. Faulty rows are stored with `_errors`; rows that can't be stored can be \
            downloaded. 409 where too many jobs of the tenant wait already.",
    ),
    (
        "judgeDataset",
        "Takes the body of a change of the dataset's schema and makes a job that judges all records of the dataset under it, \
         however many. Nothing is changed: `revisionResult` counts what would be. Asks for `SCHEMAS`, edit, and for `DATA OBJECTS`, \
         view. 409 where too many jobs of the tenant wait already.",
    ),
    (
        "judgeSchema",
        "The body is that of a change, which is judged and not made. The records of the schema's datasets are judged under it, \
         ten seconds long at most: `judgedCount` is less than `recordCount` where there was no time for all. Asks for `SCHEMAS`, \
         edit, and for `DATA OBJECTS`, view.",
    ),
    (
        "repairRecords",
        "`dryRun` counts what would change, which faults would come and go, and shows the first few records; nothing is written. \
         Else each record is an update of its own, in the log under the job's id, and `undoJob` takes all of them back. Asks for \
         `DATA OBJECTS`, view and edit, and for `SEARCH` where there is a `query`. 409 where too many jobs of the tenant wait \
         already.",
    ),
    (
        "undoJob",
        "Of an import, a repair or an undoing that has ended: each record goes back to what it was before. One that someone wrote \
         since is left as it is and told. For who may see the job; asks for `DATA OBJECTS`, view and edit, and delete for all but \
         repairs. 409 where the job has not ended or wrote nothing, or too many jobs of the tenant wait already.",
    ),
    (
        "writeRecords",
        "The body is lines of `application/x-ndjson`, 10,000 at most: `{\"create\": {…}}`, `{\"update\": {…}}` with `_dataObjectId` \
         and `_version`, `{\"upsert\": {…}}` by primary key, `{\"delete\": {…}}` with `_dataObjectId`, and `_version` if that is to be \
         compared. They are done in their order, each by itself: the answer has a verdict for each, and one that is refused \
         stops no other. Each asks for the right that a request for it alone asks for. Whoever goes away meanwhile does not \
         know which were done; an upsert may be sent again. With `dryRun` nothing is written, and verdicts have no `_version`.",
    ),
    (
        "exportDataset",
        "Asks for `DATA OBJECTS`, view. 409 where too many jobs of the tenant wait already.",
    ),
    (
        "downloadExport",
        "For who asked for the job alone, who must still be allowed to view the records; seven days long, where the \
            operator says nothing else.",
    ),
    (
        "downloadRejects",
        "They read like the file they came from, with line and reason before each: mended, they can be sent again as \
            they are. For who asked for the job alone; seven days long, where the operator says nothing else.",
    ),
    (
        "restoreRecord",
        "Its `_version` rises by one. 409 where another record has its primary key by now, or the schema has another one. \
            Asks for `DATA OBJECTS`, delete.",
    ),
    (
        "removeSecondFactorOfUser",
        "For a user that lost both the authenticator and the recovery codes.",
    ),
    (
        "rotateApiKey",
        "The new key is shown this once. The one before works for `graceSeconds` more: a day unless said otherwise, 30 days \
            at most; with 0 it ends at once.",
    ),
    (
        "renewSecretOfWebhook",
        "The new secret is shown this once; what is sent from now on is signed with it.",
    ),
    (
        "getWebhookDelivery",
        "When something was delivered last, and what is tried again, since when and why.",
    ),
    (
        "listDeadLetters",
        "What was tried 12 times and put aside, with why the last try failed. Asks for view of webhooks.",
    ),
    (
        "resendDeadLetter",
        "Sends the changes as they are kept, with a new signature. What arrives is a dead letter no longer; 409 tells why \
            it did not, or that its changes are not kept any more.",
    ),
    (
        "renewSecretOfApp",
        "The new secret is shown this once; the one before ends at once, and tokens that it got with it.",
    ),
];
