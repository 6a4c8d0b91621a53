//! One of the schema's fields, from a field of the struct or from an `inactive(…)`.

use super::data_type::{Obligation, cardinality, data_type};
use super::rust_type::RustType;
use crate::attr::container::InactiveField;
use crate::attr::field::{self, FieldKind, FieldSettings};
use crate::attr::{docs, meta, parse};
use crate::errors::Errors;
use proc_macro2::TokenStream;
use schema::{DataType, Field, Path, Schema, id_of};
use syn::ext::IdentExt as _;
use syn::{Ident, Type};

/// One place in the schema's `fields`.
pub(super) struct SchemaField {
    pub(super) settings: FieldSettings,
    /// What to call it in a message.
    pub(super) word: String,
    /// The word that stands for the field itself.
    pub(super) place: TokenStream,
    pub(super) description: Option<String>,
    pub(super) default_name: String,
    pub(super) data_type: Option<DataType>,
    /// The field of the struct, its index not known yet.
    pub(super) member: Option<StructField>,
}

/// A field of the struct.
pub(crate) struct StructField {
    pub(crate) ident: Ident,
    /// The Rust type inside `Option` and `Vec`.
    pub(crate) inner: Type,
    pub(crate) is_many: bool,
    pub(crate) visibility: syn::Visibility,
    /// Index in the schema's fields.
    pub(crate) index: usize,
    pub(crate) obligation: Obligation,
}

/// Reads a field of the struct.
pub(super) fn active(field: &syn::Field, errors: &mut Errors) -> SchemaField {
    // INVARIANT: named_fields hands out named fields only
    let ident = field.ident.clone().expect("the field has a name");
    meta::misplaced(&field.attrs, "record", "on the struct", errors);
    let items = parse::items_of(&field.attrs, "field", errors);
    let mut settings = field::read(&items, FieldKind::Active, errors);
    let rust = RustType::of(&field.ty, errors);
    let (data_type, obligation) = data_type(&settings, &rust, errors);
    cardinality(&mut settings, &rust, errors);
    let setting = std::mem::take(&mut settings.description);
    let description = docs::description(setting, &field.attrs, &settings.field.extra);
    SchemaField {
        word: format!("field `{ident}`"),
        place: quote::quote!(#ident),
        description,
        default_name: ident.unraw().to_string(),
        data_type,
        member: Some(StructField {
            ident,
            inner: rust.inner.clone(),
            is_many: rust.is_many,
            visibility: field.vis.clone(),
            index: 0,
            obligation,
        }),
        settings,
    }
}

/// Reads an `inactive(…)`.
pub(super) fn inactive(inactive: InactiveField, errors: &mut Errors) -> SchemaField {
    let InactiveField {
        mut settings,
        place,
    } = inactive;
    let word = match &settings.name {
        Some(name) => format!("inactive field {name:?}"),
        None => "inactive field".to_owned(),
    };
    if settings.name.is_none() {
        if !settings.places.has(&Path::root().key("name")) {
            errors.at(&place, "the inactive field has no name; add `name = \"…\"`");
        }
        settings.places.suppress(Path::root().key("name"));
        settings.places.suppress(Path::root().key("fieldId"));
    }
    let implied = settings.field.picklist_type.map(|_| DataType::Picklist);
    let data_type = settings.data_type.as_ref().map(|spanned| spanned.value);
    let data_type = data_type.or(implied.filter(|_| !settings.type_unsound));
    if data_type.is_none() && !settings.type_unsound {
        errors.at(
            &place,
            "the inactive field has no data type; add `type = \"…\"`",
        );
    }
    settings.field.active = false;
    let description = std::mem::take(&mut settings.description).text();
    settings.field.required = settings
        .required
        .as_ref()
        .is_some_and(|spanned| spanned.value);
    settings.field.multivalue = settings.multivalue.as_ref().map(|spanned| spanned.value);
    SchemaField {
        word,
        description,
        default_name: String::new(),
        data_type,
        member: None,
        settings,
        place,
    }
}

/// The field of the schema.
pub(super) fn field_of(field: SchemaField, schema_name: &str) -> Field {
    let SchemaField {
        settings,
        description,
        default_name,
        data_type,
        ..
    } = field;
    let name = settings.name.unwrap_or(default_name);
    Field {
        id: settings.id.unwrap_or_else(|| id_of(&[schema_name, &name])),
        name,
        description,
        data_type: data_type.unwrap_or(DataType::String),
        ..settings.field
    }
}

/// Whether an id made of the name is a duplicate only because the name is one.
pub(super) fn repeats_a_name(field: &SchemaField, schema: &Schema) -> bool {
    let name = field.settings.name.as_ref().unwrap_or(&field.default_name);
    let mut before = schema.active_fields();
    field.settings.id.is_none()
        && field.settings.field.active
        && before.any(|other| other.name == *name)
}
