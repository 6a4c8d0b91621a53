//! What is to be known of the operations of management, by their ids.

/// About the caller, and who else signs in.
pub(super) const OWN: &[(&str, &str)] = &[
    (
        "signIn",
        "A browser gets its session as a cookie, and sends `csrfToken` in `X-CSRF-Token` with every change. A program \
            asks with `token` for the session's credential, and sends it in `Authorization`. Nothing tells an unknown \
            user from a wrong password. After 10 wrong ones from one address: 429 with `Retry-After`.",
    ),
    (
        "setUp",
        "Without a credential, and only while there is no tenant: by the `code` that the program told whoever started it, which \
            is good once and until the program ends; where servers share a database, for seven days and at each. 403 for \
            another code, 404 where the program offers none, 409 once there is a tenant. Tries are limited as those at a \
            password.",
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
        "getSettings",
        "Each setting by the names of its flag, its variable and its key in the settings file, with what holds and where that \
            comes from. Secrets, and where things of the machine are, are told to be set and not shown. Nothing of it is \
            changed here: whoever runs the service says it when it starts. For administrators.",
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
        "From then on, signing in asks for a code, and the user's other sessions have ended. The recovery codes are shown this \
            once; each is good for one time.",
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
pub(super) const OTHERS: &[(&str, &str)] = &[
    (
        "listChanges",
        "Who wrote which record, when, with the values before and after; personal ones are masked without view of `PERSONAL DATA`. Asks \
            for `AUDIT`, view.",
    ),
    (
        "listDeletedRecords",
        "Each with its values, personal ones masked without view of `PERSONAL DATA`, until it is purged; when it was deleted, and \
            by whom, as in its history. Asks for `DATA OBJECTS`, view.",
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
        "How many records have each value, the 1,000 most frequent of a field, and how many `others` there are; exact, also under a \
            query. Asks for `DATASET OBJECTS SEARCH`, view, `DATA OBJECTS`, view, and the area's grant.",
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
        "deleteJobFiles",
        "What it exported or could not store, and the file of a trial: they make room at once, in place of going by their age. \
            409 where it has not ended. For its maker and for administrators.",
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
        "judgeDatasetByDomain",
        "Takes the body of a change of a data domain, with its `dataDomainId`, and makes a job that judges all records of the \
         dataset by the codes of the change, however many. Nothing is changed: `revisionResult` counts what would be. Asks for \
         `DATA DOMAINS`, edit, and for `DATA OBJECTS`, view. 409 where too many jobs of the tenant wait already.",
    ),
    (
        "judgeDomain",
        "The body is that of a change, which is judged and not made. The records of all datasets whose fields name the domain are \
         judged by its codes, ten seconds long at most: `judgedCount` is less than `recordCount` where there was no time for all. \
         Fields of one name in several schemas are counted together. Asks for `DATA DOMAINS`, edit, and for `DATA OBJECTS`, view, \
         in each of the datasets.",
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
         since, or between two writes of the job, is left as it is and told. For who may see the job; asks for `DATA OBJECTS`, view \
         and edit, and delete for all but repairs. 409 where the job has not ended, wrote nothing or is being undone, or too many \
         jobs of the tenant wait already.",
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
            at most; those of before keep their own time. With 0 all of them end at once. 409 where eight still work.",
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
            it did not, that its changes are not kept any more, or that the webhook does not have its dataset any more.",
    ),
    (
        "discardDeadLetter",
        "Nothing of it is sent any more; the records and their changes stay as they are.",
    ),
    (
        "renewSecretOfApp",
        "The new secret is shown this once; the one before ends at once, and tokens that it got with it.",
    ),
];
