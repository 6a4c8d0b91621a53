//! The settings of one field: `#[field(…)]` on a struct's field, `inactive(…)` on the struct. Each
//! is taken on its own; which of them fit together is the check's.

use super::code::{self, extra_places};
use super::described::Described;
use super::meta::{MetaItem, MetaValue, no_duplicates};
use super::spanned::{Spanned, keyword, spanned};
use super::tag::tag;
use crate::errors::Errors;
use crate::source_map::SourceMap;
use proc_macro2::TokenStream;
use schema::format::{BooleanWords, DateFormat, Separator, TimeFormat};
use schema::{Bound, DataType, Field, Path, PicklistEntry, PicklistType, RULE_ALPHANUMERIC};

/// What is being described.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum FieldKind {
    Active,
    Inactive,
}

/// A field as far as its attributes tell it.
pub(crate) struct FieldSettings {
    pub(crate) name: Option<String>,
    pub(crate) id: Option<String>,
    pub(crate) description: Described,
    /// `type`, where it names one.
    pub(crate) data_type: Option<Spanned<DataType>>,
    /// `type` is there but names none; it is reported.
    pub(crate) type_unsound: bool,
    pub(crate) required: Option<Spanned<bool>>,
    pub(crate) multivalue: Option<Spanned<bool>>,
    pub(crate) at: Option<Spanned<usize>>,
    /// Everything else. Its name, id, description and data type mean nothing yet.
    pub(crate) field: Field,
    /// Where the field's properties were written.
    pub(crate) places: SourceMap,
}

const SETTINGS: &[&str] = &[
    "name",
    "id",
    "description",
    "type",
    "primary_key",
    "sort_key",
    "required",
    "multivalue",
    "pii",
    "min",
    "max",
    "tag",
    "alphanumeric",
    "rules",
    "booleans",
    "picklist",
    "domain",
    "date_format",
    "date_separator",
    "time_format",
    "max_width",
    "max_height",
    "max_size",
    "extra",
];

const REPEATABLE: &[&str] = &["tag", "code"];

/// Reads the settings of one field.
pub(crate) fn read(items: &[MetaItem], kind: FieldKind, errors: &mut Errors) -> FieldSettings {
    no_duplicates(items, REPEATABLE, errors);
    let mut settings = FieldSettings {
        name: None,
        id: None,
        description: Described::ByDocs,
        data_type: None,
        type_unsound: false,
        required: None,
        multivalue: None,
        at: None,
        field: Field::new("", "", DataType::String),
        places: SourceMap::default(),
    };
    for item in items {
        let known = settings.identity(item, errors)
            || settings.flag(item, errors)
            || settings.limit(item, errors)
            || settings.format(item, errors)
            || settings.list(item, errors)
            || (kind == FieldKind::Inactive && settings.inactive(item, errors));
        if !known && kind == FieldKind::Active {
            item.unknown(SETTINGS, errors);
        } else if !known {
            item.unknown(&[SETTINGS, &["at", "code"]].concat(), errors);
        }
    }
    settings
}

impl FieldSettings {
    /// Remembers where a property of the field was written.
    fn place(&mut self, property: &str, item: &MetaItem) {
        self.places.set(Path::root().key(property), item.place());
    }

    fn identity(&mut self, item: &MetaItem, errors: &mut Errors) -> bool {
        match item.name().as_str() {
            "name" => {
                self.name = item.text(errors);
                self.place("name", item);
            }
            "id" => {
                self.id = item.text(errors);
                self.place("fieldId", item);
            }
            "description" => {
                self.description = item.description(errors);
                self.place("description", item);
            }
            "type" => {
                let names = DataType::table().iter().map(|facts| facts.name);
                self.data_type = keyword(item, "data type", DataType::named, names, errors);
                self.type_unsound = self.data_type.is_none();
                self.place("dataType", item);
            }
            "extra" => {
                self.field.extra = item.extra(errors).unwrap_or_default();
                extra_places(&self.field.extra, &item.place(), &mut self.places);
            }
            _ => return false,
        }
        true
    }

    fn flag(&mut self, item: &MetaItem, errors: &mut Errors) -> bool {
        match item.name().as_str() {
            "primary_key" => {
                self.field.primary_key = item.flag(errors) == Some(true);
                self.place("isPrimaryKey", item);
            }
            "sort_key" => {
                self.field.sort_key = item.flag(errors) == Some(true);
                self.place("isSortKey", item);
            }
            "pii" => {
                self.field.pii = item.flag(errors);
                self.place("isPII", item);
            }
            "required" => {
                self.required = item.flag(errors).map(|value| spanned(value, item));
                self.place("isRequired", item);
            }
            "multivalue" => {
                self.multivalue = item.flag(errors).map(|value| spanned(value, item));
                self.place("isMultivalue", item);
            }
            "alphanumeric" => {
                if item.flag(errors) == Some(true) {
                    self.rule(RULE_ALPHANUMERIC.to_owned(), &item.place());
                }
            }
            "picklist" => {
                if item.flag(errors) == Some(true) {
                    self.field.picklist_type = Some(PicklistType::Static);
                    self.field.static_picklist.get_or_insert_default();
                }
                self.place("picklistType", item);
            }
            _ => return false,
        }
        true
    }

