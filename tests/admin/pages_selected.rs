//! Records that are ticked in a grid, or all that its query finds: changed and deleted together.

use crate::admin_server::AdminServer;
use crate::browser::{Browser, cities, form, written};
use crate::jobs::server;
use crate::schema_editor::held;
use serde_json::json;

/// What a page's form would send of the records it lists, ticked or with the versions it shows.
fn listed(page: &str) -> Vec<String> {
    let inputs = page.split(r#"name="record" value=""#).skip(1);
    let values = inputs.filter_map(|rest| rest.split_once('"'));
    let mut values: Vec<_> = values.map(|(value, _)| value.to_owned()).collect();
    values.sort();
    values.dedup();
    values
}

fn of_records<'r>(records: &'r [String], more: &[(&'r str, &'r str)]) -> Vec<(&'r str, &'r str)> {
    let records = records.iter().map(|it| ("record", it.as_str()));
    records.chain(more.iter().copied()).collect()
}

#[test]
fn ticked_records_are_seen_before_and_after_then_written_and_undone() {
    let server = server();
    let (dataset, ids) = cities(&server);
    let browser = Browser::signed_in(&server);
    let there = format!("/app/datasets/{dataset}");
    let list = browser.get(&there).is(200);
    assert_eq!(listed(&list.body).len(), 2, "a box for each record");
    let asked = form(&of_records(
        &ids,
        &[("field", "f-people"), ("value", "7"), ("show", "true")],
    ));
    let page = browser.get(&format!("{there}/selected?{asked}")).is(200);
    assert!(page.body.contains(">12</del>") && page.body.contains(">many</del>"));
    assert!(page.body.contains(">7</ins>"), "{}", page.body);
    let read = |id: &str| browser.get(&format!("{there}/records/{id}")).is(200).body;
    assert!(
        read(&ids[0]).contains(r#"value="12""#),
        "nothing is written yet"
    );
    let with_versions: Vec<_> = ids.iter().map(|id| format!("{id}:0")).collect();
    for record in &with_versions {
        assert!(
            page.body.contains(&format!(r#"value="{record}""#)),
            "{record}"
        );
    }
    let fields = of_records(&with_versions, &[("field", "f-people"), ("value", "7")]);
    let sent = browser.send(&page, &format!("{there}/selected/set"), &fields);
    let sent = sent.is(303);
    let job = sent.header("location").expect("the job").to_owned();
    assert!(job.contains("/jobs/"), "{job}");
    for id in &ids {
        assert!(read(id).contains(r#"value="7""#));
    }
    let shown = browser.get(&job).is(200);
    assert!(
        shown.body.contains("<dt>Changed</dt><dd>2</dd>"),
        "{}",
        shown.body
    );
    let undone = browser.send(&shown, &format!("{job}/undo"), &[]);
    browser.ended_job(undone);
    assert!(read(&ids[0]).contains(r#"value="12""#) && read(&ids[1]).contains(r#"value="many""#));
}

#[test]
fn before_a_field_is_set_its_page_tells_what_would_become_faulty() {
    let server = server();
    let (dataset, ids) = cities(&server);
    let browser = Browser::signed_in(&server);
    let shown = |value: &str| {
        let fields = [("field", "f-people"), ("value", value), ("show", "true")];
        let asked = form(&of_records(&ids, &fields));
        browser.get(&format!("/app/datasets/{dataset}/selected?{asked}"))
    };
    let page = shown("few").is(200);
    for part in [
        "<dt>Faulty before the change</dt><dd>1</dd>",
        "<dt>Faulty after the change</dt><dd>2</dd>",
        "must be a whole number",
    ] {
        assert!(page.body.contains(part), "{part}: {}", page.body);
    }
    let page = shown("7").is(200);
    let part = "<dt>Faulty after the change</dt><dd>0</dd>";
    assert!(page.body.contains(part), "{}", page.body);
    assert!(
        !page.body.contains("must be a whole number"),
        "{}",
        page.body
    );
}

#[test]
fn what_others_changed_since_it_was_shown_is_not_overwritten() {
    let server = AdminServer::start();
    let (dataset, ids) = cities(&server);
    let browser = Browser::signed_in(&server);
    let there = format!("/app/datasets/{dataset}");
    let page = browser.get(&there).is(200);
    let record = format!("{there}/records/{}", ids[0]);
    let change = [("version", "0"), ("w-f-people", "12"), ("v-f-people", "13")];
    browser.send(&page, &record, &change).is(303);
    let stale = [format!("{}:0", ids[0])];
    let fields = of_records(&stale, &[("field", "f-people"), ("value", "7")]);
    let refused = browser.send(&page, &format!("{there}/selected/set"), &fields);
    let refused = refused.is(409);
    assert!(
        refused.body.contains("Nothing was written"),
        "{}",
        refused.body
    );
    let refused = browser.send(
        &page,
        &format!("{there}/selected/delete"),
        &of_records(&stale, &[]),
    );
    refused.is(409);
    assert!(browser.get(&record).is(200).body.contains(r#"value="13""#));
    // one of two is written, and the job tells of the other
    let half = [stale[0].clone(), format!("{}:0", ids[1])];
    let fields = of_records(&half, &[("field", "f-people"), ("value", "7")]);
    let sent = browser
        .send(&page, &format!("{there}/selected/set"), &fields)
        .is(303);
    let job = browser
        .get(sent.header("location").expect("the job"))
        .is(200);
    assert!(
        job.body.contains("<dt>Changed</dt><dd>1</dd>"),
        "{}",
        job.body
    );
    assert!(
        job.body.contains("<dt>Left as they are</dt><dd>1</dd>"),
        "{}",
        job.body
    );
    // nothing at all is no write either
    let empty = browser
        .send(&page, &format!("{there}/selected/delete"), &[])
        .is(409);
    assert!(
        empty.body.contains("No records are selected"),
        "{}",
        empty.body
    );
}

#[test]
fn ticked_records_are_deleted_after_a_question_and_come_back_by_undoing() {
    let server = server();
    let (dataset, ids) = cities(&server);
    let browser = Browser::signed_in(&server);
    let there = format!("/app/datasets/{dataset}");
    let page = browser.get(&format!(
        "{there}/selected?{}",
        form(&of_records(&ids, &[]))
    ));
    let page = page.is(200);
    assert!(
        page.body.contains("Delete these records (2)"),
        "{}",
        page.body
    );
    let with_versions: Vec<_> = ids.iter().map(|id| format!("{id}:0")).collect();
    let sent = browser.send(
        &page,
        &format!("{there}/selected/delete"),
        &of_records(&with_versions, &[]),
    );
    let job = sent.is(303).header("location").expect("the job").to_owned();
    let deleted = browser.get(&format!("{there}/deleted")).is(200);
    assert!(deleted.body.contains("A1") && deleted.body.contains("A2"));
    let shown = browser.get(&job).is(200);
    browser.ended_job(browser.send(&shown, &format!("{job}/undo"), &[]));
    let list = browser.get(&there).is(200);
    assert!(list.body.contains("A1") && list.body.contains("A2"));
}

#[test]
fn a_selection_has_what_is_there_of_its_dataset_in_the_order_in_which_it_was_ticked() {
    let server = AdminServer::start();
    let (dataset, [gone, second]) = cities(&server);
    let browser = Browser::signed_in(&server);
    let there = format!("/app/datasets/{dataset}");
    browser.delete(&format!("{there}/records/{gone}"));
    let schema = server.service.store().catalog().datasets[&dataset]
        .schema
        .clone();
    let path = format!("/schemas/{schema}/datasets");
    let other = server.make(&path, json!({"name": "Asia"}));
    let other = written(&server, &other.text("dataSetId"), &[json!({"Code": "F"})]);
    // together they are more than is read at a time
    let long = "x".repeat(60_000);
    let large = (0..6).map(|at| json!({"Code": format!("L{at}"), "People": long}));
    let mut large = written(&server, &dataset, &large.collect::<Vec<_>>());
    large.reverse();
    let (before, behind) = large.split_at(4);
    let others = [gone, other[0].clone(), "none".to_owned()];
    let ticked = [before, &others, std::slice::from_ref(&second), behind].concat();
    let page = browser.get(&format!(
        "{there}/selected?{}",
        form(&of_records(&ticked, &[]))
    ));
    let page = page.is(200);
    let (_, exported) = page.body.split_once("/export\">").expect("a form");
    let (exported, _) = exported.split_once("</form>").expect("its end");
    let shown = exported.split(r#"name="record" value=""#).skip(1);
    let shown: Vec<_> = shown.filter_map(|rest| rest.split('"').next()).collect();
    let expected = [before, &[second], behind].concat();
    assert_eq!(shown, expected);
    // what each would hold is judged of each
    let set = [("field", "f-people"), ("value", "7"), ("show", "true")];
    let asked = form(&of_records(&ticked, &set));
    let page = browser.get(&format!("{there}/selected?{asked}")).is(200);
    assert_eq!(page.body.matches(">7</ins>").count(), expected.len());
    for part in [
        "<dt>Faulty before the change</dt><dd>7</dd>",
        "<dt>Faulty after the change</dt><dd>0</dd>",
    ] {
        assert!(page.body.contains(part), "{part}: {}", page.body);
    }
}

#[test]
fn all_that_a_query_finds_are_deleted_while_they_are_as_many_as_were_shown() {
    let server = AdminServer::start();
    let (dataset, [clean, _]) = cities(&server);
    let browser = Browser::signed_in(&server);
    let there = format!("/app/datasets/{dataset}");
    let page = browser.get(&format!("{there}/selected?q=is%3Afaulty&all=true"));
    let page = page.is(200);
    assert!(
        page.body.contains(r#"name="count" value="1""#),
        "{}",
        page.body
    );
    // what would be deleted is named
    assert!(page.body.contains(">A2</a>"), "{}", page.body);
    let fields = [("all", "true"), ("q", "is:faulty"), ("count", "1")];
    let delete = format!("{there}/selected/delete");
    written(&server, &dataset, &[json!({"Code": "A3", "People": "few"})]);
    let refused = browser.send(&page, &delete, &fields).is(409);
    assert!(
        refused.body.contains(r#"name="count" value="2""#),
        "{}",
        refused.body
    );
    let fields = [("all", "true"), ("q", "is:faulty"), ("count", "2")];
    browser.send(&refused, &delete, &fields).is(303);
    let list = browser.get(&there).is(200);
    // ids are random, and may have the letters of a code
    let is_listed = |text: &str| list.body.contains(text);
    assert!(
        is_listed(&clean) && !is_listed(">A2<") && !is_listed(">A3<"),
        "{}",
        list.body
    );
}

#[test]
fn a_page_of_all_that_a_query_finds_names_ten_counts_all_and_deletes_them() {
    let server = server();
    let (dataset, [clean, _]) = cities(&server);
    let records = (0..24).map(|at| json!({"Code": format!("F{at:02}"), "People": "few"}));
    written(&server, &dataset, &records.collect::<Vec<_>>());
    let browser = Browser::signed_in(&server);
    let there = format!("/app/datasets/{dataset}");
    let page = browser.get(&format!("{there}/selected?q=is%3Afaulty&all=true"));
    let page = page.is(200);
    let named = page.body.matches(r#"<li class="line"><a href="#).count();
    assert_eq!(named, 10, "{}", page.body);
    for told in [
        "15 more",
        r#"name="count" value="25""#,
        "Delete these records (25)",
    ] {
        assert!(page.body.contains(told), "{told}: {}", page.body);
    }
    let [count, schema] = ["count", "schema"].map(|name| held(&page, name));
    let fields = [
        ("all", "true"),
        ("q", "is:faulty"),
        ("count", &*count),
        ("schema", &*schema),
    ];
    let sent = browser.send(&page, &format!("{there}/selected/delete"), &fields);
    let job = sent.is(303).header("location").expect("the job").to_owned();
    let shown = browser.get(&job).is(200);
    let told = "<dt>Deleted</dt><dd>25</dd>";
    assert!(shown.body.contains(told), "{}", shown.body);
    let list = browser.get(&there).is(200);
    assert_eq!(list.body.matches("<tr data-record=").count(), 1);
    assert!(list.body.contains(&clean), "{}", list.body);
}

#[test]
fn a_dataset_that_is_called_all_is_searched_alone() {
    let server = server();
    let (towns, _) = cities(&server);
    let schema = server.service.store().catalog().datasets[&towns]
        .schema
        .clone();
    let path = format!("/schemas/{schema}/datasets");
    let all = server.make(&path, json!({"name": "all"}));
    let all = all.text("dataSetId");
    written(&server, &all, &[json!({"Code": "A3", "People": "few"})]);
    let browser = Browser::signed_in(&server);
    let there = format!("/app/datasets/{all}");
    let grid = browser.get(&format!("{there}?q=is%3Afaulty")).is(200);
    let page = browser.get(&format!("{there}/selected?q=is%3Afaulty&all=true"));
    let page = page.is(200);
    for page in [&grid, &page] {
        let own = page.body.contains(">A3</a>");
        assert!(own && !page.body.contains(">A2</a>"), "{}", page.body);
    }
    let fields = [("all", "true"), ("q", "is:faulty"), ("count", "1")];
    let delete = format!("{there}/selected/delete");
    browser.send(&page, &delete, &fields).is(303);
    let others = browser.get(&format!("/app/datasets/{towns}")).is(200);
    assert!(others.body.contains(">A2</a>"), "{}", others.body);
}

#[test]
fn what_a_query_finds_is_deleted_by_the_schema_alone_by_which_it_was_shown() {
    let server = server();
    let (dataset, _) = cities(&server);
    let browser = Browser::signed_in(&server);
    let there = format!("/app/datasets/{dataset}");
    let page = browser.get(&format!("{there}/selected?q=fault%3APeople&all=true"));
    let page = page.is(200);
    let shown = r#"name="schema" value="1""#;
    assert!(page.body.contains(shown), "{}", page.body);
    // it finds as many by another version, whose names may mean other fields
    let found = server.get(&format!("/datasets/{dataset}"));
    let schema = found["schemaId"].as_str().expect("an id");
    let line = format!("PUT /schemas/{schema}");
    let mut document = server.get(&format!("/schemas/{schema}"))["document"].clone();
    document["fields"][1]["isRequired"] = json!(true);
    let body = json!({"document": document});
    server.root(&line, Some(body)).is(200);
    let fields = |version: &'static str| {
        let query = ("q", "fault:People");
        [("all", "true"), query, ("count", "1"), ("schema", version)]
    };
    let delete = format!("{there}/selected/delete");
    let refused = browser.send(&page, &delete, &fields("1")).is(409);
    let now = r#"name="schema" value="2""#;
    assert!(refused.body.contains(now), "{}", refused.body);
    assert!(browser.get(&there).is(200).body.contains(">A2<"));
    browser.send(&refused, &delete, &fields("2")).is(303);
    assert!(!browser.get(&there).is(200).body.contains(">A2<"));
}

#[test]
fn ticked_records_are_exported_and_no_others() {
    let server = server();
    let (dataset, [first, second]) = cities(&server);
    let browser = Browser::signed_in(&server);
    let page = browser.get(&format!(
        "/app/datasets/{dataset}/selected?record={second}:0"
    ));
    let form = format!("action=\"/app/datasets/{dataset}/export\"");
    assert!(page.is(200).body.contains(&form));
    let place = format!("/app/datasets/{dataset}/export");
    let page = browser.get(&format!("{place}?record={second}:0")).is(200);
    assert!(page.body.contains("1 selected"), "{}", page.body);
    let fields = [("format", "csv"), ("packing", "none"), ("record", &*second)];
    let ended = browser.ended_job(browser.send(&page, &place, &fields));
    assert!(ended.body.contains("/export"), "{}", ended.body);
    let file = crate::jobs::exported(
        &server,
        &dataset,
        json!({"format": "csv", "records": [second]}),
    );
    assert_eq!(file, "Code,People\nA2,many\n");
    // in the order of creation, each once
    let both = json!({"records": [second, first, second]});
    assert_eq!(
        crate::jobs::exported(&server, &dataset, both)
            .lines()
            .count(),
        2
    );
    let line = format!("POST /datasets/{dataset}/exports");
    for (wrong, path) in [
        (json!({"records": ["none"]}), "$.records[0]"),
        (json!({"records": [first], "query": "*"}), "$.records"),
        (json!({"records": vec![&first; 10_001]}), "$.records"),
    ] {
        assert_eq!(server.root(&line, Some(wrong)).is(400).problems(), [path]);
    }
}
