//! What a change of a schema or of a data domain would make faulty, asked at once and of a whole dataset as a job: the counts
//! of what comes about, and no record touched.

use crate::admin_server::{AdminServer, city};
use crate::browser::{Browser, give_ada};
use crate::jobs::{ended, files_come_to, imported, server, thing, thing_of_countries, working};
use crate::rights::role;
use runtime::service::JobSettings;
use serde_json::{Value, json};
use std::time::{Duration, Instant};

/// Records of more than two pages of the judgement, each tenth of them of a size above 15.
const RECORDS: usize = 2_100;

fn many(server: &AdminServer, dataset: &str) {
    let row = |n: usize| format!("{n},{}\n", if n.is_multiple_of(10) { 20 } else { 2 });
    let rows: String = (1..=RECORDS).map(row).collect();
    imported(server, dataset, "", &format!("Code,Size\n{rows}"));
}

/// A document whose sizes end at 15.
fn narrower() -> Value {
    let mut document = thing();
    document["fields"][2]["max"] = json!(15);
    document
}

#[test]
fn what_a_change_would_make_faulty_is_told_of_every_record_and_none_is_touched() {
    let server = server();
    let [_, schema, dataset] = server.places(&thing());
    many(&server, &dataset);
    let before = server.get(&format!("/datasets/{dataset}/faults"));
    let change = json!({"document": narrower()});
    let made = server.make(&format!("/datasets/{dataset}/effects"), change.clone());
    let job = ended(&server, &made.text("jobId"));
    assert_eq!(
        (&job["kind"], &job["state"]),
        (&json!("effects"), &json!("done")),
        "{job}"
    );
    assert_eq!(
        job["progress"],
        json!({"rows": RECORDS, "rowsTotal": RECORDS, "bytes": 0})
    );
    let result = &job["revisionResult"];
    let told = [
        "records",
        "changed",
        "faultyBefore",
        "becomeFaulty",
        "faultyAfter",
    ];
    let told = told.map(|name| result[name].as_u64().unwrap());
    let tenth = RECORDS as u64 / 10;
    assert_eq!(told, [RECORDS as u64, 0, 0, tenth, tenth]);
    let fault = &result["faults"][0];
    assert_eq!(
        (&fault["field"], &fault["rule"], &fault["come"]),
        (&json!("Size"), &json!("max"), &json!(RECORDS / 10))
    );
    assert_eq!(fault["samples"].as_array().map(Vec::len), Some(5));
    // the request tells the same
    let asked = format!("POST /schemas/{schema}/effects");
    let effects = server.root(&asked, Some(change.clone())).is(200).json();
    assert_eq!(effects["faults"], result["faults"]);
    assert_eq!(server.get(&format!("/datasets/{dataset}/faults")), before);
    let own = format!("/schemas/{schema}");
    assert_eq!(server.get(&own)["document"]["version"], json!(1));
    // nothing was written, so nothing can be taken back, and nothing of it is left in the folder
    let id = job["jobId"].as_str().unwrap();
    server.root(&format!("POST /jobs/{id}/undo"), None).is(409);
    files_come_to(&server, 0);
}

#[test]
fn a_change_that_cannot_be_made_is_refused_before_there_is_a_job() {
    let server = server();
    let [_, schema, dataset] = server.places(&thing());
    let asked = format!("POST /datasets/{dataset}/effects");
    let mut document = narrower();
    document["fields"][2]["min"] = json!(16);
    server
        .root(&asked, Some(json!({"document": document})))
        .is(400);
    let stale = json!({"document": narrower(), "version": 99});
    server.root(&asked, Some(stale.clone())).is(409);
    let at_once = format!("POST /schemas/{schema}/effects");
    server.root(&at_once, Some(stale)).is(409);
    let elsewhere = "POST /datasets/019b7638-1d44-7c06-8a5b-77e0c1f0a2d9/effects";
    server
        .root(elsewhere, Some(json!({"document": narrower()})))
        .is(404);
    assert_eq!(server.get("/jobs")["items"], json!([]));
}

