//! One random field with its settings: those of its type, some of other types, and blank ones.

use super::bounds::{self, Formats};
use super::words::{string, DESCRIPTIONS, NAMES};
use super::{array, description, object, provenance, put, unknown, Chance, Members};
use std::collections::HashSet;

pub(super) struct Wanted {
    pub(super) id: String,
    pub(super) name: String,
    pub(super) is_active: bool,
    pub(super) may_be_key: bool,
}

const DATA_TYPES: &[&str] = &[
    "string",
    "integer",
    "float",
    "boolean",
    "datetime",
    "date",
    "time",
    "date-year",
    "date-month",
    "date-day",
    "currency",
    "picklist",
    "email",
    "url",
    "phone",
    "latlng",
    "latitude",
    "longitude",
    "attachment",
    "image",
    "document",
    "video",
];
const FILES: &[&str] = &["attachment", "image", "document", "video"];
const WORDS: &[&str] = &["y/n", "Y/N", "1/0", "t/f", "T/F"];
const DATE_FORMATS: &[&str] = &[
    "DD$MM$YYYY",
    "DD$MMM$YYYY",
    "MM$DD$YYYY",
    "MMM$DD$YYYY",
    "MM$DD$YY",
    "YYYY$MM$DD",
    "YYYY$MMM$DD",
    "YY$MM$DD",
    "YYMMDD",
    "YYYYMMDD",
];
const SEPARATORS: &[&str] = &["-", "/", ".", " "];
const TIME_FORMATS: &[&str] = &[
    "hh:mm:ss a",
    "hh:mm:ss A",
    "hh:mm a",
    "hh:mm A",
    "HH:mm:ss",
    "HH:mm",
];
const LIMITS: &[&str] = &["1", "0", "100", "5000", "1e6", "1000000.0"];
const RULES: &[&[&str]] = &[
    &["alphanumeric"],
    &[],
    &["alphanumeric", "future"],
    &["Alphanumeric"],
    &["\""],
    &["alphanumeric", "alphanumeric"],
];
/// What may be blank and then counts as absent.
const SETTINGS: &[&str] = &[
    "isMultivalue",
    "isPII",
    "min",
    "max",
    "classifiers",
    "validationRules",
    "allowedBooleanValues",
    "picklistType",
    "staticPicklist",
    "dataDomainId",
    "dateFormat",
    "dateSeparator",
    "timeFormat",
    "maxWidth",
    "maxHeight",
    "maxSize",
];

/// A field as JSON text.
pub(super) fn field(chance: &mut Chance, wanted: &Wanted) -> String {
    let data_type = chance.pick(DATA_TYPES);
    let is_key = wanted.may_be_key && !FILES.contains(&data_type) && !chance.one_in(3);
    let mut members = Members::new();
    put(&mut members, "fieldId", string(chance, &wanted.id));
    put(&mut members, "name", string(chance, &wanted.name));
    description(chance, &mut members);
    put(&mut members, "active", wanted.is_active.to_string());
    put(&mut members, "dataType", string(chance, data_type));
    put(&mut members, "isPrimaryKey", is_key.to_string());
    put(&mut members, "isSortKey", chance.one_in(4).to_string());
    put(&mut members, "isRequired", chance.one_in(3).to_string());
    let may_be_many = !is_key || !wanted.is_active;
    if may_be_many && chance.one_in(3) {
        put(&mut members, "isMultivalue", "true".to_owned());
    } else if chance.one_in(4) {
        put(&mut members, "isMultivalue", "false".to_owned());
    }
    if chance.one_in(4) {
        put(&mut members, "isPII", chance.one_in(2).to_string());
    }
    settings(chance, data_type, &mut members);
    if chance.one_in(5) {
        foreign(chance, data_type, &mut members);
    }
    if chance.one_in(4) {
        tags(chance, &mut members);
    }
    for key in SETTINGS {
        let is_free = members.iter().all(|(name, _)| name != key);
        // a picklist without its settings is a contradiction, and so is a blank one
        if is_free && chance.one_in(20) {
            let blank = ["null", "\"\""][chance.below(2)];
            put(&mut members, key, blank.to_owned());
        }
    }
    provenance(chance, &mut members);
    if chance.one_in(2) {
        put(
            &mut members,
            "createdDate",
            string(chance, "2026-01-01T00:00:00.000Z"),
        );
    }
    unknown(chance, &mut members);
    object(chance, members)
}

/// The settings that the type has.
fn settings(chance: &mut Chance, data_type: &str, members: &mut Members) {
    let mut formats = Formats::default();
    if matches!(data_type, "date" | "datetime") {
        formats.date = maybe(chance, DATE_FORMATS);
        formats.separator = maybe(chance, SEPARATORS);
    }
    if matches!(data_type, "time" | "datetime") {
        formats.time = maybe(chance, TIME_FORMATS);
    }
    let words = if data_type == "boolean" {
        maybe(chance, WORDS)
    } else {
        None
    };
    for (key, setting) in [
        ("dateFormat", formats.date),
        ("dateSeparator", formats.separator),
        ("timeFormat", formats.time),
        ("allowedBooleanValues", words),
    ] {
        if let Some(setting) = setting {
            put(members, key, string(chance, setting));
        }
    }
    if let Some([min, max]) = bounds::pair(chance, data_type, &formats) {
        // beyond the type's own bounds, the one side needs the other
        let is_wide = [&min, &max].iter().any(|bound| {
            bound.contains("740992") || bound.contains("775807") || bound.contains("775808")
        });
        let which = if is_wide { 3 } else { chance.below(5) };
        if matches!(which, 1 | 3 | 4) {
            put(members, "min", min);
        }
        if matches!(which, 2..=4) {
            put(members, "max", max);
        }
    }
    match data_type {
        "string" if chance.one_in(3) => rules(chance, members),
        "picklist" => picklist(chance, members),
        "attachment" | "image" => limits(chance, members, &["maxSize", "maxWidth", "maxHeight"]),
        "document" | "video" => limits(chance, members, &["maxSize"]),
        _ => {}
    }
}

