//! From a document to the next version of a schema: fields keep their ids, the order of when they were made, and who made
//! them; a change of structure is a new version, anything else stays in the one in force.

use super::content::Texts;
use crate::Refusal;
use crate::listing::email;
use schema::{Document, Field, Origin, Problem, Provenance, Schema, Severity, id_of};
use std::collections::HashSet;
use std::sync::Arc;
use store::catalog::{SchemaEntry, SchemaVersion, Stamp};
use wire::manage::limits::NAME_LENGTH_MAX;

/// Where and by whom a document becomes a schema.
pub(super) struct SchemaIdentity<'a> {
    pub(super) id: &'a str,
    pub(super) area: [&'a str; 2],
    pub(super) stamp: Stamp,
    /// Whether the document is taken as it comes from elsewhere: the operator's is.
    pub(super) is_foreign: bool,
}

/// Reads a document that someone wrote; all contradictions at once.
pub(crate) fn read(document: &str) -> Result<Document, Refusal> {
    let document = Schema::read(document, Origin::Created)?;
    let schema = &document.schema;
    let length = schema.name.chars().count();
    if length > NAME_LENGTH_MAX {
        let message = format!("has {length} characters; shorten it to {NAME_LENGTH_MAX}");
        return Err(Refusal::invalid("$.name", message));
    }
    Ok(document)
}

/// The first version of a schema.
pub(super) fn first(
    mut schema: Schema,
    identity: &SchemaIdentity<'_>,
) -> Result<Arc<SchemaVersion>, Refusal> {
    identity.judge_names(&schema, None)?;
    for field in &mut schema.fields {
        field.provenance = made(&identity.stamp);
    }
    compile(schema, identity, 1)
}

/// The versions of a schema after a change.
/// `made` are the ids of fields that the document gave none.
pub(super) fn next(
    mut schema: Schema,
    made: &HashSet<String>,
    old: &SchemaEntry,
    identity: &SchemaIdentity<'_>,
) -> Result<Vec<Arc<SchemaVersion>>, Refusal> {
    let current = old.current();
    find_ids(&mut schema, made, &current.schema);
    keep_fields(&mut schema, &current.schema, &identity.stamp);
    identity.judge_names(&schema, Some(&current.schema))?;
    let mut versions = old.versions.clone();
    let is_new = structure(&schema) != structure(&current.schema);
    let number = current.number + i64::from(is_new);
    let version = compile(schema, identity, number)?;
    if !is_new {
        versions.pop();
    }
    versions.push(version);
    Ok(versions)
}

impl SchemaIdentity<'_> {
    /// Judges new names; of those that are taken because they come from elsewhere the log tells.
    fn judge_names(&self, schema: &Schema, old: Option<&Schema>) -> Result<(), Refusal> {
        let found = judge_names(schema, old, self.is_foreign)?;
        if !found.is_empty() {
            let paths: Vec<_> = found.iter().map(|problem| &problem.path).collect();
            let schema = self.id;
            tracing::warn!(schema, ?paths, "these names pass for others");
        }
        Ok(())
    }
}

/// Refuses new names that pass for others: with white space at an end, or with characters that nobody sees. Those that are
/// there already stay, and in a document that comes from elsewhere all do: what is wrong with these is no refusal.
///
/// # Errors
/// What is wrong with each name.
pub fn judge_names(
    schema: &Schema,
    old: Option<&Schema>,
    is_foreign: bool,
) -> Result<Vec<wire::manage::Problem>, Refusal> {
    let is_old = |name: &str| {
        let mut fields = old.into_iter().flat_map(|old| &old.fields);
        old.is_some_and(|old| old.name == name) || fields.any(|field| field.name == name)
    };
    let fields = schema.fields.iter().enumerate();
    let fields = fields.map(|(index, field)| (format!("$.fields[{index}].name"), &field.name));
    let names = std::iter::once(("$.name".to_owned(), &schema.name)).chain(fields);
    let mut texts = Texts::default();
    for (path, name) in names.filter(|(_, name)| !is_old(name)) {
        texts.legible(&path, name);
    }
    match texts.judged() {
        Err(Refusal::Invalid(problems)) if is_foreign => Ok(problems),
        judged => judged.map(|()| Vec::new()),
    }
}