#[test]
fn who_may_not_change_the_schema_or_not_view_the_records_is_told_nothing_of_them() {
    let server = server();
    let [area, _, dataset] = server.places(&thing());
    let change = json!({"document": narrower()});
    let key = |name: &str, role: String, verbs: Value| {
        let key =
            json!({"name": name, "roles": [role], "grants": [{"area": area, "verbs": verbs}]});
        server.make("/api-keys", key).text("key")
    };
    let modeller = role(&server, "Modeller", &[("SCHEMA MODELS", &["view", "edit"])]);
    let all = json!(["view", "add", "edit", "delete"]);
    let keys = [
        key("modeller", modeller, all.clone()),
        key("member", server.role("MEMBER"), json!(["view"])),
    ];
    for key in keys {
        let asked = format!("POST /datasets/{dataset}/effects");
        server.ask(&key, &asked, Some(change.clone())).is(403);
    }
}

#[test]
fn a_change_asked_about_while_the_schema_changes_is_judged_by_what_it_is_then() {
    // nobody works on it until the schema is another one
    let server = working(JobSettings {
        workers: 0,
        ..JobSettings::default()
    });
    let [_, schema, dataset] = server.places(&thing());
    let create = json!({"create": {"Code": "1", "Size": 20}});
    let bulk = format!("POST /datasets/{dataset}/records/bulk");
    server.root(&bulk, Some(create)).is(200);
    let ask = |change: Value| {
        let made = server.make(&format!("/datasets/{dataset}/effects"), change);
        made.text("jobId")
    };
    let version = server.get(&format!("/schemas/{schema}"))["version"].clone();
    let [any, of_then] = [
        ask(json!({"document": narrower()})),
        ask(json!({"document": narrower(), "version": version})),
    ];
    let mut other = thing();
    other["fields"][2]["min"] = json!(30);
    server
        .root(
            &format!("PUT /schemas/{schema}"),
            Some(json!({"document": other})),
        )
        .is(200);
    let run = |id: &str| {
        let done = server.tokio.block_on(server.service.run_job(id));
        done.expect("a job");
        server.get(&format!("/jobs/{id}"))
    };
    let job = run(&any);
    assert_eq!(job["state"], "done", "{job}");
    assert_eq!(job["revisionResult"]["faults"][0]["come"], 1, "{job}");
    let job = run(&of_then);
    assert_eq!(job["state"], "failed", "{job}");
    assert!(
        job["failure"].as_str().unwrap().contains("version"),
        "{job}"
    );
}

#[test]
fn a_job_whose_maker_lost_the_schema_or_that_was_cancelled_tells_no_more() {
    let server = working(JobSettings {
        workers: 0,
        ..JobSettings::default()
    });
    let [_, schema, dataset] = server.places(&city());
    let own = server.get(&format!("/schemas/{schema}"));
    let change = json!({"document": own["document"]});
    let made = server.make(
        "/api-keys",
        json!({"name": "passing", "roles": [server.role("ACCOUNT ADMINISTRATOR")],
        "grants": []}),
    );
    let (key, id) = (made.text("key"), made.text("apiKeyId"));
    let asked = format!("POST /datasets/{dataset}/effects");
    let lost = server.ask(&key, &asked, Some(change.clone())).is(201);
    let cancelled = server.make(&format!("/datasets/{dataset}/effects"), change);
    server.root(&format!("DELETE /api-keys/{id}"), None).is(204);
    let (lost, cancelled) = (lost.text("jobId"), cancelled.text("jobId"));
    server
        .root(&format!("POST /jobs/{cancelled}/cancel"), None)
        .is(200);
    for id in [&lost, &cancelled] {
        let done = server.tokio.block_on(server.service.run_job(id));
        done.expect("a job");
    }
    let job = server.get(&format!("/jobs/{lost}"));
    assert_eq!(job["state"], "failed", "{job}");
    assert!(
        job["failure"].as_str().unwrap().contains("passing"),
        "{job}"
    );
    assert_eq!(
        server.get(&format!("/jobs/{cancelled}"))["state"],
        "cancelled"
    );
    let left = std::fs::read_dir(server.folder.path().join("jobs")).expect("a folder");
    assert_eq!(left.count(), 0);
}

