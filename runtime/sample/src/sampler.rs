//! A whole record, field by field: which fields have a value, and how many. What a value is stands in `value/`.

use crate::at::At;
use crate::chance::{Chance, one_in};
use crate::value::Values;
use engine::validate::Checker;
use schema::json::write_string;
use schema::{Problems, Schema};
use std::fmt;

/// Makes records of one schema.
#[derive(Debug)]
pub struct Sampler {
    pub(crate) fields: Vec<Plan>,
    pub(crate) checker: Checker,
}

/// One active field.
#[derive(Debug)]
pub(crate) struct Plan {
    /// The field as the schema has it.
    pub(crate) field: schema::Field,
    /// What its values are; `None` for one that has none but a missing one.
    pub(crate) values: Option<Values>,
}

/// Why a schema has no record without faults.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoRecord {
    /// The schema contradicts itself.
    Schema(Problems),
    /// A field needs a value, and no value holds its rules: its display name.
    Field(String),
}

impl fmt::Display for NoRecord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NoRecord::Schema(problems) => problems.fmt(f),
            NoRecord::Field(name) => {
                write!(f, "{name:?} is required, and no value holds its rules")
            }
        }
    }
}

impl std::error::Error for NoRecord {}

impl Sampler {
    /// The sampler of a schema, which knows no codes of data domains.
    ///
    /// # Errors
    /// When no record of the schema is without faults.
    pub fn new(schema: &Schema) -> Result<Self, NoRecord> {
        Sampler::with_codes(schema, |_| Vec::new())
    }

    /// The sampler of a schema, where `codes` tells those of a data domain by its id.
    ///
    /// # Errors
    /// When no record of the schema is without faults.
    pub fn with_codes(
        schema: &Schema,
        codes: impl Fn(&str) -> Vec<String>,
    ) -> Result<Self, NoRecord> {
        let checker = Checker::new(schema).map_err(NoRecord::Schema)?;
        let mut fields = Vec::new();
        for field in schema.active_fields() {
            let values = Values::of(field, &codes);
            if is_needed(field) && values.is_none() {
                return Err(NoRecord::Field(field.name.clone()));
            }
            fields.push(Plan {
                field: field.clone(),
                values,
            });
        }
        Ok(Sampler { fields, checker })
    }

    /// The body of a record without faults, as JSON. Files and codes of domains that nobody told are not looked up.
    pub fn record(&self, at: At, chance: &mut dyn Chance) -> String {
        self.record_with_key(at, at, chance)
    }

    /// As [`record`](Self::record), with a primary key that lies elsewhere: bounds give no two keys.
    pub fn record_with_key(&self, at: At, key: At, chance: &mut dyn Chance) -> String {
        self.body(|plan| plan.value(if plan.field.primary_key { key } else { at }, chance))
    }

    /// The body that has these values, as JSON texts, and nothing of fields that have none.
    pub(crate) fn body(&self, mut value: impl FnMut(&Plan) -> Option<String>) -> String {
        let mut out = String::from("{");
        for plan in &self.fields {
            let Some(json) = value(plan) else {
                continue;
            };
            if out.len() > 1 {
                out.push(',');
            }
            write_string(&mut out, &plan.field.name);
            out.push(':');
            out.push_str(&json);
        }
        out.push('}');
        out
    }

    /// The text of the primary key of a record that this sampler made, which the schema wants to be unique.
    pub fn primary_key(&self, record: &str) -> Option<String> {
        let checked = self.checker.check(record.as_bytes()).ok()?;
        checked.primary_key().map(str::to_owned)
    }
}

/// Whether a record without the field is none: without a primary key the service makes none, whatever the schema requires.
pub(crate) fn is_needed(field: &schema::Field) -> bool {
    field.required || field.primary_key
}

impl Plan {
    /// A value as JSON text, an array where the field has several; `None` for one that is left out.
    pub(crate) fn value(&self, at: At, chance: &mut dyn Chance) -> Option<String> {
        let values = self.values.as_ref()?;
        let is_left_out = at == At::Random && one_in(chance, 4) || !values.is_real();
        if !is_needed(&self.field) && is_left_out {
            return None;
        }
        if !self.field.is_multivalue() {
            return Some(values.one(at, chance));
        }
        let count = match at {
            At::Random => 1 + chance.below(3),
            At::Lowest => 1,
            At::Highest => 2,
        };
        let all: Vec<_> = (0..count).map(|_| values.one(at, chance)).collect();
        Some(format!("[{}]", all.join(",")))
    }
}
