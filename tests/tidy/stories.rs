//! A test that an engine cannot run counts as ignored there, with a reason. One that returned early would count as passed,
//! and so would one that opens a folder on a database. The store's tests run on both engines.

use super::sources::{root, rust_files};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;

/// What a story asks to learn which engine it has.
const ASKED: &str = "is_database() {";

/// The suites that are told once more on a database.
const SUITES: [&str; 5] = ["api", "admin", "search", "client", "files"];
/// What is in a folder, on whichever engine a story is told.
const OF_A_FOLDER: [&str; 3] = ["SqliteSearch::open", "SqliteStore::open", "Embedded::open"];

/// The lines that open what is in a folder, in functions that are neither ignored on a database nor have asked which
/// engine it is.
fn in_folders(text: &str) -> Vec<usize> {
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    let is_function = |line: &&str| line.contains("fn ") && line.contains('(');
    let mut found = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        let opens = OF_A_FOLDER.iter().any(|open| line.contains(open));
        if !opens || line.starts_with("//") {
            continue;
        }
        let begin = lines[..at].iter().rposition(is_function).unwrap_or(0);
        let before = lines[..begin].iter().rev();
        let mut attributes = before.take_while(|line| !line.is_empty() && **line != "}");
        let is_ignored = attributes.any(|line| line.contains("on_a_database"));
        let has_asked = lines[begin..at].iter().any(|line| line.ends_with(ASKED));
        if !is_ignored && !has_asked {
            found.push(at + 1);
        }
    }
    found
}

#[test]
fn no_story_that_is_counted_on_a_database_is_told_of_a_folder() {
    let of_suites = |path: &str| {
        let suite = path
            .strip_prefix("tests/")
            .and_then(|it| it.split_once('/'));
        suite.is_some_and(|(suite, _)| SUITES.contains(&suite))
    };
    let files = rust_files()
        .into_iter()
        .filter(|file| of_suites(&file.path));
    let mut opened = 0;
    let mut wrong = Vec::new();
    for file in files {
        opened += usize::from(OF_A_FOLDER.iter().any(|open| file.text.contains(open)));
        let lines = in_folders(&file.text).into_iter();
        wrong.extend(lines.map(|line| format!("{}:{line}", file.path)));
    }
    assert!(opened > 0, "stories of a folder are found");
    assert!(
        wrong.is_empty(),
        "take the engine of the suite, or give these `#[cfg_attr(on_a_database, ignore = \"…\")]`:\n{}",
        wrong.join("\n")
    );
}

#[test]
fn a_story_of_a_folder_is_told_unless_it_is_ignored_or_has_asked() {
    let open = "    let store = SqliteStore::open(folder);\n}\n";
    let plain = format!("#[test]\nfn a_story() {{\n{open}");
    assert_eq!(in_folders(&plain), [3]);
    let gate = "#[cfg_attr(\n    on_a_database,\n    ignore = \"a file\"\n)]\n";
    assert!(in_folders(&format!("#[test]\n{gate}fn a_story() {{\n{open}")).is_empty());
    // that of the story before does not count
    assert_eq!(
        in_folders(&format!("{gate}fn one() {{\n}}\n\n{plain}")),
        [10]
    );
    let asked = "    if tests::engine::is_database() {\n        check();\n        return;\n    }\n";
    assert!(in_folders(&format!("fn a_story() {{\n{asked}{open}")).is_empty());
}

#[test]
fn no_story_passes_on_an_engine_that_it_is_not_told_on() {
    let (mut asked, mut silent) = (0, Vec::new());
    for file in rust_files() {
        let lines: Vec<&str> = file.text.lines().map(str::trim).collect();
        for (at, line) in lines.iter().enumerate() {
            if !line.ends_with(ASKED) {
                continue;
            }
            asked += 1;
            let mut behind = lines[at + 1..].iter();
            if behind.find(|line| !line.starts_with("//")) == Some(&"return;") {
                silent.push(format!("{}:{}", file.path, at + 1));
            }
        }
    }
    assert!(asked > 0, "stories ask for their engine");
    assert!(
        silent.is_empty(),
        "give these `#[cfg_attr(on_a_database, ignore = \"…\")]` in place of a return:\n{}",
        silent.join("\n")
    );
}

/// Modules of the store's tests that run on SQLite alone.
const OF_SQLITE: [&str; 1] = ["sqlite"];
/// What each engine has of its own, under one name.
const OF_EACH: [&str; 1] = ["engines"];

fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|_| panic!("no {path}"))
}

/// The rooms that a suite's root names, and the files that some of them are in.
fn rooms(source: &str) -> BTreeMap<String, Option<String>> {
    let file = syn::parse_file(source).expect("Rust");
    let rooms = file.items.into_iter().filter_map(|item| match item {
        syn::Item::Mod(room) => Some(room),
        _ => None,
    });
    let path_of = |room: &syn::ItemMod| {
        let mut values = room.attrs.iter().filter_map(|it| match &it.meta {
            syn::Meta::NameValue(pair) if pair.path.is_ident("path") => Some(&pair.value),
            _ => None,
        });
        match values.next() {
            Some(syn::Expr::Lit(value)) => match &value.lit {
                syn::Lit::Str(path) => Some(path.value()),
                _ => None,
            },
            _ => None,
        }
    };
    rooms
        .map(|room| (room.ident.to_string(), path_of(&room)))
        .collect()
}

#[test]
fn every_room_of_the_stores_stories_is_told_on_both_engines() {
    let of_folder = rooms(&read("tests/store/main.rs"));
    let of_database = rooms(&read("tests/store/postgres/main.rs"));
    assert!(of_folder.len() > 20, "the rooms are found: {of_folder:?}");
    let missing = of_folder.keys().filter(|room| {
        let same = Some(format!("../{room}.rs"));
        let is_told = of_database.get(*room) == Some(&same);
        !is_told && !OF_SQLITE.contains(&room.as_str()) && !OF_EACH.contains(&room.as_str())
    });
    let missing: Vec<_> = missing.collect();
    assert!(
        missing.is_empty(),
        "name these in tests/store/postgres/main.rs: {missing:?}"
    );
}

#[test]
fn citus_is_told_each_suite_and_the_stories_that_it_is_not_told_are_there() {
    let script = read(".ci/citus/run");
    let mut lines = script.lines();
    let told = lines.find_map(|line| line.split_once("suites=(store_postgres "));
    let (_, told) = told.expect("the suites");
    let told: BTreeSet<&str> = told.split([' ', ')']).collect();
    for suite in SUITES {
        assert!(told.contains(suite), "{suite}");
    }
    let files = rust_files();
    let left_out = lines.filter_map(|line| line.trim().strip_prefix("--skip "));
    let left_out: Vec<&str> = left_out.collect();
    assert!(!left_out.is_empty(), "they are found");
    for name in left_out {
        let (room, story) = name.split_once("::").expect("a room and a story");
        let places = ["", "postgres/"].map(|within| format!("tests/store/{within}{room}.rs"));
        let story = format!("fn {story}()");
        let is_there = files
            .iter()
            .any(|file| places.contains(&file.path) && file.text.contains(&story));
        assert!(is_there, "{name}");
    }
}
