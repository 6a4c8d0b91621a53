//! Schema documents for the tests, written as text; generated code, taken apart; the program, run. It judges
//! nothing but that the code is Rust.

use generator::{Config, File, Input, generate};
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// The folder of the shared fixtures.
pub(crate) fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures")
}

/// The names of the shared schemas, which their data files have too.
pub(crate) fn fixture_schemas() -> Vec<String> {
    let files = names(&fixtures().join("schemas"));
    let schemas = files.iter().filter_map(|name| name.strip_suffix(".json"));
    let schemas: Vec<String> = schemas.map(str::to_owned).collect();
    assert_eq!(schemas.len(), 10);
    schemas
}

/// The program as a user runs it.
pub(crate) fn run(arguments: &[&str], folder: &Path) -> Output {
    command(arguments, folder).output().unwrap()
}

pub(crate) fn command(arguments: &[&str], folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_generator"));
    command.args(arguments).current_dir(folder);
    command
}

pub(crate) fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// A request without a body, as a service receives it.
pub(crate) fn read_request(stream: &mut impl Read) -> String {
    let mut request = Vec::new();
    let mut part = [0; 1024];
    while !request.ends_with(b"\r\n\r\n") {
        let count = stream.read(&mut part).unwrap();
        assert!(count > 0, "the request ends early");
        request.extend_from_slice(&part[..count]);
    }
    text(&request)
}

/// A schema of one field.
pub(crate) fn simple(id: &str, name: &str) -> String {
    schema(id, name, &[field("1", "Size", "integer", "")])
}

/// A folder with two schemas.
pub(crate) fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a.json"), simple("s1", "Alpha")).unwrap();
    fs::write(folder.path().join("b.json"), simple("s2", "Beta")).unwrap();
    fs::write(folder.path().join("notes.txt"), "no schema").unwrap();
    folder
}

/// The names of the files in a folder.
pub(crate) fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<_> = entries
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

/// A JSON string.
pub(crate) fn json(text: &str) -> String {
    let mut out = String::new();
    schema::json::write_string(&mut out, text);
    out
}

/// A field with more members, such as `,"min":1`.
pub(crate) fn field(id: &str, name: &str, data_type: &str, more: &str) -> String {
    format!(
        r#"{{"fieldId":{},"name":{},"active":true,"dataType":"{data_type}","isPrimaryKey":false,"isSortKey":false,"isRequired":false{more}}}"#,
        json(id),
        json(name)
    )
}

/// A static picklist of these codes.
pub(crate) fn picklist(id: &str, name: &str, codes: &[&str]) -> String {
    let entries: Vec<_> = codes
        .iter()
        .map(|code| format!(r#"{{"code":{},"description":{}}}"#, json(code), json(code)))
        .collect();
    let entries = entries.join(",");
    let more = format!(r#","picklistType":"static","staticPicklist":[{entries}]"#);
    field(id, name, "picklist", &more)
}

/// A schema of these fields.
pub(crate) fn schema(id: &str, name: &str, fields: &[String]) -> String {
    format!(
        r#"{{"schemaId":{},"name":{},"businessAreaId":"a1","businessAreaName":"Area","version":1,"createdDate":"2026-01-01T00:00:00.000Z","fields":[{}]}}"#,
        json(id),
        json(name),
        fields.join(",")
    )
}

#[track_caller]
pub(crate) fn one(text: &str) -> File {
    generated(&[Input::new("test.json", text)], &Config::new()).remove(0)
}

/// The files but `mod.rs`, each of which must be Rust.
#[track_caller]
pub(crate) fn generated(inputs: &[Input], config: &Config) -> Vec<File> {
    let mut files = generate(inputs, config).unwrap();
    for file in &files {
        syn::parse_file(&file.text).unwrap_or_else(|error| panic!("{error}\n{}", file.text));
    }
    files.retain(|file| file.path != "mod.rs");
    files
}

/// The names of the fields or variants of each type, in order.
pub(crate) fn members(file: &File) -> Vec<(String, Vec<String>)> {
    let items = syn::parse_file(&file.text).unwrap().items;
    let each = |item: &syn::Item| match item {
        syn::Item::Struct(item) => {
            let names = item
                .fields
                .iter()
                .map(|field| field.ident.as_ref().unwrap().to_string());
            Some((item.ident.to_string(), names.collect()))
        }
        syn::Item::Enum(item) => {
            let names = item
                .variants
                .iter()
                .map(|variant| variant.ident.to_string());
            Some((item.ident.to_string(), names.collect()))
        }
        _ => None,
    };
    items.iter().filter_map(each).collect()
}

/// What `generator infer` proposes for the columns of a file, each with its evidence, and the schema's document.
pub(crate) fn proposed(folder: &Path, rows: &str) -> (String, String) {
    fs::write(folder.join("in.csv"), rows).unwrap();
    let output = run(&["infer", "in.csv", "--out", "in.json"], folder);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let document = fs::read_to_string(folder.join("in.json")).unwrap();
    (text(&output.stderr), document)
}
