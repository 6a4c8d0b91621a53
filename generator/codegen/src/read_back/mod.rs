//! Generated code back to the schemas that it was generated of, but for who made them and when: what `emit` wrote, read
//! again, as the derive reads it. It reads what the generator writes and nothing else: structs that were written by hand
//! may say the same in ways that only the derive knows.
//!
//! Each schema becomes a document, which the house's one reader reads.

mod object;
mod settings;

use crate::error::{Error, Mistake};
use crate::input::Input;
use object::Object;
use schema::{DataType, PicklistType, RULE_ALPHANUMERIC, Schema};
use settings::{Setting, settings};
use std::collections::HashMap;
use syn::ext::IdentExt as _;
use syn::{Attribute, Fields, GenericArgument, Item, PathArguments, Type};

/// Reads the schemas of generated code.
///
/// # Errors
/// A text that is no Rust, or holds no record that the generator wrote.
pub fn read_generated(input: &Input) -> Result<Vec<Schema>, Error> {
    let mistake = |message: String| {
        let help = "name a file that the generator wrote, or the schema document".to_owned();
        Error::Config(vec![Mistake { message, help }])
    };
    let name = &input.name;
    let file = syn::parse_file(&input.text)
        .map_err(|error| mistake(format!("{name} is no Rust code: {error}")))?;
    let mut found = Vec::new();
    module(&file.items, &mut found);
    if found.is_empty() {
        return Err(mistake(format!("{name} holds no generated record")));
    }
    let schemas: Option<Vec<Schema>> = found
        .into_iter()
        .map(|document| Schema::read_unchecked(&document?))
        .collect();
    schemas.ok_or_else(|| mistake(format!("{name} is not as the generator writes records")))
}

/// The documents of the structs of a module and of those within it; `None` for one that is not as it is written here.
fn module(items: &[Item], found: &mut Vec<Option<String>>) {
    let mut enums = HashMap::new();
    for item in items {
        if let Item::Enum(item) = item {
            let codes: Option<Vec<String>> = item.variants.iter().map(code).collect();
            enums.insert(item.ident.unraw().to_string(), codes.map(|it| list(&it)));
        }
    }
    for item in items {
        match item {
            Item::Mod(inner) => {
                if let Some((_, items)) = &inner.content {
                    module(items, found);
                }
            }
            Item::Struct(item) if item.attrs.iter().any(|it| it.path().is_ident("record")) => {
                found.push(record(item, &enums));
            }
            _ => {}
        }
    }
}

type Enums = HashMap<String, Option<String>>;

fn record(item: &syn::ItemStruct, enums: &Enums) -> Option<String> {
    let mut object = Object::default();
    let name = item.ident.unraw().to_string();
    let mut inactive = Vec::new();
    let settings = settings(&item.attrs, "record")?;
    object.described(&settings, &item.attrs);
    for setting in &settings {
        match setting.key.as_str() {
            "name" => object.text("name", setting.text()?),
            "id" => object.text("schemaId", setting.text()?),
            "area" => object.text("businessAreaId", setting.text()?),
            "version" => object.raw("version", setting.token()?),
            "extra" => object.splice(setting.text()?)?,
            "inactive" => inactive.push(hidden(setting.items()?)?),
            _ => {}
        }
    }
    if !settings.iter().any(|setting| setting.key == "name") {
        object.text("name", &name);
    }
    let Fields::Named(members) = &item.fields else {
        return None;
    };
    let members: Option<Vec<String>> = members.named.iter().map(|it| field(it, enums)).collect();
    let mut fields = members?;
    inactive.sort_by_key(|(at, _)| *at);
    for (at, field) in inactive {
        if at > fields.len() {
            return None;
        }
        fields.insert(at, field);
    }
    object.raw("fields", &list(&fields));
    Some(object.end())
}

/// A field that records have, and what its Rust type says of it.
fn field(field: &syn::Field, enums: &Enums) -> Option<String> {
    let mut object = Object::default();
    let settings = settings(&field.attrs, "field")?;
    let has = |key: &str| settings.iter().any(|setting| setting.key == key);
    let (holder, inner) = unwrapped(&field.ty)?;
    if !has("name") {
        object.text("name", &field.ident.as_ref()?.unraw().to_string());
    }
    object.raw("active", "true");
    if holder == "Vec" {
        object.raw("isMultivalue", "true");
    } else {
        let required = if holder == "Option" { "false" } else { "true" };
        object.raw("isRequired", required);
    }
    object.described(&settings, &field.attrs);
    if has("picklist") || has("domain") {
        object.text("dataType", DataType::Picklist.name());
    } else if !has("type") {
        let mut table = DataType::table().iter();
        object.text("dataType", table.find(|row| row.rust == inner)?.name);
    }
    of_field(&mut object, &settings)?;
    if has("picklist") {
        object.raw("staticPicklist", enums.get(&inner)?.as_ref()?);
    }
    Some(object.end())
}

