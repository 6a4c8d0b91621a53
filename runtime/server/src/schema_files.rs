//! A schema as files: its document, and what the generator makes of it. Management gives them, and so do the pages.

use crate::http::error::Failure;
use axum::body::Body;
use axum::http::Response;
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE, HeaderValue};
use codegen::{Config, File, Input, Target};
use schema::Schema;
use service::Refusal;
use service::manage::Problem;

const SQL: &str = "application/sql";
const TEXT: &str = "text/plain; charset=utf-8";

/// A schema as what an address calls so, to be kept and not shown.
///
/// # Errors
/// There is no such kind; the schema is more than a table can be.
pub(crate) fn file_of(schema: &Schema, kind: &str) -> Result<Response<Body>, Failure> {
    let export = |target| codegen::export(schema, target).map_err(|error| refused(&error));
    let (text, media_type, ending) = match kind {
        "json" => (schema.to_json(), "application/json", "json"),
        "json-schema" => (
            export(Target::JsonSchema)?,
            "application/schema+json",
            "schema.json",
        ),
        "sqlite" => (export(Target::Sqlite)?, SQL, "sqlite.sql"),
        "postgresql" => (export(Target::Postgresql)?, SQL, "postgresql.sql"),
        "rust" => (rust(schema)?, TEXT, "rs"),
        "typescript" => (export(Target::TypeScript)?, TEXT, "ts"),
        "python" => (export(Target::Python)?, TEXT, "py"),
        "markdown" => (
            export(Target::Markdown)?,
            "text/markdown; charset=utf-8",
            "md",
        ),
        _ => return Err(Failure::UnknownRoute),
    };
    let mut response = Response::new(Body::from(text));
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(media_type));
    let disposition = format!(
        "attachment; filename=\"{}.{ending}\"",
        file_name(&schema.name)
    );
    // INVARIANT: the name is made of letters, digits and dashes
    if let Ok(disposition) = HeaderValue::from_str(&disposition) {
        headers.insert(CONTENT_DISPOSITION, disposition);
    }
    Ok(response)
}

/// The types that the generator makes of it.
fn rust(schema: &Schema) -> Result<String, Failure> {
    let made = rust_file(schema).map_err(|error| refused(&error))?;
    Ok(made.map(|file| file.text).unwrap_or_default())
}

/// What the generator does not make of a schema.
fn refused(error: &dyn std::error::Error) -> Failure {
    Refusal::Invalid(vec![Problem::new("$", error.to_string())]).into()
}

/// The file of types that the generator makes of a schema alone.
pub(crate) fn rust_file(schema: &Schema) -> Result<Option<File>, codegen::Error> {
    let name = format!("{}.json", file_name(&schema.name));
    let input = Input::new(name, schema.to_json());
    let files = codegen::generate(&[input], &Config::new())?;
    Ok(files.into_iter().find(|file| file.path != "mod.rs"))
}

/// A name as part of a file's: ASCII letters, digits and dashes.
fn file_name(name: &str) -> String {
    let mut out = String::new();
    for character in name.chars() {
        if character.is_ascii_alphanumeric() {
            out.push(character.to_ascii_lowercase());
        } else if !out.is_empty() && !out.ends_with('-') {
            out.push('-');
        }
    }
    let out = out.trim_end_matches('-');
    if out.is_empty() { "schema" } else { out }.to_owned()
}
