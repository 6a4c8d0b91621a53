//! A struct as a schema: its fields in order, the inactive ones put in between.

use super::data_type::Obligation;
use super::field::{SchemaField, active, field_of, repeats_a_name};
use super::order::arrange;
use crate::attr::container::RecordSettings;
use crate::attr::docs;
use crate::check::{self, Replacements};
use crate::drift::{self, SchemaFile};
use crate::errors::Errors;
use crate::source_map::SourceMap;
use schema::{DataType, Path, Schema, id_of};
use syn::ext::IdentExt as _;
use syn::{Data, DeriveInput, Fields, Ident, Type};

/// A struct whose schema is sound.
pub(crate) struct RecordStruct {
    pub(crate) ident: Ident,
    pub(crate) schema: Schema,
    /// The struct's fields, in order.
    pub(crate) members: Vec<StructField>,
    /// The document that it stands for.
    pub(crate) file: Option<SchemaFile>,
}

/// A field of the struct.
pub(crate) struct StructField {
    pub(crate) ident: Ident,
    /// The Rust type inside `Option` and `Vec`.
    pub(crate) inner: Type,
    /// Index in the schema's fields.
    pub(crate) index: usize,
    pub(crate) obligation: Obligation,
}

/// Reads a struct; `None` where it has no fields to read.
pub(crate) fn read(
    input: &DeriveInput,
    mut container: RecordSettings,
    errors: &mut Errors,
) -> Option<RecordStruct> {
    let fields = named_fields(input, errors)?;
    let active: Vec<SchemaField> = fields.iter().map(|field| active(field, errors)).collect();
    let inactive = std::mem::take(&mut container.inactive);
    let fields_in_order = arrange(active, inactive, errors);

    let mut places = std::mem::take(&mut container.places);
    let file = container.schema.take();
    let file = file.and_then(|named| SchemaFile::read(&named, errors));
    let mut schema = schema_of(input, container, file.as_ref());
    places.set(Path::root(), &input.ident);
    let mut replacements = Replacements::new();
    let mut members = Vec::new();
    for (index, mut field) in fields_in_order.into_iter().enumerate() {
        replacements.push((format!("`fields[{index}]`"), field.word.clone()));
        let codes = field
            .settings
            .field
            .static_picklist
            .as_ref()
            .map_or(0, Vec::len);
        replacements.extend((0..codes).map(|code| {
            let nth = code + 1;
            let from = format!("`staticPicklist[{code}]`");
            (from, format!("code {nth} of the field"))
        }));
        let base = Path::field(index);
        if field.data_type.is_none() {
            places.suppress(base.clone().key("dataType"));
        }
        places.set(base.clone(), &field.place);
        if repeats_a_name(&field, &schema) {
            places.suppress(base.clone().key("fieldId"));
        }
        places.adopt(&base, std::mem::take(&mut field.settings.places));
        if let Some((ident, inner, obligation)) = field.member.take() {
            members.push(StructField {
                ident,
                inner,
                index,
                obligation,
            });
        }
        let own_id = field.settings.id.clone();
        let mut field = field_of(field, &schema.name);
        let known = file
            .as_ref()
            .and_then(|file| file.field(own_id.as_deref(), &field.name));
        if let Some(known) = known.filter(|_| field.active) {
            drift::adopt(&mut field, known);
        }
        schema.fields.push(field);
    }
    report_picklists_without_codes(&schema, &mut places, errors);
    check::check(&schema, &places, &replacements, errors);
    if let Some(file) = file.as_ref().filter(|_| errors.is_empty()) {
        drift::compare(&schema, file, &places, &replacements, errors);
    }
    Some(RecordStruct {
        ident: input.ident.clone(),
        schema,
        members,
        file,
    })
}

fn named_fields<'a>(input: &'a DeriveInput, errors: &mut Errors) -> Option<Vec<&'a syn::Field>> {
    if !input.generics.params.is_empty() {
        let message = "a record has one schema, so its struct has no parameters; remove them";
        errors.at(&input.generics, message);
    }
    let help = "write a struct with named fields";
    let (place, message) = match &input.data {
        Data::Struct(data) => match &data.fields {
            Fields::Named(named) => return Some(named.named.iter().collect()),
            Fields::Unit => return Some(Vec::new()),
            Fields::Unnamed(_) => (&input.ident, "the fields of a record have names"),
        },
        Data::Enum(_) => (&input.ident, "a record is a struct, not an enum"),
        Data::Union(_) => (&input.ident, "a record is a struct, not a union"),
    };
    errors.at(place, format!("{message}; {help}"));
    None
}

fn schema_of(input: &DeriveInput, container: RecordSettings, file: Option<&SchemaFile>) -> Schema {
    let known = file.map(|file| &file.schema);
    let name = container
        .name
        .or_else(|| known.map(|known| known.name.clone()))
        .unwrap_or_else(|| input.ident.unraw().to_string());
    let description = docs::description(container.description, &input.attrs, &container.extra);
    Schema {
        id: container
            .id
            .or_else(|| known.map(|known| known.id.clone()))
            .unwrap_or_else(|| id_of(&[&name])),
        description: description.or_else(|| known?.description.clone()),
        area_id: container.area.or_else(|| known?.area_id.clone()),
        version: container.version.or_else(|| known?.version),
        extra: container.extra,
        name,
        ..Schema::default()
    }
}

/// A `type = "picklist"` that does not say where its codes are: told here in the words of
/// attributes, and kept from the check.
fn report_picklists_without_codes(schema: &Schema, places: &mut SourceMap, errors: &mut Errors) {
    for (index, field) in schema.fields.iter().enumerate() {
        if field.data_type == DataType::Picklist && field.picklist_type.is_none() {
            let path = Path::field(index);
            let help = "add `picklist` (an enum's codes) or `domain = \"…\"` (a data domain's)";
            let place = places.place(&path.clone().key("dataType"));
            errors.at(
                place,
                format!("the picklist does not say where its codes are; {help}"),
            );
            places.suppress(path);
        }
    }
}
