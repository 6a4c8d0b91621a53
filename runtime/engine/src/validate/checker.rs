//! A schema compiled for judging: fields found by name, limits parsed, picklists as sets. What a checker
//! is asked, and the way through a body, is in `check.rs`.

use super::field_rule::FieldRule;
use rustc_hash::FxHashMap;
use schema::{Limits, Origin, Path, Problem, Problems, Schema, Severity, check};

/// Judges records of one schema. Compile it once; it is cheap to share and never changes.
#[derive(Debug)]
pub struct Checker {
    fields: Vec<FieldRule>,
    by_name: FxHashMap<Box<str>, FieldRef>,
    primary_key: Option<usize>,
    /// Bytes of the normal form that do not depend on the record: keys and punctuation.
    frame_bytes: usize,
}

/// Elements of lists for which memory is there before the first comes.
const ELEMENTS_EXPECTED: usize = 8;

/// The field that a key names.
#[derive(Clone, Copy, Debug)]
pub(super) enum FieldRef {
    Active(usize),
    Inactive,
}

impl Checker {
    /// Compiles a schema.
    ///
    /// # Errors
    /// Every contradiction of the schema; what is only warned of in a schema from elsewhere is not one.
    pub fn new(schema: &Schema) -> Result<Self, Problems> {
        let mut problems = check(schema, Origin::Elsewhere);
        problems.retain(|problem: &Problem| problem.severity == Severity::Error);
        if !problems.is_empty() {
            return Err(Problems { items: problems });
        }
        let mut by_name = FxHashMap::default();
        for field in schema.fields.iter().filter(|field| !field.active) {
            by_name.insert(field.name.as_str().into(), FieldRef::Inactive);
        }
        let mut fields = Vec::new();
        for (at, field) in schema.fields.iter().enumerate().filter(|(_, f)| f.active) {
            // an active field wins over an inactive one of the same name
            by_name.insert(field.name.as_str().into(), FieldRef::Active(fields.len()));
            // the check above has reported every such fault, so that there is none left here
            let limits = Limits::of(field).map_err(|faults| Problems {
                items: faults
                    .into_iter()
                    .map(|fault| Problem::of_limit(Path::field(at), fault))
                    .collect(),
            })?;
            fields.push(FieldRule::compile(field, limits));
        }
        Ok(Checker {
            primary_key: fields.iter().position(|field| field.primary_key),
            frame_bytes: 2 + fields
                .iter()
                .map(|field| field.member.len() + 4)
                .sum::<usize>(),
            fields,
            by_name,
        })
    }

    /// The same, keeping unknown codes of these static picklists, told by their places among the active fields: what a
    /// type says with `Open`. No schema can.
    pub(crate) fn keeping_unknown_codes(mut self, open: &[usize]) -> Self {
        for index in open {
            if let Some(field) = self.fields.get_mut(*index) {
                field.keep_unknown_codes();
            }
        }
        self
    }

    /// The active fields, in the order of the schema.
    pub fn fields(&self) -> &[FieldRule] {
        &self.fields
    }

    pub(crate) fn primary_key_index(&self) -> Option<usize> {
        self.primary_key
    }

    /// The slots that a record takes, if it has no more than a handful of elements.
    pub(crate) fn slots(&self) -> usize {
        let lists = self.fields.iter().any(|field| field.multivalue);
        self.fields.len() + if lists { ELEMENTS_EXPECTED } else { 0 }
    }

    pub(crate) fn frame_bytes(&self) -> usize {
        self.frame_bytes
    }

    /// The index of an active field.
    pub(crate) fn index_of(&self, name: &str) -> Option<usize> {
        match self.by_name.get(name)? {
            FieldRef::Active(index) => Some(*index),
            FieldRef::Inactive => None,
        }
    }

    /// What a key names; `expected` is the field that follows the one before, which is nearly always right.
    #[inline]
    pub(super) fn find(&self, key: &str, expected: usize) -> Option<FieldRef> {
        match self.fields.get(expected) {
            Some(field) if *field.name == *key => Some(FieldRef::Active(expected)),
            _ => self.by_name.get(key).copied(),
        }
    }
}
