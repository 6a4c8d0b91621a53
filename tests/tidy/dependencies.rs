//! What a crate that only uses generated types depends on is checked in; every dependency says why it
//! is there.

use super::sources::{packages, root, rust_files};
use std::collections::BTreeSet;
use std::fs;

fn cargo_tree(arguments: &[&str]) -> BTreeSet<String> {
    let output = tests::cargo::command()
        .current_dir(root())
        .args([
            "tree", "--edges", "normal", "--prefix", "none", "--format", "{p}", "--locked",
        ])
        .args(arguments)
        .output()
        .expect("cargo runs");
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let text = String::from_utf8(output.stdout).expect("cargo writes UTF-8");
    text.lines()
        .filter_map(|line| line.split(' ').next())
        .map(str::to_owned)
        .collect()
}

/// Compares what was found with a checked-in list.
fn compare(found: &BTreeSet<String>, list: &str) {
    let listed = fs::read_to_string(root().join("tests/tidy").join(list)).unwrap();
    let listed: BTreeSet<String> = listed.lines().map(str::to_owned).collect();
    let new: Vec<_> = found.difference(&listed).collect();
    let gone: Vec<_> = listed.difference(found).collect();
    assert!(
        new.is_empty() && gone.is_empty(),
        "new {new:?}, gone {gone:?}: mend {list} if it is meant"
    );
}

#[test]
fn a_crate_that_uses_generated_types_stays_light() {
    let found = cargo_tree(&["-p", "runtime"]);
    compare(&found, "light_dependencies.txt");
    for heavy in [
        "tokio",
        "async-std",
        "hyper",
        "axum",
        "reqwest",
        "rusqlite",
        "tokio-postgres",
    ] {
        assert!(!found.contains(heavy), "{heavy} is not light");
    }
}

#[test]
fn a_build_script_that_generates_stays_light() {
    let found = cargo_tree(&["-p", "generator", "--no-default-features"]);
    compare(&found, "build_script_dependencies.txt");
}

#[test]
fn no_other_crate_has_the_name_of_one_of_ours() {
    let lock = fs::read_to_string(root().join("Cargo.lock")).unwrap();
    for name in ["fieldstone", "generator", "macros", "runtime"] {
        let line = format!("name = \"{name}\"");
        let count = lock.lines().filter(|it| *it == line).count();
        assert_eq!(count, 1, "`cargo build -p {name}` is ambiguous");
    }
}

#[test]
fn every_dependency_says_why_it_is_there() {
    let mut silent = Vec::new();
    let manifests = packages()
        .into_iter()
        // written by .ci/feature_set
        .filter(|folder| folder != "runtime/workspace-hack")
        .map(|folder| format!("{folder}/Cargo.toml"))
        .chain(["Cargo.toml".to_owned()]);
    for manifest in manifests {
        let text = fs::read_to_string(root().join(&manifest)).unwrap();
        let mut in_dependencies = false;
        for line in text.lines() {
            if line.starts_with('[') {
                in_dependencies = line.contains("dependencies");
                continue;
            }
            // what is inherited says it in the workspace's manifest, and our own floors need no reason
            let inherited = line.contains("workspace = true") || line.contains("path =");
            if in_dependencies && line.contains('=') && !inherited && !line.contains('#') {
                silent.push(format!("{manifest}: {line}"));
            }
        }
    }
    assert!(silent.is_empty(), "say why:\n{}", silent.join("\n"));
}

#[test]
fn no_test_asks_cargo_as_one_of_another_package_for_which_much_is_compiled_anew() {
    let files = rust_files().into_iter();
    let asking = files.filter(|file| file.text.contains("\"CARGO\""));
    let asking: Vec<_> = asking.map(|file| file.path).collect();
    assert_eq!(asking, ["tests/support/cargo.rs"]);
}
