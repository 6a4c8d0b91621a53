//! Forms that come more than once: a second press, a resend, another server.

use crate::admin_server::AdminServer;
use crate::browser::{Browser, between, field, form, give_ada};
use crate::jobs::ended;
use crate::requests::{Answer, exchange};
use crate::undo::sent;
use serde_json::json;
use std::collections::BTreeSet;
use std::thread;

/// A dataset of records that nothing tells apart but their ids.
fn notes(server: &AdminServer) -> String {
    let text = field("f-text", "Text", "string", false);
    let [area, _, dataset] = server.places(&json!({"name": "Note", "fields": [text]}));
    give_ada(server, &area);
    dataset
}

fn count(server: &AdminServer, dataset: &str) -> u64 {
    let faults = server.get(&format!("/datasets/{dataset}/faults"));
    faults["recordCount"].as_u64().expect("a count")
}

#[test]
fn a_form_of_a_new_record_that_comes_again_leads_to_the_record_that_it_made() {
    let server = AdminServer::start();
    let dataset = notes(&server);
    let browser = Browser::signed_in(&server);
    let path = format!("/app/datasets/{dataset}/new");
    let page = browser.get(&path).is(200);
    let mark = between(&page.body, r#"name="mark" value=""#);
    let send = |mark: &str, text: &str| {
        let fields = [("mark", mark), ("v-f-text", text)];
        let sent = browser.send(&page, &path, &fields).is(303);
        sent.header("location").expect("a place").to_owned()
    };
    let first = send(&mark, "one");
    assert_eq!(send(&mark, "one"), first);
    assert_eq!(count(&server, &dataset), 1);
    let shown = browser.get(&first).is(200);
    assert!(shown.body.contains("Saved."), "{}", shown.body);
    // whoever goes back to the form and fills in something else makes another one
    let second = send(&mark, "two");
    assert_ne!(second, first);
    assert_eq!(send(&mark, "two"), second);
    // and so does who opens the form once more
    let next = browser.get(&path).is(200);
    let next = between(&next.body, r#"name="mark" value=""#);
    assert_ne!(next, mark);
    assert_ne!(send(&next, "one"), first);
    assert_eq!(count(&server, &dataset), 3);
}

#[test]
fn a_form_that_comes_again_when_its_record_was_deleted_makes_another() {
    let server = AdminServer::start();
    server.use_job_files();
    let dataset = notes(&server);
    let browser = Browser::signed_in(&server);
    let path = format!("/app/datasets/{dataset}/new");
    let page = browser.get(&path).is(200);
    let mark = between(&page.body, r#"name="mark" value=""#);
    let send = || {
        let fields = [("mark", &*mark), ("v-f-text", "one")];
        let sent = browser.send(&page, &path, &fields).is(303);
        sent.header("location").expect("a place").to_owned()
    };
    let first = send();
    let id = first.rsplit('/').next().expect("an id");
    let id = id.split('?').next().expect("an id");
    sent(
        &server,
        &dataset,
        &[json!({"delete": {"_dataObjectId": id}})],
    );
    assert_eq!(count(&server, &dataset), 0);
    let second = send();
    assert_ne!(second, first);
    browser.get(&second).is(200);
    // and from then on that one is the form's
    assert_eq!(send(), second);
    assert_eq!(count(&server, &dataset), 1);
}

#[test]
fn a_form_that_comes_many_times_at_once_makes_one_record() {
    let server = AdminServer::start();
    let dataset = notes(&server);
    let browser = Browser::signed_in(&server);
    let path = format!("/app/datasets/{dataset}/new");
    let page = browser.get(&path).is(200);
    let value = |name: &str| between(&page.body, &format!(r#"name="{name}" value=""#));
    let (token, mark) = (value("token"), value("mark"));
    let sent = [("token", &*token), ("mark", &*mark), ("v-f-text", "one")];
    let sent = form(&sent);
    let line = format!("POST {path}");
    let headers = [
        ("Cookie", &*browser.cookie),
        ("Content-Type", "application/x-www-form-urlencoded"),
    ];
    let places: BTreeSet<String> = thread::scope(|scope| {
        let send = || {
            let answer = exchange(server.address, &line, &headers, Some(&sent)).is(303);
            answer.header("location").expect("a place").to_owned()
        };
        let threads: Vec<_> = (0..8).map(|_| scope.spawn(send)).collect();
        let ended = threads.into_iter().map(|it| it.join().expect("an answer"));
        ended.collect()
    });
    assert_eq!(places.len(), 1, "{places:?}");
    assert_eq!(count(&server, &dataset), 1);
}

/// The mark of a form.
fn mark_of(page: &Answer) -> String {
    between(&page.body, r#"name="mark" value=""#)
}

/// The job that the answer to a form leads to.
fn job_of(sent: Answer) -> String {
    asked_job(sent).0
}

/// The same, and whether the form is told to have made it before.
fn asked_job(sent: Answer) -> (String, bool) {
    let sent = sent.is(303);
    let place = sent.header("location").expect("a place");
    let place = place.strip_prefix("/app/jobs/").expect("a job");
    match place.strip_suffix("?before=true") {
        Some(job) => (job.to_owned(), true),
        None => (place.to_owned(), false),
    }
}

fn job_count(server: &AdminServer) -> usize {
    let jobs = server.get("/jobs");
    jobs["items"].as_array().expect("a page").len()
}

#[test]
fn a_form_of_an_export_that_comes_again_leads_to_the_job_that_it_made() {
    let server = AdminServer::start();
    server.start_jobs();
    let dataset = notes(&server);
    let browser = Browser::signed_in(&server);
    let path = format!("/app/datasets/{dataset}/export");
    let page = browser.get(&path).is(200);
    let send = |mark: &str, format: &str| {
        let fields = [("mark", mark), ("format", format)];
        job_of(browser.send(&page, &path, &fields))
    };
    let mark = mark_of(&page);
    let first = send(&mark, "csv");
    assert_eq!(send(&mark, "csv"), first);
    ended(&server, &first);
    assert_eq!(send(&mark, "csv"), first, "also when it has ended");
    assert_eq!(job_count(&server), 1);
    // who goes back and fills in something else, or opens the form once more, makes another one
    assert_ne!(send(&mark, "ndjson"), first);
    let next = mark_of(&browser.get(&path).is(200));
    assert_ne!(send(&next, "csv"), first);
    assert_eq!(job_count(&server), 3);
    // what sends no mark asks each time
    assert_ne!(send("", "csv"), send("", "csv"));
}

#[test]
fn a_form_that_comes_again_when_its_job_was_cancelled_is_told_so_and_leads_to_itself() {
    let server = AdminServer::start();
    server.use_job_files();
    let dataset = notes(&server);
    let browser = Browser::signed_in(&server);
    let export = format!("/app/datasets/{dataset}/export");
    let import = format!("/app/datasets/{dataset}/import");
    let told = "had made this job before";
    for path in [&export, &import] {
        let page = browser.get(path).is(200);
        let send = |mark: &str| {
            if *path == export {
                let fields = [("mark", mark), ("format", "csv")];
                return asked_job(browser.send(&page, path, &fields));
            }
            let fields = [("mark", mark), ("try", "false"), ("mode", "create")];
            asked_job(browser.send_file(&page, path, &fields, ("notes.csv", "Text\none\n")))
        };
        let mark = mark_of(&page);
        let (first, is_repeat) = send(&mark);
        assert!(!is_repeat, "{path}");
        let shown = browser.get(&format!("/app/jobs/{first}")).is(200);
        assert!(!shown.body.contains(told), "{}", shown.body);
        let cancel = format!("/app/jobs/{first}/cancel");
        browser.send(&page, &cancel, &[]).is(303);
        assert_eq!(send(&mark), (first.clone(), true), "{path}");
        let shown = browser.get(&format!("/app/jobs/{first}?before=true"));
        let shown = shown.is(200).body;
        let link = format!(r#"<a href="{path}">To the form</a>"#);
        assert!(shown.contains(told) && shown.contains(&link), "{shown}");
        // the form that it leads to makes another one
        let (second, is_repeat) = send(&mark_of(&browser.get(path).is(200)));
        assert!(second != first && !is_repeat, "{path}");
    }
}

#[test]
fn a_form_that_was_refused_makes_its_job_when_it_comes_again() {
    let server = AdminServer::start();
    let dataset = notes(&server);
    let browser = Browser::signed_in(&server);
    let path = format!("/app/datasets/{dataset}/export");
    let page = browser.get(&path).is(200);
    let mark = mark_of(&page);
    let fields = [("mark", &*mark), ("format", "csv")];
    // there is no place for files yet
    browser.send(&page, &path, &fields).is(503);
    server.use_job_files();
    let (job, is_repeat) = asked_job(browser.send(&page, &path, &fields));
    assert!(!is_repeat, "nothing was made before");
    assert_eq!(asked_job(browser.send(&page, &path, &fields)), (job, true));
}

#[test]
fn a_form_of_an_import_that_comes_again_with_its_file_leads_to_the_job_that_stores_it() {
    let server = AdminServer::start();
    server.start_jobs();
    let dataset = notes(&server);
    let browser = Browser::signed_in(&server);
    let path = format!("/app/datasets/{dataset}/import");
    let page = browser.get(&path).is(200);
    let mark = mark_of(&page);
    let send = |tries: &str, file: &str| {
        let fields = [("mark", &*mark), ("try", tries), ("mode", "create")];
        job_of(browser.send_file(&page, &path, &fields, ("notes.csv", file)))
    };
    let file = "Text\none\n";
    let first = send("false", file);
    assert_eq!(send("false", file), first);
    assert_eq!(ended(&server, &first)["state"], "done");
    assert_eq!(send("false", file), first, "also when it has ended");
    assert_eq!(count(&server, &dataset), 1);
    // another file is another job, and so is trying it
    let second = send("false", "Text\ntwo\n");
    assert_ne!(second, first);
    ended(&server, &second);
    assert_eq!(count(&server, &dataset), 2);
    let tried = send("true", file);
    ended(&server, &tried);
    // what was tried is stored once as well
    let store = || {
        let fields = [
            ("mark", &*mark),
            ("try", "false"),
            ("mode", "create"),
            ("fileOf", &*tried),
        ];
        job_of(browser.send_file(&page, &path, &fields, ("", "")))
    };
    let third = store();
    assert_eq!(store(), third);
    assert_eq!(ended(&server, &third)["state"], "done");
    assert_eq!(store(), third);
    assert_eq!(count(&server, &dataset), 3);
    assert_eq!(job_count(&server), 4);
}

#[test]
fn a_form_of_an_import_that_comes_many_times_at_once_stores_its_file_once() {
    let server = AdminServer::start();
    server.start_jobs();
    let dataset = notes(&server);
    let browser = Browser::signed_in(&server);
    let path = format!("/app/datasets/{dataset}/import");
    let page = browser.get(&path).is(200);
    let token = between(&page.body, r#"name="token" value=""#);
    let mark = mark_of(&page);
    let begin = "--b\r\nContent-Disposition: form-data; name=";
    let fields = [
        ("token", &*token),
        ("mark", &*mark),
        ("try", "false"),
        ("mode", "create"),
    ];
    let fields = fields.map(|(name, value)| format!("{begin}\"{name}\"\r\n\r\n{value}\r\n"));
    let file = "\"file\"; filename=\"notes.csv\"\r\nContent-Type: text/csv\r\n\r\nText\none\n";
    let body = format!("{}{begin}{file}\r\n--b--\r\n", fields.concat());
    let line = format!("POST {path}");
    let headers = [
        ("Cookie", &*browser.cookie),
        ("Content-Type", "multipart/form-data; boundary=b"),
    ];
    let jobs: BTreeSet<String> = thread::scope(|scope| {
        let send = || job_of(exchange(server.address, &line, &headers, Some(&body)));
        let threads: Vec<_> = (0..8).map(|_| scope.spawn(send)).collect();
        let ended = threads.into_iter().map(|it| it.join().expect("an answer"));
        ended.collect()
    });
    assert_eq!(jobs.len(), 1, "{jobs:?}");
    let job = jobs.first().expect("one");
    assert_eq!(ended(&server, job)["state"], "done");
    assert_eq!(count(&server, &dataset), 1);
}
