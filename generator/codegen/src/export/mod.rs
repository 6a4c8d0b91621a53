//! A schema for those who do not read ours: JSON Schema 2020-12, tables of SQLite and PostgreSQL, types of other languages,
//! a data dictionary.
//! What is described is a record as it is stored and served, its normal form. An export is never stricter than the
//! schema; where it has to be looser, `tests/exports.tsv` says why. It judges nothing.

mod dictionary;
mod languages;
mod refused;
mod sql;

pub use refused::ExportError;

use schema::Schema;
use schema::export::{json_schema, pattern};

/// What a schema is written as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// JSON Schema 2020-12 of a record.
    JsonSchema,
    /// `CREATE TABLE` with checks, for SQLite 3.38 or later.
    Sqlite,
    /// `CREATE TABLE` with checks, for PostgreSQL.
    Postgresql,
    /// Types of TypeScript.
    TypeScript,
    /// Types of Python.
    Python,
    /// A data dictionary in Markdown.
    Markdown,
    /// A data dictionary as a page of HTML.
    Html,
}

/// Writes a schema as something else. The same schema gives the same text.
///
/// # Errors
/// When it is more than a table can be. Other targets take every schema.
pub fn export(schema: &Schema, target: Target) -> Result<String, ExportError> {
    Ok(match target {
        Target::JsonSchema => json_schema::write(schema),
        Target::Sqlite => sql::write(schema, sql::Database::Sqlite)?,
        Target::Postgresql => sql::write(schema, sql::Database::Postgresql)?,
        Target::TypeScript => languages::typescript::write(schema),
        Target::Python => languages::python::write(schema),
        Target::Markdown => dictionary::markdown(schema),
        Target::Html => dictionary::html(schema),
    })
}

/// Writes several schemas as one text, for targets that are a text of several: tables, and data dictionaries in Markdown.
///
/// # Errors
/// As [`export`], and when two schemas would be one table.
pub fn export_all(schemas: &[Schema], target: Target) -> Result<String, ExportError> {
    match target {
        Target::Sqlite => sql::refuse_same_tables(schemas, sql::Database::Sqlite)?,
        Target::Postgresql => sql::refuse_same_tables(schemas, sql::Database::Postgresql)?,
        _ => {}
    }
    let texts = schemas.iter().map(|schema| export(schema, target));
    Ok(texts.collect::<Result<Vec<_>, _>>()?.join("\n"))
}
