//! A field of a struct: its docs, its settings and its Rust type.
//!
//! ```text
//! /// What people call it.
//! ///
//! /// Text of 1 to 80 characters. The primary key.
//! #[field(
//!     name = "City Name",
//!     id = "f1",
//!     primary_key,
//!     sort_key,
//!     min = 1,
//!     max = 80
//! )]
//! pub city_name: String,
//! ```

use super::attributes::{allow_repeats, given};
use super::docs::Docs;
use super::field_settings::of_field;
use super::settings::AttributeSettings;
use super::{facts, markdown};
use crate::name::ident;
use crate::plan::FieldPlan;
use crate::rust_type::Cardinality;
use crate::syntax::{Attribute, Body, Declaration};

/// The field with its attributes.
pub(super) fn field(field: &FieldPlan<'_>) -> Declaration {
    let own = field.source;
    let docs = Docs::new(own.description.as_deref(), &words(field), 4);
    let mut settings = AttributeSettings::default();
    if own.name != field.name {
        settings.text("name", &own.name);
    }
    settings.text("id", &own.id);
    docs.describe(&mut settings);
    of_field(&mut settings, own);
    let settings = settings.finish();
    let repeats = allow_repeats(&settings);
    let mut attributes = vec![Attribute::call("field", settings)];
    attributes.extend(repeats);
    attributes.extend(given(&field.attributes));
    Declaration {
        docs: docs.lines,
        attributes,
        head: format!("pub {}: {}", ident(&field.name), rust_type(field)),
        body: Body::None,
    }
}

/// The facts of the field, with its name in JSON where the identifier is another word.
fn words(field: &FieldPlan<'_>) -> String {
    let own = field.source;
    let mut facts = facts::of_field(own);
    if bare(&own.name) != bare(&field.name) {
        // the what a type is begins with a common word
        facts[..1].make_ascii_lowercase();
        facts.insert_str(0, &format!("{}: ", markdown::code(&own.name)));
    }
    if field.cardinality == Cardinality::Multiple {
        facts.push_str(" An empty `Vec` is written as `null`.");
    }
    facts
}

/// A name without blanks and case.
fn bare(name: &str) -> String {
    let letters = name.chars().filter(|c| !c.is_whitespace() && *c != '_');
    letters.flat_map(char::to_lowercase).collect()
}

/// The type of the field as it stands in the struct.
pub(super) fn rust_type(field: &FieldPlan<'_>) -> String {
    let value = ident(&field.value);
    let value = match &field.holder {
        Some(open) => format!("{open}<{value}>"),
        None => value,
    };
    match field.cardinality {
        Cardinality::Required => value,
        Cardinality::Optional => format!("Option<{value}>"),
        Cardinality::Multiple => format!("Vec<{value}>"),
    }
}
