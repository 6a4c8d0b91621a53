//! What a configuration changes, and what it is refused for.

mod support;

use generator::{Config, Input, Layout, generate};
use support::{field, generated, picklist, schema};

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
