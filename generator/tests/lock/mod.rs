//! The lock: identifiers stay what they were, whatever becomes of a schema; moving one; what is stale.

mod law;

use crate::support::{command, field, names, picklist, run, schema, text};
use generator::{Cause, Config, Error, Input, Lock, generate_locked};
use std::fs;

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
    let before = lock.clone();
    let (code, lock) = step(&schema("s1", "Address", &gone), &lock, &[]);
    assert!(!code.contains("pub post_code:"), "{code}");
    let (code, _) = step(&document, &lock, &[]);
    assert!(
        code.contains("id = \"f1\", description = false)]\n    pub post_code:"),
        "{code}"
    );
    // unless it is given to the one that came in its place
    let document = schema("s1", "Address", &gone);
    let config = Config::new().lock(before);
    let files = generate_locked(&[Input::new("test.json", document.clone())], &config);
    let files = files.unwrap().files;
    let mut notes = files.iter().flat_map(|file| &file.notes);
    let note = notes.find(|note| note.display == "Post Code").unwrap();
    assert_eq!(note.causes, [Cause::Kept], "{note:?}");
    let (code, lock) = step(&document, &lock, &["Post Code"]);
    assert!(
        code.contains("id = \"f3\", description = false)]\n    pub post_code:"),
        "{code}"
    );
    assert!(
        code.contains("#[deprecated(note = \"renamed to `post_code`\")]"),
        "{code}"
    );
    assert!(!lock.to_string().contains("\"f1\""), "{lock}");
    // which others that are gone keep
    assert!(lock.to_string().contains("\"f2\""), "{lock}");
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
    // and some of its editors
    fs::write(path("names.lock"), format!("\u{feff}{lock}")).unwrap();
    assert_eq!(run(&check, folder.path()).status.code(), Some(0));
    fs::write(path("names.lock"), lock.replace('\n', "\r\n")).unwrap();
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
fn a_lock_file_that_is_not_there_is_no_stale_one_for_a_build_script() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let document = schema("s1", "Address", &[field("f1", "Post Code", "string", "")]);
    fs::write(path("a.json"), &document).unwrap();
    let config = Config::new().schemas(path("a.json")).out_dir(path("out"));
    let error = config.lock_file(path("n.lock")).generate().unwrap_err();
    let expected = format!("there is no lock file {}", path("n.lock").display());
    assert!(error.to_string().contains(&expected), "{error}");
    assert!(!path("out").exists());
}

#[test]
#[cfg(unix)]
fn a_lock_that_is_a_link_stays_one() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let document = schema("s1", "Address", &[field("f1", "Post Code", "string", "")]);
    fs::write(path("a.json"), &document).unwrap();
    fs::create_dir(path("shared")).unwrap();
    let arguments = ["a.json", "--out", "gen", "--lock", "shared/names.lock"];
    assert_eq!(run(&arguments, folder.path()).status.code(), Some(0));
    std::os::unix::fs::symlink("shared/names.lock", path("names.lock")).unwrap();
    fs::write(path("a.json"), document.replace("f1", "f2")).unwrap();
    let arguments = ["a.json", "--out", "gen", "--lock", "names.lock"];
    let output = run(&arguments, folder.path());
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert!(text(&output.stderr).ends_with("wrote names.lock\n"));
    assert!(path("names.lock").is_symlink());
    let lock = fs::read_to_string(path("shared/names.lock")).unwrap();
    assert!(lock.contains("\"f2\""), "{lock}");
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

#[test]
fn a_name_that_the_command_line_gives_is_kept_by_the_lock_and_noted_once() {
    let folder = tempfile::tempdir().unwrap();
    let size = [field("f1", "Größe", "string", "")];
    fs::write(folder.path().join("a.json"), schema("s1", "Möbel", &size)).unwrap();
    let first = run(
        &[
            "a.json",
            "--out",
            "out",
            "--lock",
            "names.lock",
            "--rename",
            "Möbel.Größe=size",
        ],
        folder.path(),
    );
    assert!(first.status.success(), "{}", text(&first.stderr));
    assert!(
        text(&first.stderr).contains("is named `Moebel`"),
        "{}",
        text(&first.stderr)
    );
    let arguments = ["a.json", "--out", "out", "--lock", "names.lock"];
    let again = run(&arguments, folder.path());
    assert_eq!(text(&again.stderr), "");
    let code = fs::read_to_string(folder.path().join("out/moebel.rs")).unwrap();
    assert!(code.contains("pub size:"), "{code}");
    // what the lock keeps is not noted either where the files are new, or another name is
    fs::remove_dir_all(folder.path().join("out")).unwrap();
    let lost = run(&arguments, folder.path());
    assert!(
        !text(&lost.stderr).contains("note:"),
        "{}",
        text(&lost.stderr)
    );
    let two = [
        field("f1", "Größe", "string", ""),
        field("f2", "Länge", "string", ""),
    ];
    fs::write(folder.path().join("a.json"), schema("s1", "Möbel", &two)).unwrap();
    let check = [&arguments[..], &["--check"]].concat();
    let told = text(&run(&check, folder.path()).stderr);
    assert_eq!(told.matches("note:").count(), 1, "{told}");
    assert!(told.contains("\"Länge\" is named `laenge`"), "{told}");
    let wrong = run(&["a.json", "--rename", "size"], folder.path());
    assert_eq!(wrong.status.code(), Some(2));
    assert!(text(&wrong.stderr).contains("write it as Schema.Field=name"));
}
