//! The list of jobs: all of them, or those of one dataset; and whose files their pages name.

use crate::admin_server::AdminServer;
use crate::browser::{Browser, cities, field, give_ada};
use crate::jobs::{server, working};
use crate::schema_editor::places;
use crate::undo::sent;
use runtime::service::JobSettings;
use serde_json::json;

#[test]
fn the_jobs_of_a_dataset_are_listed_by_themselves_and_its_page_leads_there() {
    let server = server();
    let (cities, _) = cities(&server);
    let schema = server.service.store().catalog().datasets[&cities]
        .schema
        .clone();
    let made = format!("/schemas/{schema}/datasets");
    let towns = server.make(&made, json!({"name": "Towns"}));
    let towns = towns.text("dataSetId");
    let browser = Browser::signed_in(&server);
    let own = format!("/app/jobs?dataset={cities}");
    // where there is none, the page leads to where one is started
    let empty = AdminServer::start();
    for (page, place) in [
        (
            Browser::signed_in(&empty).get("/app/jobs"),
            "/app/".to_owned(),
        ),
        (
            browser.get(&format!("/app/jobs?dataset={towns}")),
            format!("/app/datasets/{towns}"),
        ),
    ] {
        let page = page.is(200);
        let way = format!("You start one on the page of a dataset: <a href=\"{place}\">");
        assert!(page.body.contains(&way), "{}", page.body);
    }
    let [of_cities, of_towns] = [&cities, &towns].map(|dataset| {
        let path = format!("/app/datasets/{dataset}/export");
        let page = browser.get(&path).is(200);
        let sent = browser.send(&page, &path, &[("format", "csv")]).is(303);
        let job = sent.header("location").expect("a job").to_owned();
        browser.ended_job(sent);
        format!("href=\"{job}\"")
    });
    let all = browser.get("/app/jobs").is(200);
    assert!(all.body.contains(&of_cities) && all.body.contains(&of_towns));
    // what has ended has no bar, which would look as if it went on
    let mut rows = all.body.split(r#"<tr class="job""#);
    let row = rows.find(|row| row.contains(&of_cities)).expect("its row");
    assert!(!row.contains("<svg"), "{row}");
    let dataset = browser.get(&format!("/app/datasets/{cities}")).is(200);
    let link = format!("href=\"{own}\"");
    assert!(dataset.body.contains(&link), "{}", dataset.body);
    for page in [browser.get(&own).is(200), browser.part(&own).is(200)] {
        assert!(page.body.contains(&of_cities), "{}", page.body);
        assert!(!page.body.contains(&of_towns), "{}", page.body);
    }
    browser.get("/app/jobs?dataset=nothing").is(404);
    let found = browser.get("/app/go?q=jobs+europe").is(200);
    assert!(found.body.contains(&link), "{}", found.body);
}

#[test]
fn the_page_of_an_import_names_no_file_that_somebody_else_tried() {
    let server = server();
    let (dataset, _) = cities(&server);
    let shown = server.get(&format!("/datasets/{dataset}"));
    let area = &shown["businessAreaId"];
    let grants = json!([{"area": area, "verbs": ["view", "add", "edit"]}]);
    let bob = Browser::of_user(&server, "bob", &server.role("MEMBER"), &grants);
    let fields = [("try", "true"), ("mode", "create")];
    let file = ("of bob alone.csv", "Code;Inhabitants of bob\r\nB1;7\r\n");
    let sent = bob.import(&dataset, &fields, file).is(303);
    let job = sent.header("location").expect("a job").to_owned();
    bob.ended_job(sent);
    let id = job.rsplit('/').next().expect("an id");
    let page = format!("/app/datasets/{dataset}/import?fileOf={id}");
    let own = bob.get(&page).is(200);
    assert!(own.body.contains("of bob alone.csv"), "{}", own.body);
    assert!(own.body.contains("Inhabitants of bob"), "{}", own.body);
    let list = bob.get("/app/jobs").is(200);
    for told in [
        ">of bob alone.csv</span></a>",
        r#"<th scope="col" role="columnheader">Action</th>"#,
    ] {
        assert!(list.body.contains(told), "{told}: {}", list.body);
    }
    // an administrator sees the job, and goes on with nothing of it
    let ada = Browser::signed_in(&server);
    ada.get(&job).is(200);
    let list = ada.get("/app/jobs").is(200);
    assert!(list.body.contains(&job), "{}", list.body);
    assert!(!list.body.contains("of bob"), "{}", list.body);
    let other = ada.get(&page).is(200);
    for told in ["of bob", r#"name="fileOf""#] {
        assert!(!other.body.contains(told), "{told}: {}", other.body);
    }
    // nor has another dataset's page it
    let schema = server.service.store().catalog().datasets[&dataset]
        .schema
        .clone();
    let made = format!("/schemas/{schema}/datasets");
    let towns = server.make(&made, json!({"name": "Towns"}));
    let towns = towns.text("dataSetId");
    let page = format!("/app/datasets/{towns}/import?fileOf={id}");
    let other = bob.get(&page).is(200);
    assert!(!other.body.contains("of bob alone"), "{}", other.body);
}

/// Changes the schema of a dataset; the page of the job that judges its records anew.
fn judged_anew(server: &AdminServer, dataset: &str) -> String {
    let [_, schema] = places(server, dataset);
    let mut document = server.get(&format!("/schemas/{schema}"))["document"].clone();
    document["fields"][1]["isRequired"] = json!(true);
    let body = json!({"document": document});
    server
        .root(&format!("PUT /schemas/{schema}"), Some(body))
        .is(200);
    let jobs = server.get("/jobs");
    let mut jobs = jobs["items"].as_array().expect("jobs").iter();
    let own = jobs.find(|job| job["kind"] == "revalidate");
    let id = own.expect("it is judged anew")["jobId"].as_str();
    format!("/app/jobs/{}", id.expect("an id"))
}

#[test]
fn a_job_that_writes_is_cancelled_in_two_steps_and_one_that_only_reads_in_one() {
    // nobody works on them
    let server = working(JobSettings {
        workers: 0,
        ..JobSettings::default()
    });
    let (dataset, _) = cities(&server);
    let mut browser = Browser::signed_in(&server);
    let import = |trial: &str| {
        let fields = [("try", trial), ("mode", "create")];
        let sent = browser.import(&dataset, &fields, ("towns.csv", "Code,People\nB1,3\n"));
        sent.is(303).header("location").expect("a job").to_owned()
    };
    let [writes, tries] = [import("false"), import("true")];
    let path = format!("/app/datasets/{dataset}/export");
    let page = browser.get(&path).is(200);
    let exported = browser.send(&page, &path, &[("format", "csv")]).is(303);
    let export = exported.header("location").expect("a job").to_owned();
    let [repairs, tries_repair] = [false, true].map(|is_trial| {
        let repair = json!({"field": "People", "action": {"set": 7}, "dryRun": is_trial});
        let made = server.make(&format!("/datasets/{dataset}/repairs"), repair);
        format!("/app/jobs/{}", made.text("jobId"))
    });
    let lines = ["C1", "C2"].map(|code| json!({"create": {"Code": code}}));
    let (bulk, _) = sent(&server, &dataset, &lines);
    let undo = server
        .root(&format!("POST /jobs/{bulk}/undo"), None)
        .is(201);
    let undo = format!("/app/jobs/{}", undo.text("jobId"));
    let judges = judged_anew(&server, &dataset);
    let asked = r#"<details class="danger" id="cancel">"#;
    for writing in [&repairs, &undo, &judges, &writes] {
        let page = browser.get(writing).is(200);
        for told in [asked, "What it has written so far stays"] {
            assert!(page.body.contains(told), "{told}: {}", page.body);
        }
    }
    let page = browser.get(&writes).is(200);
    for reads in [&tries, &tries_repair, &export] {
        let page = browser.get(reads).is(200);
        assert!(!page.body.contains(asked), "{reads}: {}", page.body);
        browser.send(&page, &format!("{reads}/cancel"), &[]).is(303);
    }
    browser.language = "de";
    let german = browser.get(&writes).is(200).body;
    assert!(german.contains("Was er bisher geschrieben hat, bleibt"));
    browser
        .send(&page, &format!("{writes}/cancel"), &[])
        .is(303);
    let page = browser.get(&writes).is(200);
    assert!(!page.body.contains(asked), "{}", page.body);
}

#[test]
fn an_import_tells_what_is_wrong_most_often_first_with_its_lines_and_what_it_rejected_with_its_file()
 {
    let server = server();
    let document = json!({"name": "Thing", "fields": [
        field("f-code", "Code", "string", true),
        field("f-age", "Age", "integer", false),
        field("f-size", "Size", "integer", false),
    ]});
    let [area, _, dataset] = server.places(&document);
    give_ada(&server, &area);
    let browser = Browser::signed_in(&server);
    let rows = ["T1,old,big", "T2,3,big", "T3,4,big", ",5,6"];
    let rows = format!("Code,Age,Size,Shoe\n{},44\n", rows.join(",44\n"));
    let fields = [("try", "true"), ("mode", "create")];
    let sent = browser.import(&dataset, &fields, ("things.csv", &rows));
    let path = sent.header("location").expect("a job").to_owned();
    let page = browser.ended_job(sent).body;
    let at = |told: &str| {
        let at = page.find(told);
        at.unwrap_or_else(|| panic!("{told}: {page}"))
    };
    let in_order = [
        "things.csv ·",
        "<h2>Columns without a field</h2><p>What is in them would be left out.",
        "<code>Shoe</code>",
        r#"<dl class="result">"#,
        r#"role="rowheader">Size</th>"#,
        r#"<td class="num" data-label="First lines" role="cell">2, 3, 4</td>"#,
        r#"role="rowheader">Age</th>"#,
        r#"<td class="num" data-label="First lines" role="cell">2</td>"#,
        "<h2>Rejected</h2>",
        r#"<td class="num" data-label="First lines" role="cell">5</td>"#,
        ">Download the rejected rows</a>",
    ];
    let places = in_order.map(at);
    assert!(places.is_sorted(), "{places:?}: {page}");
    // there is no room for what has ended, but on a page that was there before
    assert!(!page.contains(r#"id="share""#), "{page}");
    let part = browser.part(&path).is(200).body;
    assert!(part.contains(r#"id="share""#), "{part}");
    // where the lines stay in the order in which they were found
    let [age, size] = ["Age", "Size"].map(|field| {
        let line = format!(r#"role="rowheader">{field}</th>"#);
        part.find(&line).expect(field)
    });
    assert!(age < size, "{part}");
}

#[test]
fn a_trial_tells_in_the_list_how_many_of_its_rows_would_be_at_fault() {
    let server = server();
    let (dataset, _) = cities(&server);
    let browser = Browser::signed_in(&server);
    let fields = [("try", "true"), ("mode", "create")];
    for rows in ["Code,People\nB1,few\nB2,7\n,8\n", "Code,People\nB3,7\n"] {
        browser.ended_job(browser.import(&dataset, &fields, ("towns.csv", rows)));
    }
    for (browser, told) in [
        (&browser, "Would reject: 1 · Would be faulty: 1"),
        (
            &browser.in_german(),
            "Würden abgewiesen: 1 · Wären fehlerhaft: 1",
        ),
    ] {
        let list = browser.get("/app/jobs").is(200).body;
        let red = r#"<span class="bad small block">"#;
        assert!(list.contains(&format!("{red}{told}</span></td>")), "{list}");
        // of the one that is clean nothing of the kind
        assert_eq!(list.matches(red).count(), 1, "{list}");
    }
}

#[test]
fn a_trial_has_room_in_lists_from_the_beginning_for_what_is_told_at_its_end() {
    let server = working(JobSettings {
        workers: 0,
        ..JobSettings::default()
    });
    let (dataset, _) = cities(&server);
    let browser = Browser::signed_in(&server);
    let file = ("towns.csv", "Code,People\nB1,few\n");
    for tried in ["true", "false"] {
        let fields = [("try", tried), ("mode", "create")];
        browser.import(&dataset, &fields, file).is(303);
    }
    for path in ["/app/jobs", "/app/"] {
        let page = browser.get(path).is(200).body;
        let rows = page.split(r#"<tr class="job""#).skip(1);
        let rows: Vec<_> = rows.filter(|row| row.contains("towns.csv")).collect();
        assert_eq!(rows.len(), 2, "{path}: {page}");
        // one that stores tells of it on its own page alone
        let room = r#"<span class="room small block"></span></td>"#;
        assert_eq!(page.matches(room).count(), 1, "{path}: {page}");
    }
}

#[test]
fn who_asked_for_a_job_that_nobody_asked_for_is_told_as_nobody() {
    let server = working(JobSettings {
        workers: 0,
        ..JobSettings::default()
    });
    let (dataset, _) = cities(&server);
    let job = judged_anew(&server, &dataset);
    let browser = Browser::signed_in(&server);
    for (browser, told) in [
        (&browser, "automatic"),
        (&browser.in_german(), "selbsttätig"),
    ] {
        for path in [&*job, "/app/jobs"] {
            let page = browser.get(path).is(200).body;
            assert!(page.contains(told), "{path}: {told}: {page}");
            assert!(!page.contains("revalidation"), "{path}: {page}");
        }
    }
    let page = browser.get("/app/jobs").is(200).body;
    let by = r#"data-label="Started by" role="cell">automatic</td>"#;
    assert!(page.contains(by), "{page}");
}
