//! The settings of one field: `#[field(…)]` on a struct's field, `inactive(…)` on the struct. Each
//! is taken on its own; which of them fit together is the check's.

use super::code::{self, extra_places};
use super::item::{Item, Value, no_duplicates};
use crate::check::Places;
use crate::errors::Errors;
use proc_macro2::TokenStream;
use quote::ToTokens as _;
use schema::format::{BooleanWords, DateFormat, Separator, TimeFormat};
use schema::{
    Bound, Classifier, DataType, Field, Path, PicklistEntry, PicklistType, RULE_ALPHANUMERIC,
};

/// What is being described.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Active,
    Inactive,
}

/// What a token says, and the token.
pub(crate) struct Said<T> {
    pub(crate) value: T,
    pub(crate) place: TokenStream,
}

/// A field as far as its attributes tell it.
pub(crate) struct Draft {
    pub(crate) name: Option<String>,
    pub(crate) id: Option<String>,
    pub(crate) description: Option<String>,
    /// `type`, where it names one.
    pub(crate) data_type: Option<Said<DataType>>,
    /// `type` is there but names none; it is reported.
    pub(crate) type_unsound: bool,
    pub(crate) required: Option<Said<bool>>,
    pub(crate) multivalue: Option<Said<bool>>,
    pub(crate) at: Option<Said<usize>>,
    /// Everything else. Its name, id, description and data type mean nothing yet.
    pub(crate) field: Field,
    /// Places of the field's properties.
    pub(crate) places: Places,
}

