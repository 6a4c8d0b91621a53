//! What a build script asks: whether this machine has a PostgreSQL. Where it has none, stories that need one are counted as
//! ignored; where `CI` is set they are built all the same, and fail.

#[path = "postgresql_programs.rs"]
mod postgresql_programs;

/// Tells cargo of it, as `cfg(has_postgresql)`, and when to ask again. This file's folder is named as the script sees it.
pub(crate) fn tell(folder: &str) {
    println!("cargo::rustc-check-cfg=cfg(has_postgresql)");
    println!("cargo::rerun-if-env-changed=CI");
    println!("cargo::rerun-if-env-changed=FIELDSTONE_TESTS_POSTGRESQL");
    for file in ["has_postgresql.rs", "postgresql_programs.rs"] {
        println!("cargo::rerun-if-changed={folder}/{file}");
    }
    let found = postgresql_programs::programs();
    if let Some(programs) = &found {
        let initdb = programs.join("initdb");
        println!("cargo::rerun-if-changed={}", initdb.display());
    }
    if found.is_some() || postgresql_programs::is_ci() {
        println!("cargo::rustc-cfg=has_postgresql");
    }
}
