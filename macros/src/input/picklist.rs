//! An enum as the codes of a static picklist.

use crate::attr::{code, docs, meta, parse};
use crate::check::{self, Replacements};
use crate::errors::Errors;
use crate::source_map::SourceMap;
use schema::{DataType, Field, Path, PicklistEntry, PicklistType, Schema};
use syn::{Attribute, Data, DeriveInput, Fields, Ident, Variant};

/// An enum whose variants are codes.
pub(crate) struct PicklistEnum {
    pub(crate) ident: Ident,
    pub(crate) variants: Vec<Ident>,
    /// One for each variant.
    pub(crate) entries: Vec<PicklistEntry>,
    /// No variant says its number, so that the variant's number is its index.
    pub(crate) is_numbered_in_order: bool,
}

/// Reads an enum; `None` where it is none.
pub(crate) fn read(input: &DeriveInput, errors: &mut Errors) -> Option<PicklistEnum> {
    let Data::Enum(data) = &input.data else {
        let message = "a picklist is an enum; write one variant for each code";
        errors.at(&input.ident, message);
        return None;
    };
    if !input.generics.params.is_empty() {
        let message = "a picklist has no type parameters; remove them";
        errors.at(&input.generics, message);
    }
    let list = Path::field(0).key("staticPicklist");
    let mut places = SourceMap::default();
    let mut replacements = Replacements::new();
    let mut entries = Vec::new();
    for (index, variant) in data.variants.iter().enumerate() {
        let path = list.clone().index(index);
        replacements.push((
            format!("`staticPicklist[{index}]`"),
            format!("variant `{}`", variant.ident),
        ));
        entries.push(entry(variant, &path, &mut places, errors));
    }
    let mut field = Field::new("id", "name", DataType::Picklist);
    field.picklist_type = Some(PicklistType::Static);
    field.static_picklist = Some(entries.clone());
    let schema = Schema {
        id: "id".to_owned(),
        name: "name".to_owned(),
        fields: vec![field],
        ..Schema::default()
    };
    places.set(Path::root(), &input.ident);
    check::check(&schema, &places, &replacements, errors);
    Some(PicklistEnum {
        ident: input.ident.clone(),
        variants: data.variants.iter().map(|v| v.ident.clone()).collect(),
        entries,
        is_numbered_in_order: data.variants.iter().all(|v| v.discriminant.is_none()),
    })
}

fn entry(
    variant: &Variant,
    path: &Path,
    places: &mut SourceMap,
    errors: &mut Errors,
) -> PicklistEntry {
    use syn::ext::IdentExt as _;
    if !matches!(variant.fields, Fields::Unit) {
        let message = "a code carries no data; write the variant's name only";
        errors.at(&variant.fields, message);
    }
    let attrs: &[Attribute] = &variant.attrs;
    meta::misplaced(attrs, "picklist", "on the enum", errors);
    let items = parse::items_of(attrs, "code", errors);
    let read = code::read(&items, errors);
    places.set(path.clone(), &variant.ident);
    places.adopt(path, read.places);
    PicklistEntry {
        code: read
            .text
            .unwrap_or_else(|| variant.ident.unraw().to_string()),
        description: docs::description(read.description, attrs, &read.extra),
        extra: read.extra,
    }
}
