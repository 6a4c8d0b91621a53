//! What the benchmarks share: a race between contenders, the table it prints, the record and the
//! schemas that both sides of a race read. It never judges a figure: a slow run is printed, not
//! failed.

pub mod order;
mod race;
pub mod schemas;

pub use race::{IS_TRIAL, Race, Target, head, race};

/// A file of `fixtures/bench`, which every contender reads from memory.
///
/// # Panics
/// When there is no such file.
pub fn fixture(name: &str) -> String {
    let path = format!("{}/../../fixtures/bench/{name}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
}
