//! The struct of a schema.

use super::code::{Argument, Attribute, Call, Thing};
use super::setting::{Settings, of_field, repeats};
use super::{Docs, allows, doc, facts, given, literal};
use crate::name::ident;
use crate::plan::{Field, Module};
use crate::rust_type::Holds;
use schema::Schema;

/// What every struct derives.
const DERIVES: [&str; 3] = ["Clone", "PartialEq", "Record"];

/// The struct with its attributes.
pub(super) fn record(module: &Module<'_>) -> Thing {
    let record = &module.record;
    let schema = module.schema;
    let about = format!("A record of the schema {}.", doc::code(&schema.name));
    let facts = super::unless_described(schema.description.as_deref(), &about);
    let docs = Docs::new(schema.description.as_deref(), facts, 0);
    let settings = settings(module, docs.description);
    let allows = allows(&record.allows, repeats(&settings));
    let mut attributes = vec![
        super::derive(&DERIVES, &record.derives),
        call("record", settings),
    ];
    attributes.extend(allows);
    attributes.extend(given(&record.attributes));
    Thing {
        docs: docs.lines,
        attributes,
        code: format!("pub struct {}", ident(&record.name)),
        members: Some(record.fields.iter().map(field).collect()),
    }
}

fn call(name: &'static str, arguments: Vec<Argument>) -> Attribute {
    Attribute::Call(Call { name, arguments })
}

fn settings(module: &Module<'_>, description: Option<&str>) -> Vec<Argument> {
    let schema = module.schema;
    let mut settings = Settings::default();
    if schema.name != module.record.name {
        settings.text("name", &schema.name);
    }
    settings.text("id", &schema.id);
    if let Some(description) = description {
        settings.text("description", description);
    }
    if let Some(area) = &schema.area_id {
        settings.text("area", area);
    }
    if let Some(version) = schema.version {
        settings.value("version", version);
    }
    if module.is_runtime_renamed {
        settings.value("crate", &module.runtime);
    }
    inactive(&mut settings, schema);
    settings.extras(&schema.extra);
    settings.finish()
}

/// The fields that records do not have, each with its place among all fields.
fn inactive(settings: &mut Settings, schema: &Schema) {
    let fields = schema.fields.iter().enumerate();
    for (at, field) in fields.filter(|(_, field)| !field.active) {
        let mut inner = Settings::default();
        inner.value("at", at);
        inner.text("name", &field.name);
        inner.text("id", &field.id);
        if let Some(description) = &field.description {
            inner.text("description", description);
        }
        of_field(&mut inner, field, false);
        settings.nested("inactive", None, inner);
    }
}

fn field(field: &Field<'_>) -> Thing {
    let own = field.source;
    let docs = Docs::new(own.description.as_deref(), &facts::of_field(own), 4);
    let mut settings = Settings::default();
    if own.name != field.name {
        settings.text("name", &own.name);
    }
    settings.text("id", &own.id);
    if let Some(description) = docs.description {
        settings.text("description", description);
    }
    of_field(&mut settings, own, true);
    let settings = settings.finish();
    let allows = allows(&[], repeats(&settings));
    let mut attributes = vec![call("field", settings)];
    attributes.extend(allows);
    attributes.extend(given(&field.attributes));
    let value = ident(&field.value);
    let holder = match field.holds {
        Holds::One => value,
        Holds::Maybe => format!("Option<{value}>"),
        Holds::Many => format!("Vec<{value}>"),
    };
    Thing {
        docs: docs.lines,
        attributes,
        code: format!("pub {}: {holder}", ident(&field.name)),
        members: None,
    }
}

/// The `#[code(…)]` of a picklist's variant, where it says more than the variant's name.
pub(super) fn code(
    entry: &schema::PicklistEntry,
    name: &str,
    description: Option<&str>,
) -> Option<Attribute> {
    let mut settings = Settings::default();
    if let Some(description) = description {
        settings.text("description", description);
    }
    settings.extras(&entry.extra);
    let mut arguments = vec![Argument::Word(literal::text(&entry.code))];
    arguments.extend(settings.finish());
    (entry.code != name || arguments.len() > 1).then(|| call("code", arguments))
}
