//! Where the application stands: told by the front page, settable, behind a proxy too, or nowhere.

use crate::support::{Response, Server, write_company};
use tempfile::tempdir;

#[track_caller]
fn location(answer: &Response) -> &str {
    assert_eq!(answer.status, 303);
    answer.header("location").expect("a place")
}

#[test]
fn the_front_page_leads_to_the_application_wherever_it_stands() {
    let folder = tempdir().expect("a folder");
    write_company(folder.path());
    let public = "https://data.example/masters";
    let more = ["--pages-path", "/desk", "--public-url", public];
    let server = Server::start(folder.path(), &more);
    let front = server.get("", "/");
    assert!(
        front
            .body
            .contains(r#"<a href="desk/">Open the application</a>"#)
    );
    // the proxy takes its own part of the path away, and browsers need it
    let home = server.get("", "/desk/");
    assert!(
        location(&home).starts_with("/masters/desk/sign-in"),
        "{}",
        location(&home)
    );
    let page = server.get("", "/desk/sign-in");
    assert_eq!(page.status, 200);
    for part in [
        r#"href="/masters/desk/assets/"#,
        r#"action="/masters/desk/sign-in""#,
    ] {
        assert!(page.body.contains(part), "{part} in {}", page.body);
    }
    assert_eq!(
        server.get("", "/app/sign-in").status,
        401,
        "nothing is there"
    );
}

#[test]
fn without_an_application_nothing_leads_to_one() {
    let folder = tempdir().expect("a folder");
    write_company(folder.path());
    let server = Server::start(folder.path(), &["--pages-path", "none"]);
    assert!(!server.get("", "/").body.contains("Open the application"));
    assert_eq!(
        server.get("", "/app/sign-in").status,
        401,
        "nothing is there"
    );
}
