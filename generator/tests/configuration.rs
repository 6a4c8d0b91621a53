//! What a configuration changes, and what it is refused for.

use crate::support::{field, generated, picklist, schema};
use generator::{Config, Input, Layout, generate};

#[test]
fn a_configuration_renames_and_adds() {
    let text = schema(
        "s1",
        "Thing",
        &[
            field("1", "Foo", "string", ""),
            field("2", "foo", "string", ""),
            picklist("3", "Kind", &["a", "b"]),
        ],
    );
    let config = Config::new()
        .rename_schema("Thing", "Widget")
        .rename_field("s1", "Foo", "foo")
        .rename_picklist("Thing", "Kind", "Sort")
        .rename_code("Thing", "Kind", "a", "First")
        .runtime("crate::fieldstone")
        .type_derive("*", "Default")
        .type_derive("Sort", "Foo, bar::Baz")
        .type_attribute("Widget", "#[must_use]")
        .field_attribute("Widget", "foo", "#[doc(alias = \"bar\")]")
        .field_attribute("Sort", "First", "#[default]");
    let file = generated(&[Input::new("test.json", text)], &config).remove(0);
    assert_eq!(file.path, "widget.rs");
    insta::assert_snapshot!(file.text);
}

#[test]
fn a_module_is_called_as_a_configuration_says_and_its_struct_as_before() {
    let text = schema("s1", "Thing", &[field("1", "Foo", "string", "")]);
    let config = Config::new().rename_module("Thing", "first");
    let file = generated(&[Input::new("test.json", text)], &config).remove(0);
    assert_eq!(file.path, "first.rs");
    assert!(file.text.contains("pub struct Thing {"), "{}", file.text);
}

#[test]
fn a_mistake_in_the_configuration_is_told_with_all_others() {
    let text = schema(
        "s1",
        "Thing",
        &[
            field("1", "Foo", "string", ""),
            field("2", "Bar", "string", ""),
        ],
    );
    let told = mistakes(
        &text,
        &Config::new()
            .rename_field("Thing", "Foo", "a")
            .rename_field("Thing", "Bar", "a")
            .rename_field("Thing", "Fooo", "b")
            .type_derive("Ting", "Eq"),
    );
    insta::assert_snapshot!(told);
    let told = mistakes(
        &text,
        &Config::new()
            .rename_field("Thing", "Foo", "self")
            .rename_schema("Thing", "Option")
            .runtime("1 + 1")
            .layout(Layout::OneFile("a/b".to_owned()))
            .type_derive("*", "Eq)] struct X; #[derive(")
            .type_attribute("*", "struct X;"),
    );
    insta::assert_snapshot!(told);
}

#[test]
fn a_rename_to_the_name_of_another_is_a_mistake_and_a_swap_of_both_is_none() {
    let fields = [
        field("1", "ICAO", "string", ""),
        field("2", "IATA", "string", ""),
        picklist("3", "Kind", &["a", "b"]),
    ];
    let text = schema("s1", "Airport", &fields);
    let one = Config::new().rename_field("Airport", "ICAO", "iata");
    let told = mistakes(&text, &one);
    assert!(
        told.contains("in the struct `Airport`, the name `iata` for \"ICAO\" is that of \"IATA\""),
        "{told}"
    );
    let code = Config::new().rename_code("Airport", "Kind", "a", "B");
    assert!(mistakes(&text, &code).contains("the name `B` for \"a\" is that of \"b\""));
    let swapped = one.rename_field("Airport", "IATA", "icao");
    let file = generated(&[Input::new("test.json", text)], &swapped).remove(0);
    assert_eq!(crate::support::members(&file)[0].1[..2], ["iata", "icao"]);
}

#[test]
fn what_generated_types_bring_themselves_is_no_addition() {
    let fields = [picklist("3", "Kind", &["a", "b"])];
    let text = schema("s1", "Thing", &fields);
    for (derives, name) in [
        ("Debug", "Debug"),
        ("PartialOrd, serde::Serialize", "Serialize"),
        ("serde::Deserialize", "Deserialize"),
    ] {
        let told = mistakes(&text, &Config::new().type_derive("*", derives));
        let expected = format!("every generated type is `{name}` already");
        assert!(told.contains(&expected), "{told}");
        assert_eq!(told.matches("error:").count(), 1, "{told}");
    }
}

#[test]
fn an_open_picklist_keeps_unknown_codes_and_the_schema_stays() {
    let text = schema(
        "s1",
        "Thing",
        &[
            picklist("3", "Kind", &["a", "b"]),
            picklist("4", "Colour", &["red"]),
        ],
    );
    let inputs = [Input::new("test.json", text)];
    let one = |config: &Config| generated(&inputs, config).remove(0).text;
    let closed = one(&Config::new());
    let kind_alone = one(&Config::new().open_picklist("Thing.Kind"));
    assert!(kind_alone.contains("Option<runtime::Open<ThingKind>>,"));
    assert!(kind_alone.contains("Option<ThingColour>,"));
    let every = one(&Config::new()
        .open_picklist("*")
        .runtime("crate::fieldstone"));
    assert!(every.contains("Option<crate::fieldstone::Open<ThingKind>>,"));
    assert!(every.contains("Option<crate::fieldstone::Open<ThingColour>>,"));
    let schema_of =
        |text: String| generator::read_generated(&Input::new("thing.rs", text)).unwrap();
    let schema = schema_of(closed);
    assert_eq!(schema_of(kind_alone), schema);
    assert_eq!(schema_of(every), schema);
}

