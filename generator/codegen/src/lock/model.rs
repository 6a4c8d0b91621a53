//! What a lock holds, and what is asked of it. Nothing is changed here.

use std::collections::BTreeMap;

/// The identifiers of generated code, by schema, field and code. Its text form is JSON, a line for each field, in the
/// order of the ids, so that two branches seldom touch the same line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lock {
    /// By the schema's id.
    pub(crate) schemas: BTreeMap<String, SchemaLock>,
}

/// The identifiers of one schema.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct SchemaLock {
    pub(crate) module: String,
    /// The struct.
    pub(crate) record: String,
    /// By the field's id.
    pub(crate) fields: BTreeMap<String, FieldLock>,
}

/// The identifiers of one field.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct FieldLock {
    /// None where it is to be found anew.
    pub(crate) name: Option<String>,
    /// The enum of a static picklist, and its variants by code.
    pub(crate) picklist: Option<String>,
    pub(crate) codes: BTreeMap<String, String>,
    /// What it was called until it was moved.
    pub(crate) moved: Option<MoveLock>,
}

/// The identifiers that a field had before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct MoveLock {
    /// The schema's version when it was moved; the next version has no accessor of the old name any more.
    pub(crate) version: Option<i64>,
    pub(crate) name: String,
    pub(crate) picklist: Option<String>,
}

impl Lock {
    /// One that holds nothing.
    pub fn new() -> Self {
        Lock::default()
    }

    /// What is locked of a schema.
    pub(crate) fn schema(&self, id: &str) -> Option<&SchemaLock> {
        self.schemas.get(id)
    }

    /// What is locked of a field.
    pub(crate) fn field(&self, schema: &str, field: &str) -> Option<&FieldLock> {
        self.schema(schema)?.fields.get(field)
    }

    /// The modules of schemas that are not among these ids.
    pub(crate) fn modules_of_others<'l>(&'l self, ids: &[&str]) -> impl Iterator<Item = &'l str> {
        let others = self
            .schemas
            .iter()
            .filter(|(id, _)| !ids.contains(&id.as_str()));
        others.map(|(_, schema)| schema.module.as_str())
    }
}

impl SchemaLock {
    /// The names of the fields of which `is_there` says no, and those that fields had before.
    pub(crate) fn names_of_others<'l>(
        &'l self,
        is_there: impl Fn(&str) -> bool + 'l,
    ) -> impl Iterator<Item = &'l str> {
        self.fields.iter().flat_map(move |(id, field)| {
            let own = field.name.as_deref().filter(|_| !is_there(id));
            // one that is being moved may get its name again
            let before = field.moved.iter().filter(|_| field.name.is_some());
            own.into_iter()
                .chain(before.map(|moved| moved.name.as_str()))
        })
    }

    /// The enums of fields, likewise.
    pub(crate) fn enums_of_others<'l>(
        &'l self,
        is_there: impl Fn(&str) -> bool + 'l,
    ) -> impl Iterator<Item = &'l str> {
        self.fields.iter().flat_map(move |(id, field)| {
            let own = field.picklist.as_deref().filter(|_| !is_there(id));
            let before = field.moved.iter().filter(|_| field.picklist.is_some());
            let before = before.filter_map(|moved| moved.picklist.as_deref());
            own.into_iter().chain(before)
        })
    }
}

impl FieldLock {
    /// The variants of codes that are not among these.
    pub(crate) fn variants_of_others<'l>(
        &'l self,
        is_there: impl Fn(&str) -> bool + 'l,
    ) -> impl Iterator<Item = &'l str> {
        let others = self.codes.iter().filter(move |(code, _)| !is_there(code));
        others.map(|(_, variant)| variant.as_str())
    }
}
