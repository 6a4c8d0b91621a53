//! The page of a job that was undone: it says so, and offers no second undoing.

use crate::browser::{Browser, cities};
use crate::jobs::server;
use crate::requests::Answer;

/// Imports towns, and gives the address of the job and its page at the end.
fn imported(browser: &Browser<'_>, dataset: &str, towns: &str) -> (String, Answer) {
    let fields = [("try", "false"), ("mode", "create")];
    let sent = browser
        .import(dataset, &fields, ("towns.csv", towns))
        .is(303);
    let job = sent.header("location").expect("a job").to_owned();
    (job, browser.ended_job(sent))
}

#[test]
fn a_job_that_was_undone_says_so_and_offers_it_no_more() {
    let server = server();
    let (dataset, _) = cities(&server);
    let browser = Browser::signed_in(&server);
    let (job, done) = imported(&browser, &dataset, "Code,People\nB1,3\nB2,4\n");
    assert!(done.body.contains("undoJob"), "{}", done.body);
    let undo = format!("{job}/undo");
    let first = browser.send(&done, &undo, &[]).is(303);
    let undoing = first.header("location").expect("a job").to_owned();
    browser.ended_job(first);
    let page = browser.get(&job).is(200);
    assert!(!page.body.contains("undoJob"), "{}", page.body);
    assert!(page.body.contains("This job was undone."), "{}", page.body);
    let link = format!(r#"href="{undoing}""#);
    assert!(page.body.contains(&link), "{}", page.body);
    // whoever clicks on an older page comes to what was done
    let again = browser.send(&done, &undo, &[]).is(303);
    assert_eq!(again.header("location"), Some(&*undoing));
    // and the undoing is a job that can be undone
    let page = browser.get(&undoing).is(200);
    assert!(page.body.contains("undoJob"), "{}", page.body);
    let german = browser.in_german();
    let page = german.get(&job).is(200);
    assert!(
        page.body
            .contains("Dieser Auftrag wurde rückgängig gemacht.")
    );
}

#[test]
fn what_an_undoing_left_may_be_undone_once_more() {
    let server = server();
    let (dataset, _) = cities(&server);
    let browser = Browser::signed_in(&server);
    let (job, done) = imported(&browser, &dataset, "Code,People\nB1,3\n");
    // someone writes what it made
    let records = browser.get(&format!("/app/datasets/{dataset}"));
    let (_, row) = records
        .body
        .rsplit_once(r#"<tr data-record=""#)
        .expect("the record");
    let record = row.split('"').next().expect("an id");
    let place = format!("/app/datasets/{dataset}/records/{record}");
    let change = [("version", "0"), ("w-f-people", "3"), ("v-f-people", "4")];
    browser.send(&done, &place, &change).is(303);
    browser.ended_job(browser.send(&done, &format!("{job}/undo"), &[]));
    let page = browser.get(&job).is(200);
    assert!(page.body.contains("This job was undone."), "{}", page.body);
    assert!(page.body.contains("undoJob"), "{}", page.body);
}
