//! The types of a record in other languages: its normal form without faults, as JSON readers give it. An enum for the
//! codes of each static picklist, a comment for each field. What the rules of a field are, comments tell; who judges is
//! the engine, in each language the same one.

pub(super) mod python;
pub(super) mod typescript;

use crate::emit::{facts, markdown};
use crate::name::{IdentifierKind, IdentifierRequest, assign};
use crate::rust_type::is_enum;
use schema::{DataType, Field, PicklistEntry, Schema, is_unseen};

/// What a language's types are called.
struct Types<'s> {
    record: String,
    picklists: Vec<Codes<'s>>,
}

/// The codes of a static picklist.
struct Codes<'s> {
    field: &'s Field,
    name: String,
    /// Each with its name.
    entries: Vec<(String, &'s PicklistEntry)>,
}

impl<'s> Types<'s> {
    /// Names that are one to one, whatever the schema's texts are; `reserved` are the language's own.
    fn of(schema: &'s Schema, reserved: &[&str]) -> Self {
        let request = |kind, owner, text, id| IdentifierRequest {
            kind,
            owner,
            text,
            id,
            rename: None,
            locked: None,
        };
        let reserved = reserved.iter().copied();
        let one = [request(IdentifierKind::Type, "", &schema.name, &schema.id)];
        let record = assign(&one, &reserved.clone().collect()).remove(0).text;
        let fields: Vec<&Field> = schema
            .active_fields()
            .filter(|field| is_enum(field))
            .collect();
        let requests: Vec<_> = fields
            .iter()
            .map(|field| request(IdentifierKind::Type, &record, &field.name, &field.id))
            .collect();
        let taken = reserved.clone().chain([record.as_str()]).collect();
        let names = assign(&requests, &taken);
        let codes = |(field, name): (&'s Field, crate::name::Identifier)| {
            let entries = field.static_picklist.as_deref().unwrap_or_default();
            let requests: Vec<_> = entries
                .iter()
                .map(|entry| request(IdentifierKind::Variant, "", &entry.code, &entry.code))
                .collect();
            let names = assign(&requests, &reserved.clone().collect());
            let names = names.into_iter().map(|name| name.text);
            Codes {
                field,
                name: name.text,
                entries: names.zip(entries).collect(),
            }
        };
        let picklists = fields.into_iter().zip(names).map(codes).collect();
        Types { record, picklists }
    }

    /// The picklists that have codes, for which there is an enum each.
    fn enums(&self) -> impl Iterator<Item = &Codes<'s>> {
        self.picklists
            .iter()
            .filter(|codes| !codes.entries.is_empty())
    }

    /// The codes of a field, where it has some of its own.
    fn codes(&self, field: &Field) -> Option<&Codes<'s>> {
        self.enums().find(|codes| codes.field.id == field.id)
    }
}

impl Codes<'_> {
    /// What a comment says of the enum.
    fn comment(&self) -> Vec<String> {
        let picklist = markdown::code(&self.field.name);
        comment(None, &format!("A code of the picklist {picklist}."))
    }
}

/// What a comment says of a field.
fn comment_of(field: &Field) -> Vec<String> {
    comment(field.description.as_deref(), &facts::of_field(field))
}

/// What a value of a field is in JSON.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Whole,
    Number,
    Flag,
    Text,
}

fn kind(field: &Field) -> Kind {
    match field.data_type {
        own if own.is_whole() => Kind::Whole,
        own if own.is_number() => Kind::Number,
        DataType::Boolean => Kind::Flag,
        _ => Kind::Text,
    }
}

/// A text as a literal in double quotes; `escape` writes what nobody sees.
fn literal(text: &str, escape: impl Fn(char) -> String) -> String {
    let mut out = String::from("\"");
    for character in text.chars() {
        match character {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            _ if character.is_control() || is_unseen(character) => out += &escape(character),
            // they end a line for some readers
            '\u{2028}' | '\u{2029}' => out += &escape(character),
            _ => out.push(character),
        }
    }
    out.push('"');
    out
}

/// A comment of a description and of facts behind it.
fn comment(description: Option<&str>, facts: &str) -> Vec<String> {
    let texts = [description.unwrap_or_default(), facts];
    let lines = texts.iter().flat_map(|text| text.lines());
    let plain = |line: &str| -> String {
        let seen = |character: &char| !character.is_control() && !is_unseen(*character);
        let line: String = line.chars().filter(seen).collect();
        line.trim().to_owned()
    };
    let lines = lines
        .flat_map(|line| line.split(['\r', '\u{b}', '\u{c}', '\u{85}', '\u{2028}', '\u{2029}']));
    lines.map(plain).filter(|line| !line.is_empty()).collect()
}
