//! The lock: identifiers stay what they were, whatever becomes of a schema; moving one; what is stale.

mod support;

use ::schema::json::{Member, Node, Value, parse};
use generator::{Config, Error, Input, Lock, generate_locked};
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use support::{command, field, members, names, picklist, run, schema, text};

/// The version of a schema.
fn version(document: &str, version: u32) -> String {
    document.replacen("\"version\":1", &format!("\"version\":{version}"), 1)
}

/// Generates the types of one schema with a lock; yields the code and the next lock.
#[track_caller]
fn step(document: &str, lock: &Lock, relock: &[&str]) -> (String, Lock) {
    let mut config = Config::new().lock(lock.clone());
    for field in relock {
        config = config.relock(field);
    }
    let inputs = [Input::new("test.json", document)];
    let locked = generate_locked(&inputs, &config).unwrap();
    let code = locked
        .files
        .iter()
        .find(|file| file.path != "mod.rs")
        .unwrap();
    syn::parse_file(&code.text).unwrap_or_else(|error| panic!("{error}\n{}", code.text));
    (code.text.clone(), locked.lock)
}

#[test]
fn a_new_field_of_the_same_name_renames_nobody_and_a_new_display_name_keeps_the_identifier() {
    let first = [field("f1", "Post Code", "string", "")];
    let document = schema("s1", "Address", &first);
    let (_, lock) = step(&document, &Lock::new(), &[]);
    let two = [
        field("f2", "Post-Code", "string", ""),
        field("f1", "Post Code", "string", ""),
    ];
    let document = schema("s1", "Address", &two);
    let (unlocked, _) = step(&document, &Lock::new(), &[]);
    assert!(!unlocked.contains("pub post_code:"), "{unlocked}");
    let (code, lock) = step(&document, &lock, &[]);
    assert!(
        code.contains("id = \"f1\", description = false)]\n    pub post_code:"),
        "{code}"
    );
    assert!(
        code.contains("id = \"f2\", description = false)]\n    pub post_code_"),
        "{code}"
    );
    // a display name changes, of the schema too
    let renamed = document
        .replace("\"Post Code\"", "\"ZIP\"")
        .replace("\"Address\"", "\"Place\"");
    let (code, lock) = step(&renamed, &lock, &[]);
    assert!(code.contains("pub struct Address {"), "{code}");
    assert!(
        code.contains(
            "#[field(name = \"ZIP\", id = \"f1\", description = false)]\n    pub post_code:"
        ),
        "{code}"
    );
    // what is gone keeps its name, and has it again when it is back
    let gone = [field("f3", "Post Code", "string", "")];
    let (code, lock) = step(&schema("s1", "Address", &gone), &lock, &[]);
    assert!(!code.contains("pub post_code:"), "{code}");
    let (code, _) = step(&document, &lock, &[]);
    assert!(
        code.contains("id = \"f1\", description = false)]\n    pub post_code:"),
        "{code}"
    );
}

#[test]
fn a_moved_field_leaves_a_deprecated_accessor_until_the_next_version() {
    let old = [
        field("f1", "Post Code", "string", ""),
        picklist("f2", "Kind", &["a", "b"]),
    ];
    let (_, lock) = step(&schema("s1", "Address", &old), &Lock::new(), &[]);
    let new = [
        field("f1", "ZIP", "string", ""),
        picklist("f2", "Sort", &["b", "a", "c"]),
    ];
    let document = schema("s1", "Address", &new);
    let (code, lock) = step(&document, &lock, &["Address.ZIP", "f2"]);
    for line in [
        "    pub zip: Option<String>,",
        "    #[deprecated(note = \"renamed to `zip`\")]",
        "    pub fn post_code(&self) -> &Option<String> {",
        "        &self.zip",
        "    pub sort: Option<AddressSort>,",
        "#[deprecated(note = \"renamed to `AddressSort`\")]",
        "pub type AddressKind = AddressSort;",
    ] {
        assert!(code.lines().any(|other| other == line), "{line}\n{code}");
    }
    let (again, lock) = step(&document, &lock, &[]);
    assert_eq!(code, again);
    let (later, lock) = step(&version(&document, 2), &lock, &[]);
    assert!(!later.contains("deprecated"), "{later}");
    assert!(later.contains("pub zip:"));
    assert!(!lock.to_string().contains("post_code"));
    // moving what has its own name already changes nothing
    let (same, _) = step(&version(&document, 2), &lock, &["ZIP"]);
    assert_eq!(same, later);
}

