//! Manifests: applied twice, tried dry, applied beside a server, changed, and wrong.

use crate::support::{CITY, COMPANY, Server, fail, json, run, succeed, word_after, write_company};
use serde_json::Value;
use std::path::Path;
use tempfile::tempdir;

fn write(folder: &Path, name: &str, text: &str) {
    std::fs::write(folder.join(name), text).expect("written");
}

/// Action and name of every step.
fn steps(applied: &Value) -> Vec<(String, String)> {
    let steps = applied["steps"].as_array().expect("steps");
    let text = |step: &Value, name: &str| step[name].as_str().expect("a text").to_owned();
    steps
        .iter()
        .map(|step| (text(step, "action"), text(step, "name")))
        .collect()
}

/// The manifest whose records change those that are there.
fn upserts() -> String {
    COMPANY.replace("[cities.ndjson]", "[{file: cities.ndjson, mode: upsert}]")
}

fn secret(applied: &Value, name: &str) -> String {
    let steps = applied["steps"].as_array().expect("steps");
    let step = steps
        .iter()
        .find(|step| step["name"] == name)
        .expect("the step");
    step["secret"].as_str().expect("a secret").to_owned()
}

fn counts(applied: &Value) -> [u64; 4] {
    let file = &applied["records"][0];
    ["created", "updated", "unchanged", "leftOut"].map(|name| file[name].as_u64().expect("a count"))
}

/// The records of the only dataset of the area `Places`.
fn records(server: &Server, key: &str) -> Value {
    let id = |path: &str, name: &str| {
        let answer = server.get(key, path);
        assert_eq!(answer.status, 200, "{path}: {}", answer.body);
        answer.json()["items"][0][name]
            .as_str()
            .expect("an id")
            .to_owned()
    };
    let area = format!(
        "/v1/businessareas/{}",
        id("/v1/my/businessareas", "businessAreaId")
    );
    let schema = format!(
        "{area}/schemas/{}",
        id(&format!("{area}/schemas"), "schemaId")
    );
    let dataset = format!(
        "{schema}/datasets/{}",
        id(&format!("{schema}/datasets"), "dataSetId")
    );
    server.get(key, &format!("{dataset}/dataobjects")).json()
}

#[test]
fn a_manifest_applied_twice_changes_nothing_the_second_time() {
    let folder = tempdir().expect("a folder");
    write_company(folder.path());
    let first = json(folder.path(), &["apply", "company.yaml"]);
    let made = [
        "Acme",
        "Countries",
        "Places",
        "City",
        "Cities",
        "People",
        "Clerk",
        "anna",
        "crm",
        "shop",
    ];
    let expected = made.map(|name| ("create".to_owned(), name.to_owned()));
    assert_eq!(steps(&first), expected);
    assert_eq!(counts(&first), [3, 0, 0, 0]);
    assert!(secret(&first, "crm").starts_with("fst_"));
    assert!(secret(&first, "anna").len() >= 12);

    let second = json(folder.path(), &["apply", "company.yaml"]);
    let kept = made.map(|name| ("keep".to_owned(), name.to_owned()));
    assert_eq!(steps(&second), kept);
    assert_eq!(counts(&second), [0, 0, 3, 0]);
    assert!(!second.to_string().contains("secret"), "{second}");
    assert!(succeed(folder.path(), &["apply", "company.yaml"]).ends_with("nothing to change\n"));

    let server = Server::start(folder.path(), &[]);
    let list = records(&server, &secret(&first, "crm"));
    let names = list["items"]
        .as_array()
        .expect("items")
        .iter()
        .map(|item| item["Name"].clone());
    assert_eq!(
        names.collect::<Vec<_>>(),
        ["Delft", "Ulm", "Atlantis"],
        "in the file's order"
    );
    let versions = list["items"]
        .as_array()
        .expect("items")
        .iter()
        .map(|item| &item["_version"]);
    assert!(versions.into_iter().all(|version| version == 0), "{list}");
    assert_eq!(list["items"][0]["People"], 110_000);
    assert_eq!(
        list["items"][0]["_errors"],
        Value::Array(Vec::new()),
        "its domain is known"
    );
    assert_eq!(
        list["items"][2]["_errors"]
            .as_array()
            .expect("faults")
            .len(),
        2
    );
    server.stop();
    succeed(folder.path(), &["check"]);
}

