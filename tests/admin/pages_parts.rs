//! Parts of pages: to whoever asks for one without the page around it, as a sign-in leads back to, a page is shown.

use crate::admin_server::AdminServer;
use crate::browser::{Browser, cities};
use runtime::service::Settings;
use serde_json::json;

#[test]
fn what_a_page_asks_for_as_a_part_of_itself_is_a_page_to_whoever_else_asks() {
    let server = AdminServer::start();
    let (dataset, [record, _]) = cities(&server);
    server.use_job_files();
    let job = server.make(&format!("/datasets/{dataset}/exports"), json!({}));
    let browser = Browser::signed_in(&server);
    let there = format!("/app/datasets/{dataset}");
    let cell = format!("{there}/records/{record}/cells/f-people");
    for (path, leads_to) in [
        ("/app/".to_owned(), None),
        ("/app/faults".to_owned(), None),
        ("/app/go?q=city".to_owned(), None),
        ("/app/jobs".to_owned(), None),
        (format!("/app/jobs/{}", job.text("jobId")), None),
        (there.clone(), None),
        (format!("{there}?by=f-people"), None),
        (format!("{there}/mend?field=People"), None),
        (format!("{there}/selected?record={record}"), None),
        (format!("{there}/figures"), Some(there.clone())),
        (format!("{there}/completions?q=Co"), Some(there.clone())),
        (
            "/app/search/completions?q=Co".to_owned(),
            Some("/app/search".to_owned()),
        ),
        (
            format!("{cell}?columns=f-code%20f-people"),
            Some(format!("{there}/records/{record}#f-f-people")),
        ),
    ] {
        let part = browser.part(&path).is(200);
        assert!(
            leads_to.is_none() || !part.body.contains("<main"),
            "{path}: {}",
            part.body
        );
        let whole = browser.get(&path);
        if let Some(place) = leads_to {
            assert_eq!(whole.is(303).header("location"), Some(&*place), "{path}");
        } else {
            let whole = whole.is(200);
            assert!(whole.body.contains("<main"), "{path}: {}", whole.body);
        }
    }
}

#[test]
fn how_many_a_query_finds_is_told_anew_with_the_figures_above_it() {
    let server = AdminServer::start();
    let (dataset, [_, faulty]) = cities(&server);
    let browser = Browser::signed_in(&server);
    let there = format!("/app/datasets/{dataset}");
    let asked = format!("{there}/figures?q=is%3Afaulty");
    let hits = |count: u32| format!(r#"<p class="figures hits" id="hits"><b>{count}</b>"#);
    let list = browser.get(&format!("{there}?q=is%3Afaulty")).is(200);
    for own in [hits(1), format!(r#"hx-get="{asked}""#)] {
        assert!(list.body.contains(&own), "{own}: {}", list.body);
    }
    let cell = format!("{there}/records/{faulty}/cells/f-people");
    let editor = browser.part(&format!("{cell}?columns=f-people")).is(200);
    let fields = [
        ("version", "0"),
        ("columns", "f-people"),
        ("w-f-people", "many"),
        ("v-f-people", "1200"),
    ];
    browser.send_part(&editor, &cell, &fields).is(200);
    let figures = browser.part(&asked).is(200);
    // the next time, the same is asked for
    for own in ["No faults", &*hits(0), &*format!(r#"hx-get="{asked}""#)] {
        assert!(figures.body.contains(own), "{own}: {}", figures.body);
    }
    // of a list that no search found nothing is counted
    let whole = browser.part(&format!("{there}/figures")).is(200);
    assert!(!whole.body.contains(r#"id="hits""#), "{}", whole.body);
}

#[test]
fn figures_are_told_where_a_search_cannot_count_and_ask_for_it_the_next_time() {
    let server = AdminServer::without_index(Settings::default());
    let (dataset, _) = cities(&server);
    let browser = Browser::signed_in(&server);
    let asked = format!("/app/datasets/{dataset}/figures?q=is%3Afaulty");
    let figures = browser.part(&asked).is(200).body;
    for own in ["<b>2</b> records", &*format!(r#"hx-get="{asked}""#)] {
        assert!(figures.contains(own), "{own}: {figures}");
    }
    assert!(!figures.contains(r#"id="hits""#), "{figures}");
}

#[test]
fn a_cell_of_no_record_leads_nowhere() {
    let server = AdminServer::start();
    let (dataset, _) = cities(&server);
    let browser = Browser::signed_in(&server);
    let none = "019b7638-1d44-7c06-8a5b-77e0c1f0a2d9";
    for id in [none, "x%0Ay", "..%2F..%2Fusers"] {
        let cell = format!("/app/datasets/{dataset}/records/{id}/cells/f-people");
        let page = browser.get(&cell).is(404);
        assert!(page.body.contains("<main"), "{id}: {}", page.body);
    }
}

#[test]
fn a_cell_that_is_sent_without_its_grid_leads_to_the_form_of_its_record() {
    let server = AdminServer::start();
    let (dataset, [record, faulty]) = cities(&server);
    let browser = Browser::signed_in(&server);
    let there = format!("/app/datasets/{dataset}");
    let list = browser.get(&there).is(200);
    let send = |id: &str, field: &str, fields: &[(&str, &str)]| {
        let path = format!("{there}/records/{id}/cells/{field}");
        browser.send(&list, &path, fields)
    };
    let fields = [
        ("version", "0"),
        ("columns", "f-code f-people"),
        ("w-f-people", "many"),
        ("v-f-people", "1200"),
    ];
    let saved = send(&faulty, "f-people", &fields).is(303);
    let place = format!("{there}/records/{faulty}?saved");
    assert_eq!(saved.header("location"), Some(&*place));
    let form = browser.get(&place).is(200);
    assert!(form.body.contains(r#"value="1200""#), "{}", form.body);
    // what is refused stands in the form of the whole record, with why
    let fields = [("version", "0"), ("w-f-code", "A1"), ("v-f-code", "A2")];
    let refused = send(&record, "f-code", &fields).is(400);
    for told in ["<main", "Another record has this key", r#"value="A2""#] {
        assert!(refused.body.contains(told), "{told}: {}", refused.body);
    }
}
