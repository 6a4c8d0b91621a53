//! What `cargo check` takes for a crate of generated structs: 100 of them with 20 fields each, beside
//! the same structs with serde's and the standard library's derives only. Two throwaway crates in the
//! target directory share their built dependencies; each round touches one crate's only file and
//! checks it. It never runs what it compiles.

#[path = "../../support/cargo.rs"]
#[allow(unreachable_pub, reason = "made for suites too")]
mod cargo;

use bench::schemas::pairs;
use bench::{IS_TRIAL, Race, Target, head};
use generator::{Config, Input, Layout};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Instant, SystemTime};
use syn::{Attribute, Item, parse_quote};

const ROUNDS: usize = if IS_TRIAL { 1 } else { 10 };

fn main() {
    let ours = generated();
    let baseline = plain(&ours);
    let root = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("compile");
    let ours = krate(&root, "generated", &ours);
    let baseline = krate(&root, "plain", &baseline);

    head();
    for (how, incremental, target) in [
        ("", "1", Target::AtMost(1.2)),
        (", not incremental", "0", Target::None),
    ] {
        // builds the dependencies, and fills the caches
        for _ in 0..2 {
            check(&ours, incremental);
            check(&baseline, incremental);
        }
        let mut times = [Vec::new(), Vec::new()];
        for _ in 0..ROUNDS {
            times[0].push(check(&ours, incremental));
            times[1].push(check(&baseline, incremental));
        }
        Race::of(&times[0], &times[1]).print(
            &format!("`cargo check` of 100 generated structs of 20 fields{how}"),
            "the same with `Serialize`, `Deserialize`, `Debug`, `Clone`, `PartialEq` derived",
            target,
        );
    }
}

/// 100 modules in one file, as the generator writes them.
fn generated() -> String {
    let pairs = pairs(100, 20);
    let inputs: Vec<Input> = pairs
        .iter()
        .map(|pair| Input::new(format!("{}.json", pair.name), pair.document.as_str()))
        .collect();
    let config = Config::new().layout(Layout::OneFile("orders".to_owned()));
    let mut files = generator::generate(&inputs, &config).expect("the schemas are accepted");
    assert_eq!(files.len(), 1);
    files.remove(0).text
}

/// The same structs and enums without our attributes, types and derives. A type of ours becomes what
/// it holds, because serde can't derive for it.
fn plain(generated: &str) -> String {
    let mut file = syn::parse_file(generated).expect("the generator writes Rust");
    file.attrs.clear();
    strip(&mut file.items);
    prettyplease::unparse(&file)
}

fn strip(items: &mut Vec<Item>) {
    items.retain(|item| matches!(item, Item::Mod(_) | Item::Struct(_) | Item::Enum(_)));
    for item in &mut *items {
        match item {
            Item::Mod(module) => {
                let (_, items) = module.content.as_mut().expect("modules are inline");
                strip(items);
                items.insert(
                    0,
                    parse_quote!(
                        use rust_decimal::Decimal;
                    ),
                );
                items.insert(
                    0,
                    parse_quote!(
                        use chrono::{NaiveDate, NaiveDateTime, NaiveTime};
                    ),
                );
                items.push(parse_quote!(
                    type Email = String;
                ));
                items.push(parse_quote!(
                    type Url = String;
                ));
                items.push(parse_quote!(
                    type Phone = String;
                ));
                items.push(parse_quote!(
                    type LatLng = String;
                ));
                items.push(parse_quote!(
                    type Latitude = f64;
                ));
                items.push(parse_quote!(
                    type Longitude = f64;
                ));
            }
            Item::Struct(record) => {
                strip_attributes(&mut record.attrs);
                record
                    .attrs
                    .push(parse_quote!(#[derive(Clone, Debug, PartialEq)]));
                record.attrs.push(serde_derives());
                record
                    .fields
                    .iter_mut()
                    .for_each(|field| strip_attributes(&mut field.attrs));
            }
            Item::Enum(picklist) => {
                strip_attributes(&mut picklist.attrs);
                picklist
                    .attrs
                    .push(parse_quote!(#[derive(Clone, Debug, PartialEq)]));
                picklist.attrs.push(serde_derives());
                picklist
                    .variants
                    .iter_mut()
                    .for_each(|code| strip_attributes(&mut code.attrs));
            }
            _ => {}
        }
    }
}

fn serde_derives() -> Attribute {
    parse_quote!(#[derive(serde::Serialize, serde::Deserialize)])
}

fn strip_attributes(attributes: &mut Vec<Attribute>) {
    attributes.retain(|attribute| attribute.path().is_ident("doc"));
}

/// Writes a crate; yields its one source file.
fn krate(root: &Path, name: &str, source: &str) -> PathBuf {
    let folder = root.join(name);
    fs::create_dir_all(folder.join("src")).expect("the target directory is ours");
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    // both have the same dependencies, so that building them is never part of the race
    let manifest = format!(
        r#"[package]
name = "{name}"
version = "0.0.0"
edition = "2024"

[workspace]

[dependencies]
chrono = {{ version = "0.4", default-features = false, features = ["serde", "std"] }}
runtime = {{ path = "{}" }}
rust_decimal = {{ version = "1", default-features = false, features = ["serde", "std"] }}
serde = {{ version = "1", features = ["derive"] }}
"#,
        workspace.join("runtime").display()
    );
    write(&folder.join("Cargo.toml"), &manifest);
    // the workspace's versions: they are at hand without a network
    let lock = fs::read_to_string(workspace.join("Cargo.lock")).expect("the workspace is locked");
    write(&folder.join("Cargo.lock"), &lock);
    let library = folder.join("src/lib.rs");
    write(&library, source);
    library
}

fn write(path: &Path, text: &str) {
    fs::write(path, text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
}

/// Touches the file and checks its crate; yields nanoseconds.
fn check(library: &Path, incremental: &str) -> f64 {
    let folder = library.ancestors().nth(2).expect("it is in src");
    let file = fs::File::options().append(true).open(library);
    let file = file.expect("it was written");
    file.set_modified(SystemTime::now())
        .expect("the file is ours");
    let mut cargo = cargo::command();
    cargo
        .args(["check", "--offline", "--quiet"])
        .current_dir(folder)
        .env("CARGO_TARGET_DIR", folder.with_file_name("target"))
        .env("CARGO_INCREMENTAL", incremental);
    let start = Instant::now();
    let output = cargo.output().expect("cargo runs");
    let time = start.elapsed();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{}: {errors}", folder.display());
    time.as_secs_f64() * 1e9
}