#[test]
fn a_dry_run_tells_the_plan_and_writes_nothing() {
    let folder = tempdir().expect("a folder");
    write_company(folder.path());
    let plan = succeed(folder.path(), &["apply", "company.yaml", "--dry-run"]);
    assert!(
        plan.contains("+ tenant Acme\n") && plan.contains("3 new"),
        "{plan}"
    );
    assert!(!folder.path().join("data").exists(), "not even a folder");

    succeed(
        folder.path(),
        &["init", "--tenant", "Other", "--email", "o@example.com"],
    );
    let plan = succeed(folder.path(), &["apply", "company.yaml", "--dry-run"]);
    for line in [
        "+ tenant Acme\n",
        "+ schema City\n",
        "+ API key crm\n",
        "3 new",
    ] {
        assert!(plan.contains(line), "{line} in {plan}");
    }
    assert!(plan.ends_with("nothing was written: a dry run\n"), "{plan}");
    let message = fail(folder.path(), &["key", "list", "--tenant", "Acme"]);
    assert!(message.contains("there is no tenant `Acme`"), "{message}");

    succeed(folder.path(), &["apply", "company.yaml"]);
    write(folder.path(), "company.yaml", &upserts());
    write(
        folder.path(),
        "cities.ndjson",
        "{\"Name\": \"Ulm\", \"People\": 5}\n{\"Name\": \"Bonn\"}\n",
    );
    let plan = json(folder.path(), &["apply", "company.yaml", "--dry-run"]);
    assert_eq!(counts(&plan), [1, 1, 0, 0]);
    let done = json(folder.path(), &["apply", "company.yaml"]);
    assert_eq!(counts(&done), [1, 1, 0, 0], "the plan was kept");
}

#[test]
fn a_running_server_applies_a_manifest_and_answers_by_it_at_once() {
    let folder = tempdir().expect("a folder");
    write_company(folder.path());
    let server = Server::start(folder.path(), &[]);
    server.wait_for_error("fieldstone init --data data");
    let first = json(folder.path(), &["apply", "company.yaml"]);
    let key = secret(&first, "crm");
    assert_eq!(
        records(&server, &key)["items"]
            .as_array()
            .expect("items")
            .len(),
        3
    );

    write(folder.path(), "company.yaml", &upserts());
    write(
        folder.path(),
        "cities.ndjson",
        "{\"Name\": \"Ulm\", \"People\": 5}\n",
    );
    let second = json(folder.path(), &["apply", "company.yaml"]);
    assert_eq!(counts(&second), [0, 1, 0, 0]);
    let list = records(&server, &key);
    assert_eq!(list["items"][1]["People"], 5);
    assert_eq!(list["items"][1]["_version"], 1);
    assert_eq!(
        list["items"][1]["Country"], "DE",
        "what the file leaves out stays"
    );
}

#[test]
fn a_changed_manifest_changes_what_differs_and_keeps_secrets() {
    let folder = tempdir().expect("a folder");
    write_company(folder.path());
    let first = json(folder.path(), &["apply", "company.yaml"]);
    let changed = COMPANY
        .replace("Where things are.", "Where everything is.")
        .replace(
            "description: Germany}",
            "description: Germany}\n          - {code: FR, description: France}",
        )
        .replace("tokenSeconds: 600", "tokenSeconds: 60")
        .replace("DATA OBJECTS: [view, add, edit]", "DATA OBJECTS: [view]")
        .replace(
            "areas: {Places: [view, add, edit]}",
            "areas: {Places: [view], People: [view]}",
        );
    write(folder.path(), "company.yaml", &changed);
    write(
        folder.path(),
        "city.json",
        &CITY.replace("\"max\": 20", "\"max\": 30"),
    );
    let second = json(folder.path(), &["apply", "company.yaml"]);
    let changed: Vec<String> = steps(&second)
        .into_iter()
        .filter_map(|(action, name)| (action == "update").then_some(name))
        .collect();
    assert_eq!(
        changed,
        ["Countries", "Places", "City", "Clerk", "crm", "shop"]
    );
    let third = json(folder.path(), &["apply", "company.yaml"]);
    assert!(
        steps(&third).iter().all(|(action, _)| action == "keep"),
        "{third}"
    );

    let server = Server::start(folder.path(), &[]);
    let areas = server
        .get(&secret(&first, "crm"), "/v1/my/businessareas")
        .json();
    assert_eq!(
        areas["items"].as_array().expect("items").len(),
        2,
        "{areas}"
    );
    assert_eq!(areas["items"][0]["description"], "Where everything is.");
}