/// A data domain, and a dataset whose names are its codes; one of its three records has a code that the domain lacks.
fn of_countries(server: &AdminServer) -> (String, [String; 3]) {
    let (domain, document) = thing_of_countries(server);
    let places = server.places(&document);
    let rows = "Code,Name,Size\n1,DE,1\n2,FR,20\n3,IT,30\n";
    imported(server, &places[2], "", rows);
    (domain, places)
}

#[test]
fn what_other_codes_would_make_faulty_is_told_and_no_record_is_touched() {
    let server = server();
    let (domain, [_, _, dataset]) = of_countries(&server);
    let before = server.get(&format!("/datasets/{dataset}/faults"));
    let change = json!({"name": "Countries", "codes": [{"code": "FR"}, {"code": "IT"}]});
    let asked = format!("POST /domains/{domain}/effects");
    let effects = server.root(&asked, Some(change.clone())).is(200).json();
    let told = [
        "recordCount",
        "judgedCount",
        "faultyBefore",
        "becomeFaulty",
        "faultyAfter",
    ];
    let told = told.map(|name| effects[name].as_u64().unwrap());
    assert_eq!(told, [3, 3, 1, 1, 1], "{effects}");
    let fault = &effects["faults"][0];
    let told = ["field", "rule", "come", "gone"].map(|name| fault[name].clone());
    let expected = [json!("Name"), json!("domain"), json!(1), json!(1)];
    assert_eq!(told, expected, "{effects}");
    assert_eq!(fault["samples"].as_array().map(Vec::len), Some(1));
    // the job tells the same
    let mut draft = change;
    draft["dataDomainId"] = json!(domain);
    let made = server.make(&format!("/datasets/{dataset}/domain-effects"), draft);
    let job = ended(&server, &made.text("jobId"));
    assert_eq!(job["state"], "done", "{job}");
    let result = &job["revisionResult"];
    assert_eq!(result["faults"], effects["faults"]);
    assert_eq!(
        (&result["records"], &result["changed"]),
        (&json!(3), &json!(0))
    );
    assert_eq!(server.get(&format!("/datasets/{dataset}/faults")), before);
    let shown = server.get(&format!("/domains/{domain}"));
    assert_eq!(shown["version"], 1, "{shown}");
}

#[cfg_attr(
    on_a_database,
    ignore = "where a database fails, each request fails before it is looked at"
)]
#[test]
fn a_store_that_fails_is_no_word_on_what_codes_would_make_faulty() {
    let server = server();
    let (domain, _) = of_countries(&server);
    let asked = format!("POST /domains/{domain}/effects");
    let change = json!({"name": "Countries", "codes": []});
    server.opened.drop_tables(server.folder.path());
    // connections that have read show what they saw, until they rest
    let began = Instant::now();
    while server.root(&asked, Some(change.clone())).status != 500 {
        assert!(began.elapsed() < Duration::from_secs(60), "they never rest");
        std::thread::sleep(Duration::from_millis(100));
    }
}

#[test]
fn a_change_of_a_domain_that_cannot_be_made_is_refused_before_there_is_a_job() {
    let server = server();
    let (domain, [_, _, dataset]) = of_countries(&server);
    let jobs = server.get("/jobs");
    let twice = json!({"name": "Countries", "codes": [{"code": "FR"}, {"code": "FR"}]});
    let stale = json!({"name": "Countries", "codes": [], "version": 99});
    for (content, status) in [(twice, 400), (stale, 409)] {
        let at_once = format!("POST /domains/{domain}/effects");
        server.root(&at_once, Some(content.clone())).is(status);
        let mut draft = content;
        draft["dataDomainId"] = json!(domain);
        let as_job = format!("POST /datasets/{dataset}/domain-effects");
        server.root(&as_job, Some(draft)).is(status);
    }
    let nowhere = "019b7638-1d44-7c06-8a5b-77e0c1f0a2d9";
    let draft = json!({"dataDomainId": nowhere, "name": "Countries", "codes": []});
    let as_job = format!("POST /datasets/{dataset}/domain-effects");
    server.root(&as_job, Some(draft)).is(404);
    assert_eq!(server.get("/jobs"), jobs);
}

