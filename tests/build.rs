//! Asks whether this machine has a PostgreSQL, for the stories that need one. And it asks which engine the stories are told on,
//! so that those of a folder alone are counted as ignored on a database.

#[path = "support/has_postgresql.rs"]
mod has_postgresql;

/// The README, whose Rust is of a crate that calls the runtime `fieldstone`; here it has its own name.
fn write_readme() -> std::io::Result<()> {
    println!("cargo::rerun-if-changed=../README.md");
    let readme = std::fs::read_to_string("../README.md")?;
    let renamed = readme.replace("```rust\n", "```rust\n# use runtime as fieldstone;\n");
    let folder = std::env::var_os("OUT_DIR").expect("cargo names a folder");
    std::fs::write(std::path::Path::new(&folder).join("readme.md"), renamed)
}

fn main() {
    write_readme().expect("the README is copied");
    println!("cargo::rerun-if-changed=build.rs");
    has_postgresql::tell("support");
    println!("cargo::rustc-check-cfg=cfg(on_a_database)");
    println!("cargo::rerun-if-env-changed=FIELDSTONE_TESTS_ON");
    // as `is_database` of `support/engine.rs` reads it
    let engine = std::env::var("FIELDSTONE_TESTS_ON").unwrap_or_default();
    if !["", "sqlite"].contains(&&*engine) {
        println!("cargo::rustc-cfg=on_a_database");
    }
}
