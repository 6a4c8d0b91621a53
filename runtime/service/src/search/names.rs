//! The fields that a query, an order or a count may name: those that are active in a schema that the caller may view. What
//! a name means, each schema says for itself: its field of exactly that name, or else the one whose name has the same
//! letters and digits.

use super::query::{in_quotes, parse};
use super::targets::Target;
use crate::{Caller, Refusal};
use schema::{Field, Schema};
use std::collections::{BTreeMap, BTreeSet, HashSet};
use store::catalog::{SchemaEntry, Verb};
use store::search::FieldName;

/// The schemas that the caller may see.
pub(super) fn visible(caller: &Caller) -> impl Iterator<Item = &SchemaEntry> {
    let (catalog, rights) = (caller.catalog(), caller.rights());
    let areas = catalog.areas_of(caller.tenant());
    let areas = areas.filter(|area| rights.reaches(&area.id, Verb::View));
    let areas: HashSet<&str> = areas.map(|area| area.id.as_str()).collect();
    let schemas = catalog.schemas.values().map(|schema| &**schema);
    schemas.filter(move |schema| !schema.deleted && areas.contains(schema.area.as_str()))
}

/// A field and its name.
struct VisibleField<'c> {
    name: FieldName,
    field: &'c Field,
}

/// The fields that a caller may name, by schema.
pub(super) struct VisibleFields<'c> {
    schemas: Vec<(&'c SchemaEntry, Vec<VisibleField<'c>>)>,
}

impl<'c> VisibleFields<'c> {
    pub(super) fn of(caller: &'c Caller) -> Self {
        let schemas = visible(caller);
        VisibleFields {
            schemas: schemas
                .map(|schema| (schema, named(&schema.current().schema)))
                .collect(),
        }
    }

    /// All of them.
    pub(super) fn all(&self) -> impl Iterator<Item = &'c Field> {
        let fields = self.schemas.iter().flat_map(|(_, fields)| fields);
        fields.map(|own| own.field)
    }

    /// The names of all of them.
    pub(super) fn names(&self) -> BTreeSet<&'c str> {
        self.all().map(|field| field.name.as_str()).collect()
    }

    /// The fields that a name means, each with its schema.
    pub(super) fn meant(
        &self,
        name: &FieldName,
    ) -> impl Iterator<Item = (&'c SchemaEntry, &'c Field)> {
        self.schemas.iter().flat_map(move |(schema, fields)| {
            let meant = name.meant(fields, |own| &own.name);
            meant.map(move |own| (*schema, own.field))
        })
    }

    /// Refuses a name that means several fields of a schema whose datasets are asked.
    ///
    /// # Errors
    /// [`Refusal::Parameter`], with two of them and how each is named.
    pub(super) fn require_one(
        &self,
        targets: &BTreeMap<u32, Target<'_>>,
        parameter: &str,
        name: &FieldName,
    ) -> Result<(), Refusal> {
        for (schema, fields) in &self.schemas {
            let mut meant = name.meant(fields, |own| &own.name);
            let (Some(one), Some(other)) = (meant.next(), meant.next()) else {
                continue;
            };
            if targets.values().any(|target| target.schema.id == schema.id) {
                return Err(unclear(parameter, name, [one, other]));
            }
        }
        Ok(())
    }
}

/// The active fields of a schema that a name means.
pub(super) fn of_name<'s>(schema: &'s Schema, name: &FieldName) -> Vec<&'s Field> {
    let own = named(schema);
    name.meant(&own, |own| &own.name)
        .map(|own| own.field)
        .collect()
}

/// Whether a schema has an active field of exactly a name.
pub(super) fn has_field(schema: &Schema, name: &str) -> bool {
    schema.active_fields().any(|field| field.name == name)
}

/// The ids of a schema's fields that each name in a query means; none of a query that does not parse.
pub(crate) fn fields_meant<'s>(query: &str, schema: &'s Schema) -> Vec<Vec<&'s str>> {
    let read = parse(query, &|name| has_field(schema, name));
    let named = read.map(|query| query.fields).unwrap_or_default();
    let meant = named.iter().map(|named| {
        let fields = of_name(schema, &named.name).into_iter();
        fields.map(|field| field.id.as_str()).collect()
    });
    meant.collect()
}

fn named(schema: &Schema) -> Vec<VisibleField<'_>> {
    let active = schema.active_fields();
    active
        .map(|field| VisibleField {
            name: FieldName::of(&field.name),
            field,
        })
        .collect()
}

fn unclear(parameter: &str, name: &FieldName, [one, other]: [&VisibleField<'_>; 2]) -> Refusal {
    let (name, one, other) = (name.text(), &one.field.name, &other.field.name);
    let text = format!(
        "`{parameter}` names no field exactly, and several but for case, accents, blanks and signs: `{name}` may be `{one}` or `{other}`; \
        write the name as the schema has it, in quotes, such as `{}`",
        in_quotes(one)
    );
    Refusal::Parameter(text.into())
}
