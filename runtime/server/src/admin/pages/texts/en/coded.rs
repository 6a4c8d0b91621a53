//! What other floors say by code, in English: most of it is the text of the interface.

use super::super::coded::CodedTexts;
use super::contradictions::CONTRADICTIONS;

pub(super) const TEXTS: CodedTexts = CodedTexts {
    contradictions: CONTRADICTIONS,
    observations: OBSERVATIONS,
    words: &[],
    rejections: REJECTIONS,
    quotes: ["“", "”"],
};

/// Those that name a type, which the interface calls by its code, and those that it tells in short.
const OBSERVATIONS: &[(&str, &str)] = &[
    ("each_is", "every value fits the type “{t0}”"),
    (
        "each_is_as",
        "every value fits the type “{t0}”, written {1}",
    ),
    (
        "may_be_as",
        "look twice: each fits the type “{t0}”, written {1}, as well",
    ),
    (
        "nearly_is",
        "look twice: {1} of {2} values fit the type “{t0}”, not those of these lines: {3}",
    ),
    (
        "nearly_is_as",
        "look twice: {2} of {3} values fit the type “{t0}”, written {1}, not those of these lines: {4}",
    ),
    (
        "first_that_differs",
        "proposed as the primary key: the first column in which all values are different",
    ),
    (
        "ordered",
        "proposed as a sort key: its values can be put in order",
    ),
];

const REJECTIONS: &[(&str, &str)] = &[
    ("key_missing", "without a primary key"),
    ("duplicate_key", "primary key taken"),
    ("not_found", "no record with this key"),
    ("id_unknown", "no record with this id"),
    ("id_missing", "without an id and without a key"),
    ("version_conflict", "changed by someone meanwhile"),
    ("version_invalid", "a version that is no number"),
    ("record_exists", "the record of this id is there already"),
    ("row_too_long", "row too long"),
    ("too_many_cells", "too many cells"),
    ("row_encoding", "not in the file's encoding"),
    ("open_quote", "quote never closed"),
    ("behind_quote", "text after the closing quote"),
    ("carriage_return", "carriage return within a cell"),
    ("cell_count", "different number of cells"),
    ("cell_error", "spreadsheet error"),
    ("lost_digits", "digits that may be lost"),
    ("no_result", "formula without a result"),
    ("date_format", "a day in another format than was said"),
    ("no_array", "not a JSON array"),
    ("no_element", "element missing"),
    ("open_element", "element not closed"),
    ("open_array", "array not closed"),
    ("behind_array", "something after the array"),
    ("syntax", "not JSON"),
    ("utf8", "not UTF-8"),
    ("byte_order_mark", "byte-order mark"),
    ("nul", "character U+0000"),
    ("not_an_object", "not a JSON object"),
    ("trailing", "something after the object"),
    ("too_large", "too large"),
    ("unknown_key", "unknown field"),
    ("inactive_field", "inactive field"),
    ("system_property", "property of the service"),
    ("nested_value", "nested value"),
    ("primary_key_too_long", "primary key too long"),
    ("stored", "stored under another version"),
];
