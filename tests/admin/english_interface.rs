//! The interface speaks English, whoever asks: what is wrong with a record is told to programs in one language, and so it is in a
//! file. Pages alone follow the language of a browser.

use crate::browser::{Browser, cities};
use crate::jobs::server;
use crate::requests::Answer;
use crate::schema_editor::places;

/// What is wrong with one of the cities, as the interface words it.
const ENGLISH: &str = "must be a whole number";
/// What pages say of it to who reads German.
const GERMAN: &str = "ganze Zahl";

#[track_caller]
fn is_english(answer: &Answer, what: &str) {
    assert!(answer.body.contains(ENGLISH), "{what}: {}", answer.body);
    assert!(!answer.body.contains(GERMAN), "{what}: {}", answer.body);
}

#[test]
fn what_is_wrong_is_told_in_english_by_the_interface_and_in_files_whoever_asks() {
    let server = server();
    let (dataset, [_, faulty]) = cities(&server);
    let [area, schema] = places(&server, &dataset);
    // it likes German best, and German was chosen
    let browser = Browser::signed_in(&server).in_german();
    let browser = browser.with_cookie("fieldstone_language=de");
    let there = format!("/app/datasets/{dataset}");
    let page = browser.get(&there).is(200);
    assert!(page.body.contains(GERMAN), "{}", page.body);
    // the data interface takes no session from a cookie
    let headers = [
        ("Authorization", &*server.root),
        ("Cookie", &*browser.cookie),
        ("Accept-Language", "de"),
    ];
    let records =
        format!("/v1/businessareas/{area}/schemas/{schema}/datasets/{dataset}/dataobjects");
    for path in [
        records.clone(),
        format!("{records}/by-pk/A2"),
        "/v1/dataobjects/search?query=is:faulty".to_owned(),
    ] {
        let answer = server.send(&format!("GET {path}"), &headers, None);
        is_english(&answer.is(200), &path);
    }
    let body = r#"{"Code":"A3","People":"few"}"#;
    let made = server.send(&format!("POST {records}"), &headers, Some(body));
    is_english(&made.is(201), "a record that is made");
    let record = format!("/admin/api/v1/datasets/{dataset}/records/{faulty}");
    let version = format!("{record}/versions/0");
    is_english(&browser.get(&version).is(200), &version);
    let history = browser.get(&format!("{record}/history")).is(200);
    assert!(history.body.contains("many"), "{}", history.body);
    assert!(!history.body.contains(GERMAN), "{}", history.body);
    let path = format!("{there}/export");
    let page = browser.get(&path).is(200);
    for format in ["csv", "ndjson"] {
        let fields = [("format", format), ("withErrors", "true")];
        let file = browser.exported(browser.send(&page, &path, &fields));
        is_english(&file, format);
    }
}
