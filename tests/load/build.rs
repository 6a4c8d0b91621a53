//! Asks whether this machine has a PostgreSQL, for the stories that need one.

#[path = "../support/has_postgresql.rs"]
mod has_postgresql;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    has_postgresql::tell("../support");
}