#[test]
fn a_field_to_move_that_is_not_there_or_not_one_is_told() {
    let fields = [field("f1", "Name", "string", "")];
    let inputs = [
        Input::new("a.json", schema("s1", "A", &fields)),
        Input::new("b.json", schema("s2", "B", &fields)),
    ];
    let lock = generate_locked(&inputs, &Config::new()).unwrap().lock;
    for (told, expected) in [
        ("Nmae", "there is no such active field"),
        ("Name", "\"A\" and \"B\" both have such a field"),
    ] {
        let config = Config::new().lock(lock.clone()).relock(told);
        let error = generate_locked(&inputs, &config).err().unwrap().to_string();
        assert!(error.contains(expected), "{error}");
    }
    let config = Config::new().relock("A.Name");
    let error = generate_locked(&inputs, &config).err().unwrap().to_string();
    assert!(error.contains("the field is not locked"), "{error}");
}

#[test]
fn a_lock_that_was_merged_badly_is_refused_with_every_place() {
    let two = "{\"schemas\":{\n\"s1\":{\"module\":\"a\",\"record\":\"A\",\"fields\":{\n\"f1\":{\"name\":\"x y\"},\n\"f2\":{\"name\":\"b\"},\n\"f3\":{\"name\":\"b\",\"nmae\":1}\n}}\n}}";
    let Err(Error::Config(mistakes)) = Lock::read("names.lock", two) else {
        panic!("it was accepted")
    };
    let told: Vec<_> = mistakes.iter().map(|m| m.message.as_str()).collect();
    assert_eq!(
        told,
        [
            "names.lock:3: \"x y\" is no identifier",
            "names.lock:5: \"nmae\" means nothing here",
            "names.lock:2: two fields are called `b`",
        ]
    );
    let conflict = "<<<<<<< ours\n{}";
    let error = Lock::read("names.lock", conflict).unwrap_err().to_string();
    assert!(error.contains("names.lock:1: this is not JSON"), "{error}");
}

#[test]
fn a_stale_lock_fails_the_check_and_a_build_script_reads_it_and_never_writes() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let document = schema("s1", "Address", &[field("f1", "Post Code", "string", "")]);
    fs::write(path("a.json"), &document).unwrap();
    let arguments = ["a.json", "--out", "gen", "--lock", "names.lock"];
    let check = [&arguments[..], &["--check"]].concat();
    let first = run(&arguments, folder.path());
    assert_eq!(first.status.code(), Some(0), "{}", text(&first.stderr));
    assert!(text(&first.stderr).ends_with("wrote names.lock\n"));
    assert_eq!(run(&check, folder.path()).status.code(), Some(0));
    let lock = fs::read_to_string(path("names.lock")).unwrap();
    // git on Windows
    fs::write(path("names.lock"), lock.replace('\n', "\r\n")).unwrap();
    assert_eq!(run(&check, folder.path()).status.code(), Some(0));
    let more = schema(
        "s1",
        "Address",
        &[
            field("f0", "Post-Code", "string", ""),
            field("f1", "Post Code", "string", ""),
        ],
    );
    fs::write(path("a.json"), more).unwrap();
    let stale = run(&check, folder.path());
    assert_eq!(stale.status.code(), Some(1));
    assert!(text(&stale.stdout).contains("+\"f0\":{\"name\":\"post_code_"));
    let out = path("out");
    let config = Config::new()
        .schemas(path("a.json"))
        .out_dir(&out)
        .lock_file(path("names.lock"));
    config.generate().unwrap();
    let code = fs::read_to_string(out.join("address.rs")).unwrap();
    assert!(
        code.contains("id = \"f1\", description = false)]\n    pub post_code:"),
        "{code}"
    );
    assert_eq!(
        fs::read_to_string(path("names.lock")).unwrap(),
        lock.replace('\n', "\r\n")
    );
    assert_eq!(run(&arguments, folder.path()).status.code(), Some(0));
    assert_eq!(run(&check, folder.path()).status.code(), Some(0));
}