#[test]
fn a_mistake_that_shows_without_writing_leaves_nothing_half_done() {
    let folder = tempdir().expect("a folder");
    write_company(folder.path());
    let wrong = COMPANY.replace("areas: {Places: [view]}", "areas: {Plaices: [view]}");
    write(folder.path(), "company.yaml", &wrong);
    let message = fail(folder.path(), &["apply", "company.yaml"]);
    assert!(message.contains("there is no area `Plaices`"), "{message}");
    let message = fail(folder.path(), &["key", "list"]);
    assert!(message.contains("holds no store"), "{message}");
}

#[test]
fn json_manifests_inline_documents_and_arrays_of_records_do_as_well() {
    let folder = tempdir().expect("a folder");
    let document: Value = serde_json::from_str(&CITY.replace("the-countries", "")).expect("JSON");
    let document = document.to_string().replace(
        "\"dynamic\"",
        "\"static\",\"staticPicklist\":[{\"code\":\"NL\",\"description\":\"\"}]",
    );
    let manifest = format!(
        r#"{{"tenants": [{{"name": "Acme", "areas": [{{"name": "Places", "schemas": [{{"document": {document},
            "datasets": [{{"name": "Cities", "records": ["cities.json"]}}]}}]}}]}}]}}"#
    );
    write(folder.path(), "acme.json", &manifest);
    write(
        folder.path(),
        "cities.json",
        r#"[{"Name": "Ulm"},
            {"Name": "Ulm", "People": 1},
            {"People": 1},
            {"Name": "Bonn", "Mayor": "x"}, {"Name": "Bonn"}]"#,
    );
    let applied = json(folder.path(), &["apply", "acme.json"]);
    assert_eq!(counts(&applied), [2, 0, 0, 3]);
    let reasons = applied["records"][0]["reasons"]
        .as_array()
        .expect("reasons");
    let reasons: Vec<_> = reasons
        .iter()
        .map(|reason| reason.as_str().expect("a text"))
        .collect();
    assert_eq!(
        reasons[..1],
        ["line 2: an earlier record has its primary key"]
    );
    assert!(
        reasons[1].starts_with("line 3: ") && reasons[1].contains("primary key"),
        "{reasons:?}"
    );
    assert!(
        reasons[2].starts_with("line 4: ") && reasons[2].contains("Mayor"),
        "{reasons:?}"
    );
    let again = json(folder.path(), &["apply", "acme.json"]);
    assert_eq!(
        counts(&again),
        [0, 0, 2, 3],
        "the first record of a key counts, each time"
    );
}

#[test]
fn what_is_wrong_with_a_manifest_is_told_with_its_place() {
    let folder = tempdir().expect("a folder");
    write_company(folder.path());
    let cases = [
        ("- name: People", "- nmae: People", "unknown field"),
        (
            "roles: [Clerk]\n        areas: {Places: [view]}",
            "roles: [Clark]",
            "there is no role `Clark`; there are",
        ),
        (
            "areas: {Places: [view]}",
            "areas: {Plaices: [view]}",
            "there is no area `Plaices`; there are People, Places",
        ),
        (
            "DATASETS: [view]",
            "DATASTES: [view]",
            "there is no resource `DATASTES`",
        ),
        ("document: city.json", "document: town.json", "town.json"),
        (
            "email: anna@example.com",
            "email: anna",
            "$.email: must be an e-mail address",
        ),
    ];
    for (right, wrong, expected) in cases {
        let text = COMPANY.replacen(right, wrong, 1);
        assert_ne!(text, COMPANY, "{right} stands in the manifest");
        write(folder.path(), "wrong.yaml", &text);
        let message = fail(folder.path(), &["apply", "wrong.yaml"]);
        assert!(message.contains(expected), "{wrong}: {message}");
    }
    write(
        folder.path(),
        "city.json",
        &CITY.replace("\"min\": 0", "\"min\": 5, \"max\": 4"),
    );
    let message = fail(folder.path(), &["apply", "company.yaml"]);
    assert!(
        message.contains("city.json") && message.contains("$.fields[1].min"),
        "{message}"
    );
    let output = run(folder.path(), &["apply"]);
    assert_eq!(output.status.code(), Some(2), "a manifest is required");
    let message = word_after(&fail(folder.path(), &["apply", "none.yaml"]), "error:").to_owned();
    assert_eq!(message, "can't");
}
