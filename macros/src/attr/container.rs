//! `#[record(…)]` on a struct and `#[picklist(…)]` on an enum.

use super::code::extra_places;
use super::described::Described;
use super::field::{self, FieldKind, FieldSettings};
use super::meta::{MetaItem, MetaValue, misplaced, no_duplicates};
use super::parse::items_of;
use crate::errors::Errors;
use crate::source_map::SourceMap;
use proc_macro2::TokenStream;
use quote::ToTokens;
use schema::{Extra, Path};
use syn::Attribute;

/// What `#[record(…)]` says.
#[derive(Default)]
pub(crate) struct RecordSettings {
    pub(crate) name: Option<String>,
    pub(crate) id: Option<String>,
    pub(crate) area: Option<String>,
    pub(crate) version: Option<i64>,
    pub(crate) description: Described,
    pub(crate) extra: Extra,
    pub(crate) inactive: Vec<InactiveField>,
    pub(crate) krate: Option<syn::Path>,
    /// Whether the record has a patch.
    pub(crate) patch: bool,
    /// The file of the schema that the struct stands for.
    pub(crate) schema: Option<syn::LitStr>,
    /// Where the schema's properties were written.
    pub(crate) places: SourceMap,
}

/// An `inactive(…)`.
pub(crate) struct InactiveField {
    pub(crate) settings: FieldSettings,
    /// The word `inactive`.
    pub(crate) place: TokenStream,
}

const SETTINGS: &[&str] = &[
    "name",
    "id",
    "area",
    "version",
    "description",
    "extra",
    "inactive",
    "schema",
    "crate",
    "patch",
];

/// Reads every `#[record(…)]` of a struct.
pub(crate) fn record(attrs: &[Attribute], errors: &mut Errors) -> RecordSettings {
    misplaced(attrs, "field", "on a field", errors);
    let items = items_of(attrs, "record", errors);
    no_duplicates(&items, &["inactive"], errors);
    let mut container = RecordSettings::default();
    for item in &items {
        container.item(item, errors);
    }
    container
}

impl RecordSettings {
    fn item(&mut self, item: &MetaItem, errors: &mut Errors) {
        let place = |property: &str, places: &mut SourceMap| {
            places.set(Path::root().key(property), item.place());
        };
        match item.name().as_str() {
            "name" => {
                self.name = item.text(errors);
                place("name", &mut self.places);
            }
            "id" => {
                self.id = item.text(errors);
                place("schemaId", &mut self.places);
            }
            "area" => {
                self.area = item.text(errors);
                place("businessAreaId", &mut self.places);
            }
            "version" => {
                self.version = item.number(errors).and_then(|token| {
                    let version = token.parse().ok();
                    if version.is_none() {
                        let message = format!(
                            "the version {token} is no 64-bit whole number; write one such as 3"
                        );
                        errors.at(item.place(), message);
                    }
                    version
                });
                place("version", &mut self.places);
            }
            "description" => {
                self.description = item.description(errors);
                place("description", &mut self.places);
            }
            "extra" => {
                self.extra = item.extra(errors).unwrap_or_default();
                extra_places(&self.extra, &item.place(), &mut self.places);
            }
            "inactive" => {
                if let Some(items) = item.list(errors) {
                    self.inactive.push(InactiveField {
                        settings: field::read(items, FieldKind::Inactive, errors),
                        place: item.key.to_token_stream(),
                    });
                }
            }
            "schema" => match &item.value {
                MetaValue::Text(file) => self.schema = Some(file.clone()),
                // tells what is wrong with it
                _ => drop(item.text(errors)),
            },
            "crate" => self.krate = path(item, errors),
            "patch" => self.patch = item.flag(errors) == Some(true),
            _ => item.unknown(SETTINGS, errors),
        }
    }
}

/// `#[picklist(crate = path)]`.
pub(crate) fn picklist(attrs: &[Attribute], errors: &mut Errors) -> Option<syn::Path> {
    misplaced(attrs, "code", "on a variant", errors);
    let items = items_of(attrs, "picklist", errors);
    no_duplicates(&items, &[], errors);
    let mut krate = None;
    for item in &items {
        match item.name().as_str() {
            "crate" => krate = path(item, errors),
            _ => item.unknown(&["crate"], errors),
        }
    }
    krate
}

fn path(item: &MetaItem, errors: &mut Errors) -> Option<syn::Path> {
    match &item.value {
        MetaValue::Path(path) => return Some(path.clone()),
        MetaValue::Unsound(_) => {}
        _ => errors.at(
            item.place(),
            "`crate` is a path; write `crate = path::to::runtime`",
        ),
    }
    None
}
