//! What a query asks for, once it is read. Values stay texts here: what they mean depends on the field.

use std::ops::Bound;
use store::search::{Expression, FieldName};

/// A query, read.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::search) struct Query {
    /// What it asks for.
    pub(in crate::search) expression: Expression,
    /// The fields that it names, in order.
    pub(in crate::search) fields: Vec<NamedField>,
    /// The ranges that it asks for, in order; the tree has an empty one for each.
    pub(in crate::search) ranges: Vec<AskedRange>,
    /// The texts that may be values of their fields, in order; the tree has their words.
    pub(in crate::search) values: Vec<AskedValue>,
}

/// A text behind a field that may be a value of it.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::search) struct AskedValue {
    /// Which text it is of all that the tree has, from 0.
    pub(in crate::search) text: usize,
    /// Which one its field is of those that are named.
    pub(in crate::search) named: usize,
    /// The value as a range.
    pub(in crate::search) range: AskedRange,
    /// Whether the text must be the whole value.
    pub(in crate::search) is_whole: bool,
}

/// A field that a query names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::search) struct NamedField {
    /// The number of its first character.
    pub(in crate::search) position: usize,
    /// As it was written.
    pub(in crate::search) name: FieldName,
    /// Whether words are looked for in it, not ranges, faults or whether it has a value.
    pub(in crate::search) is_for_words: bool,
    /// Whether it stands behind a `NOT`, also one that a `NOT` is before.
    pub(in crate::search) is_negated: bool,
}

/// A range that a query asks for, in the order of the tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::search) struct AskedRange {
    /// The number of its first character.
    pub(in crate::search) position: usize,
    /// The field, as it was written.
    pub(in crate::search) field: FieldName,
    /// Where it begins.
    pub(in crate::search) from: Bound<String>,
    /// Where it ends.
    pub(in crate::search) to: Bound<String>,
}