#[test]
fn runs_at_the_same_time_lose_no_name_of_a_lock_that_they_share() {
    let folder = tempfile::tempdir().unwrap();
    let runs: Vec<_> = (0..8)
        .map(|n| {
            let file = format!("{n}.json");
            let fields = [field("f1", "Size", "integer", "")];
            let document = schema(&format!("s{n}"), &format!("Thing {n}"), &fields);
            fs::write(folder.path().join(&file), document).unwrap();
            let out = format!("gen{n}");
            let arguments = [&file, "--out", &out, "--lock", "names.lock", "--quiet"];
            command(&arguments, folder.path()).spawn().unwrap()
        })
        .collect();
    for mut run in runs {
        assert_eq!(run.wait().unwrap().code(), Some(0));
    }
    let lock = fs::read_to_string(folder.path().join("names.lock")).unwrap();
    assert_eq!(lock.matches("\"record\"").count(), 8, "{lock}");
    assert_eq!(names(folder.path()).len(), 17);
}

fn object<'n>(node: &Node<'n>) -> Vec<Member<'n>> {
    match node.value.clone() {
        Value::Object(members) => members,
        _ => Vec::new(),
    }
}

/// Every identifier of a lock, by what has it.
fn identifiers(lock: &Lock) -> BTreeMap<String, String> {
    let text = lock.to_string();
    let root = parse(&text).unwrap();
    let mut all = BTreeMap::new();
    let said = |node: &Node<'_>| match &node.value {
        Value::String(text) => text.to_string(),
        other => panic!("{other:?}"),
    };
    for schema in object(root.get("schemas").unwrap()) {
        for key in ["module", "record"] {
            let name = said(schema.value.get(key).unwrap());
            all.insert(format!("{} {key}", schema.key), name);
        }
        for field in object(schema.value.get("fields").unwrap()) {
            for part in object(&field.value) {
                let place = format!("{} {} {}", schema.key, field.key, part.key);
                for code in object(&part.value) {
                    all.insert(format!("{place} {}", code.key), said(&code.value));
                }
                if let Value::String(name) = &part.value.value {
                    all.insert(place, name.to_string());
                }
            }
        }
    }
    all
}

/// Display names that fold into one another, and some that are no words.
const NAMES: &[&str] = &[
    "Post Code",
    "Post-Code",
    "post_code",
    "PostCode",
    "POST CODE",
    "Post Code 2",
    "self",
    "Self",
    "type",
    "Type",
    "1",
    "2nd",
    "-",
    "+",
    "Größe",
    "Grosse",
    "名前",
    "Kind",
    "Post",
    "Code",
    "Vec",
    "Option",
    "get",
];
const CODES: &[&str] = &["a", "A", "ä", "Ok", "Some", "1", "-", "a b", "A-B", "self"];

/// A field of the model.
#[derive(Clone, Debug)]
struct ModelField {
    name: usize,
    codes: Option<Vec<usize>>,
    active: bool,
    there: bool,
}

#[derive(Clone, Debug)]
enum Change {
    Add(usize, Option<Vec<usize>>),
    Rename(usize, usize),
    Remove(usize),
    Return(usize),
    Deactivate(usize),
    Codes(usize, Vec<usize>),
    Reverse,
    RenameSchema(usize),
}

