//! Faults in the application: mended one by one by what is proposed, many at once after a preview, and taken along as a
//! file.

use crate::admin_server::AdminServer;
use crate::browser::{Browser, between, field, form, give_ada, posted, written};
use crate::jobs::server;
use crate::pages_home::edit;
use serde_json::json;

/// A dataset of people, three of whom are faulty: a state that is written otherwise, two with white space around it.
fn people(server: &AdminServer) -> (String, Vec<String>) {
    let document = json!({"name": "Person", "fields": [
        field("f-code", "Code", "string", true),
        {"fieldId": "f-state", "name": "State", "active": true, "dataType": "picklist", "isPrimaryKey": false,
            "isSortKey": false, "isRequired": false, "picklistType": "static",
            "staticPicklist": [{"code": "active"}, {"code": "closed"}]},
        field("f-born", "Born", "date", false),
    ]});
    let [area, _, dataset] = server.places(&document);
    give_ada(server, &area);
    let ids = written(
        server,
        &dataset,
        &[
            json!({"Code": "P1", "State": "aktiv"}),
            json!({"Code": "P2", "State": " active"}),
            json!({"Code": "P3", "State": "closed "}),
            json!({"Code": "P4", "State": "active", "Born": "2.3.1990"}),
        ],
    );
    (dataset, ids)
}

