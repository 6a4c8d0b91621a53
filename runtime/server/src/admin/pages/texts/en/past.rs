//! What is said of the past of a record in English.

use super::super::past::PastTexts;

pub(super) const TEXTS: PastTexts = PastTexts {
    is_deleted: "The record is deleted. To bring back one of its versions, restore it first.",
    is_newest: "This is how the record is now.",
    what: "The whole record as it was in this version, in the fields that the schema has now.",
    whole: "Show the whole record",
};
