//! Commands to a server elsewhere: by an API key or a sign-in, with the rights of whoever asks.

use crate::in_process::Program;
use crate::support::{COMPANY, Server, asking, elsewhere, json, text, write_company};
use serde_json::{Value, json};
use std::path::Path;
use std::process::{Command, Output};
use tempfile::{TempDir, tempdir};

/// A store with the company in it, an administrator's key, and its server.
struct Site {
    folder: TempDir,
    key: String,
}

impl Site {
    fn new() -> Self {
        let folder = tempdir().expect("a folder");
        write_company(folder.path());
        json(folder.path(), &["apply", "company.yaml"]);
        let key = Self::made(folder.path(), "ci", "ACCOUNT ADMINISTRATOR", "*");
        Site { folder, key }
    }

    fn made(folder: &Path, name: &str, role: &str, area: &str) -> String {
        let create = ["key", "create", name, "--role", role, "--area", area];
        let made = json(folder, &create);
        made["secret"].as_str().expect("a key").to_owned()
    }

    fn serve(&self) -> Server {
        Server::start(self.folder.path(), &[])
    }
}

fn output(mut command: Program, arguments: &[&str]) -> Output {
    command.args(arguments).output().expect("it starts")
}

/// The document that a command prints.
fn document(output: &Output) -> Value {
    let out = text(&output.stdout);
    serde_json::from_str(&out).unwrap_or_else(|_| panic!("{out}{}", text(&output.stderr)))
}

fn refused(command: Program, arguments: &[&str]) -> String {
    let output = output(command, arguments);
    assert!(!output.status.success(), "{}", text(&output.stdout));
    text(&output.stderr)
}

/// A manifest that changes an area, and brings records of which one can't be stored.
fn write_change(folder: &Path) {
    write_company(folder);
    let changed = COMPANY.replace("Where things are.", "Where everything is.");
    std::fs::write(folder.join("company.yaml"), changed).expect("written");
    let more = "{\"Name\": \"Bonn\"}\n{\"Name\": \"Ulm\"}\n{\"Name\": \"Riga\", \"Mayor\": 1}\n";
    std::fs::write(folder.join("cities.ndjson"), more).expect("written");
}

#[test]
fn a_manifest_is_applied_to_a_server_elsewhere_as_it_would_be_on_its_machine() {
    let site = Site::new();
    let copy = tempdir().expect("a folder");
    write_change(copy.path());
    let copied = Command::new("cp")
        .arg("-r")
        .arg(site.folder.path().join("data"))
        .arg(copy.path())
        .status();
    assert!(copied.expect("cp runs").success());
    let plan_here = json(copy.path(), &["apply", "company.yaml", "--dry-run"]);
    let here = json(
        copy.path(),
        &["apply", "company.yaml", "--rejects", "rejects.ndjson"],
    );

    let server = site.serve();
    let away = tempdir().expect("a folder");
    write_change(away.path());
    let apply = ["apply", "company.yaml", "--format", "json"];
    let ask = |more: &[&str]| {
        let command = elsewhere(away.path(), &server, &site.key);
        let output = output(command, &[&apply, more].concat());
        assert_eq!(output.status.code(), Some(3), "{}", text(&output.stderr));
        assert_eq!(text(&output.stderr), "", "nothing but the document");
        document(&output)
    };
    assert_eq!(ask(&["--dry-run"]), plan_here);
    assert_eq!(ask(&["--rejects", "rejects.ndjson"]), here);
    assert_eq!(here["records"][0]["created"], 1);
    let rejects =
        |folder: &Path| std::fs::read_to_string(folder.join("rejects.ndjson")).expect("a file");
    assert_eq!(rejects(away.path()), rejects(copy.path()));
    let reject: Value = serde_json::from_str(&rejects(away.path())).expect("one line");
    assert_eq!(reject["line"], 3);
    assert_eq!(reject["record"], json!({"Name": "Riga", "Mayor": 1}));
    assert!(
        reject["reason"]
            .as_str()
            .is_some_and(|it| it.contains("Mayor")),
        "{reject}"
    );
    assert!(
        !away.path().join("fieldstone-data").exists(),
        "there is no store here"
    );
    let areas = server.get(&site.key, "/v1/my/businessareas").json();
    assert_eq!(areas["items"][0]["description"], "Where everything is.");
}

#[test]
fn the_trail_tells_whose_key_it_was() {
    let site = Site::new();
    let server = site.serve();
    let away = tempdir().expect("a folder");
    write_change(away.path());
    let done = output(
        elsewhere(away.path(), &server, &site.key),
        &["apply", "company.yaml"],
    );
    assert_eq!(done.status.code(), Some(3), "{}", text(&done.stderr));
    let trail = server.get(&site.key, "/admin/api/v1/audit").json();
    let entries = trail["items"].as_array().expect("entries");
    let changed = entries
        .iter()
        .find(|entry| entry["action"] == "update" && entry["noun"] == "area");
    let changed = changed.unwrap_or_else(|| panic!("{trail}"));
    assert_eq!(changed["actor"]["name"], "ci", "{changed}");
}

