//! The examples at the head of each rule file, judged: what is told there of a value is what becomes of it.

use super::checker::Checker;
use super::lookups::{CodeLookup, FileFacts, Lookups};
use schema::{Origin, Schema};

/// The rule files with their texts.
macro_rules! files {
    ($($name:literal)*) => { [$(($name, include_str!(concat!("rule/", $name)))),*] };
}

const FILES: [(&str, &str); 13] = files! {
    "boolean.rs" "date.rs" "date_part.rs" "date_time.rs" "file.rs" "float.rs" "lat_lng.rs"
    "money.rs" "phone.rs" "picklist.rs" "text.rs" "time.rs" "whole.rs"
};

/// What the heads take for granted.
struct Given;

impl Lookups for Given {
    fn code(&self, domain_id: &str, code: &str) -> CodeLookup {
        match (domain_id, code) {
            ("currencies", "EUR") => CodeLookup::Known,
            ("currencies", _) => CodeLookup::Unknown,
            _ => CodeLookup::NoDomain,
        }
    }

    fn file(&self, reference: &str) -> Option<FileFacts> {
        let media_type = match reference {
            "logo" => "image/png",
            "film" => "video/mp4",
            _ => return None,
        };
        Some(FileFacts {
            id: reference.to_owned(),
            media_type: media_type.to_owned(),
            size: 800,
            ..FileFacts::default()
        })
    }
}

fn checker(settings: &str) -> Checker {
    let settings = settings.strip_prefix('{').expect("an object of settings");
    let document = format!(
        r#"{{"schemaId": "s", "name": "S", "businessAreaId": "a", "businessAreaName": "A", "createdDate": "",
        "fields": [{{"fieldId": "f", "name": "v", "active": true, "isPrimaryKey": false, "isSortKey": false,
        "isRequired": false, {settings}]}}"#
    );
    Checker::new(&Schema::read(&document, Origin::Created).unwrap().schema).unwrap()
}

/// What becomes of a value, in the words of the examples.
fn outcome(checker: &Checker, value: &str) -> String {
    let body = format!(r#"{{"v":{value}}}"#);
    let checked = checker.check_with(body.as_bytes(), Some(&Given)).unwrap();
    match checked.errors().as_slice() {
        [] => {
            let stored = checked.normal_form().strip_prefix(r#"{"v":"#).unwrap();
            format!("is stored as {}", stored.strip_suffix('}').unwrap())
        }
        [error] => error.errors.clone(),
        more => panic!("one field has one entry: {more:?}"),
    }
}

#[test]
fn every_rule_file_opens_with_examples_that_are_true() {
    for (name, text) in FILES {
        let head = text.lines().take_while(|line| line.starts_with("//!"));
        let block = head
            .map(|line| line["//!".len()..].trim())
            .skip_while(|line| *line != "```text")
            .skip(1)
            .take_while(|line| *line != "```");
        let (mut compiled, mut stored, mut refused) = (None, 0, 0);
        for line in block.filter(|line| !line.is_empty()) {
            if line.starts_with('{') {
                compiled = Some(checker(line));
                continue;
            }
            let (value, told) = line
                .split_once("  ")
                .expect("a value and what becomes of it");
            let checker = compiled.as_ref().expect("settings come first");
            assert_eq!(outcome(checker, value), told.trim(), "{name}: {value}");
            if told.trim().starts_with("is stored as ") {
                stored += 1;
            } else {
                refused += 1;
            }
        }
        assert!(stored > 0 && refused > 0, "{name} shows both ends");
    }
}

/// A rule file that is not in the list would escape the test above.
#[test]
fn every_rule_file_is_in_the_list() {
    let shared = ["calendar", "family", "plain", "scalar"];
    let rooms = include_str!("rule/mod.rs").lines();
    let rooms = rooms.filter_map(|line| line.strip_prefix("mod ")?.strip_suffix(';'));
    let rules: Vec<String> = rooms
        .filter(|room| !shared.contains(room))
        .map(|room| format!("{room}.rs"))
        .collect();
    assert_eq!(rules, FILES.map(|(name, _)| name));
}
