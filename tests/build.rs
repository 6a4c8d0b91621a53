//! Asks whether this machine has a PostgreSQL, so that the stories that need one are counted as ignored where it has none.
//! Where `CI` is set they are built all the same, and fail. And it asks which engine the stories are told on, so that those
//! of a folder alone are counted as ignored on a database.

#[path = "support/postgresql_programs.rs"]
mod postgresql_programs;

fn main() {
    println!("cargo::rustc-check-cfg=cfg(has_postgresql, on_a_database)");
    println!("cargo::rerun-if-env-changed=CI");
    println!("cargo::rerun-if-env-changed=FIELDSTONE_TESTS_POSTGRESQL");
    println!("cargo::rerun-if-env-changed=FIELDSTONE_TESTS_ON");
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=support/postgresql_programs.rs");
    let found = postgresql_programs::programs();
    if let Some(programs) = &found {
        let initdb = programs.join("initdb");
        println!("cargo::rerun-if-changed={}", initdb.display());
    }
    if found.is_some() || postgresql_programs::is_ci() {
        println!("cargo::rustc-cfg=has_postgresql");
    }
    // as `is_database` of `support/engine.rs` reads it
    let engine = std::env::var("FIELDSTONE_TESTS_ON").unwrap_or_default();
    if !["", "sqlite"].contains(&&*engine) {
        println!("cargo::rustc-cfg=on_a_database");
    }
}
