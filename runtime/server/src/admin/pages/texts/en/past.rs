//! What is said of the past of a record in English.

use super::super::past::PastTexts;

pub(super) const TEXTS: PastTexts = PastTexts {
    is_deleted: "The record is deleted. To bring back one of its versions, restore it first.",
    is_newest: "This is how the record is now.",
    key_holder: "Open that record",
    of_version: "of version",
    purge: "Remove for good",
    purge_what: "The record goes with its history, its files that no other record has, and what jobs of this dataset keep of records. That it was done stays in the trail. It can't be taken back.",
    what: "The whole record as it was in this version, in the fields that the schema has now.",
    whole: "Show the whole record",
};
