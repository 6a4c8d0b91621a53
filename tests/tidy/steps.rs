//! Steps of the tables stay as they were published: a store that has had one never has it again, so what is changed in it
//! comes to new stores alone, and from then on old ones have other tables. What each says is known by its digest, as
//! `sha256sum runtime/store/*/migrations/*.sql` tells it, in `steps_known.txt`.

use crate::sources::root;
use sha2::{Digest as _, Sha256};
use std::collections::BTreeMap;
use std::fs;

const LIST: &str = "tests/tidy/steps_known.txt";

/// The steps of both engines by their paths, each with its digest.
fn found() -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    for engine in ["postgres", "sqlite"] {
        let folder = format!("runtime/store/{engine}/migrations");
        let files = fs::read_dir(root().join(&folder)).expect("steps");
        for file in files.flatten() {
            let name = file.file_name().into_string().expect("a name in UTF-8");
            let text = fs::read(file.path()).expect("a step");
            found.insert(format!("{folder}/{name}"), digest(&text));
        }
    }
    found
}

fn digest(bytes: &[u8]) -> String {
    let digits = Sha256::digest(bytes).into_iter();
    let digits: Vec<String> = digits.map(|byte| format!("{byte:02x}")).collect();
    digits.concat()
}

/// The same of a list.
fn listed(list: &str) -> BTreeMap<String, String> {
    let lines = list.lines().filter_map(|line| line.split_once("  "));
    lines
        .map(|(digest, path)| (path.to_owned(), digest.to_owned()))
        .collect()
}

/// What differs from the list, and what is to be done.
fn differences(found: &BTreeMap<String, String>, listed: &BTreeMap<String, String>) -> Vec<String> {
    let mut told = Vec::new();
    for (path, digest) in found {
        match listed.get(path) {
            Some(known) if known == digest => {}
            Some(_) => told.push(format!(
                "{path} was changed: take that back, and make a step behind the newest one"
            )),
            None => told.push(format!("{path} is new: add `{digest}  {path}` to {LIST}")),
        }
    }
    let gone = listed.keys().filter(|path| !found.contains_key(*path));
    told.extend(gone.map(|path| format!("{path} is gone: bring it back")));
    told
}

#[test]
fn steps_of_the_tables_stay_as_they_were_published() {
    let list = fs::read_to_string(root().join(LIST)).expect("a list");
    let found = found();
    assert!(found.len() >= 2, "a step of each engine: {}", found.len());
    let told = differences(&found, &listed(&list));
    assert!(told.is_empty(), "{}", told.join("\n"));
}

#[test]
fn a_step_that_is_changed_new_or_gone_is_told() {
    // as `sha256sum` tells it of an empty file
    let empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
    let list = format!("{empty}  same\n{empty}  changed\n{empty}  gone\n");
    let found = [("same", ""), ("changed", " "), ("new", "")];
    let found = found.map(|(path, text)| (path.to_owned(), digest(text.as_bytes())));
    let told = differences(&BTreeMap::from(found), &listed(&list));
    let words = ["changed was changed", "new is new", "gone is gone"];
    assert_eq!(told.len(), words.len(), "{told:?}");
    for (told, words) in told.iter().zip(words) {
        assert!(told.contains(words), "{told}");
    }
}
