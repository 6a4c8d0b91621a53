//! `#[record(schema = "schemas/airport.json")]`: a struct written by hand, held against the document that it stands for.
//! Every difference is a mistake at the field, or at the setting that makes it. What the struct does not say and nobody
//! judges (ids, descriptions, tags) is taken from the document.
//!
//! It reads the one file and writes nothing; what differs is found by `schema::diff`.

use crate::check::{Replacements, settings};
use crate::errors::Errors;
use crate::source_map::SourceMap;
use proc_macro2::TokenStream;
use schema::diff::{Change, ChangeKind, Diff};
use schema::json::unmarked;
use schema::{DataType, Field, Path, PicklistType, Schema};
use std::path::PathBuf;
use syn::LitStr;

/// The document of `schema = "…"`.
pub(crate) struct SchemaFile {
    /// As the attribute names it.
    named: String,
    /// The tokens that name it.
    place: TokenStream,
    /// Where it is.
    pub(crate) path: String,
    pub(crate) schema: Schema,
}

impl SchemaFile {
    /// Reads the document that an attribute names; reports what is wrong with it.
    pub(crate) fn read(named: &LitStr, errors: &mut Errors) -> Option<Self> {
        let text = named.value();
        let Some(path) = candidates(named).find(|path| path.is_file()) else {
            let message = format!(
                "there is no file {text:?} in the package's folder, nor beside this source; write a path from there"
            );
            errors.at(named, message);
            return None;
        };
        let document = match std::fs::read_to_string(&path) {
            Ok(document) => document,
            Err(error) => {
                errors.at(named, format!("{text:?} can't be read: {error}"));
                return None;
            }
        };
        match Schema::read_any(unmarked(&document)) {
            Ok(document) => Some(SchemaFile {
                place: quote::quote!(#named),
                named: text,
                path: path.display().to_string(),
                schema: document.schema,
            }),
            Err(problems) => {
                errors.at(named, format!("{text:?} is no schema: {problems}"));
                None
            }
        }
    }

    /// The field that a field of the struct stands for, by its id if it says one, else by its name.
    pub(crate) fn field(&self, id: Option<&str>, name: &str) -> Option<&Field> {
        let mut active = self.schema.active_fields();
        match id {
            Some(id) => active.find(|field| field.id == id),
            None => active.find(|field| field.name == name),
        }
    }
}

/// Where the file may be: in the package's folder, or beside the source.
fn candidates(named: &LitStr) -> impl Iterator<Item = PathBuf> {
    let package = std::env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from);
    let source = named.span().local_file();
    let source = source.and_then(|file| file.parent().map(PathBuf::from));
    let source = source.and_then(|folder| folder.canonicalize().ok());
    let folders = package.into_iter().chain(source);
    let name = named.value();
    folders.map(move |folder| folder.join(&name))
}

/// Takes over what a field of the struct does not say.
pub(crate) fn adopt(field: &mut Field, file: &Field) {
    field.id.clone_from(&file.id);
    if field.description.is_none() {
        field.description.clone_from(&file.description);
    }
    if field.classifiers.is_none() {
        field.classifiers.clone_from(&file.classifiers);
    }
    if field.extra.is_empty() {
        field.extra.clone_from(&file.extra);
    }
}

/// Reports every difference between a struct and its document. Codes of enums are compared when the enum is known.
pub(crate) fn compare(
    schema: &Schema,
    file: &SchemaFile,
    places: &SourceMap,
    replacements: &Replacements,
    errors: &mut Errors,
) {
    let mut own = schema.clone();
    for field in &mut own.fields {
        let has_codes = field.static_picklist.iter().flatten().next().is_some();
        if field.active && field.picklist_type == Some(PicklistType::Static) && !has_codes {
            let other = file.field(Some(&field.id), &field.name);
            field.static_picklist = other.and_then(|other| other.static_picklist.clone());
        }
    }
    let at_version = Path::root().key("version");
    if places.has(&at_version) && schema.version != file.schema.version {
        let text = |version: Option<i64>| version.map_or("absent".to_owned(), |it| it.to_string());
        let (own, other) = (text(schema.version), text(file.schema.version));
        let named = &file.named;
        let message = format!("`version` is {own} here and {other} in {named:?}; leave it out");
        errors.at(places.place(&at_version), message);
    }
    let diff = Diff::of(&own, &file.schema);
    for change in diff.changes.iter().filter(|change| matters(change)) {
        let Some(field) = &change.field else {
            head(change, file, places, errors);
            continue;
        };
        let place = match field.old_index {
            Some(at) => places.place(&Path::field(at).key(&change.property)),
            None => file.place.clone(),
        };
        let now = field.new_index.and_then(|at| file.schema.fields.get(at));
        let mut text = told(change, now, &file.named);
        for (from, to) in replacements.iter().cloned().chain(settings()) {
            text = text.replace(&from, &to);
        }
        errors.at(place, text);
    }
}