fn change() -> impl Strategy<Value = Change> {
    let name = 0..NAMES.len();
    let codes = || prop::collection::vec(0..CODES.len(), 1..5);
    let at = || 0..12_usize;
    prop_oneof![
        4 => (name.clone(), prop::option::of(codes())).prop_map(|(name, codes)| Change::Add(name, codes)),
        2 => (at(), name.clone()).prop_map(|(at, name)| Change::Rename(at, name)),
        2 => at().prop_map(Change::Remove),
        2 => at().prop_map(Change::Return),
        1 => at().prop_map(Change::Deactivate),
        2 => (at(), codes()).prop_map(|(at, codes)| Change::Codes(at, codes)),
        1 => Just(Change::Reverse),
        1 => name.prop_map(Change::RenameSchema),
    ]
}

/// The schema as a document; names that stand twice are told apart as a service would have it.
fn document(fields: &[ModelField], order: bool, schema_name: usize) -> String {
    let mut seen = BTreeSet::new();
    let mut all: Vec<_> = fields
        .iter()
        .enumerate()
        .filter(|(_, field)| field.there)
        .map(|(at, model)| {
            let mut name = NAMES[model.name].to_owned();
            while model.active && !seen.insert(name.clone()) {
                name.push('.');
            }
            let id = format!("f{at}");
            let text = match &model.codes {
                None => field(&id, &name, "string", ""),
                Some(codes) => {
                    let codes: BTreeSet<&str> = codes.iter().map(|code| CODES[*code]).collect();
                    picklist(&id, &name, &codes.into_iter().collect::<Vec<_>>())
                }
            };
            let active = format!("\"active\":{}", model.active);
            text.replacen("\"active\":true", &active, 1)
        })
        .collect();
    if order {
        all.reverse();
    }
    schema("s1", NAMES[schema_name], &all)
}

fn apply(change: &Change, fields: &mut Vec<ModelField>, order: &mut bool, schema_name: &mut usize) {
    let count = fields.len().max(1);
    let mut at = |at: &usize, act: &dyn Fn(&mut ModelField)| {
        if let Some(field) = fields.get_mut(at % count) {
            act(field);
        }
    };
    match change {
        Change::Add(name, codes) => fields.push(ModelField {
            name: *name,
            codes: codes.clone(),
            active: true,
            there: true,
        }),
        Change::Rename(place, name) => at(place, &|field| field.name = *name),
        Change::Remove(place) => at(place, &|field| field.there = false),
        Change::Return(place) => at(place, &|field| (field.there, field.active) = (true, true)),
        Change::Deactivate(place) => at(place, &|field| field.active = false),
        Change::Codes(place, codes) => at(place, &|field| {
            if field.codes.is_some() {
                field.codes = Some(codes.clone());
            }
        }),
        Change::Reverse => *order = !*order,
        Change::RenameSchema(name) => *schema_name = *name,
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn no_sequence_of_schema_changes_moves_an_identifier_and_no_two_are_equal(
        changes in prop::collection::vec(change(), 1..24),
    ) {
        let (mut fields, mut order, mut schema_name) = (Vec::new(), false, 0);
        let mut lock = Lock::new();
        for change in &changes {
            apply(change, &mut fields, &mut order, &mut schema_name);
            let before = identifiers(&lock);
            let (code, next) = step(&document(&fields, order, schema_name), &lock, &[]);
            let after = identifiers(&next);
            for (place, name) in &before {
                prop_assert_eq!(after.get(place), Some(name), "{} after {:?}", place, change);
            }
            let file = generator::File { path: String::new(), text: code, notes: Vec::new(), warnings: Vec::new() };
            let found = members(&file);
            let types: BTreeSet<_> = found.iter().map(|(name, _)| name).collect();
            prop_assert_eq!(types.len(), found.len());
            for (name, members) in &found {
                let distinct: BTreeSet<_> = members.iter().collect();
                prop_assert_eq!(distinct.len(), members.len(), "{}", name);
            }
            // the text is the lock
            lock = Lock::read("lock", &next.to_string()).unwrap();
            prop_assert_eq!(&lock, &next);
        }
    }
}
