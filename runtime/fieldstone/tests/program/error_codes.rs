//! The words that programs know failures by, and the exits that go with them.

use crate::in_process::Program;
use crate::support::{CITY, COMPANY, Server, elsewhere, json, run, succeed, text, write_company};
use serde_json::Value;
use std::path::Path;
use std::process::Output;
use tempfile::tempdir;

/// How a command with `--format json` failed: its exit, the code and the whole sentence.
fn failure(output: &Output) -> (Option<i32>, String, String) {
    let (out, err) = (text(&output.stdout), text(&output.stderr));
    let document: Value = serde_json::from_str(&out).unwrap_or_else(|_| panic!("{out}{err}"));
    let code = document["error"]["code"].as_str().unwrap_or_default();
    (output.status.code(), code.to_owned(), err)
}

fn refused(folder: &Path, arguments: &[&str]) -> (Option<i32>, String, String) {
    failure(&run(folder, &[arguments, &["--format", "json"]].concat()))
}

fn asked(mut command: Program, arguments: &[&str]) -> (Option<i32>, String, String) {
    let asked = command.args(arguments).args(["--format", "json"]);
    failure(&asked.output().expect("it starts"))
}

#[test]
fn what_is_wrong_with_a_manifest_is_invalid() {
    let folder = tempdir().expect("a folder");
    let path = folder.path();
    write_company(path);
    let no_type = CITY.replacen("\"integer\"", "\"intger\"", 1);
    std::fs::write(path.join("untyped.json"), no_type).expect("written");
    succeed(path, &["apply", "company.yaml"]);
    let cases = [
        (
            "      - name: People",
            "      - name: [People]",
            "areas[1].name",
        ),
        (
            "        description: Where things are.",
            "        description: Here.\n        description: There.",
            "`description` stands here twice; write it once",
        ),
        (
            "{code: NL, description",
            "{code: , description",
            "domains[0].codes[0].code",
        ),
        (
            "    roles:\n",
            "---\n    roles:\n",
            "a second document begins here",
        ),
        ("document: city.json", "document: untyped.json", "intger"),
        (
            "roles: [Clerk]",
            "roles: [Nobody]",
            "there is no role `Nobody`",
        ),
        (
            "records: [cities.ndjson]",
            "record: [cities.ndjson]",
            "record",
        ),
    ];
    for (right, wrong, told) in cases {
        std::fs::write(path.join("wrong.yaml"), COMPANY.replacen(right, wrong, 1))
            .expect("written");
        let (exit, code, message) = refused(path, &["apply", "wrong.yaml"]);
        assert_eq!(
            (exit, code.as_str()),
            (Some(1), "invalid"),
            "{wrong}: {message}"
        );
        assert!(message.contains(told), "{wrong}: {message}");
        for word in ["Option<", "DuplicateKeyPolicy", "from_str", ".?"] {
            assert!(!message.contains(word), "{message}");
        }
    }
    let create = ["key", "create", "k", "--role", "Nobody", "--area", "*"];
    assert_eq!(refused(path, &create).1, "invalid");
}

#[test]
fn a_command_line_that_can_not_be_meant_is_a_usage() {
    let folder = tempdir().expect("a folder");
    let path = folder.path();
    for tenant in ["Acme", "Bolt"] {
        succeed(
            path,
            &["init", "--tenant", tenant, "--email", "a@example.com"],
        );
    }
    std::fs::write(path.join("s.toml"), "listen = 5\n").expect("written");
    let server = "--server=http://127.0.0.1:9/v1";
    for (arguments, told) in [
        (
            &["serve", "--listen", "nonsense"][..],
            "write it as host and port",
        ),
        (
            &["serve", "--listen", "127.0.0.1:99999"],
            "write it as host and port",
        ),
        (&["serve", "--config", "s.toml"], "s.toml"),
        (&["key", "list"], "say which with --tenant: Acme, Bolt"),
        (
            &["key", "list", server],
            "the address must be the server's root",
        ),
        (&["apply", "m.yaml", "--tenant", "Acme"], "--sign-in"),
    ] {
        let (exit, code, message) = refused(path, arguments);
        assert_eq!(
            (exit, code.as_str()),
            (Some(2), "usage"),
            "{arguments:?}: {message}"
        );
        assert!(message.contains(told), "{message}");
    }
}

