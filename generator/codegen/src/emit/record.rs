//! The struct of a schema, and in its attribute everything of the schema that no field says.
//!
//! ```text
//! /// Towns & cities, see `[the` `list](https://example.org).`
//! #[derive(Clone, PartialEq, Eq, Hash, Record)]
//! #[record(
//!     id = "s1",
//!     description = "Towns & cities, see [the list](https://example.org).",
//!     area = "a1",
//!     version = 3,
//!     patch,
//!     inactive(at = 2, name = "Mayor", id = "f3", type = "string")
//! )]
//! ```

use super::attributes::{allow_repeats, allows, derive, given};
use super::docs::{Docs, unless_described};
use super::field::field;
use super::field_settings::of_field;
use super::markdown;
use super::settings::AttributeSettings;
use crate::name::ident;
use crate::plan::ModulePlan;
use crate::syntax::{Argument, Attribute, Body, Declaration};
use schema::Schema;

/// The struct with its attributes.
pub(super) fn record(module: &ModulePlan<'_>) -> Declaration {
    let record = &module.record;
    let schema = module.schema;
    let about = format!("A record of the schema {}.", markdown::code(&schema.name));
    let facts = unless_described(schema.description.as_deref(), &about);
    let docs = Docs::new(schema.description.as_deref(), facts, 0);
    let settings = settings(module, &docs);
    let repeats = allow_repeats(&settings);
    let mut attributes = vec![
        derive(&record.own_derives, &record.derives),
        Attribute::call("record", settings),
    ];
    attributes.extend(allows(&record.allows).chain(repeats));
    attributes.extend(given(&record.attributes));
    Declaration {
        docs: docs.lines,
        attributes,
        head: format!("pub struct {}", ident(&record.name)),
        body: Body::Members(record.fields.iter().map(field).collect()),
    }
}

fn settings(module: &ModulePlan<'_>, docs: &Docs<'_>) -> Vec<Argument> {
    let schema = module.schema;
    let mut settings = AttributeSettings::default();
    if schema.name != module.record.name {
        settings.text("name", &schema.name);
    }
    settings.text("id", &schema.id);
    docs.describe(&mut settings);
    if let Some(area) = &schema.area_id {
        settings.text("area", area);
    }
    if let Some(version) = schema.version {
        settings.value("version", version);
    }
    if module.is_runtime_renamed {
        settings.value("crate", &module.runtime);
    }
    settings.flag("patch");
    inactive(&mut settings, schema);
    settings.extras(&schema.extra);
    settings.finish()
}

/// The fields that records do not have, each with its place among all fields.
fn inactive(settings: &mut AttributeSettings, schema: &Schema) {
    let fields = schema.fields.iter().enumerate();
    for (at, field) in fields.filter(|(_, field)| !field.active) {
        let mut inner = AttributeSettings::default();
        inner.value("at", at);
        inner.text("name", &field.name);
        inner.text("id", &field.id);
        if let Some(description) = &field.description {
            inner.text("description", description);
        }
        of_field(&mut inner, field);
        settings.nested("inactive", None, inner);
    }
}
