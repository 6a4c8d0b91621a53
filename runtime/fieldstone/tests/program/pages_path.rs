//! Where the application stands: told by the front page, settable, behind a proxy too, or nowhere; and what it tells who comes
//! first of all.

use crate::support::{Response, Server, fail, succeed, word_after, write_company};
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
    let (_, sheet) = front
        .body
        .split_once(r#"<link rel="stylesheet" href="desk/"#)
        .expect("a sheet");
    let sheet = sheet.split('"').next().expect("its end");
    assert_eq!(server.get("", &format!("/desk/{sheet}")).status, 200);
    assert!(
        front
            .body
            .contains(r#"href="desk/">Open the application</a>"#)
    );
    // and loads nothing but these
    let policy = front.header("content-security-policy").expect("a policy");
    assert!(
        policy.starts_with("default-src 'none'; style-src 'self'"),
        "{policy}"
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
fn the_address_of_the_pages_is_not_taken_for_that_of_the_server() {
    let folder = tempdir().expect("a folder");
    // there is nothing to read, so that it would not serve in any case
    let serve = [
        "serve",
        "--read-only",
        "--public-url",
        "https://data.example/app",
    ];
    let told = fail(folder.path(), &serve);
    assert!(
        told.contains("at /app: give https://data.example"),
        "{told}"
    );
}

#[test]
fn without_an_application_nothing_leads_to_one() {
    let folder = tempdir().expect("a folder");
    write_company(folder.path());
    let server = Server::start(folder.path(), &["--pages-path", "none"]);
    let front = server.get("", "/").body;
    for none in ["Open the application", "<link"] {
        assert!(!front.contains(none), "{front}");
    }
    assert_eq!(
        server.get("", "/app/sign-in").status,
        401,
        "nothing is there"
    );
}

#[test]
fn whoever_comes_before_there_is_a_tenant_is_told_how_one_is_made_and_signs_in_then() {
    let folder = tempdir().expect("a folder");
    let server = Server::start(folder.path(), &[]);
    let page = || server.get("", "/app/sign-in").body;
    let command = "<code>fieldstone init --tenant NAME --email ADDRESS</code>";
    assert!(page().contains(command), "{}", page());
    // beside the server
    let init = ["init", "--tenant", "Acme", "--email", "ada@example.org"];
    let made = succeed(folder.path(), &init);
    let password = word_after(&made, "shown this once:");
    assert!(!page().contains(command), "{}", page());
    // with what proves that a page of ours has the form, behind a mask that changes nothing
    let secret = "0".repeat(32);
    let token = "00".repeat(32) + &"30".repeat(32);
    let form = format!(
        "Content-Type: application/x-www-form-urlencoded\r\nCookie: fieldstone_form={secret}"
    );
    let sent = format!("username=admin&password={password}&token={token}");
    let entered = server.send_as("POST", "", "/app/sign-in", &form, &sent);
    assert_eq!(location(&entered), "/app/", "{}", entered.body);
    server.stop();
}