#[test]
fn what_a_server_elsewhere_does_not_allow_is_told_as_that() {
    let folder = tempdir().expect("a folder");
    let path = folder.path();
    write_company(path);
    succeed(path, &["apply", "company.yaml"]);
    let made = |name: &str, more: &[&str]| {
        let create = ["key", "create", name, "--area", "*"];
        let made = json(path, &[&create, more].concat());
        made["secret"].as_str().expect("a key").to_owned()
    };
    let member = made("member", &["--role", "MEMBER"]);
    let ending = made(
        "ending",
        &["--role", "ACCOUNT ADMINISTRATOR", "--expires", "2999-01-01"],
    );
    let server = Server::start(path, &[]);
    let away = tempdir().expect("a folder");
    let key = ["key", "create", "q", "--role", "MEMBER", "--area", "*"];
    let (_, code, message) = asked(elsewhere(away.path(), &server, &member), &key);
    assert_eq!(code, "forbidden", "{message}");
    assert!(
        message.contains("ROLES") && !message.contains("nor any other"),
        "{message}"
    );
    let (_, code, message) = asked(elsewhere(away.path(), &server, &ending), &key);
    assert_eq!(code, "forbidden", "{message}");
    std::fs::write(away.path().join("password"), "wrong").expect("written");
    let sign_in = ["--sign-in", "anna", "--sign-in-password-file", "password"];
    let list = [&["key", "list"][..], &sign_in].concat();
    let (exit, code, message) = asked(elsewhere(away.path(), &server, ""), &list);
    assert_eq!(
        (exit, code.as_str()),
        (Some(1), "unauthenticated"),
        "{message}"
    );
}

#[test]
fn who_applies_by_signing_in_names_the_tenant() {
    let folder = tempdir().expect("a folder");
    let path = folder.path();
    let password = |tenant: &str| {
        let init = [
            "init",
            "--tenant",
            tenant,
            "--username",
            "eve",
            "--email",
            "e@example.com",
        ];
        let made = json(path, &init);
        made["secret"].as_str().expect("a password").to_owned()
    };
    let (acme, _) = (password("Acme"), password("Bolt"));
    let server = Server::start(path, &[]);
    let away = tempdir().expect("a folder");
    std::fs::write(away.path().join("password"), acme).expect("written");
    let manifest = "tenants: [{name: Acme, areas: [{name: Places}]}]";
    std::fs::write(away.path().join("m.yaml"), manifest).expect("written");
    let apply = [
        "apply",
        "m.yaml",
        "--dry-run",
        "--sign-in",
        "eve",
        "--sign-in-password-file",
        "password",
        "--format",
        "json",
    ];
    let asked = |more: &[&str]| {
        let mut command = elsewhere(away.path(), &server, "");
        command.args(apply).args(more).output().expect("it starts")
    };
    let named = asked(&["--tenant", "Acme"]);
    assert!(named.status.success(), "{}", text(&named.stderr));
    let unnamed = asked(&[]);
    assert!(unnamed.status.success(), "{}", text(&unnamed.stderr));
    assert_eq!(failure(&asked(&["--tenant", "Bolt"])).1, "unauthenticated");
}

#[test]
fn a_field_is_not_renamed_from_one_that_keeps_the_name() {
    let folder = tempdir().expect("a folder");
    let path = folder.path();
    let write = |fields: &str| {
        let manifest = format!(
            "tenants: [{{name: Acme, areas: [{{name: A, schemas: [{{document: {{name: S, fields: [{fields}]}}}}]}}]}}]"
        );
        std::fs::write(path.join("m.yaml"), manifest).expect("written");
    };
    write("{name: A, dataType: string}, {name: B, dataType: string}");
    succeed(path, &["apply", "m.yaml"]);
    write(
        "{name: A, dataType: string, renamedFrom: B}, {name: B, dataType: string, renamedFrom: A}",
    );
    let (_, code, message) = refused(path, &["apply", "m.yaml"]);
    assert_eq!(code, "invalid");
    assert!(
        message.contains("the field A is to be renamed from `B`"),
        "{message}"
    );
}

#[test]
fn a_command_line_that_is_wrong_is_told_in_the_format_of_the_settings_file() {
    let folder = tempdir().expect("a folder");
    std::fs::write(folder.path().join("own.toml"), "format = \"json\"").expect("written");
    let wrong = ["--config", "own.toml", "key", "nonsense"];
    let (exit, code, _) = failure(&run(folder.path(), &wrong));
    assert_eq!((exit, &*code), (Some(2), "usage"));
    // who says otherwise is told otherwise
    let output = run(folder.path(), &[&wrong[..], &["--format", "text"]].concat());
    assert_eq!(output.status.code(), Some(2));
    assert!(output.stdout.is_empty(), "{}", text(&output.stdout));
}