#[test]
fn a_fault_is_mended_by_what_is_proposed_beside_it() {
    let server = server();
    let (dataset, ids) = people(&server);
    let browser = Browser::signed_in(&server);
    let there = format!("/app/datasets/{dataset}");
    let list = browser.get(&format!("{there}?q=is%3Afaulty")).is(200);
    let path = format!("{there}/records/{}/cells/f-state/mend", ids[0]);
    assert!(
        list.body.contains(&format!("action=\"{path}\"")),
        "{}",
        list.body
    );
    assert!(
        list.body.contains(r#"name="value" value="active""#),
        "{}",
        list.body
    );
    assert!(list.body.contains(r#"value="1990-03-02""#), "{}", list.body);
    let about = r#"<input type="hidden" name="about" value="P1">"#;
    assert!(list.body.contains(about), "{}", list.body);
    let fields = [
        ("was", "aktiv"),
        ("value", "active"),
        ("columns", "f-code f-state"),
    ];
    // the page itself gets the row, and the figures fall
    let token = between(&list.body, r#"name="token" value=""#);
    let sent = form(&[&fields[..], &[("token", &*token)]].concat());
    let headers = [
        ("Cookie", &*browser.cookie),
        ("Content-Type", "application/x-www-form-urlencoded"),
        ("HX-Request", "true"),
    ];
    let row = server
        .send(&format!("POST {path}"), &headers, Some(&sent))
        .is(200);
    assert!(
        row.body.contains("active") && !row.body.contains("faulty"),
        "{}",
        row.body
    );
    assert!(
        row.header("hx-trigger")
            .is_some_and(|it| it.contains("figures"))
    );
    // once more it is not the value that it was proposed for, and nothing is written
    let again = server
        .send(&format!("POST {path}"), &headers, Some(&sent))
        .is(200);
    assert!(again.body.contains("active"), "{}", again.body);
    // without a script, the record's form follows
    let path = format!("{there}/records/{}/cells/f-state/mend", ids[1]);
    let fields = [("was", " active"), ("value", "active")];
    let seen = browser.send(&list, &path, &fields).is(303);
    let place = seen.header("location").expect("a place").to_owned();
    let record = browser.get(&place).is(200);
    assert!(
        record.body.contains("No faults") && record.body.contains("Saved"),
        "{}",
        record.body
    );
    // and the form has the same proposals
    let path = format!("{there}/records/{}", ids[3]);
    let record = browser.get(&path).is(200);
    assert!(
        record
            .body
            .contains(r#"name="p-f-born" value="1990-03-02""#),
        "{}",
        record.body
    );
    let version = between(&record.body, r#"name="version" value=""#);
    let fields = [
        ("version", &*version),
        ("w-f-born", "2.3.1990"),
        ("v-f-born", "2.3.1990"),
        ("p-f-born", "1990-03-02"),
    ];
    browser.send(&record, &path, &fields).is(303);
    let record = browser.get(&path).is(200);
    assert!(record.body.contains("No faults"), "{}", record.body);
    // who sends no token mends nothing
    let path = format!("{there}/records/{}/cells/f-state/mend", ids[2]);
    posted(
        &server,
        &path,
        &browser.cookie,
        &form(&[("was", "closed "), ("value", "closed")]),
    )
    .is(403);
}

#[test]
fn what_is_found_by_faults_of_a_field_is_repaired_in_that_field() {
    let server = server();
    let (dataset, _) = people(&server);
    let browser = Browser::signed_in(&server);
    let there = format!("/app/datasets/{dataset}");
    for (query, is_named) in [
        ("fault%3AState", true),
        ("Code%3AP1+fault%3AState", true),
        ("is%3Afaulty", false),
    ] {
        let list = browser.get(&format!("{there}?q={query}")).is(200);
        let link = between(&list.body, &format!(r#"href="{there}/mend"#));
        let link = link.replace("&amp;", "&");
        let page = browser.get(&format!("{there}/mend{link}")).is(200);
        let is_chosen = page.body.contains("<option selected>State</option>");
        assert_eq!(is_chosen, is_named, "{query}: {link}");
    }
}

#[test]
fn many_are_mended_at_once_after_a_preview_and_taken_back() {
    let server = server();
    let (dataset, ids) = people(&server);
    let browser = Browser::signed_in(&server);
    let there = format!("/app/datasets/{dataset}");
    let faults = browser.get(&format!("{there}/faults")).is(200);
    let all = browser.part("/app/faults").is(200);
    assert!(
        all.body.contains(r#"role="rowheader">State<span"#),
        "by field, over all datasets: {}",
        all.body
    );
    let link = between(&faults.body, &format!(r#"<a href="{there}/mend"#));
    let page = browser
        .get(&format!("{there}/mend{}", link.replace("&amp;", "&")))
        .is(200);
    assert!(
        page.body.contains("<option selected>State</option>"),
        "{}",
        page.body
    );
    let path = format!("{there}/mend");
    let fields = [("field", "State"), ("q", "is:faulty"), ("action", "trim")];
    let tried = browser.ended_job(browser.send(&page, &path, &fields));
    assert!(
        tried.body.contains("This was only a trial"),
        "{}",
        tried.body
    );
    assert!(
        tried.body.contains("Would change</dt><dd>2<"),
        "{}",
        tried.body
    );
    assert!(tried.body.contains("> active</del>"), "{}", tried.body);
    assert!(
        !tried.body.contains("undoJob"),
        "there is nothing to undo: {}",
        tried.body
    );
    let list = browser.get(&there).is(200);
    assert!(
        list.body.contains("<b>4</b> faulty"),
        "nothing is written: {}",
        list.body
    );
    // what was tried is done from there
    let trial = between(&tried.body, r#"name="trial" value=""#);
    let sent = browser.send(&tried, &path, &[("trial", &trial)]).is(303);
    let place = sent.header("location").expect("a job").to_owned();
    let done = browser.ended_job(sent);
    assert!(done.body.contains("undoJob"), "{}", done.body);
    // once: pressed again, it leads to what did it, and so does the preview
    let again = browser.send(&tried, &path, &[("trial", &trial)]).is(303);
    assert_eq!(again.header("location"), Some(&*place));
    let preview = browser.get(&format!("/app/jobs/{trial}")).is(200);
    assert!(
        preview.body.contains(&format!(r#"<a href="{place}">"#)),
        "{}",
        preview.body
    );
    assert!(!preview.body.contains("repairRecords"), "{}", preview.body);
    let list = browser.get(&there).is(200);
    assert!(list.body.contains("<b>2</b> faulty"), "{}", list.body);
    // one of them is changed by someone else before it is taken back
    let line = json!({"update": {"_dataObjectId": ids[1], "_version": 1, "Born": "1990-02-01"}});
    edit(&server, &dataset, &[line]);
    let undo = between(&done.body, r#"<form method="post" action="/app/jobs"#);
    let undone = browser.ended_job(browser.send(&done, &format!("/app/jobs{undo}"), &[]));
    for told in [
        "Reverted</dt><dd>1<",
        "Left as they are</dt><dd>1<",
        &format!("records/{}", ids[1]),
        "someone wrote it since",
    ] {
        assert!(undone.body.contains(told), "{told}: {}", undone.body);
    }
    let list = browser.get(&there).is(200);
    assert!(list.body.contains("<b>3</b> faulty"), "{}", list.body);
}

#[test]
fn a_repair_that_can_not_be_says_why_beside_what_was_filled_in() {
    let server = server();
    let (dataset, _) = people(&server);
    let browser = Browser::signed_in(&server);
    let path = format!("/app/datasets/{dataset}/mend");
    let page = browser.get(&path).is(200);
    let fields = [
        ("field", "State"),
        ("action", "regex"),
        ("find", "(a"),
        ("with", "b"),
    ];
    let wrong = browser.send(&page, &path, &fields).is(400);
    assert!(
        wrong.body.contains("role=\"alert\"") && wrong.body.contains(r#"value="(a""#),
        "{}",
        wrong.body
    );
    let fields = [("field", "State"), ("action", "trim"), ("q", "\"")];
    browser.send(&page, &path, &fields).is(400);
}

#[test]
fn faulty_rows_are_taken_along_as_a_file() {
    let server = server();
    let (dataset, _) = people(&server);
    let browser = Browser::signed_in(&server);
    let path = format!("/app/datasets/{dataset}/export");
    let page = browser.get(&format!("{path}?q=fault%3ABorn")).is(200);
    assert!(page.body.contains(r#"value="fault:Born""#), "{}", page.body);
    let fields = [("format", "csv"), ("packing", "none"), ("q", "fault:Born")];
    let file = browser.exported(browser.send(&page, &path, &fields));
    assert!(
        file.body.contains("P4") && !file.body.contains("P1"),
        "{}",
        file.body
    );
    let refused = browser
        .send(&page, &path, &[("format", "csv"), ("q", "\"")])
        .is(400);
    assert!(refused.body.contains("role=\"alert\""), "{}", refused.body);
}

#[test]
fn faulty_rows_that_were_mended_elsewhere_come_back_as_a_file() {
    let server = server();
    let (dataset, ids) = people(&server);
    let browser = Browser::signed_in(&server);
    let there = format!("/app/datasets/{dataset}");
    let faulty = format!("{there}?q=fault%3ABorn");
    assert!(browser.get(&faulty).is(200).body.contains(">P4<"));
    let path = format!("{there}/export");
    let page = browser.get(&format!("{path}?q=fault%3ABorn")).is(200);
    let fields = [("format", "csv"), ("packing", "none"), ("q", "fault:Born")];
    let file = browser.exported(browser.send(&page, &path, &fields));
    let mended = file.body.replace("2.3.1990", "1990-03-02");
    assert_ne!(mended, file.body, "the faulty value stands in the file");
    let fields = [("try", "false"), ("mode", "update")];
    let file = ("faulty.csv", &*mended);
    let done = browser.ended_job(browser.import(&dataset, &fields, file));
    for told in ["Changed</dt><dd>1<", "Rejected</dt><dd>0<"] {
        assert!(done.body.contains(told), "{told}: {}", done.body);
    }
    assert!(!browser.get(&faulty).is(200).body.contains(">P4<"));
    let record = browser.get(&format!("{there}/records/{}", ids[3])).is(200);
    assert!(record.body.contains("No faults"), "{}", record.body);
    // the others are as they were
    let list = browser.get(&there).is(200);
    assert!(list.body.contains("<b>3</b> faulty"), "{}", list.body);
}

#[test]
fn a_value_for_many_is_filled_in_by_the_input_that_suits_its_field() {
    let server = server();
    let (dataset, ids) = people(&server);
    let browser = Browser::signed_in(&server);
    let there = format!("/app/datasets/{dataset}");
    let choice = r#"<select id="f-f-state" name="v-f-state">"#;
    let selected = |more: &[(&str, &str)]| {
        let asked = form(&[&[("record", &*ids[0])][..], more].concat());
        let page = browser.get(&format!("{there}/selected?{asked}")).is(200);
        page.body
    };
    let page = selected(&[("field", "f-state")]);
    assert!(page.contains(choice) && page.contains(r#"<option value="closed">"#));
    let page = selected(&[("field", "f-born")]);
    assert!(page.contains(r#"name="v-f-born""#) && !page.contains(choice));
    let sent = [
        ("field", "f-state"),
        ("v-f-state", "closed"),
        ("show", "true"),
    ];
    let page = selected(&sent);
    assert!(page.contains(">closed</ins>"), "{page}");
    assert!(page.contains(r#"<option value="closed" selected>"#));
    // what was filled in for another field is no value of this one
    let page = selected(&[
        ("field", "f-born"),
        ("v-f-state", "closed"),
        ("show", "true"),
    ]);
    assert!(!page.contains("<ins") && page.contains(r#"name="v-f-born""#));

    let path = format!("{there}/mend");
    let page = browser.get(&format!("{path}?field=State&action=set"));
    let page = page.is(200);
    assert!(page.body.contains(choice), "{}", page.body);
    let set = |of: &str| {
        let fields = [
            ("field", "State"),
            ("action", "set"),
            ("q", "fault:State"),
            ("with", ""),
            ("set-of", of),
            ("v-f-state", "closed"),
        ];
        browser.send(&page, &path, &fields)
    };
    assert!(set("Born").is(200).body.contains(choice));
    let tried = browser.ended_job(set("State"));
    assert!(
        tried.body.contains("Would change</dt><dd>3<"),
        "{}",
        tried.body
    );
    assert!(tried.body.contains(">closed</ins>"), "{}", tried.body);
    // what was tried stands in the form again
    let again = between(&tried.body, &format!(r#"class="button" href="{path}"#));
    let again = browser.get(&format!("{path}{}", again.replace("&#38;", "&")));
    let chosen = r#"<option value="closed" selected>"#;
    assert!(again.is(200).body.contains(chosen));
}
