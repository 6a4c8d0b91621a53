//! Operations: what commands ask a server for, by the rights of whoever asks.

use crate::admin_server::{AdminServer, city};
use crate::jobs::imported;
use crate::requests::Answer;
use serde_json::{Value, json};

/// Applies what a tenant is to hold.
fn apply(tenant: &Value, only_new: bool) -> Value {
    let mode = json!({"dry_run": false, "only_new": only_new, "existing_tenant": true});
    json!({"apply": {"manifest": {"tenants": [tenant]}, "mode": mode}})
}

/// What an answer tells, object by object.
fn lines(answer: &Answer) -> Vec<Value> {
    assert_eq!(answer.header("content-type"), Some("application/json"));
    assert_eq!(answer.header("cache-control"), Some("no-store"));
    serde_json::from_str(&answer.body).expect("a JSON array")
}

/// An area with cities, of which one can't be stored.
fn places() -> Value {
    let text = "{\"Code\": \"A\"}\n{\"Kode\": \"B\"}\n";
    let records = json!([{"file": "cities.ndjson", "text": text}]);
    let dataset = json!({"name": "Cities", "records": records});
    let schema = json!({"document": city(), "datasets": [dataset]});
    json!({"areas": [{"name": "Seen", "schemas": [schema]}]})
}

#[test]
fn an_operation_tells_how_far_it_is_what_it_leaves_out_and_its_outcome() {
    let server = AdminServer::start();
    let answer = server.root("POST /operations", Some(apply(&places(), false)));
    let lines = lines(&answer.is(200));
    let of = |kind: &str| {
        let found = lines.iter().find(|line| line.get(kind).is_some());
        found.unwrap_or_else(|| panic!("no {kind}: {lines:?}"))[kind].clone()
    };
    assert_eq!(of("progress")["file"], "cities.ndjson");
    let rejected = of("rejected");
    assert_eq!(rejected["line"], 2);
    assert_eq!(rejected["record"], "{\"Kode\": \"B\"}");
    let report = of("outcome")["applied"].clone();
    assert_eq!(
        (
            &report["records"][0]["created"],
            &report["records"][0]["leftOut"]
        ),
        (&1.into(), &1.into())
    );
    assert_eq!(
        lines
            .last()
            .and_then(|line| line.get("outcome"))
            .map(Value::is_object),
        Some(true)
    );
    assert!(server.get("/areas").to_string().contains("Seen"));
}

#[test]
fn an_export_tells_records_in_pieces_and_never_as_a_whole() {
    let server = AdminServer::start();
    server.start_jobs();
    let [_, _, dataset] = server.places(&city());
    let rows: Vec<_> = (0..4000).map(|n| format!("a code {n}\n")).collect();
    imported(&server, &dataset, "", &format!("Code\n{}", rows.concat()));
    let export = json!({"export": {"tenant": null, "records": true}});
    let lines = lines(&server.root("POST /operations", Some(export)).is(200));
    let (last, pieces) = lines.split_last().expect("lines");
    let manifest = &last["outcome"]["exported"]["tenants"][0];
    let named = &manifest["areas"][0]["schemas"][0]["datasets"][0]["records"][0];
    let mut all = String::new();
    for piece in pieces {
        assert_eq!(piece["records"]["file"], named["file"]);
        let own = piece["records"]["lines"].as_str().expect("lines");
        assert!(own.len() < 17 << 10, "{} bytes", own.len());
        all += own;
    }
    assert!(pieces.len() > 5 && all.lines().count() == 4000);
    assert!(all.starts_with("{\"Code\":\"a code 0\"}\n"), "{all}");
    assert!(!named.to_string().contains("a code"), "{named}");
}

#[test]
fn who_asks_for_lines_alone_gets_lines_and_everyone_else_an_array() {
    let server = AdminServer::start();
    let ask = |accept: &str| {
        server.send(
            "POST /admin/api/v1/operations",
            &[("Authorization", &server.root), ("Accept", accept)],
            Some(&apply(&places(), false).to_string()),
        )
    };
    for accept in [
        "*/*",
        "application/json",
        "application/x-ndjson, application/json",
        "application/x-ndjson;q=0.5, application/json;q=0.8",
        "application/x-ndjson;q=0, */*",
        "application/x-ndjson-like",
    ] {
        let told = lines(&ask(accept).is(200));
        assert!(
            told.last().is_some_and(|last| last["outcome"].is_object()),
            "{accept}"
        );
    }
    let liked = ask("application/json;q=0.5, Application/X-NDJSON").is(200);
    assert_eq!(liked.header("content-type"), Some("application/x-ndjson"));
    let answer = ask("application/x-ndjson").is(200);
    assert_eq!(answer.header("content-type"), Some("application/x-ndjson"));
    // no proxy gathers what is told of the work
    assert_eq!(answer.header("x-accel-buffering"), Some("no"));
    let lines = answer.body.lines().filter(|line| !line.is_empty());
    let lines: Vec<Value> = lines
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    assert!(lines.len() > 1 && lines.last().is_some_and(|last| last["outcome"].is_object()));
}

