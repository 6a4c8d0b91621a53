//! Floors only look down (docs/architecture.md, "Floors"): a package of `runtime/` depends on those beneath it
//! and on no other of ours, its tests and build scripts included, and none on `runtime` itself. What
//! features or targets a dependency is for makes no difference.

use super::sources::{root, rust_files};
use regex::Regex;
use serde_json::Value;

/// A package of the house, and which of ours it may depend on.
struct Floor {
    package: &'static str,
    sees: &'static [&'static str],
    /// What its tests may see beside that.
    tests_see: &'static [&'static str],
}

const SCHEMA: &str = "fieldstone-schema";
const ENGINE: &str = "fieldstone-engine";
const TABULAR: &str = "fieldstone-tabular";
const SAMPLE: &str = "fieldstone-sample";
const WIRE: &str = "fieldstone-wire";
const STORE: &str = "fieldstone-store";
const POSTGRES: &str = "fieldstone-postgres";
const SQLITE: &str = "fieldstone-sqlite";
const SERVICE: &str = "fieldstone-service";
const MANIFEST: &str = "fieldstone-manifest";
const SERVER: &str = "fieldstone-server";
const CLIENT: &str = "fieldstone-client";
const EMBED: &str = "fieldstone-embed";
const CODEGEN: &str = "fieldstone-codegen";
const FIXTURES: &str = "fieldstone-fixtures";
const HACK: &str = "fieldstone-workspace-hack";
const BINDINGS: &str = "fieldstone-bindings";

/// From the ground up.
const FLOORS: &[Floor] = &[
    floor(SCHEMA, &[]),
    floor(ENGINE, &[SCHEMA]),
    floor(WIRE, &[SCHEMA, ENGINE]),
    floor(TABULAR, &[SCHEMA, ENGINE]),
    floor(STORE, &[SCHEMA, ENGINE, WIRE]),
    floor(SQLITE, &[SCHEMA, ENGINE, WIRE, STORE]),
    floor(POSTGRES, &[SCHEMA, ENGINE, WIRE, STORE]),
    Floor {
        // it speaks no SQL, but its tests need a store
        tests_see: &[SQLITE],
        ..floor(SERVICE, &[SCHEMA, ENGINE, TABULAR, WIRE, STORE])
    },
    Floor {
        tests_see: &[SQLITE],
        ..floor(MANIFEST, &[SCHEMA, ENGINE, WIRE, STORE, SERVICE])
    },
    Floor {
        tests_see: &[SQLITE],
        ..floor(
            SERVER,
            &[
                SCHEMA, ENGINE, TABULAR, WIRE, STORE, SERVICE, MANIFEST, CODEGEN,
            ],
        )
    },
    floor(CLIENT, &[SCHEMA, ENGINE, WIRE]),
    floor(
        EMBED,
        &[SCHEMA, ENGINE, WIRE, STORE, SQLITE, SERVICE, CLIENT],
    ),
    floor(SAMPLE, &[SCHEMA, ENGINE]),
    floor(
        "runtime",
        &[
            SCHEMA, ENGINE, TABULAR, SAMPLE, WIRE, STORE, SQLITE, POSTGRES, SERVICE, MANIFEST,
            SERVER, CLIENT, EMBED, "macros",
        ],
    ),
    floor(
        "fieldstone",
        &[
            SCHEMA, ENGINE, WIRE, STORE, SQLITE, POSTGRES, SERVICE, MANIFEST, SERVER, FIXTURES,
            HACK,
        ],
    ),
    floor(HACK, &[]),
    floor(BINDINGS, &[SCHEMA, ENGINE]),
    floor("fieldstone-python", &[BINDINGS]),
    floor("fieldstone-node", &[BINDINGS]),
    floor("fieldstone-wasm", &[BINDINGS]),
];

const fn floor(package: &'static str, sees: &'static [&'static str]) -> Floor {
    Floor {
        package,
        sees,
        tests_see: &[],
    }
}

/// What cargo says of the workspace's packages.
fn metadata() -> Value {
    let output = tests::cargo::command()
        .current_dir(root())
        .args([
            "metadata",
            "--no-deps",
            "--format-version",
            "1",
            "--offline",
            "--locked",
        ])
        .output()
        .expect("cargo runs");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    serde_json::from_slice(&output.stdout).expect("cargo writes JSON")
}

fn text<'v>(value: &'v Value, name: &str) -> &'v str {
    value[name].as_str().unwrap_or_default()
}

