//! Schemas and their versions. A record keeps the number of the version it was written with.

use super::{CountedOnce, Stamp};
use engine::validate::Checker;
use schema::format::{DateFormat, Separator, TimeFormat};
use schema::{DataType, Field, Origin, Problems, Schema};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::sync::Arc;

/// A schema and every version it had. docs/rules.md, "Versions of a schema".
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SchemaEntry {
    /// `schemaId`
    pub id: String,
    /// Its tenant.
    pub tenant: String,
    /// `businessAreaId`
    pub area: String,
    /// `state`: `draft` or `published`.
    pub state: String,
    /// `active`
    pub active: bool,
    /// `deleted`
    pub deleted: bool,
    /// Its versions, oldest first; the last one is in force. Never empty.
    #[serde(deserialize_with = "at_least_one")]
    pub versions: Vec<Arc<SchemaVersion>>,
    /// Who made and changed it, and when.
    pub stamp: Stamp,
}

impl SchemaEntry {
    /// The version in force.
    ///
    /// # Panics
    /// Never: a schema is made with its first version.
    pub fn current(&self) -> &Arc<SchemaVersion> {
        self.versions.last().expect("a schema has a version")
    }

    /// A version by its number.
    pub fn version(&self, number: i64) -> Option<&Arc<SchemaVersion>> {
        self.versions
            .iter()
            .rfind(|version| version.number == number)
    }

    /// The bytes of its versions' documents.
    pub fn bytes(&self) -> u64 {
        let bytes = |it: &SchemaVersion| it.size.get(|| it.schema.to_json().len() as u64);
        self.versions.iter().map(|it| bytes(it)).sum()
    }

    /// A field as the last version that had it has it, where it is personal there: its values stay so, wherever it is brought
    /// back. docs/interface.md, "Personal data".
    pub fn last_personal(&self, field_id: &str) -> Option<&Field> {
        let mut versions = self.versions.iter().rev();
        let last =
            versions.find_map(|it| it.schema.fields.iter().find(|field| field.id == field_id));
        last.filter(|field| field.is_pii())
    }
}

/// One version of a schema, compiled. It is stored as its document.
#[derive(Debug, Deserialize)]
#[serde(try_from = "SchemaDocument")]
pub struct SchemaVersion {
    /// `version`, from 1.
    pub number: i64,
    /// The schema.
    pub schema: Schema,
    /// Its checker.
    pub checker: Checker,
    /// The bytes of its document.
    size: CountedOnce,
    /// The data domains that its active fields name, each once.
    pub(super) domains: Box<[String]>,
}

impl Clone for SchemaVersion {
    fn clone(&self) -> Self {
        SchemaVersion::new(self.schema.clone()).expect("it was compiled before")
    }
}

#[derive(Serialize, Deserialize)]
struct SchemaDocument {
    document: String,
}

impl SchemaVersion {
    /// Compiles a version of a schema; its number is the schema's own.
    ///
    /// # Errors
    /// Every contradiction of the schema.
    pub fn new(schema: Schema) -> Result<Self, Problems> {
        let checker = Checker::new(&schema)?;
        let fields = schema.active_fields();
        let domains: BTreeSet<_> = fields
            .filter_map(|field| field.data_domain_id.clone())
            .collect();
        Ok(SchemaVersion {
            number: schema.version.unwrap_or(1),
            size: CountedOnce::default(),
            schema,
            checker,
            domains: domains.into_iter().collect(),
        })
    }

    /// The facts of its primary key, if it has one.
    pub fn key_facts(&self) -> Option<KeyFacts<'_>> {
        let field = self.schema.primary_key()?;
        Some(KeyFacts {
            id: &field.id,
            data_type: field.data_type,
            date_format: field.date_format,
            date_separator: field.date_separator,
            time_format: field.time_format,
        })
    }
}

/// What stays fixed while there are live records: which field is the primary key, and what decides the
/// text of its values. docs/rules.md, "Versions of a schema".
#[derive(Debug, PartialEq)]
pub struct KeyFacts<'s> {
    id: &'s str,
    data_type: DataType,
    date_format: Option<DateFormat>,
    date_separator: Option<Separator>,
    time_format: Option<TimeFormat>,
}

impl TryFrom<SchemaDocument> for SchemaVersion {
    type Error = Problems;
    fn try_from(stored: SchemaDocument) -> Result<Self, Problems> {
        SchemaVersion::new(Schema::read(&stored.document, Origin::Elsewhere)?.schema)
    }
}

impl Serialize for SchemaVersion {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let document = self.schema.to_json();
        SchemaDocument { document }.serialize(serializer)
    }
}

/// Reads the versions of a schema; there is at least one.
fn at_least_one<'de, D: serde::Deserializer<'de>>(
    deserializer: D,
) -> Result<Vec<Arc<SchemaVersion>>, D::Error> {
    let versions = Vec::deserialize(deserializer)?;
    if versions.is_empty() {
        return Err(serde::de::Error::invalid_length(0, &"at least one version"));
    }
    Ok(versions)
}