/// Whether it is a difference that a struct is to follow: what only describes a field is not.
fn matters(change: &Change) -> bool {
    let verdicts = &change.verdicts;
    let is_met = [&verdicts.data, &verdicts.readers, &verdicts.writers];
    let is_met = is_met.iter().any(|reasons| !reasons.is_empty());
    match (change.kind, change.property.as_str()) {
        (ChangeKind::Reordered, _) => false,
        (ChangeKind::Added, _) => verdicts.api == schema::diff::Semver::Major,
        (ChangeKind::Renamed | ChangeKind::Removed, _) | (_, "isSortKey") => true,
        (_, "isPII") => {
            let is_on = |json: &Option<String>| json.as_deref() == Some("true");
            is_on(&change.from) != is_on(&change.to)
        }
        (_, "schemaId" | "businessAreaId") => change.field.is_none(),
        _ => is_met,
    }
}

/// A difference of the schema itself.
fn head(change: &Change, file: &SchemaFile, places: &SourceMap, errors: &mut Errors) {
    let (from, to) = (value(change.from.as_ref()), value(change.to.as_ref()));
    let place = places.place(&Path::root().key(&change.property));
    let property = match change.property.as_str() {
        "schemaId" => "id",
        "businessAreaId" => "area",
        other => other,
    };
    let named = &file.named;
    errors.at(
        place,
        format!("`{property}` is {from} here and {to} in {named:?}; leave it out, or mend it"),
    );
}

fn told(change: &Change, now: Option<&Field>, named: &str) -> String {
    let field = change.field.as_ref();
    let name = field.map_or("", |field| &field.name);
    let (from, to) = (value(change.from.as_ref()), value(change.to.as_ref()));
    match (change.kind, change.property.as_str()) {
        (ChangeKind::Added, _) => {
            let what = now.map_or_else(String::new, |now| {
                let rust = rust_type(now);
                let is_enum = rust.contains("Codes");
                let of_codes = if is_enum {
                    ", with an enum of its codes"
                } else {
                    ""
                };
                format!("; add a field of the type `{rust}`{of_codes}")
            });
            format!("{named:?} has an active field {name:?}, which the struct does not have{what}")
        }
        (ChangeKind::Removed, "active") => {
            format!("the field {name:?} is not active in {named:?}; remove it")
        }
        (ChangeKind::Removed, _) => {
            format!("{named:?} has no active field {name:?}; remove it, or mend its name")
        }
        (ChangeKind::Renamed, _) => {
            format!("the field is named {from} here and {to} in {named:?}; write `name = {to}`")
        }
        (_, "dataType" | "isRequired" | "isMultivalue") => {
            let rust = now.map_or_else(String::new, rust_type);
            let property = &change.property;
            format!("`{property}` is {from} here and {to} in {named:?}; write `{rust}`")
        }
        (_, property) => {
            let help = mended(property, &to);
            format!("`{property}` is {from} here and {to} in {named:?}; {help}")
        }
    }
}

/// What to write for a property to have this value.
fn mended(property: &str, to: &str) -> String {
    let flag = match property {
        "isPrimaryKey" => "primary_key",
        "isSortKey" => "sort_key",
        "isPII" => "pii",
        "validationRules" => "alphanumeric",
        _ => "",
    };
    match (flag, to) {
        ("", "absent") => "remove it".to_owned(),
        ("", to) => format!("write `{property}` as {to}"),
        (flag, "absent" | "false" | "[]") => format!("remove `{flag}`"),
        (flag, _) => format!("write `{flag}`"),
    }
}

/// The Rust type of a field, as the generator writes it; `Codes` stands for the enum of a static picklist.
fn rust_type(field: &Field) -> String {
    let is_enum =
        field.data_type == DataType::Picklist && field.picklist_type == Some(PicklistType::Static);
    let inner = if is_enum {
        "Codes"
    } else {
        field.data_type.facts().rust
    };
    match (field.is_multivalue(), field.required) {
        (true, _) => format!("Vec<{inner}>"),
        (false, true) => inner.to_owned(),
        (false, false) => format!("Option<{inner}>"),
    }
}

fn value(json: Option<&String>) -> String {
    json.map_or_else(|| "absent".to_owned(), String::clone)
}
