//! Random bodies for a schema: tidy ones whose values fit, wild ones, ones with mistakes of keys, and
//! broken text.

use crate::lookups::Known;
use crate::values;
use random::chance::Chance;
use runtime::schema::json::write_string;
use runtime::schema::{Field, Schema};
use runtime::validate::Checker;

/// How often a value that fits is looked for.
const TRIES: usize = 12;

pub(crate) struct Maker<'s> {
    pub(crate) schema: &'s Schema,
    pub(crate) checker: &'s Checker,
}

impl Maker<'_> {
    /// One body.
    pub(crate) fn body(&self, chance: &mut Chance) -> Vec<u8> {
        let is_tidy = !chance.one_in(2);
        let mut members = Vec::new();
        for field in self.schema.active_fields() {
            if !is_tidy && chance.one_in(8) || is_tidy && !field.required && chance.one_in(8) {
                continue;
            }
            let json = if is_tidy {
                self.fitting(chance, field)
            } else {
                values::member(chance, field)
            };
            members.push((field.name.clone(), json));
        }
        if chance.one_in(12) {
            self.mistake_keys(chance, &mut members);
        }
        if chance.one_in(4) {
            chance.shuffle(&mut members);
        }
        let text = write(chance, &members);
        if chance.one_in(16) {
            broken(chance, text)
        } else {
            text.into_bytes()
        }
    }

    /// A value without a fault, where one is found.
    fn fitting(&self, chance: &mut Chance, field: &Field) -> String {
        let mut json = String::from("null");
        for _ in 0..TRIES {
            json = values::member(chance, field);
            let mut body = String::from("{");
            write_string(&mut body, &field.name);
            body.push(':');
            body.push_str(&json);
            body.push('}');
            let fits = self
                .checker
                .check_with(body.as_bytes(), Some(&Known))
                .is_ok_and(|checked| {
                    checked
                        .faults()
                        .iter()
                        .all(|fault| fault.field() != field.name)
                });
            if fits {
                break;
            }
        }
        json
    }

    /// Keys twice, unknown, inactive, the service's own; values that are nested.
    fn mistake_keys(&self, chance: &mut Chance, members: &mut Vec<(String, String)>) {
        let inactive = self.schema.fields.iter().find(|field| !field.active);
        let (key, json) = match chance.below(6) {
            0 => ("no such field".to_owned(), "1".to_owned()),
            1 => (
                inactive.map_or("gone", |field| &field.name).to_owned(),
                "\"x\"".to_owned(),
            ),
            2 => (
                chance
                    .pick(&["_version", "_errors", "_", "_dataObjectId"])
                    .to_owned(),
                "0".to_owned(),
            ),
            3 => (first_name(self.schema), "{\"a\":[1]}".to_owned()),
            4 => (first_name(self.schema), "[[],1,{}]".to_owned()),
            _ => (
                first_name(self.schema),
                format!("\"{}\"", "k".repeat(1_020 + chance.below(10))),
            ),
        };
        let at = chance.below(members.len() + 1);
        members.insert(at, (key, json));
    }
}

fn first_name(schema: &Schema) -> String {
    schema
        .active_fields()
        .next()
        .map_or("x", |field| &field.name)
        .to_owned()
}

fn write(chance: &mut Chance, members: &[(String, String)]) -> String {
    let is_spaced = chance.one_in(3);
    let mut space = || {
        let all = ["", " ", "\n\t", "\r\n  "];
        if is_spaced {
            all[chance.below(4)]
        } else {
            ""
        }
    };
    let mut text = format!("{}{{{}", space(), space());
    for (index, (key, json)) in members.iter().enumerate() {
        if index > 0 {
            text.push(',');
        }
        text.push_str(space());
        write_string(&mut text, key);
        text.push_str(space());
        text.push(':');
        text.push_str(space());
        text.push_str(json);
        text.push_str(space());
    }
    text.push('}');
    text.push_str(space());
    text
}

/// The text with one byte lost, exchanged or added, cut off, or with something before or behind it.
fn broken(chance: &mut Chance, text: String) -> Vec<u8> {
    let mut bytes = text.into_bytes();
    let at = chance.below(bytes.len());
    let odd = [
        b'"', b'\\', b',', b'}', b'[', b'0', b'-', 0, 0xFF, 0x1F, b'u', b'e', b'.',
    ];
    let byte = odd[chance.below(odd.len())];
    match chance.below(7) {
        0 => {
            bytes.remove(at);
        }
        1 => bytes[at] = byte,
        2 => bytes.insert(at, byte),
        3 => bytes.truncate(at),
        4 => bytes.push(byte),
        5 => drop(bytes.splice(0..0, [0xEF, 0xBB, 0xBF])),
        _ => {
            let wholes = ["[]", "null", "", " ", "1", "\"x\"", "{}{}", "{,}"];
            bytes = chance.pick(&wholes).as_bytes().to_vec();
        }
    }
    bytes
}