#[test]
fn what_is_no_static_picklist_cannot_be_open() {
    let fields = [
        field("1", "Foo", "string", ""),
        picklist("3", "Kind", &["a"]),
    ];
    let text = schema("s1", "Thing", &fields);
    let config = Config::new().open_picklist("Foo").open_picklist("s1.3");
    assert_eq!(
        mistakes(&text, &config.open_picklist("Thing.Sort"))
            .matches("can't be open")
            .count(),
        2
    );
    let without = schema("s1", "Thing", &fields[..1]);
    let inputs = [Input::new("test.json", without)];
    generate(&inputs, &Config::new().open_picklist("*")).unwrap();
}

#[test]
fn one_file_holds_a_module_for_each_schema() {
    let inputs = [
        Input::new("b.json", schema("s2", "B", &[field("1", "x", "email", "")])),
        Input::new(
            "a.json",
            schema("s1", "match", &[field("1", "x", "string", "")]),
        ),
    ];
    let files = generated(
        &inputs,
        &Config::new().layout(Layout::OneFile("records".to_owned())),
    );
    assert_eq!(files.len(), 1);
    assert_eq!(files[0].path, "records.rs");
    insta::assert_snapshot!(files[0].text);
}

#[test]
fn a_build_script_gets_its_files_and_removes_its_old_ones() {
    let folder = tempfile::tempdir().unwrap();
    let (schemas, out) = (folder.path().join("schemas"), folder.path().join("out"));
    std::fs::create_dir(&schemas).unwrap();
    for (id, name) in [("s1", "Alpha"), ("s2", "Beta")] {
        let text = schema(id, name, &[field("1", "x", "string", "")]);
        std::fs::write(schemas.join(format!("{name}.json")), text).unwrap();
    }
    let config = Config::new()
        .schemas(&schemas)
        .schemas(schemas.join("Alpha.json"));
    let files = config.clone().out_dir(&out).generate().unwrap();
    for file in &files {
        let written = std::fs::read_to_string(out.join(&file.path)).unwrap();
        assert_eq!(written, file.text);
    }
    assert!(out.join("beta.rs").exists());
    std::fs::remove_file(schemas.join("Beta.json")).unwrap();
    config.out_dir(&out).generate().unwrap();
    assert!(out.join("alpha.rs").exists() && !out.join("beta.rs").exists());
}

fn mistakes(text: &str, config: &Config) -> String {
    generate(&[Input::new("test.json", text)], config)
        .unwrap_err()
        .to_string()
}

/// The folder in which the next test plays a build script, told to the process that plays it.
const FOLDER: &str = "GENERATOR_TEST_BUILD_SCRIPT";

/// What a build script for the schemas in `folder` prints, and whether it succeeded: this test binary
/// once more, because cargo reads what a script prints.
fn build_script(folder: &std::path::Path) -> (bool, Vec<String>) {
    let output = std::process::Command::new(std::env::current_exe().unwrap())
        .args([
            "--exact",
            "configuration::a_build_script_tells_cargo_what_to_watch",
        ])
        .arg("--nocapture")
        .env(FOLDER, folder)
        .env("OUT_DIR", folder.join("out"))
        .output()
        .unwrap();
    let printed = String::from_utf8(output.stdout).unwrap();
    // the test harness may have begun the line
    let told = printed.lines().filter_map(|line| {
        let at = line.find("cargo::")?;
        Some(line[at..].replace(&folder.display().to_string(), "FOLDER"))
    });
    (output.status.success(), told.collect())
}

#[test]
fn a_build_script_tells_cargo_what_to_watch() {
    if let Some(folder) = std::env::var_os(FOLDER) {
        let folder = std::path::PathBuf::from(folder);
        let config = Config::new()
            .schemas(folder.join("schemas"))
            .schemas(folder.join("schemas/a.json"))
            .schemas(folder.join("alone.json"));
        let later = folder.join("later");
        let config = if later.exists() {
            config.schemas(later)
        } else {
            config
        };
        config.generate().unwrap();
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let (schemas, alone) = (
        folder.path().join("schemas"),
        folder.path().join("alone.json"),
    );
    std::fs::create_dir(&schemas).unwrap();
    let odd = field("1", "x", "string", r#","maxSize":1"#);
    std::fs::write(schemas.join("b.json"), schema("s2", "B", &[odd])).unwrap();
    std::fs::write(schemas.join("a.json"), schema("s1", "A", &[])).unwrap();
    std::fs::write(schemas.join("notes.txt"), "no schema").unwrap();
    std::fs::write(&alone, schema("s3", "Alone", &[])).unwrap();
    let watched = ["schemas", "schemas/a.json", "schemas/b.json", "alone.json"]
        .map(|path| format!("cargo::rerun-if-changed=FOLDER/{path}"));
    let (succeeded, told) = build_script(folder.path());
    assert!(succeeded);
    assert_eq!(told[..4], watched);
    assert_eq!(told.len(), 6, "{told:?}");
    // where the runtime's name stands
    assert_eq!(told[4], "cargo::rerun-if-changed=Cargo.toml");
    assert!(
        told[5].starts_with("cargo::warning=FOLDER/schemas/b.json:"),
        "{told:?}"
    );
    // a directory is watched that schemas may be put into, and told: it may be the wrong one
    std::fs::create_dir(folder.path().join("later")).unwrap();
    let (succeeded, told) = build_script(folder.path());
    assert!(succeeded);
    assert_eq!(told[4], "cargo::rerun-if-changed=FOLDER/later");
    assert!(
        told[5].starts_with("cargo::warning=FOLDER/later: the directory holds no *.json file"),
        "{told:?}"
    );
    std::fs::remove_dir(folder.path().join("later")).unwrap();
    // after a mistake too, or the mended schema would not be looked at
    std::fs::write(&alone, "{").unwrap();
    let (succeeded, told) = build_script(folder.path());
    assert!(!succeeded);
    assert_eq!(told[..4], watched);
}
