//! No cargo feature changes a verdict. `.ci/features` runs this with none, with the default ones, with each alone that
//! changes the crates that judge, and with all; whichever are on, every case has its exact outcome, and both doors say the same.

mod cases;
#[allow(
    dead_code,
    unreachable_pub,
    reason = "it belongs to another package's library"
)]
#[rustfmt::skip] // its own package lays it out
#[path = "../../support/conformance.rs"]
mod conformance;
#[cfg(feature = "derive")]
mod serde_door;

use std::fs;
use std::path::{Path, PathBuf};

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures")
}

fn fixture(path: &str) -> String {
    let path = fixtures().join(path);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn fixture_names(folder: &str, ending: &str) -> Vec<String> {
    let entries = fs::read_dir(fixtures().join(folder)).expect("the folder of fixtures");
    let names = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    names.filter(|name| name.ends_with(ending)).collect()
}

/// The features that are on, for the text of a failure.
fn features() -> String {
    let known = [
        ("derive", cfg!(feature = "derive")),
        ("rusqlite", cfg!(feature = "rusqlite")),
        ("schemars", cfg!(feature = "schemars")),
        ("sqlx", cfg!(feature = "sqlx")),
        ("utoipa", cfg!(feature = "utoipa")),
        ("full", cfg!(feature = "full")),
        ("arbitrary_precision", cfg!(feature = "arbitrary_precision")),
        ("preserve_order", cfg!(feature = "preserve_order")),
    ];
    let on: Vec<&str> = known
        .iter()
        .filter(|(_, on)| *on)
        .map(|(name, _)| *name)
        .collect();
    if on.is_empty() {
        "no features".to_owned()
    } else {
        format!("features {}", on.join(", "))
    }
}
