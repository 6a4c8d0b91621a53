//! What leads on from the page of a job: to what undid it or what it undid, with no second undoing, and to the records.

use crate::browser::{Browser, between, cities};
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
    // which says what it undid
    let undone = format!(r#"It undoes this job: <a href="{job}">Import"#);
    assert!(page.body.contains(&undone), "{}", page.body);
    let german = browser.in_german();
    let page = german.get(&job).is(200);
    assert!(
        page.body
            .contains("Dieser Auftrag wurde rückgängig gemacht.")
    );
}

/// Undoes a job by a form of this page: the address of the undoing, which has ended.
fn undone(browser: &Browser<'_>, page: &Answer, job: &str) -> String {
    let sent = browser.send(page, &format!("{job}/undo"), &[]).is(303);
    let undoing = sent.header("location").expect("a job").to_owned();
    browser.ended_job(sent);
    undoing
}

/// Whether the page of a job offers to undo it, and whether it says that it was undone.
fn told(browser: &Browser<'_>, job: &str) -> [bool; 2] {
    let page = browser.get(job).is(200);
    ["undoJob", "This job was undone."].map(|text| page.body.contains(text))
}

#[test]
fn a_job_that_was_done_again_is_offered_to_be_undone_as_before() {
    let server = server();
    let (dataset, _) = cities(&server);
    let browser = Browser::signed_in(&server);
    let (job, done) = imported(&browser, &dataset, "Code,People\nB1,3\n");
    let undo = |job: &str| undone(&browser, &done, job);
    let told = |job: &str| told(&browser, job);
    let first = undo(&job);
    assert_eq!(told(&job), [false, true]);
    let again = undo(&first);
    assert_eq!((told(&job), told(&first)), ([true, false], [false, true]));
    let second = undo(&job);
    assert!(second != first && second != again);
    assert_eq!(told(&job), [false, true]);
}

/// Changes how many people the last town of a dataset has, which are three.
fn written_since(browser: &Browser<'_>, page: &Answer, dataset: &str) {
    let records = browser.get(&format!("/app/datasets/{dataset}"));
    let (_, row) = records
        .body
        .rsplit_once(r#"<tr data-record=""#)
        .expect("the record");
    let record = row.split('"').next().expect("an id");
    let place = format!("/app/datasets/{dataset}/records/{record}");
    let change = [("version", "0"), ("w-f-people", "3"), ("v-f-people", "4")];
    browser.send(page, &place, &change).is(303);
}

#[test]
fn what_an_undoing_left_may_be_undone_once_more() {
    let server = server();
    let (dataset, _) = cities(&server);
    let browser = Browser::signed_in(&server);
    let (job, done) = imported(&browser, &dataset, "Code,People\nB1,3\n");
    // someone writes what it made
    written_since(&browser, &done, &dataset);
    browser.ended_job(browser.send(&done, &format!("{job}/undo"), &[]));
    let page = browser.get(&job).is(200);
    assert!(page.body.contains("This job was undone."), "{}", page.body);
    assert!(page.body.contains("undoJob"), "{}", page.body);
}

#[test]
fn a_job_that_was_done_again_is_in_force_though_a_second_undoing_had_nothing_left_to_do() {
    let server = server();
    let (dataset, _) = cities(&server);
    let browser = Browser::signed_in(&server);
    let (job, done) = imported(&browser, &dataset, "Code,People\nB1,3\nB2,3\n");
    written_since(&browser, &done, &dataset);
    let first = undone(&browser, &done, &job);
    assert_eq!(told(&browser, &job), [true, true]);
    let beside = undone(&browser, &done, &job);
    assert_ne!(beside, first);
    assert_eq!(told(&browser, &job), [true, true]);
    undone(&browser, &done, &first);
    assert_eq!(told(&browser, &job), [true, false]);
}

#[test]
fn a_job_stays_undone_where_what_was_to_do_it_again_left_all_as_it_was() {
    let server = server();
    let (dataset, _) = cities(&server);
    let browser = Browser::signed_in(&server);
    let (job, done) = imported(&browser, &dataset, "Code,People\nB1,3\n");
    let first = undone(&browser, &done, &job);
    // another record has its key by then
    imported(&browser, &dataset, "Code,People\nB1,5\n");
    undone(&browser, &done, &first);
    assert_eq!(told(&browser, &job), [false, true]);
}

/// What leads to the faulty records of a dataset, and to all of them.
fn ways(dataset: &str) -> [String; 2] {
    let there = format!("/app/datasets/{dataset}");
    [
        format!(r#"class="button primary" href="{there}?q=is%3Afaulty">Show faulty records"#),
        format!(r#"class="button" href="{there}">Show the records"#),
    ]
}

#[test]
fn a_job_that_wrote_records_leads_to_them_and_first_to_faulty_ones() {
    let server = server();
    let (dataset, _) = cities(&server);
    let browser = Browser::signed_in(&server);
    let [to_faulty, to_all] = ways(&dataset);
    let leads = |page: &Answer| [&to_faulty, &to_all].map(|way| page.body.contains(way));
    let (_, clean) = imported(&browser, &dataset, "Code,People\nB1,3\n");
    assert_eq!(leads(&clean), [false, true], "{}", clean.body);
    let (job, faulty) = imported(&browser, &dataset, "Code,People\nB2,several\n");
    assert_eq!(leads(&faulty), [true, false], "{}", faulty.body);
    // where the words of a fault are those of its rule, they stand there once
    let german = browser.in_german().get(&job).is(200);
    let told = german.body.matches("ist keine ganze Zahl").count();
    assert_eq!(told, 1, "{}", german.body);
    // what was taken back left none
    let undoing = browser.ended_job(browser.send(&faulty, &format!("{job}/undo"), &[]));
    assert_eq!(leads(&undoing), [false, true], "{}", undoing.body);
    let undone = browser.get(&job).is(200);
    assert_eq!(leads(&undone), [false, true], "{}", undone.body);
    // what was only tried has written none
    let fields = [("try", "true"), ("mode", "create")];
    let tried = browser.import(
        &dataset,
        &fields,
        ("towns.csv", "Code,People\nB3,several\n"),
    );
    let tried = browser.ended_job(tried);
    assert_eq!(leads(&tried), [false, false], "{}", tried.body);
}

#[test]
fn a_repair_is_told_with_its_field_and_leads_to_what_is_faulty_still() {
    let server = server();
    let (dataset, _) = cities(&server);
    let browser = Browser::signed_in(&server);
    let path = format!("/app/datasets/{dataset}/mend");
    let page = browser.get(&path).is(200);
    let fields = [
        ("field", "People"),
        ("q", "is:faulty"),
        ("action", "replace"),
        ("find", "many"),
        ("with", "several"),
    ];
    let tried = browser.ended_job(browser.send(&page, &path, &fields));
    let trial = between(&tried.body, r#"name="trial" value=""#);
    let done = browser.ended_job(browser.send(&tried, &path, &[("trial", &trial)]));
    let [to_faulty, _] = ways(&dataset);
    assert!(done.body.contains(&to_faulty), "{}", done.body);
    assert!(done.body.contains("· People ·"), "{}", done.body);
    let list = browser.get("/app/jobs").is(200);
    let told = r#"<span class="muted small block">People</span>"#;
    assert_eq!(list.body.matches(told).count(), 2, "{}", list.body);
}