#[test]
fn who_may_not_change_the_domain_or_not_view_the_records_is_told_nothing_of_them_either() {
    let server = server();
    let (domain, [area, _, dataset]) = of_countries(&server);
    let librarian = role(&server, "Librarian", &[("DATA DOMAINS", &["view", "edit"])]);
    let key = |name: &str, role: String| {
        let grants = json!([{"area": area, "verbs": ["view"]}]);
        let key = json!({"name": name, "roles": [role], "grants": grants});
        server.make("/api-keys", key).text("key")
    };
    for key in [
        key("librarian", librarian),
        key("member", server.role("MEMBER")),
    ] {
        let content = json!({"name": "Countries", "codes": []});
        let at_once = format!("POST /domains/{domain}/effects");
        server.ask(&key, &at_once, Some(content.clone())).is(403);
        let mut draft = content;
        draft["dataDomainId"] = json!(domain);
        let as_job = format!("POST /datasets/{dataset}/domain-effects");
        server.ask(&key, &as_job, Some(draft)).is(403);
    }
}

#[test]
fn a_job_whose_domain_changed_or_went_meanwhile_says_so() {
    // nobody works on it until the domain is another one
    let server = working(JobSettings {
        workers: 0,
        ..JobSettings::default()
    });
    let [_, _, dataset] = server.places(&thing());
    let domain = |name: &str| {
        let domain = json!({"name": name, "codes": []});
        server.make("/domains", domain).text("dataDomainId")
    };
    let ask = |domain: &str| {
        let draft = json!({"dataDomainId": domain, "name": "New", "codes": [], "version": 1});
        let made = server.make(&format!("/datasets/{dataset}/domain-effects"), draft);
        made.text("jobId")
    };
    let (changed, gone) = (domain("Changed"), domain("Gone"));
    let jobs = [ask(&changed), ask(&gone)];
    let content = json!({"name": "Changed", "codes": [{"code": "FR"}]});
    server
        .root(&format!("PUT /domains/{changed}"), Some(content))
        .is(200);
    server
        .root(&format!("DELETE /domains/{gone}"), None)
        .is(204);
    for (id, said) in jobs.iter().zip(["version", "domain is gone"]) {
        let done = server.tokio.block_on(server.service.run_job(id));
        done.expect("a job");
        let job = server.get(&format!("/jobs/{id}"));
        assert_eq!(job["state"], "failed", "{job}");
        let failure = job["failure"].as_str().unwrap();
        assert!(failure.contains(said), "{job}");
    }
}

#[test]
fn the_page_of_a_domain_counts_what_typed_codes_would_make_faulty_and_saves_nothing() {
    let server = server();
    let (domain, [area, _, dataset]) = of_countries(&server);
    give_ada(&server, &area);
    let browser = Browser::signed_in(&server);
    let page = browser.get(&format!("/app/domains/{domain}")).is(200);
    assert!(page.body.contains(r#"data-operation="judgeDomain""#));
    let typed = [("name", "Countries"), ("codes", "FR\nIT"), ("version", "1")];
    let path = format!("/app/domains/{domain}/effects");
    let told = browser.send(&page, &path, &typed).is(200);
    let record = format!(r#"<a href="/app/datasets/{dataset}/records/"#);
    for shown in [
        r#"id="effects""#,
        // a record that gets a fault, by its key and with the way to it
        &record,
        ">1</a>",
        "Records checked: 3. Faulty now: 1, of which 1 would no longer be. Newly faulty: 1. Faulty after the change: 1.",
        "FR\nIT",
    ] {
        assert!(told.body.contains(shown), "{shown}: {}", told.body);
    }
    let stale = [("name", "Countries"), ("codes", "FR"), ("version", "9")];
    let stale = browser.send(&page, &path, &stale).is(409);
    assert!(stale.body.contains("role=\"alert\""), "{}", stale.body);
    let draft = [("domain", &*domain), ("name", "Countries"), ("codes", "FR")];
    let path = format!("/app/datasets/{dataset}/domain-effects");
    browser.ended_job(browser.send(&page, &path, &draft));
    let shown = server.get(&format!("/domains/{domain}"));
    assert_eq!(shown["version"], 1, "{shown}");
}