    fn limit(&mut self, item: &MetaItem, errors: &mut Errors) -> bool {
        let name = item.name();
        let pixels = |item: &MetaItem, errors: &mut Errors| item.number(errors).map(Bound::Number);
        let (slot, property, bound) = match name.as_str() {
            "min" => (&mut self.field.min, "min", item.bound(errors)),
            "max" => (&mut self.field.max, "max", item.bound(errors)),
            "max_width" => (&mut self.field.max_width, "maxWidth", pixels(item, errors)),
            "max_height" => (
                &mut self.field.max_height,
                "maxHeight",
                pixels(item, errors),
            ),
            "max_size" => (&mut self.field.max_size, "maxSize", pixels(item, errors)),
            _ => return false,
        };
        *slot = bound;
        self.place(property, item);
        true
    }

    fn format(&mut self, item: &MetaItem, errors: &mut Errors) -> bool {
        let field = &mut self.field;
        let property = match item.name().as_str() {
            "booleans" => {
                let names = BooleanWords::ALL.iter().map(|words| words.name());
                let read = keyword(item, "pair of booleans", BooleanWords::named, names, errors);
                field.boolean_words = read.map(|spanned| spanned.value);
                "allowedBooleanValues"
            }
            "date_format" => {
                let names = DateFormat::ALL.iter().map(|format| format.name());
                let read = keyword(item, "date format", DateFormat::named, names, errors);
                field.date_format = read.map(|spanned| spanned.value);
                "dateFormat"
            }
            "date_separator" => {
                let names = Separator::ALL.iter().map(|separator| separator.name());
                let read = keyword(item, "date separator", Separator::named, names, errors);
                field.date_separator = read.map(|spanned| spanned.value);
                "dateSeparator"
            }
            "time_format" => {
                let names = TimeFormat::ALL.iter().map(|format| format.name());
                let read = keyword(item, "time format", TimeFormat::named, names, errors);
                field.time_format = read.map(|spanned| spanned.value);
                "timeFormat"
            }
            _ => return false,
        };
        self.place(property, item);
        true
    }

    fn list(&mut self, item: &MetaItem, errors: &mut Errors) -> bool {
        match item.name().as_str() {
            "rules" => {
                self.field.validation_rules.get_or_insert_default();
                self.places
                    .set_if_absent(Path::root().key("validationRules"), item.place());
                for rule in item.list(errors).unwrap_or_default() {
                    match (&rule.key, &rule.value) {
                        (None, MetaValue::Text(text)) => self.rule(text.value(), &rule.place()),
                        (None, MetaValue::Unsound(_)) => {}
                        _ => errors.at(rule.place(), "a rule is a string; write it in quotes"),
                    }
                }
            }
            "tag" => {
                let tags = self.field.classifiers.as_ref().map_or(0, Vec::len);
                let path = Path::root().key("classifiers").index(tags);
                let tag = tag(item, &path, &mut self.places, errors);
                self.field.classifiers.get_or_insert_default().push(tag);
                self.places
                    .set_if_absent(Path::root().key("classifiers"), item.key_place());
            }
            "domain" => {
                self.field.data_domain_id = item.text(errors);
                // beside `picklist` it is a setting of the other kind, which the check reports
                self.field
                    .picklist_type
                    .get_or_insert(PicklistType::Dynamic);
                self.place("dataDomainId", item);
                self.places
                    .set_if_absent(Path::root().key("picklistType"), item.key_place());
                if self.field.data_domain_id.as_deref() == Some("") {
                    errors.at(
                        item.place(),
                        "the id of the data domain is empty; write its id",
                    );
                }
            }
            _ => return false,
        }
        true
    }

    /// What only `inactive(…)` says.
    fn inactive(&mut self, item: &MetaItem, errors: &mut Errors) -> bool {
        match item.name().as_str() {
            "at" => {
                self.at = item.number(errors).and_then(|token| {
                    let at = token.parse().ok();
                    if at.is_none() {
                        let message =
                            format!("{token} is no place; write the field's index, from 0");
                        errors.at(item.place(), message);
                    }
                    at.map(|value| spanned(value, item))
                });
                // reported already where it says nothing
                self.places.set(Path::root().key("at"), item.place());
            }
            "code" => {
                let read = code::read(item.list(errors).unwrap_or_default(), errors);
                let codes = self.field.static_picklist.get_or_insert_default();
                let path = Path::root().key("staticPicklist").index(codes.len());
                self.places.set(path.clone(), item.key_place());
                self.places.adopt(&path, read.places);
                if read.text.is_none() && matches!(item.value, MetaValue::List(..)) {
                    errors.at(
                        item.key_place(),
                        "the entry has no code; write `code(\"A\")`",
                    );
                }
                codes.push(PicklistEntry {
                    // a stand-in of its own, so that it is not reported as a duplicate too
                    code: read.text.unwrap_or_else(|| path.to_string()),
                    description: read.description.text(),
                    extra: read.extra,
                });
                self.places
                    .set_if_absent(Path::root().key("staticPicklist"), item.key_place());
            }
            _ => return false,
        }
        true
    }

    fn rule(&mut self, rule: String, place: &TokenStream) {
        let rules = self.field.validation_rules.get_or_insert_default();
        let path = Path::root().key("validationRules").index(rules.len());
        rules.push(rule);
        self.places.set(path, place);
    }
}
