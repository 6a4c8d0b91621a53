//! What can be said of a schema, and the schema that its document is read into.

use super::noun::Content;
use super::schema_versions::read;
use crate::{Refusal, Service, ids};
use schema::Schema;
use serde::{Deserialize, Serialize};
use std::collections::HashSet;
use wire::Timestamp;

/// The states that we write. docs/rules.md, "Accepted schemas".
const STATES: [&str; 2] = ["draft", "published"];

/// What can be said of a schema.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SchemaContent {
    /// The schema-detail document. Ids of fields are kept; ids, version and provenance of the schema are
    /// the service's own (the operator's `schemaId` is kept if it is free).
    pub document: String,
    /// `draft` or `published`.
    pub state: String,
    /// Whether it is active.
    pub active: bool,
    /// In a change: the version it was made from, if that is to be compared.
    pub version: Option<i64>,
}

/// A schema that was read from its document.
pub struct ReadSchema {
    pub(super) schema: Schema,
    /// Whether the document names no `schemaId`.
    pub(super) has_made_id: bool,
    /// The ids of fields that the document gives none.
    pub(super) made_ids: HashSet<String>,
    pub(super) state: String,
    pub(super) active: bool,
    version: Option<i64>,
}

impl Content for SchemaContent {
    fn judge(&self, _: Timestamp) -> Result<(), Refusal> {
        judge_state(&self.state)?;
        read(&self.document).map(drop)
    }

    /// The document has it: this is what stands for it until that is read.
    fn name(&self) -> &str {
        &self.document
    }

    fn version(&self) -> Option<i64> {
        self.version
    }
}

impl ReadSchema {
    /// Reads a document. Fields without an id get one that no field ever had.
    pub(super) fn of(content: SchemaContent, service: &Service) -> Result<Self, Refusal> {
        judge_state(&content.state)?;
        let document = read(&content.document)?;
        let mut schema = document.schema;
        let mut made_ids = HashSet::new();
        for index in document.made_field_ids {
            let id = ids::new_id(service.now(), service.entropy());
            made_ids.insert(id.clone());
            schema.fields[index].id = id;
        }
        Ok(ReadSchema {
            schema,
            has_made_id: document.has_made_id,
            made_ids,
            state: content.state,
            active: content.active,
            version: content.version,
        })
    }
}

fn judge_state(state: &str) -> Result<(), Refusal> {
    if STATES.contains(&state) {
        return Ok(());
    }
    Err(Refusal::invalid(
        "$.state",
        "must be `draft` or `published`",
    ))
}

/// It was judged when it was read.
impl Content for ReadSchema {
    fn judge(&self, _: Timestamp) -> Result<(), Refusal> {
        Ok(())
    }

    fn name(&self) -> &str {
        &self.schema.name
    }

    fn version(&self) -> Option<i64> {
        self.version
    }
}