fn compile(
    mut schema: Schema,
    identity: &SchemaIdentity<'_>,
    number: i64,
) -> Result<Arc<SchemaVersion>, Refusal> {
    let [area, area_name] = identity.area;
    identity.id.clone_into(&mut schema.id);
    schema.area_id = Some(area.into());
    schema.area_name = Some(area_name.into());
    schema.version = Some(number);
    schema.provenance = Provenance {
        created_by: Some(email(&identity.stamp.created_by)),
        updated_by: Some(email(&identity.stamp.updated_by)),
        created_date: Some(identity.stamp.created_at.to_string()),
        updated_date: Some(identity.stamp.updated_at.to_string()),
    };
    // fields may have found their old ids meanwhile, so the whole is judged as it will be kept
    let found = schema::check(&schema, Origin::Created);
    let errors: Vec<Problem> = found
        .into_iter()
        .filter(|problem| problem.severity == Severity::Error)
        .collect();
    if !errors.is_empty() {
        return Err(schema::Problems { items: errors }.into());
    }
    Ok(Arc::new(SchemaVersion::new(schema)?))
}

/// Gives fields that go by their names the ids of the active fields that have these, unless the document gives such
/// an id to another field. A field without an id goes by its name, and so does one with the id that Rust sources
/// make of names, where the schema does not know that.
fn find_ids(schema: &mut Schema, made: &HashSet<String>, old: &Schema) {
    let is_known = |id: &str| old.fields.iter().any(|known| known.id == id);
    let named: HashSet<String> = schema.fields.iter().map(|field| field.id.clone()).collect();
    for field in &mut schema.fields {
        let of_names = || field.id == id_of(&[&schema.name, &field.name]);
        if !made.contains(&field.id) && (is_known(&field.id) || !of_names()) {
            continue;
        }
        let mut active = old.active_fields();
        let same = active.find(|known| known.name == field.name && !named.contains(&known.id));
        if let Some(same) = same {
            field.id.clone_from(&same.id);
        }
    }
}

/// Puts fields in order, and gives those that were there before their makers back.
fn keep_fields(schema: &mut Schema, old: &Schema, stamp: &Stamp) {
    schema.order_fields(old);
    for field in &mut schema.fields {
        let Some(known) = old.fields.iter().find(|known| known.id == field.id) else {
            field.provenance = made(stamp);
            continue;
        };
        let is_same = bare(field) == bare(known);
        field.provenance = known.provenance.clone();
        if !is_same {
            field.provenance.updated_by = Some(email(&stamp.updated_by));
            field.provenance.updated_date = Some(stamp.updated_at.to_string());
        }
    }
}

fn made(stamp: &Stamp) -> Provenance {
    Provenance {
        created_by: Some(email(&stamp.updated_by)),
        updated_by: Some(email(&stamp.updated_by)),
        created_date: Some(stamp.updated_at.to_string()),
        updated_date: Some(stamp.updated_at.to_string()),
    }
}

fn bare(field: &Field) -> Field {
    Field {
        provenance: Provenance::default(),
        ..field.clone()
    }
}

/// Whether two versions have the same fields, in whatever order: then a record is judged the same under both.
pub(super) fn judge_alike(one: &Schema, other: &Schema) -> bool {
    let sorted = |schema: &Schema| {
        let mut fields = structure(schema).0;
        fields.sort_by(|a, b| a.id.cmp(&b.id));
        fields
    };
    sorted(one) == sorted(other)
}

fn structure(schema: &Schema) -> (Vec<Field>, &schema::Extra) {
    (schema.fields.iter().map(bare).collect(), &schema.extra)
}