fn maybe(chance: &mut Chance, items: &[&'static str]) -> Option<&'static str> {
    let is_there = !chance.one_in(3);
    is_there.then(|| chance.pick(items))
}

fn rules(chance: &mut Chance, members: &mut Members) {
    let rules: Vec<_> = RULES[chance.below(RULES.len())]
        .iter()
        .map(|rule| string(chance, rule))
        .collect();
    put(members, "validationRules", array(chance, &rules));
}

fn limits(chance: &mut Chance, members: &mut Members, keys: &[&str]) {
    for key in keys {
        if chance.one_in(2) {
            let limit = chance.pick(LIMITS).to_owned();
            put(members, key, limit);
        }
    }
}

fn picklist(chance: &mut Chance, members: &mut Members) {
    let is_static = !chance.one_in(3);
    let kind = if is_static { "static" } else { "dynamic" };
    put(members, "picklistType", string(chance, kind));
    if is_static || chance.one_in(8) {
        codes(chance, members);
    }
    if !is_static || chance.one_in(8) {
        let domain = ["domain-1", "domain-2", "no \"domain\""][chance.below(3)];
        put(members, "dataDomainId", string(chance, domain));
    }
}

fn codes(chance: &mut Chance, members: &mut Members) {
    let count = if chance.one_in(12) {
        300
    } else {
        chance.below(14)
    };
    let mut taken = HashSet::new();
    let mut entries = Vec::new();
    for index in 0..count {
        let mut code = chance.pick(NAMES).to_owned();
        if !taken.insert(code.clone()) {
            code = format!("{code}{index}");
            taken.insert(code.clone());
        }
        let mut entry = Members::new();
        put(&mut entry, "code", string(chance, &code));
        description(chance, &mut entry);
        unknown(chance, &mut entry);
        entries.push(object(chance, entry));
    }
    put(members, "staticPicklist", array(chance, &entries));
}

fn tags(chance: &mut Chance, members: &mut Members) {
    let count = chance.below(3);
    let mut tags = Vec::new();
    for index in 0..count {
        let mut tag = Members::new();
        put(&mut tag, "tagId", string(chance, &format!("tag-{index}")));
        let text = chance.pick(DESCRIPTIONS);
        put(&mut tag, "tagName", string(chance, text));
        unknown(chance, &mut tag);
        tags.push(object(chance, tag));
    }
    put(members, "classifiers", array(chance, &tags));
}

/// A setting that means nothing for the type: only a warning in a document from elsewhere.
fn foreign(chance: &mut Chance, data_type: &str, members: &mut Members) {
    let mut set = |key: &str, is_foreign: bool, json: String| {
        if is_foreign && members.iter().all(|(name, _)| name != key) {
            put(members, key, json);
        }
    };
    let has_bounds = !matches!(data_type, "boolean" | "picklist" | "phone" | "latlng");
    let has_bounds = has_bounds && !FILES.contains(&data_type);
    let is_dated = matches!(data_type, "date" | "datetime");
    let is_timed = matches!(data_type, "time" | "datetime");
    let is_file = FILES.contains(&data_type);
    let is_picklist = data_type == "picklist";
    match chance.below(10) {
        0 => set(
            "min",
            !has_bounds,
            ["5", "1.50", "\"x\""][chance.below(3)].to_owned(),
        ),
        1 => set(
            "max",
            !has_bounds,
            ["-1e5", "\"2020-01-01\""][chance.below(2)].to_owned(),
        ),
        2 => set("dateFormat", !is_dated, "\"YYMMDD\"".to_owned()),
        3 => set("dateSeparator", !is_dated, "\"/\"".to_owned()),
        4 => set("timeFormat", !is_timed, "\"hh:mm a\"".to_owned()),
        5 => set(
            "allowedBooleanValues",
            data_type != "boolean",
            "\"Y/N\"".to_owned(),
        ),
        6 => set(
            "maxSize",
            !is_file,
            ["1.50", "10"][chance.below(2)].to_owned(),
        ),
        7 => set(
            "maxWidth",
            matches!(data_type, "document" | "video"),
            "3.25".to_owned(),
        ),
        8 if !is_picklist => {
            set("picklistType", true, "\"static\"".to_owned());
            set("dataDomainId", true, "\"elsewhere\"".to_owned());
            codes(chance, members);
        }
        _ => set(
            "validationRules",
            data_type != "string",
            "[\"alphanumeric\"]".to_owned(),
        ),
    }
}
