//! What the fields of a schema are called in generated code, and why: for who asks about one field.

use crate::config::Config;
use crate::error::Error;
use crate::input::Input;
use crate::load::LoadedSchema;
use crate::lock::Lock;
use crate::name::{Cause, ident};
use crate::plan::plan;
use crate::rust_type::Cardinality;
use schema::{Path, Schema};

/// The name and the type of a field in generated code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldName {
    /// Its identifier, as code.
    pub name: String,
    /// Why it is not simply the display name in the usual case.
    pub causes: Vec<Cause>,
    /// Its type, as code.
    pub rust_type: String,
    /// The type of one value.
    pub value_type: String,
}

/// The names of all fields in the order of the schema, as a lock keeps them, without a configuration; `None` for those that
/// are not active.
///
/// # Errors
/// A schema that no code can be generated of.
pub fn field_names(schema: &Schema, lock: &Lock) -> Result<Vec<Option<FieldName>>, Error> {
    let input = Input::new(&schema.name, "");
    let loaded = [LoadedSchema {
        input: &input,
        schema: schema.clone(),
        has_made_ids: false,
        warnings: Vec::new(),
    }];
    let config = Config::new();
    let plan = plan(&loaded, &config, lock)?;
    let Some(module) = plan.modules.first() else {
        return Ok(Vec::new());
    };
    let mut planned = module.record.fields.iter();
    let names = schema.fields.iter().enumerate().map(|(index, field)| {
        let own = field.active.then(|| planned.next()).flatten()?;
        let at_name = Path::field(index).key("name");
        let mut notes = module.notes.iter();
        let note = notes.find(|note| note.path == at_name && note.name == ident(&own.name));
        let value_type = ident(&own.value);
        Some(FieldName {
            name: ident(&own.name),
            causes: note.map(|note| note.causes.clone()).unwrap_or_default(),
            rust_type: match own.cardinality {
                Cardinality::Required => value_type.clone(),
                Cardinality::Optional => format!("Option<{value_type}>"),
                Cardinality::Multiple => format!("Vec<{value_type}>"),
            },
            value_type,
        })
    });
    Ok(names.collect())
}
