//! Webhooks of a manifest: made, changed, left alone and removed, with secrets that are kept elsewhere and told nowhere.

use crate::jobs::cities;
use crate::support::{
    COMPANY, Server, TIMEOUT, elsewhere_process, fail, json, process, run, succeed, text,
    write_company,
};
use serde_json::{Value, json};
use std::io::ErrorKind;
use std::net::TcpListener;
use std::path::Path;
use std::time::{Duration, Instant};
use tempfile::{TempDir, tempdir};

const SECRET: &str = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const OTHER: &str = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD";

fn write(folder: &Path, name: &str, text: &str) {
    std::fs::write(folder.join(name), text).expect("written");
}

/// A folder with a manifest of a company that has these webhooks.
fn company(webhooks: &str) -> TempDir {
    let folder = tempdir().expect("a folder");
    write_company(folder.path());
    write(folder.path(), "company.yaml", &with(webhooks));
    folder
}

fn with(webhooks: &str) -> String {
    format!("{}\n    webhooks:\n{webhooks}", COMPANY.trim_end())
}

/// The step of the webhook in what an application told.
fn step(told: &Value) -> Option<&Value> {
    let steps = told["steps"].as_array().expect("steps");
    steps.iter().find(|step| step["what"] == "webhook")
}

/// A company whose key may do everything.
fn by_an_administrator(company: &str) -> String {
    company.replace(
        "roles: [Clerk]\n        areas: {Places: [view, add, edit]}",
        "roles: [ACCOUNT ADMINISTRATOR]\n        areas: {all: [view, add, edit, delete]}",
    )
}

const CITIES: &str = "      - name: Cities
        description: To the warehouse.
        url: https://example.org/hooks/cities
        datasets: [Places/City/Cities]
        secret: {file: hook.secret}
";

#[test]
fn a_webhook_is_made_changed_left_alone_and_removed() {
    let folder = company(CITIES);
    let folder = folder.path();
    write(folder, "hook.secret", &format!("{SECRET}\n"));
    let tried = json(folder, &["apply", "company.yaml", "--dry-run"]);
    assert_eq!(step(&tried).expect("a step")["action"], "create");
    let made = json(folder, &["apply", "company.yaml"]);
    let own = step(&made).expect("a step");
    assert_eq!(
        (&own["action"], &own["secret"]),
        (&json!("create"), &Value::Null)
    );
    let again = succeed(folder, &["apply", "company.yaml"]);
    assert!(again.ends_with("nothing to change\n"), "{again}");
    // another address and another secret: that it is another one is told, and neither of them
    let changed = CITIES.replace("hooks/cities", "hooks/towns");
    write(folder, "company.yaml", &with(&changed));
    write(folder, "hook.secret", OTHER);
    let told = json(folder, &["apply", "company.yaml"]);
    let own = step(&told).expect("a step");
    assert_eq!(own["action"], "update");
    let properties = own["properties"].as_array().expect("properties");
    let names: Vec<_> = properties.iter().map(|it| &it["property"]).collect();
    assert_eq!(names, ["url", "secret"], "{told}");
    for secret in [SECRET, OTHER] {
        assert!(!told.to_string().contains(secret), "{told}");
    }
    let again = succeed(folder, &["apply", "company.yaml"]);
    assert!(again.ends_with("nothing to change\n"), "{again}");
    // without a secret it keeps its own, and what is not said stays
    let bare = changed
        .replace("        secret: {file: hook.secret}\n", "")
        .replace("        description: To the warehouse.\n", "");
    write(folder, "company.yaml", &with(&bare));
    let again = succeed(folder, &["apply", "company.yaml"]);
    assert!(again.ends_with("nothing to change\n"), "{again}");
    // what is written down has no secret, and makes the same
    let export = succeed(folder, &["manifest", "export"]);
    assert!(
        export.contains("hooks/towns") && export.contains("To the warehouse."),
        "{export}"
    );
    assert!(
        !export.contains("whsec_") && !export.contains("secret"),
        "{export}"
    );
    write(folder, "all.yaml", &export);
    let again = succeed(folder, &["apply", "all.yaml"]);
    assert!(again.ends_with("nothing to change\n"), "{again}");
    // one that is left out stays; one that is removed goes, and is not missed afterwards
    write(folder, "company.yaml", COMPANY);
    succeed(folder, &["apply", "company.yaml"]);
    assert!(succeed(folder, &["manifest", "export"]).contains("hooks/towns"));
    write(
        folder,
        "company.yaml",
        &with("      - {name: Cities, removed: true}\n"),
    );
    let tried = json(folder, &["apply", "company.yaml", "--dry-run"]);
    assert_eq!(step(&tried).expect("a step")["action"], "remove");
    let told = succeed(folder, &["apply", "company.yaml"]);
    assert!(told.contains("- webhook Cities"), "{told}");
    assert!(!succeed(folder, &["manifest", "export"]).contains("hooks/towns"));
    let again = succeed(folder, &["apply", "company.yaml"]);
    assert!(again.ends_with("nothing to change\n"), "{again}");
}

#[test]
fn a_webhook_without_a_secret_gets_one_that_is_shown_once() {
    let bare = CITIES.replace("        secret: {file: hook.secret}\n", "");
    let folder = company(&bare);
    let told = json(folder.path(), &["apply", "company.yaml"]);
    let secret = step(&told).expect("a step")["secret"].as_str();
    assert!(secret.is_some_and(|it| it.starts_with("whsec_")), "{told}");
    let told = json(folder.path(), &["apply", "company.yaml"]);
    assert_eq!(step(&told).expect("a step")["secret"], Value::Null);
}

