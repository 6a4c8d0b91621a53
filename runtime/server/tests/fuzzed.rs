//! The corpus of the fuzz target `requests`: every input that was worth keeping is withstood, and each route is asked.

#[path = "../fuzz/body.rs"]
mod body;
#[path = "../../schema/fuzz/replay.rs"]
mod replay;

use serde_json::Value;

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/fuzz/corpus/requests");

/// Every input.
fn inputs() -> impl Iterator<Item = Vec<u8>> {
    let entries = std::fs::read_dir(FOLDER).unwrap();
    entries.map(|entry| std::fs::read(entry.unwrap().path()).unwrap())
}

#[test]
fn every_request_of_the_corpus_is_answered() {
    replay::replay(FOLDER, body::withstand);
    let count = inputs().count();
    assert!(count > 200, "{count}");
}

/// The method and the path that an input asks, with names in place of ids.
fn asked(input: &[u8]) -> (String, String) {
    let line = input.split(|byte| *byte == b'\n').next();
    let line = String::from_utf8_lossy(line.unwrap_or_default());
    let mut words = line.split_whitespace();
    let method = words.next().unwrap_or_default().to_owned();
    let path = words.next().unwrap_or_default().split('?').next();
    let place = "/v1/businessareas/{area}/schemas/{schema}/datasets/{dataset}";
    let path = path.unwrap_or_default().replace("{place}", place);
    let records = format!("{place}/dataobjects");
    (method, path.replace("{records}", &records))
}

/// Whether a path is one that a route of this pattern answers.
fn is_of(path: &str, pattern: &str) -> bool {
    let (own, meant) = (path.split('/'), pattern.split('/'));
    let is_alike = |(own, meant): (&str, &str)| {
        own == meant || (meant.starts_with('{') && meant.ends_with('}') && !own.is_empty())
    };
    own.clone().count() == meant.clone().count() && own.zip(meant).all(is_alike)
}

/// A route that no input asks is one whose reader nobody fuzzes.
#[test]
fn every_route_of_both_interfaces_is_asked_by_an_input() {
    let document: Value = serde_json::from_str(server::document()).unwrap();
    let asked: Vec<_> = inputs().map(|bytes| asked(&bytes)).collect();
    let (mut count, mut silent) = (0, Vec::new());
    for (pattern, operations) in document["paths"].as_object().unwrap() {
        for method in operations.as_object().unwrap().keys() {
            let method = method.to_uppercase();
            count += 1;
            let is_asked = |(own, path): &(String, String)| *own == method && is_of(path, pattern);
            if !asked.iter().any(is_asked) {
                silent.push(format!("{method} {pattern}"));
            }
        }
    }
    assert!(count > 100, "{count} routes are known");
    assert!(silent.is_empty(), "no input asks\n{}", silent.join("\n"));
}
