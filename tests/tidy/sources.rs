//! The hand-written Rust files of the workspace.

use std::fs;
use std::path::{Path, PathBuf};

/// One file, with its path from the workspace's root.
pub(crate) struct Source {
    pub(crate) path: String,
    pub(crate) text: String,
}

pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The folders of the workspace's packages, from its root.
pub(crate) fn packages() -> Vec<String> {
    let manifest = fs::read_to_string(root().join("Cargo.toml")).expect("a manifest");
    let members = manifest.split_once("members = [").expect("members").1;
    let members = members.split_once(']').expect("their end").0;
    let names = members.split('"').skip(1).step_by(2);
    let names: Vec<String> = names.map(str::to_owned).collect();
    assert!(names.len() > 5, "the workspace has packages");
    names
}

/// Every hand-written Rust file.
pub(crate) fn rust_files() -> Vec<Source> {
    let mut files = Vec::new();
    for folder in ["generator", "macros", "runtime", "tests"] {
        walk(&root().join(folder), folder, &mut files);
    }
    assert!(files.len() > 40, "the walk finds the workspace");
    files
}

fn walk(folder: &Path, shown: &str, files: &mut Vec<Source>) {
    let mut entries: Vec<_> = fs::read_dir(folder).expect("a folder").flatten().collect();
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let name = entry.file_name().into_string().expect("a name in UTF-8");
        let path = format!("{shown}/{name}");
        // trybuild's cases are mistakes on purpose
        if entry.path().is_dir()
            && !["target", "fail", "pass", "snapshots"].contains(&name.as_str())
        {
            walk(&entry.path(), &path, files);
        } else if entry
            .path()
            .extension()
            .is_some_and(|ending| ending == "rs")
        {
            let text = fs::read_to_string(entry.path()).expect("a readable file");
            files.push(Source { path, text });
        }
    }
}
