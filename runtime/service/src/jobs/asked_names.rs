//! What names meant when a job was asked for. Its options name fields, and a schema may give their names to others before
//! the job has ended: who went on by the name alone would do to one field what was meant for another. What an import's columns
//! are called is not told here.

use super::context::Halt;
use crate::search::fields_meant;
use schema::{Field, Schema};
use store::catalog::SchemaEntry;
use store::jobs::Job;

/// Why a job ends that names what is called otherwise by now.
const RENAMED: &str = "the schema changed meanwhile: a name that it was asked for by means another field now, or none; ask for it anew";

fn renamed() -> Halt {
    Halt::Failed(RENAMED.to_owned())
}

/// The version of the schema by whose names a job was asked for, where another one is in force by now.
fn asked_under<'s>(job: &Job, schema: &'s SchemaEntry) -> Option<&'s Schema> {
    let asked = schema.version(job.schema_version)?;
    (asked.number != schema.current().number).then_some(&asked.schema)
}

fn of_name<'s>(schema: &'s Schema, name: &str) -> Option<&'s Field> {
    schema.active_fields().find(|field| field.name == name)
}

/// The field that a job names, as it is now, whatever it is called.
///
/// # Errors
/// [`Halt::Failed`] where it is active no more.
pub(super) fn field_of<'s>(
    job: &Job,
    schema: &'s SchemaEntry,
    name: &str,
) -> Result<&'s Field, Halt> {
    let current = &schema.current().schema;
    let found = match asked_under(job, schema) {
        None => of_name(current, name),
        Some(asked) => of_name(asked, name).and_then(|meant| {
            let mut active = current.active_fields();
            active.find(|field| field.id == meant.id)
        }),
    };
    found.ok_or_else(renamed)
}

/// That these names mean the fields that they meant.
///
/// # Errors
/// [`Halt::Failed`].
pub(super) fn require_fields(
    job: &Job,
    schema: &SchemaEntry,
    names: &[String],
) -> Result<(), Halt> {
    for name in names {
        if field_of(job, schema, name)?.name != *name {
            return Err(renamed());
        }
    }
    Ok(())
}

/// That the names in a query mean the fields that they meant.
///
/// # Errors
/// [`Halt::Failed`].
pub(super) fn require_query(job: &Job, schema: &SchemaEntry, query: &str) -> Result<(), Halt> {
    let Some(asked) = asked_under(job, schema) else {
        return Ok(());
    };
    if fields_meant(query, asked) == fields_meant(query, &schema.current().schema) {
        Ok(())
    } else {
        Err(renamed())
    }
}