#[test]
fn an_operation_that_is_refused_before_anything_was_done_has_a_status() {
    let server = AdminServer::start();
    let key = json!({"name": "erp", "roles": ["MEMBER"]});
    let keys = json!({"apiKeys": [key]});
    let make = || server.root("POST /operations", Some(apply(&keys, true)));
    let made = lines(&make().is(200));
    let secret = &made.last().expect("a line")["outcome"]["applied"]["steps"][0]["secret"];
    assert!(
        secret.as_str().is_some_and(|it| it.starts_with("fst_")),
        "{made:?}"
    );
    let again = make().is(409);
    assert!(
        again
            .text("message")
            .contains("there is an API key named `erp` already")
    );
    let unknown =
        json!({"credentials": {"kind": "key", "tenant": null, "what": {"delete": "crm"}}});
    let unknown = server.root("POST /operations", Some(unknown)).is(404);
    assert_eq!(unknown.text("message"), "there is no API key `crm`");
    let wrong = json!({"apiKeys": [{"name": "x", "roles": ["NONE"]}]});
    let wrong = server
        .root("POST /operations", Some(apply(&wrong, true)))
        .is(400);
    assert!(wrong.text("message").contains("there is no role `NONE`"));
    server
        .root("POST /operations", Some(json!({"destroy": {}})))
        .is(400);
    for operators in [
        json!({"tenants": {"rename": {"from": "a", "to": "b"}}}),
        json!({"rotate_secret": {"file": null}}),
        json!("rebuild_index"),
    ] {
        let answer = server.root("POST /operations", Some(operators)).is(403);
        assert!(
            answer
                .text("message")
                .contains("only the operator of the machine")
        );
    }
}

#[test]
fn nobody_does_by_an_operation_what_its_rights_do_not_allow() {
    let server = AdminServer::start();
    let (_, member) = server.key("member", &[&server.role("MEMBER")], &[]);
    let ask = |request: Value| server.ask(&member, "POST /operations", Some(request));
    let administrator = json!({"apiKeys": [{"name": "more", "roles": ["ACCOUNT ADMINISTRATOR"]}]});
    let answer = ask(apply(&administrator, true));
    assert_ne!(answer.status, 200, "{}", answer.body);
    let all = json!({"credentials": {"kind": "user", "tenant": null, "what": "list"}});
    ask(all).is(403);
    let disable =
        json!({"credentials": {"kind": "user", "tenant": null, "what": {"disable": "ada"}}});
    let answer = ask(disable);
    assert!([403, 404].contains(&answer.status), "{}", answer.body);
    let other = json!({"name": "Elsewhere", "areas": [{"name": "Mine"}]});
    ask(apply(&other, false)).is(403);
    assert!(!server.get("/api-keys").to_string().contains("more"));
}

/// The steps of an outcome as what was done to which.
fn steps(answer: &Answer) -> Vec<(String, String)> {
    let lines = lines(answer);
    let report = &lines.last().expect("an outcome")["outcome"]["applied"];
    let text = |value: &Value| value.as_str().expect("a text").to_owned();
    let steps = report["steps"].as_array().expect("steps").iter();
    steps
        .map(|step| (text(&step["action"]), text(&step["name"])))
        .collect()
}

#[test]
fn thousands_of_datasets_are_made_in_a_few_changes_of_the_catalog() {
    let server = AdminServer::start();
    let names: Vec<String> = (0..2500).map(|at| format!("D{at}")).collect();
    let mut datasets: Vec<_> = names.iter().map(|name| json!({"name": name})).collect();
    // one that stands twice is one
    datasets.push(datasets[0].clone());
    let schema = json!({"document": city(), "datasets": datasets});
    let tenant = json!({"areas": [{"name": "Many", "schemas": [schema]}]});
    let version = || server.service.store().catalog().version();
    let before = version();
    let first = server.root("POST /operations", Some(apply(&tenant, false)));
    let first = steps(&first.is(200));
    let made = version() - before;
    assert!(
        made <= 5,
        "an area, a schema and three times datasets: {made}"
    );
    let expected = names.iter().chain(&names[..1]).map(String::as_str);
    let told = first[2..].iter().map(|(_, name)| name.as_str());
    assert!(told.eq(expected), "each in its place");
    let is_made = |(action, _): &&(String, String)| action == "create";
    assert_eq!(first.iter().filter(is_made).count(), 2502);

    let catalog = server.service.store().catalog();
    let there = catalog.datasets.values();
    let there: Vec<_> = there.filter(|it| it.name.starts_with('D')).collect();
    let order = there.iter().map(|dataset| &dataset.name);
    assert!(order.eq(&names), "lists are in the order of the manifest");
    assert!(
        there.windows(2).all(|pair| pair[0].number < pair[1].number),
        "no two share a number"
    );
    let again = server.root("POST /operations", Some(apply(&tenant, false)));
    assert!(
        steps(&again.is(200))
            .iter()
            .all(|(action, _)| action == "keep")
    );
    assert_eq!(version() - before, made, "nothing was to be changed");
}

#[test]
fn datasets_that_were_made_are_told_also_where_the_records_of_one_before_them_fail() {
    let server = AdminServer::start();
    let records = json!([{"file": "cities.json", "text": "[{\"Code\": "}]);
    let datasets = json!([{"name": "A"}, {"name": "B", "records": records}, {"name": "C"}]);
    let schema = json!({"document": city(), "datasets": datasets});
    let tenant = json!({"areas": [{"name": "Many", "schemas": [schema]}]});
    let answer = server.root("POST /operations", Some(apply(&tenant, false)));
    let answer = answer.is(200);
    let told = steps(&answer);
    let names: Vec<_> = told.iter().map(|(_, name)| name.as_str()).collect();
    assert_eq!(names, ["Many", "City", "A", "B", "C"]);
    assert!(answer.body.contains("in the dataset B"), "{}", answer.body);
    let catalog = server.service.store().catalog();
    let is_there = |name: &str| catalog.datasets.values().any(|it| it.name == name);
    assert!(is_there("A") && is_there("B") && is_there("C"));
}