#[test]
fn what_is_wrong_with_a_webhook_is_told_before_anything_is_written() {
    let cases = [
        (
            "secret: {file: hook.secret}",
            "secret: {text: whsec_x}",
            "does not stand in a manifest",
        ),
        (
            "secret: {file: hook.secret}",
            "secret: {}",
            "either `file` or `environment`",
        ),
        (
            "secret: {file: hook.secret}",
            "secret: {environment: NOT_THERE}",
            "NOT_THERE",
        ),
        (
            "secret: {file: hook.secret}",
            "secret: {file: missing}",
            "missing",
        ),
        (
            "secret: {file: hook.secret}",
            "secret: {file: short}",
            "24 to 64 bytes",
        ),
        (
            "Places/City/Cities",
            "Places/City/Towns",
            "there is no dataset `Places/City/Towns`",
        ),
        (
            "https://example.org",
            "ftp://example.org",
            "begins with `https://`",
        ),
        ("[Places/City/Cities]", "[]", "1 to 100"),
    ];
    for (from, to, said) in cases {
        let folder = company(&CITIES.replace(from, to));
        write(folder.path(), "hook.secret", SECRET);
        write(folder.path(), "short", "whsec_c2hvcnQ=");
        let told = fail(folder.path(), &["apply", "company.yaml"]);
        assert!(told.contains(said), "{to}: {told}");
        let tenants = run(folder.path(), &["tenant", "list"]);
        assert!(!text(&tenants.stdout).contains("Acme"), "{to}");
    }
}

#[test]
fn a_secret_of_the_environment_goes_to_a_running_server_and_into_no_log() {
    let folder = company(CITIES);
    let folder = folder.path();
    let administrator = by_an_administrator(COMPANY);
    write(folder, "company.yaml", &administrator);
    let made = json(folder, &["apply", "company.yaml"]);
    let steps = made["steps"].as_array().expect("steps");
    let key = steps.iter().find(|step| step["name"] == "crm");
    let key = key.expect("a key")["secret"].as_str().expect("a secret");
    let server = Server::start(folder, &["--log", "debug"]);
    let hooks = CITIES.replace("{file: hook.secret}", "{environment: HOOK_SECRET}");
    let hooks = format!("tenants:\n  - name: Acme\n    webhooks:\n{hooks}");
    write(folder, "hooks.yaml", &hooks);
    let mut command = elsewhere_process(folder, &server, key);
    command
        .env("HOOK_SECRET", SECRET)
        .args(["apply", "hooks.yaml"]);
    let output = command.output().expect("the program starts");
    let told = format!("{}{}", text(&output.stdout), text(&output.stderr));
    assert!(told.contains("+ webhook Cities"), "{told}");
    assert!(!told.contains(SECRET) && !server.stop().contains(SECRET));
    let mut again = process(folder);
    again
        .env("HOOK_SECRET", SECRET)
        .args(["--data", "data", "apply", "hooks.yaml"]);
    let output = again.output().expect("the program starts");
    let told = text(&output.stdout);
    assert!(told.ends_with("nothing to change\n"), "{told}");
}

/// How the deliveries of a webhook stand, once something of it failed.
fn failed(server: &Server, key: &str, id: &str) -> String {
    let began = Instant::now();
    loop {
        let path = format!("/admin/api/v1/webhooks/{id}/delivery");
        let told = server.get(key, &path).json();
        assert_eq!(told["deliveredAt"], Value::Null, "{told}");
        if let Some(error) = told["error"].as_str() {
            return error.to_owned();
        }
        assert!(began.elapsed() < TIMEOUT, "{told}");
        std::thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn a_server_sends_nothing_to_its_own_machine_unless_it_is_told_to() {
    let here = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = here.local_addr().expect("an address").port();
    let hook = |name: &str, host: &str| {
        format!(
            "      - name: {name}\n        url: http://{host}:{port}/hook\n        datasets: [Places/City/Cities]\n"
        )
    };
    let hooks = hook("by number", "127.0.0.1") + &hook("by name", "localhost");
    let folder = company(&hooks);
    let folder = folder.path();
    write(folder, "company.yaml", &by_an_administrator(&with(&hooks)));
    let made = json(folder, &["apply", "company.yaml"]);
    let steps = made["steps"].as_array().expect("steps");
    let key = steps.iter().find(|step| step["name"] == "crm");
    let key = key.expect("a key")["secret"].as_str().expect("a secret");
    let server = Server::start(folder, &[]);
    let [area, schema, dataset] = cities(&server, key);
    let records =
        format!("/v1/businessareas/{area}/schemas/{schema}/datasets/{dataset}/dataobjects");
    let made = server.send("POST", key, &records, r#"{"Name": "Goch"}"#);
    assert_eq!(made.status, 201, "{}", made.body);
    let hooks = server.get(key, "/admin/api/v1/webhooks").json();
    let hooks = hooks["items"].as_array().expect("webhooks");
    assert_eq!(hooks.len(), 2, "{hooks:?}");
    for hook in hooks {
        let id = hook["webhookId"].as_str().expect("an id");
        let error = failed(&server, key, id);
        assert!(
            error.contains("is not of the public network"),
            "{}: {error}",
            hook["name"]
        );
    }
    here.set_nonblocking(true).expect("a socket");
    let came = here.accept().map_err(|error| error.kind());
    assert_eq!(came.err(), Some(ErrorKind::WouldBlock), "nobody came");
    server.stop();
}
