//! What is said of the past of a record in English.

use super::super::past::PastTexts;

pub(super) const TEXTS: PastTexts = PastTexts {
    bring_back_after: "Restore the record as it was after this change",
    by_client: "{} (client)",
    by_key: "{} (API key)",
    current: "current",
    differs: "Different now:",
    is_deleted: "The record is deleted. To bring back one of its versions, restore it first.",
    is_newest: "This is how the record is now.",
    key_holder: "Open that record",
    now: "Now:",
    of_version: "at version",
    on_server: "{} (on the server)",
    purge: "Remove for good",
    purge_what: "This removes for good the record, its history, its files that no other record has, and the values of records that jobs of this dataset have kept. The audit trail still tells that it was done, and by whom. It can't be undone: to keep the record, close this again.",
    what: "The whole record as it was in this version, in the fields that the schema has now.",
    whole: "Show the whole record",
};