/// The packages that look up, those without a floor and floors without a package.
fn mistakes(metadata: &Value) -> Vec<String> {
    let mut wrong = Vec::new();
    let mut found = Vec::new();
    let runtime = format!("{}/runtime/", text(metadata, "workspace_root"));
    for package in metadata["packages"].as_array().into_iter().flatten() {
        let name = text(package, "name");
        let is_of_the_house = text(package, "manifest_path").starts_with(&runtime);
        let Some(floor) = FLOORS.iter().find(|floor| floor.package == name) else {
            if is_of_the_house {
                wrong.push(format!("{name} has no floor; give it one"));
            }
            continue;
        };
        found.push(name);
        for dependency in package["dependencies"].as_array().into_iter().flatten() {
            // ours are those with a path; a new name in the manifest changes nothing
            let (other, kind) = (text(dependency, "name"), text(dependency, "kind"));
            let may =
                floor.sees.contains(&other) || (kind == "dev" && floor.tests_see.contains(&other));
            if dependency["path"].is_string() && !may {
                wrong.push(format!("{name} sees {other} {kind}"));
            }
        }
    }
    let absent = FLOORS
        .iter()
        .filter(|floor| !found.contains(&floor.package));
    wrong.extend(absent.map(|floor| format!("{} is not there", floor.package)));
    wrong
}

#[test]
fn floors_only_look_down() {
    let wrong = mistakes(&metadata());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_floor_that_looks_up_is_found() {
    let depends = |on: &[(&str, Option<&str>)]| {
        let dependency = |(name, kind): &(&str, Option<&str>)| serde_json::json!({"name": name, "kind": kind, "path": "/house/it", "rename": "other"});
        Value::from(on.iter().map(dependency).collect::<Vec<_>>())
    };
    let package = |name: &str, on: &[(&str, Option<&str>)]| {
        let manifest = format!("/house/runtime/{name}/Cargo.toml");
        serde_json::json!({"name": name, "manifest_path": manifest, "dependencies": depends(on)})
    };
    let mut packages: Vec<Value> = FLOORS.iter().map(|it| package(it.package, &[])).collect();
    packages.push(package("cellar", &[]));
    packages[1] = package(ENGINE, &[(SCHEMA, None), (STORE, None)]);
    packages[7] = package(SERVICE, &[(SQLITE, Some("dev")), ("runtime", Some("dev"))]);
    packages[9] = package(SERVER, &[(SQLITE, Some("build"))]);
    let metadata = serde_json::json!({"workspace_root": "/house", "packages": packages});
    assert_eq!(
        mistakes(&metadata),
        [
            "fieldstone-engine sees fieldstone-store ",
            "fieldstone-service sees runtime dev",
            "fieldstone-server sees fieldstone-sqlite build",
            "cellar has no floor; give it one",
        ]
    );
}

#[test]
fn pages_name_nothing_beneath_the_service_that_stores_or_judges() {
    let beneath = r"(?:^|[^\w:])(?:store|sqlite|postgres|engine)::";
    let beneath = Regex::new(beneath).expect("a pattern");
    let names = |line: &str| !line.trim_start().starts_with("//") && beneath.is_match(line);
    let (mut count, mut found) = (0, Vec::new());
    for file in rust_files() {
        if !file.path.starts_with("runtime/server/src/admin/pages/") {
            continue;
        }
        count += 1;
        let lines = file.text.lines().filter(|line| names(line));
        found.extend(lines.map(|line| format!("{}: {}", file.path, line.trim())));
    }
    assert!(found.is_empty(), "ask the service for these: {found:#?}");
    assert!(count > 100, "{count} files of pages");
    assert!(names("use store::catalog::Verb;") && names("    engine::validate::rules_of(field)"));
    assert!(!names("use service::catalog::Verb;") && !names("/// As `store::search` has it."));
}