/// A field that records don't have, with its place among all fields.
fn hidden(settings: &[Setting]) -> Option<(usize, String)> {
    let mut object = Object::default();
    object.raw("active", "false");
    object.described(settings, &[]);
    of_field(&mut object, settings)?;
    let is_static = settings.iter().any(|setting| setting.key == "picklist");
    let codes = settings.iter().filter(|setting| setting.key == "code");
    let codes: Option<Vec<String>> = codes.map(|it| entry(it.items()?, None, &[])).collect();
    if is_static {
        object.raw("staticPicklist", &list(&codes?));
    }
    let mut at = settings.iter().filter(|setting| setting.key == "at");
    Some((at.next()?.token()?.parse().ok()?, object.end()))
}

fn of_field(object: &mut Object, settings: &[Setting]) -> Option<()> {
    let mut tags = Vec::new();
    for setting in settings {
        match setting.key.as_str() {
            "name" => object.text("name", setting.text()?),
            "id" => object.text("fieldId", setting.text()?),
            "type" => object.text("dataType", setting.text()?),
            "primary_key" => object.raw("isPrimaryKey", setting.flag()?),
            "sort_key" => object.raw("isSortKey", setting.flag()?),
            "required" => object.raw("isRequired", setting.flag()?),
            "multivalue" => object.raw("isMultivalue", setting.flag()?),
            "pii" => object.raw("isPII", setting.flag()?),
            "min" => object.bound("min", setting),
            "max" => object.bound("max", setting),
            "max_width" => object.bound("maxWidth", setting),
            "max_height" => object.bound("maxHeight", setting),
            "max_size" => object.bound("maxSize", setting),
            "booleans" => object.text("allowedBooleanValues", setting.text()?),
            "date_format" => object.text("dateFormat", setting.text()?),
            "date_separator" => object.text("dateSeparator", setting.text()?),
            "time_format" => object.text("timeFormat", setting.text()?),
            "picklist" => object.text("picklistType", PicklistType::Static.name()),
            "domain" => {
                object.text("picklistType", PicklistType::Dynamic.name());
                object.text("dataDomainId", setting.text()?);
            }
            "alphanumeric" => {
                object.raw("validationRules", &format!("[\"{RULE_ALPHANUMERIC}\"]"));
            }
            "tag" => tags.push(tag(setting.items()?)?),
            "extra" => object.splice(setting.text()?)?,
            _ => {}
        }
    }
    if !tags.is_empty() {
        object.raw("classifiers", &list(&tags));
    }
    Some(())
}

fn tag(settings: &[Setting]) -> Option<String> {
    let mut object = Object::default();
    for setting in settings {
        match setting.key.as_str() {
            "id" => object.text("tagId", setting.text()?),
            "name" => object.text("tagName", setting.text()?),
            "extra" => object.splice(setting.text()?)?,
            _ => {}
        }
    }
    Some(object.end())
}

fn code(variant: &syn::Variant) -> Option<String> {
    let settings = settings(&variant.attrs, "code")?;
    let name = variant.ident.unraw().to_string();
    entry(&settings, Some(&name), &variant.attrs)
}

/// One code: the setting without a key says it, else the variant's name is it.
fn entry(settings: &[Setting], name: Option<&str>, attrs: &[Attribute]) -> Option<String> {
    let mut object = Object::default();
    let said = settings.iter().find(|setting| setting.key.is_empty());
    let code = said.map_or(name, Setting::text)?;
    object.text("code", code);
    object.described(settings, attrs);
    for setting in settings.iter().filter(|setting| setting.key == "extra") {
        object.splice(setting.text()?)?;
    }
    Some(object.end())
}

/// The holder of a type, `Option`, `Vec` or none, and the name of the type within.
fn unwrapped(ty: &Type) -> Option<(String, String)> {
    let Type::Path(path) = ty else { return None };
    let last = path.path.segments.last()?;
    let name = last.ident.unraw().to_string();
    let PathArguments::AngleBracketed(arguments) = &last.arguments else {
        return Some((String::new(), name));
    };
    let Some(GenericArgument::Type(inner)) = arguments.args.first() else {
        return None;
    };
    Some((name, unwrapped(inner)?.1))
}

fn list(items: &[String]) -> String {
    format!("[{}]", items.join(","))
}
