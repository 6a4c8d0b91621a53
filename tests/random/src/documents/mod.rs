//! Random schema-detail documents that the check accepts: every data type and setting, odd names,
//! properties nobody knows, settings that are `null` or empty, provenance. It writes JSON text and
//! knows no model, so that reading can be held against it.

mod bounds;
mod field;
mod words;

use super::chance::Chance;
use std::collections::HashSet;
use words::{number, string, DESCRIPTIONS, NAMES, UNKNOWN};

/// An object being made: properties by name, with their JSON text.
pub(super) type Members = Vec<(String, String)>;

/// A document of up to `fields_max` fields.
pub fn document(chance: &mut Chance, id: &str, fields_max: usize) -> String {
    let mut members = Members::new();
    put(&mut members, "schemaId", string(chance, id));
    let name = chance.pick(NAMES).to_owned();
    put(&mut members, "name", string(chance, &name));
    description(chance, &mut members);
    let area = ["area-1", "", "\"area\"", "\u{1F980}"][chance.below(4)];
    put(&mut members, "businessAreaId", string(chance, area));
    put(&mut members, "businessAreaName", string(chance, "Anything"));
    if let Some(version) =
        ["1", "0", "-3", "9223372036854775807", "null", "\"\""].get(chance.below(8))
    {
        put(&mut members, "version", (*version).to_owned());
    }
    provenance(chance, &mut members);
    put(
        &mut members,
        "createdDate",
        string(chance, "2026-01-01T00:00:00.000Z"),
    );
    let count = chance.below(fields_max + 1);
    let fields = fields(chance, count);
    put(&mut members, "fields", array(chance, &fields));
    unknown(chance, &mut members);
    object(chance, members)
}

fn fields(chance: &mut Chance, count: usize) -> Vec<String> {
    let mut taken = HashSet::new();
    let key = chance.below(count * 2 + 1);
    let written = (0..count).map(|index| {
        let mut name = chance.pick(NAMES).to_owned();
        let is_active = !chance.one_in(10);
        if name.starts_with('_') {
            name.insert(0, 'x');
        }
        if is_active && !taken.insert(name.clone()) {
            name = format!("{} {index}", name.chars().take(90).collect::<String>());
            taken.insert(name.clone());
        }
        let wanted = field::Wanted {
            id: format!("f{index}"),
            name,
            is_active,
            may_be_key: index + 1 == key || !is_active,
        };
        field::field(chance, &wanted)
    });
    written.collect()
}

/// Sets a property.
fn put(members: &mut Members, key: &str, json: String) {
    members.push((key.to_owned(), json));
}

fn description(chance: &mut Chance, members: &mut Members) {
    match chance.below(4) {
        0 => {}
        1 if chance.one_in(4) => put(members, "description", "null".to_owned()),
        _ => {
            let text = chance.pick(DESCRIPTIONS);
            let long = if chance.one_in(20) { 300 } else { 1 };
            put(members, "description", string(chance, &text.repeat(long)));
        }
    }
}

/// Who and when; it has to stay out of generated code.
fn provenance(chance: &mut Chance, members: &mut Members) {
    for key in ["createdBy", "updatedBy", "updatedDate"] {
        match chance.below(6) {
            3 => put(members, key, string(chance, "who@example.org")),
            4 => put(members, key, "\"\"".to_owned()),
            5 => put(members, key, "null".to_owned()),
            _ => {}
        }
    }
}

/// Properties that this project does not know.
fn unknown(chance: &mut Chance, members: &mut Members) {
    while chance.one_in(4) {
        let key = chance.pick(UNKNOWN);
        if members.iter().all(|(name, _)| name != key) {
            let json = anything(chance, 3);
            put(members, key, json);
        }
    }
}

/// Any JSON value.
fn anything(chance: &mut Chance, depth: usize) -> String {
    match chance.below(if depth == 0 { 5 } else { 7 }) {
        0 => "null".to_owned(),
        1 => "true".to_owned(),
        2 => number(chance).to_owned(),
        3 => "\"\"".to_owned(),
        4 => {
            let text = chance.pick(DESCRIPTIONS);
            string(chance, text)
        }
        5 => {
            let count = chance.below(3);
            let items: Vec<_> = (0..count).map(|_| anything(chance, depth - 1)).collect();
            array(chance, &items)
        }
        _ => {
            let mut members = Members::new();
            unknown(chance, &mut members);
            object(chance, members)
        }
    }
}

/// The text of an object, sometimes in another order and with white space.
fn object(chance: &mut Chance, mut members: Members) -> String {
    if chance.one_in(4) {
        chance.shuffle(&mut members);
    }
    let written: Vec<String> = members
        .into_iter()
        .map(|(key, json)| {
            let key = string(chance, &key);
            format!("{key}{}:{}{json}", space(chance), space(chance))
        })
        .collect();
    let comma = format!(",{}", space(chance));
    format!("{{{}{}}}", written.join(&comma), space(chance))
}

fn array(chance: &mut Chance, items: &[String]) -> String {
    let comma = format!("{},", space(chance));
    format!("[{}{}]", space(chance), items.join(&comma))
}

fn space(chance: &mut Chance) -> &'static str {
    ["", "", "", "", "", "", " ", "\n  ", "\t", "\r\n"][chance.below(10)]
}
