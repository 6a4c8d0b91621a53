//! Forms that are refused: their page has what was filled in, to be sent again, or says that it did not come.

use crate::admin_server::AdminServer;
use crate::browser::{Browser, between, cities, form};
use runtime::service::Settings;
use serde_json::json;
use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::time::Duration;

/// Bytes of a body where it may have few.
const FEW: usize = 64 << 10;

fn narrow() -> AdminServer {
    AdminServer::with_settings(Settings {
        body_bytes_max: FEW,
        ..Settings::default()
    })
}

#[test]
fn a_form_that_is_too_large_comes_back_with_inputs_in_which_it_can_be_shortened() {
    let server = narrow();
    let browser = Browser::signed_in(&server);
    let page = browser.get("/app/areas").is(200);
    let long = "x".repeat(FEW);
    let fields = [("name", "Finance"), ("description", &*long)];
    let refused = browser.send(&page, "/app/areas", &fields).is(413);
    let (_, told) = refused
        .body
        .split_once(&format!("The form is larger than {FEW} bytes: it has "))
        .expect("the limit");
    let (bytes, _) = told.split_once(',').expect("how many it has");
    let bytes: usize = bytes.parse().expect("a number");
    assert!(bytes > FEW && bytes < FEW + 1_000, "{bytes}");
    for part in [
        "What you filled in is kept below: shorten it",
        r#"<input type="hidden" name="name" value="Finance">"#,
        &format!("\n{long}</textarea>"),
    ] {
        assert!(refused.body.contains(part), "{part}");
    }
    let textarea = r#"<textarea name="description""#;
    assert!(refused.body.contains(textarea) && !refused.body.contains("did not come"));
    let fields = [("name", "Finance"), ("description", "Money")];
    browser.send(&refused, "/app/areas", &fields).is(303);
    // what a part of a page sends is there still
    let fields = [("name", "Other"), ("description", &*long)];
    let part = browser.send_part(&page, "/app/areas", &fields).is(413);
    assert!(!part.body.contains("<textarea") && part.body.contains("The form is larger"));
}

#[test]
fn a_form_that_is_not_even_read_is_told_to_be_lost_with_its_limit() {
    let server = narrow();
    let browser = Browser::signed_in(&server);
    let page = browser.get("/app/areas").is(200);
    let long = "x".repeat(6 * FEW);
    let fields = [("name", "Finance"), ("description", &*long)];
    let refused = browser.send(&page, "/app/areas", &fields).is(413);
    let most = 6 * FEW;
    for part in [
        &*format!("The form is larger than {most} bytes: it has "),
        "did not come whole",
    ] {
        assert!(refused.body.contains(part), "{part}: {}", refused.body);
    }
}

#[test]
fn pages_say_before_a_form_is_sent_how_long_it_may_be() {
    let server = narrow();
    let browser = Browser::signed_in(&server);
    let page = browser.get("/app/areas").is(200);
    let most = 6 * FEW;
    let told = format!(r#"data-form-bytes="{most}" data-too-long="This is too long"#);
    assert!(page.body.contains(&told), "{}", page.body);
    assert!(
        page.body
            .contains("it may have 393,216 bytes on its way, and has {}.")
    );
    let nobody = Browser {
        server: &server,
        cookie: String::new(),
        language: "en",
    };
    let page = nobody.get("/app/sign-in").is(200);
    assert!(!page.body.contains("data-form-bytes"), "{}", page.body);
}

#[test]
fn a_form_of_who_has_no_right_to_send_it_is_kept_on_the_page_that_says_so() {
    let server = AdminServer::start();
    let (dataset, [record, _]) = cities(&server);
    let role = server.make("/roles", json!({"name": "None", "permissions": []}));
    let eve = Browser::of_user(&server, "eve", &role.text("roleId"), &json!([]));
    let home = eve.get("/app/").is(200);
    let path = format!("/app/datasets/{dataset}/new");
    let refused = eve.send(&home, &path, &[("v-f-people", "7")]).is(403);
    for part in [
        "What you filled in is kept below",
        r#"<input type="hidden" name="v-f-people" value="7">"#,
        &format!(r#"action="{path}""#),
    ] {
        assert!(refused.body.contains(part), "{part}: {}", refused.body);
    }
    // a press of a button has nothing that could be lost
    let path = format!("/app/datasets/{dataset}/records/{record}/delete");
    let refused = eve.send(&home, &path, &[]);
    assert!(refused.status >= 400, "{}", refused.body);
    assert!(!refused.body.contains("data-kept"), "{}", refused.body);
}

#[test]
fn a_form_that_comes_slowly_and_steadily_is_waited_for() {
    let server = AdminServer::with_settings(Settings {
        body_time_max: Duration::from_secs(1),
        ..Settings::default()
    });
    let browser = Browser::signed_in(&server);
    let page = browser.get("/app/areas").is(200);
    let token = between(&page.body, r#"name="token" value=""#);
    let body = form(&[("name", "Finance"), ("token", &token)]);
    let head = format!(
        "POST /app/areas HTTP/1.1\r\nHost: test\r\nConnection: close\r\nCookie: {}\r\n\
         Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {}\r\n\r\n",
        browser.cookie,
        body.len()
    );
    let mut stream = TcpStream::connect(server.address).expect("the server listens");
    let (first, rest) = body.split_at(body.len() / 2);
    stream.write_all(head.as_bytes()).expect("it is sent");
    stream.write_all(first.as_bytes()).expect("it is sent");
    std::thread::sleep(Duration::from_millis(1_500));
    stream.write_all(rest.as_bytes()).expect("it is sent");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("an answer");
    assert!(answer.starts_with("HTTP/1.1 303 "), "{answer}");
    assert!(browser.get("/app/areas").is(200).body.contains("Finance"));
}
