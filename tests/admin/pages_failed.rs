//! Pages of what did not work though nobody asked for anything wrong: they name their request, by which the log tells why, and
//! hold nothing of the cause. Those behind an index that is not ready are in `index_behind.rs`.

use crate::admin_server::{AdminServer, PASSWORD};
use crate::browser::Browser;
use crate::requests::Answer;
use runtime::service::{BreachedPasswords, Settings};
use tests::log::{lines_with, listen};

/// Asserts that a page says that something did not work, with the request's id, and gives what the log has under that.
#[track_caller]
pub(crate) fn logged(page: &Answer) -> Vec<String> {
    let id = page.header("x-request-id").expect("an id");
    let lines = lines_with(&format!("request.id=\"{id}\""));
    let status = format!("status={} ", page.status);
    let is_logged = lines.iter().any(|line| line.contains(&status));
    assert!(is_logged, "{status}: {lines:?}");
    for told in [
        "<h1>This did not work</h1>",
        &format!("Status {} ", page.status),
        &format!("<code>{id}</code>"),
    ] {
        assert!(page.body.contains(told), "{told}: {}", page.body);
    }
    lines
}

#[test]
fn a_page_that_failed_inside_names_its_request_and_the_log_alone_has_the_cause() {
    listen();
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("list.txt");
    let lines = [1, 2, 3].map(|number| format!("{number:040X}:7\r\n"));
    let lines = lines.concat();
    std::fs::write(&path, &lines).expect("written");
    let list = BreachedPasswords::open(&path).expect("a list");
    let server = AdminServer::with_settings(Settings {
        breached_passwords: Some(list),
        ..Settings::default()
    });
    let browser = Browser::signed_in(&server);
    let own = "/app/password";
    let page = browser.get(own).is(200);
    std::fs::write(&path, "x".repeat(lines.len())).expect("written");
    let new = "another of her own";
    let fields = [("password", PASSWORD), ("new-password", new)];
    let failed = browser.send(&page, own, &fields).is(500);
    let told = "Its operator can find the cause in the log under this request.";
    assert!(failed.body.contains(told), "{}", failed.body);
    let lines = logged(&failed);
    let cause = lines.iter().find(|line| line.contains("failed inside"));
    let cause = cause.expect("the cause");
    assert!(cause.contains("no list of breached passwords"), "{cause}");
    for secret in ["list.txt", "breached", PASSWORD, new] {
        assert!(!failed.body.contains(secret), "{secret}: {}", failed.body);
    }
}