const KNOWN: &[&str] = &[
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

pub(crate) fn read(items: &[Item], kind: Kind, errors: &mut Errors) -> Draft {
    no_duplicates(items, REPEATABLE, errors);
    let mut draft = Draft {
        name: None,
        id: None,
        description: None,
        data_type: None,
        type_unsound: false,
        required: None,
        multivalue: None,
        at: None,
        field: Field::new("", "", DataType::String),
        places: Places::default(),
    };
    for item in items {
        let known = draft.identity(item, errors)
            || draft.flag(item, errors)
            || draft.limit(item, errors)
            || draft.format(item, errors)
            || draft.list(item, errors)
            || (kind == Kind::Inactive && draft.inactive(item, errors));
        if !known && kind == Kind::Active {
            item.unknown(KNOWN, errors);
        } else if !known {
            item.unknown(&[KNOWN, &["at", "code"]].concat(), errors);
        }
    }
    draft
}

impl Draft {
    /// Remembers where a property of the field was written.
    fn place(&mut self, property: &str, item: &Item) {
        self.places.set(Path::root().key(property), item.place());
    }

    fn identity(&mut self, item: &Item, errors: &mut Errors) -> bool {
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
                self.description = item.text(errors);
                self.place("description", item);
            }
            "type" => {
                let names = DataType::table().iter().map(|facts| facts.name);
                self.data_type = named(item, "data type", DataType::named, names, errors);
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

    fn flag(&mut self, item: &Item, errors: &mut Errors) -> bool {
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
                self.required = item.flag(errors).map(|value| said(value, item));
                self.place("isRequired", item);
            }
            "multivalue" => {
                self.multivalue = item.flag(errors).map(|value| said(value, item));
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

    fn limit(&mut self, item: &Item, errors: &mut Errors) -> bool {
        let name = item.name();
        let pixels = |item: &Item, errors: &mut Errors| item.number(errors).map(Bound::Number);
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

    fn format(&mut self, item: &Item, errors: &mut Errors) -> bool {
        let field = &mut self.field;
        let property = match item.name().as_str() {
            "booleans" => {
                let names = BooleanWords::ALL.iter().map(|words| words.name());
                let read = named(item, "pair of booleans", BooleanWords::named, names, errors);
                field.boolean_words = read.map(|said| said.value);
                "allowedBooleanValues"
            }
            "date_format" => {
                let names = DateFormat::ALL.iter().map(|format| format.name());
                let read = named(item, "date format", DateFormat::named, names, errors);
                field.date_format = read.map(|said| said.value);
                "dateFormat"
            }
            "date_separator" => {
                let names = Separator::ALL.iter().map(|separator| separator.name());
                let read = named(item, "date separator", Separator::named, names, errors);
                field.date_separator = read.map(|said| said.value);
                "dateSeparator"
            }
            "time_format" => {
                let names = TimeFormat::ALL.iter().map(|format| format.name());
                let read = named(item, "time format", TimeFormat::named, names, errors);
                field.time_format = read.map(|said| said.value);
                "timeFormat"
            }
            _ => return false,
        };
        self.place(property, item);
        true
    }

    fn list(&mut self, item: &Item, errors: &mut Errors) -> bool {
        match item.name().as_str() {
            "rules" => {
                self.field.validation_rules.get_or_insert_default();
                self.places
                    .set_if_absent(Path::root().key("validationRules"), item.place());
                for rule in item.list(errors).unwrap_or_default() {
                    match (&rule.key, &rule.value) {
                        (None, Value::Text(text)) => self.rule(text.value(), &rule.place()),
                        (None, Value::Unsound(_)) => {}
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
    fn inactive(&mut self, item: &Item, errors: &mut Errors) -> bool {
        match item.name().as_str() {
            "at" => {
                self.at = item.number(errors).and_then(|token| {
                    let at = token.parse().ok();
                    if at.is_none() {
                        let message =
                            format!("{token} is no place; write the field's index, from 0");
                        errors.at(item.place(), message);
                    }
                    at.map(|value| said(value, item))
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
                if read.text.is_none() && matches!(item.value, Value::List(..)) {
                    errors.at(
                        item.key_place(),
                        "the entry has no code; write `code(\"A\")`",
                    );
                }
                codes.push(PicklistEntry {
                    // a stand-in of its own, so that it is not reported as a duplicate too
                    code: read.text.unwrap_or_else(|| path.to_string()),
                    description: read.description,
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

fn said<T>(value: T, item: &Item) -> Said<T> {
    Said {
        value,
        place: item.place(),
    }
}

/// The value of a closed list that a text names.
fn named<T>(
    item: &Item,
    what: &str,
    find: impl Fn(&str) -> Option<T>,
    names: impl Iterator<Item = &'static str>,
    errors: &mut Errors,
) -> Option<Said<T>> {
    let text = item.text(errors)?;
    let found = find(&text);
    if found.is_none() {
        let names: Vec<String> = names.map(|name| format!("{name:?}")).collect();
        let message = format!("unknown {what} {text:?}; write one of {}", names.join(", "));
        errors.at(item.place(), message);
    }
    found.map(|value| said(value, item))
}

/// `tag(id = "…", name = "…", extra = "…")`
fn tag(item: &Item, path: &Path, places: &mut Places, errors: &mut Errors) -> Classifier {
    let mut tag = Classifier::default();
    let Some(items) = item.list(errors) else {
        return tag;
    };
    no_duplicates(items, &[], errors);
    for part in items {
        match part.name().as_str() {
            "id" => tag.tag_id = part.text(errors).unwrap_or_default(),
            "name" => tag.tag_name = part.text(errors).unwrap_or_default(),
            "extra" => {
                tag.extra = part.extra(errors).unwrap_or_default();
                let mut own = Places::default();
                extra_places(&tag.extra, &part.value.to_token_stream(), &mut own);
                places.adopt(path, own);
            }
            _ => part.unknown(&["id", "name", "extra"], errors),
        }
    }
    for wanted in ["id", "name"] {
        if !items.iter().any(|part| part.name() == wanted) {
            let message = format!("the tag has no {wanted}; add `{wanted} = \"…\"`");
            errors.at(item.key_place(), message);
        }
    }
    tag
}
