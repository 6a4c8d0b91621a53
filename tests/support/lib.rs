//! What the test binaries share: where the fixtures are, how their frames are read, dice, a way to damage a
//! store, and the log. It judges nothing.

pub mod conformance;
pub mod damage;
pub mod dice;
pub mod log;

use std::fs;
use std::path::{Path, PathBuf};

/// The folder of fixtures.
pub fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures")
}

/// The text of a fixture.
///
/// # Panics
/// When it can't be read: a test without its fixture has failed.
pub fn fixture(path: &str) -> String {
    let path = fixtures().join(path);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The names of the files directly in a folder of fixtures that end in `ending`, sorted.
///
/// # Panics
/// When the folder can't be read or is empty.
pub fn fixture_names(folder: &str, ending: &str) -> Vec<String> {
    let entries = fs::read_dir(fixtures().join(folder)).expect("the folder of fixtures");
    let names = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    let mut names: Vec<String> = names.filter(|name| name.ends_with(ending)).collect();
    names.sort();
    assert!(!names.is_empty(), "{folder} has fixtures");
    names
}

/// The README's Rust, run as documentation tests.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
pub struct Readme;
