//! What the expansions of the derives need and nobody else: no promise is made here.

pub use crate::FieldError;
pub use crate::integrations::names as integrations;
use crate::typed::is_same;
pub use crate::typed::{
    Change, Changing, Entry, FieldChange, FieldType, FieldValue, Kind, Literal, Patch, Slots,
    debug, debug_patch, deserialize, deserialize_code, is_lost, judge_literal, parse_code,
    refuse_lost, serialize, serialize_code, serialize_patch,
};
pub use crate::validate::Checker;
pub use crate::{
    __picklist_integrations as picklist_integrations, __record_integrations as record_integrations,
};
pub use ::serde;
pub use ::std;
pub use ::std::sync::LazyLock;
pub use schema::Schema;

/// The schema that a derive wrote down, with the codes of its static picklists.
///
/// # Panics
/// When the text is not what the derive makes: it has checked the schema at compile time.
pub fn schema(json: &str, picklists: &[(usize, &[Entry])]) -> Schema {
    let mut schema =
        Schema::read_unchecked(json).expect("the derive writes documents that can be read");
    for (index, entries) in picklists {
        schema.fields[*index].static_picklist =
            Some(entries.iter().map(Entry::to_picklist_entry).collect());
    }
    schema
}

/// The checker of a derived schema.
///
/// # Panics
/// When the schema has a contradiction: the derive has checked all but the codes of its picklists,
/// and their own derive has checked those.
pub fn checker(schema: &Schema) -> Checker {
    Checker::new(schema)
        .unwrap_or_else(|problems| panic!("the schema {:?}: {problems}", schema.name))
}

/// The checker of a derived schema that keeps unknown codes in these of its active fields.
///
/// # Panics
/// As [`checker`].
pub fn open_checker(schema: &Schema, open: &[usize]) -> Checker {
    checker(schema).keeping_unknown_codes(open)
}

/// Whether the codes of an enum are these, in any order: asked while the crate is compiled.
pub const fn has_codes(entries: &[Entry], codes: &[&str]) -> bool {
    if entries.len() != codes.len() {
        return false;
    }
    let mut at = 0;
    while at < codes.len() {
        // mostly they stand in the same order
        let mut other = at;
        let mut tried = 0;
        while tried < entries.len() && !is_same(entries[other].code, codes[at]) {
            other = (other + 1) % entries.len();
            tried += 1;
        }
        if tried == entries.len() {
            return false;
        }
        at += 1;
    }
    true
}