#[test]
fn a_key_without_the_rights_is_told_so_and_changes_nothing() {
    let site = Site::new();
    let clerk = Site::made(site.folder.path(), "clerk", "Clerk", "Places");
    let server = site.serve();
    let away = tempdir().expect("a folder");
    write_change(away.path());
    let before = server.get(&site.key, "/v1/my/businessareas").json();
    let message = refused(
        elsewhere(away.path(), &server, &clerk),
        &["apply", "company.yaml"],
    );
    assert!(
        message.starts_with("error: ") && message.contains("in the "),
        "{message}"
    );
    assert_eq!(server.get(&site.key, "/v1/my/businessareas").json(), before);
    for command in [
        &["key", "create", "more", "--role", "ACCOUNT ADMINISTRATOR"][..],
        &["key", "rotate", "ci"],
        &["user", "disable", "anna"],
    ] {
        let asked = elsewhere(away.path(), &server, &clerk);
        let output = output(asked, &[command, &["--format", "json"]].concat());
        assert_eq!(output.status.code(), Some(1), "{command:?}");
        let code = document(&output)["error"]["code"].clone();
        let codes = ["forbidden", "not_found", "invalid"];
        assert!(
            codes.iter().any(|known| code == *known),
            "{command:?}: {code}"
        );
    }
    assert_eq!(server.get(&site.key, "/v1/my/businessareas").status, 200);
    let keys = server.get(&site.key, "/admin/api/v1/api-keys").json();
    let keys = keys["items"].as_array().map(Vec::len);
    assert_eq!(keys, Some(3), "crm, ci and clerk: none more");
}

#[test]
fn credentials_are_managed_from_elsewhere() {
    let site = Site::new();
    let server = site.serve();
    let away = tempdir().expect("a folder");
    let key_file = away.path().join("key");
    std::fs::write(&key_file, format!("{}\n", site.key)).expect("written");
    let asked = |arguments: &[&str]| {
        let by_file = ["--key-file", "key", "--format", "json"];
        let output = output(
            elsewhere(away.path(), &server, ""),
            &[arguments, &by_file].concat(),
        );
        assert!(output.status.success(), "{}", text(&output.stderr));
        document(&output)
    };
    let made = asked(&[
        "key",
        "create",
        "erp",
        "--role",
        "Clerk",
        "--area",
        "Places=view",
    ]);
    let erp = made["secret"].as_str().expect("a secret").to_owned();
    assert_eq!(server.get(&erp, "/v1/my/businessareas").status, 200);
    let rotated = asked(&["key", "rotate", "erp", "--grace", "0"]);
    assert_eq!(server.get(&erp, "/v1/my/businessareas").status, 401);
    let erp = rotated["secret"].as_str().expect("a secret").to_owned();
    assert_eq!(server.get(&erp, "/v1/my/businessareas").status, 200);
    assert_eq!(asked(&["key", "disable", "erp"])["status"], "Inactive");
    let users = asked(&["user", "list"]);
    assert_eq!(users[0]["name"], "anna");
    let tenants = asked(&["tenant", "list"]);
    assert_eq!(tenants[0]["name"], "Acme");
    let message = refused(
        elsewhere(away.path(), &server, &site.key),
        &["tenant", "rename", "Acme", "Bolt"],
    );
    assert!(
        message.contains("only the operator of the machine"),
        "{message}"
    );
}

#[test]
fn who_signs_in_is_asked_for_a_password_and_a_code() {
    let site = Site::new();
    let create = ["user", "create", "eve", "--email", "eve@example.com"];
    let rights = ["--role", "ACCOUNT ADMINISTRATOR", "--area", "*"];
    let made = json(site.folder.path(), &[&create[..], &rights].concat());
    let password = made["secret"].as_str().expect("a password").to_owned();
    let server = site.serve();
    let away = tempdir().expect("a folder");
    std::fs::write(away.path().join("password"), &password).expect("written");
    let sign_in = ["--sign-in", "eve", "--sign-in-password-file", "password"];
    let list = ["key", "list", "--format", "json"];
    let signed_in = |stdin: &str| {
        let mut command = elsewhere(away.path(), &server, "");
        let command = command.args(list).args(sign_in).input(stdin);
        command.output().expect("it starts")
    };
    let shown = signed_in("");
    assert!(shown.status.success(), "{}", text(&shown.stderr));
    assert_eq!(document(&shown).as_array().map(Vec::len), Some(2));

    let own = |path: &str| format!("/admin/api/v1{path}");
    let body = json!({"username": "eve", "password": password, "token": true}).to_string();
    let entered = server.send("POST", "", &own("/sessions"), &body).json();
    let session = entered["token"].as_str().expect("a token");
    let sessions = server.get(session, &own("/my/sessions")).json();
    let sessions = sessions["items"].as_array().map(Vec::len);
    assert_eq!(sessions, Some(1), "the command's own session is over");
    let begun = server
        .send("POST", session, &own("/session/second-factor"), "")
        .json();
    let secret = begun["secret"].as_str().expect("a secret");
    let secret = totp_rs::Secret::try_from_base32(secret).expect("base 32");
    let totp = totp_rs::Builder::new()
        .with_secret(secret)
        .build()
        .expect("a good secret");
    let now = std::time::UNIX_EPOCH
        .elapsed()
        .expect("after 1970")
        .as_secs();
    let body = json!({"code": totp.generate(now).to_string()}).to_string();
    let confirmed = server.send(
        "POST",
        session,
        &own("/session/second-factor/confirm"),
        &body,
    );
    assert_eq!(confirmed.status, 200, "{}", confirmed.body);
    let recovery = confirmed.json()["recoveryCodes"][0]
        .as_str()
        .expect("a code")
        .to_owned();

    let without = signed_in("");
    assert!(
        text(&without.stderr).contains("standard input holds no code"),
        "{}",
        text(&without.stderr)
    );
    let with = signed_in(&format!("{recovery}\n"));
    assert!(with.status.success(), "{}", text(&with.stderr));
    let again = signed_in(&format!("{recovery}\n"));
    assert!(
        text(&again.stderr).contains("can't sign in as eve"),
        "{}",
        text(&again.stderr)
    );
}

#[test]
fn what_hinders_a_command_from_elsewhere_is_one_sentence() {
    let site = Site::new();
    let server = site.serve();
    let away = tempdir().expect("a folder");
    let wrong = "fst_000000000000000000000000000000000000000000";
    let list = ["key", "list"];
    let message = refused(elsewhere(away.path(), &server, wrong), &list);
    assert!(
        message.contains("does not know this credential"),
        "{message}"
    );
    let none = output(elsewhere(away.path(), &server, ""), &list);
    assert_eq!(none.status.code(), Some(2));
    assert!(
        text(&none.stderr).contains("give --key-file FILE"),
        "{}",
        text(&none.stderr)
    );
    let shown = output(
        elsewhere(away.path(), &server, ""),
        &["key", "list", "--key", "fst_x"],
    );
    assert!(
        text(&shown.stderr).contains("`ps`"),
        "{}",
        text(&shown.stderr)
    );
    let nobody = asking(away.path(), "http://127.0.0.1:9", &site.key);
    let nobody = output(nobody, &["--format", "json", "key", "list"]);
    let error = document(&nobody)["error"].take();
    assert_eq!(error["code"], "unreachable", "{error}");
    let told = error["message"].as_str().expect("a message");
    assert!(
        told.contains("is it running, and is this its address?"),
        "{error}"
    );
    let address = format!("http://{}/v1", server.address());
    let message = refused(asking(away.path(), &address, &site.key), &list);
    assert!(
        message.contains("the address must be the server's root"),
        "{message}"
    );
    let message = refused(
        elsewhere(away.path(), &server, &site.key),
        &["key", "list", "--tenant", "Bolt"],
    );
    assert!(
        message.contains("the credential is of the tenant `Acme`"),
        "{message}"
    );
}

#[test]
fn a_server_with_a_certificate_of_its_own_is_trusted_by_the_file_that_is_given() {
    let site = Site::new();
    let made =
        rcgen::generate_simple_self_signed(vec!["localhost".to_owned()]).expect("a certificate");
    let path = site.folder.path();
    std::fs::write(path.join("cert.pem"), made.cert.pem()).expect("written");
    std::fs::write(path.join("key.pem"), made.signing_key.serialize_pem()).expect("written");
    let server = Server::start(path, &["--tls-cert", "cert.pem", "--tls-key", "key.pem"]);
    let port = server
        .address()
        .rsplit(':')
        .next()
        .expect("a port")
        .to_owned();
    let ask = |more: &[&str]| {
        let address = format!("https://localhost:{port}");
        let command = asking(path, &address, &site.key);
        output(command, &[&["key", "list"], more].concat())
    };
    let trusted = ask(&["--ca-file", "cert.pem"]);
    assert!(trusted.status.success(), "{}", text(&trusted.stderr));
    let strange = ask(&[]);
    assert_eq!(strange.status.code(), Some(1));
    let told = text(&strange.stderr).to_lowercase();
    assert!(told.contains("certificate"), "{told}");
}
