//! Forms that are refused: their page has what was filled in, to be sent again, or says that it did not come.

use crate::admin_server::AdminServer;
use crate::browser::{Browser, between, cities, form, with_form_cookie, with_form_token};
use crate::requests::Answer;
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
    assert!(refused.body.contains(textarea) && !refused.body.contains("is not on this page"));
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
        "is not on this page",
    ] {
        assert!(refused.body.contains(part), "{part}: {}", refused.body);
    }
}

/// Sends a form as it stands, in which nothing is encoded.
fn sent_as_it_is(server: &AdminServer, path: &str, headers: &[(&str, &str)], body: &str) -> Answer {
    let kind = ("Content-Type", "application/x-www-form-urlencoded");
    let headers = [&[kind][..], headers].concat();
    server.send(&format!("POST {path}"), &headers, Some(body))
}

#[test]
fn a_large_form_of_a_stranger_is_answered_by_a_small_page() {
    let server = narrow();
    let own = ("Sec-Fetch-Site", "same-origin");
    let cookies = ["", "fieldstone_session=fsu_invented"].map(with_form_cookie);
    let [shown, invented] = [0, 1].map(|at| ("Cookie", &*cookies[at]));
    for headers in [&[shown][..], &[own, shown], &[invented], &[own, invented]] {
        for bytes in [FEW + 1, 2 * FEW] {
            let body = with_form_token(&format!("x={}", "\"".repeat(bytes)));
            let told = sent_as_it_is(&server, "/app/sign-in", headers, &body).is(413);
            assert!(
                told.body.len() < FEW / 2,
                "{headers:?}: {}",
                told.body.len()
            );
            assert!(told.body.contains("is not on this page"), "{}", told.body);
        }
        // no form of ours that it would carry along has so many inputs
        let body = format!("kept-to=/areas&kept={}", "a%26".repeat(100_001));
        let body = with_form_token(&body);
        let told = sent_as_it_is(&server, "/app/sign-in", headers, &body);
        assert!(told.status >= 400, "{}", told.body);
        assert!(
            told.body.len() < FEW / 2,
            "{headers:?}: {}",
            told.body.len()
        );
    }
}

#[test]
fn a_form_whose_page_finds_no_room_is_told_to_be_where_it_was_filled_in() {
    let server = AdminServer::with_settings(Settings {
        body_bytes_max: FEW,
        memory_budget_bytes: 2 << 20,
        ..Settings::default()
    });
    let browser = Browser::signed_in(&server);
    let page = browser.get("/app/areas").is(200);
    let token = between(&page.body, r#"name="token" value=""#);
    let headers = [("Cookie", &*browser.cookie)];
    let send = |bytes: usize| {
        let description = "\"".repeat(bytes);
        let body = format!("token={token}&name=Finance&description={description}");
        sent_as_it_is(&server, "/app/areas", &headers, &body).is(413)
    };
    let small = send(FEW + 1);
    assert!(small.body.contains("<textarea") && small.body.contains("Finance"));
    // as a page it is five times as long
    let large = send(5 * FEW);
    assert!(
        !large.body.contains("Finance"),
        "{} bytes",
        large.body.len()
    );
    assert!(large.body.contains("is not on this page"), "{}", large.body);
}

#[test]
fn a_form_of_more_inputs_than_any_page_has_is_told_so() {
    let server = AdminServer::start();
    let browser = Browser::signed_in(&server);
    let headers = [("Cookie", &*browser.cookie)];
    let body = "a&".repeat(100_001);
    let told = sent_as_it_is(&server, "/app/areas", &headers, &body).is(413);
    for part in ["more than 100000 inputs", "is not on this page"] {
        assert!(told.body.contains(part), "{part}: {}", told.body);
    }
    assert!(!told.body.contains("is larger than"), "{}", told.body);
}

#[test]
fn a_form_of_many_short_values_that_is_too_large_can_be_shortened() {
    let server = narrow();
    let browser = Browser::signed_in(&server);
    let page = browser.get("/app/areas").is(200);
    let short = "x".repeat(900);
    let names: Vec<_> = (0..=FEW / 900).map(|at| format!("v-{at}")).collect();
    let fields: Vec<_> = names.iter().map(|name| (&**name, &*short)).collect();
    let refused = browser.send(&page, "/app/areas", &fields).is(413);
    assert_eq!(refused.body.matches("<textarea").count(), 20);
    assert!(
        refused.body.contains("is kept below: shorten it"),
        "{}",
        refused.body
    );
}

#[test]
fn an_import_that_is_refused_or_fails_comes_back_with_all_but_its_file() {
    // no place for files of jobs
    let server = AdminServer::start();
    let (dataset, _) = cities(&server);
    let path = format!("/app/datasets/{dataset}/import");
    let fields = [("try", "true"), ("mode", "upsert"), ("encoding", "utf-8")];
    let file = ("towns.csv", "Code\nA1\n");
    let browser = Browser::signed_in(&server);
    let page = browser.get(&path).is(200);
    let role = server.make("/roles", json!({"name": "None", "permissions": []}));
    let eve = Browser::of_user(&server, "eve", &role.text("roleId"), &json!([]));
    let home = eve.get("/app/").is(200);
    for told in [
        browser.send_file(&page, &path, &fields, file).is(503),
        eve.send_file(&home, &path, &fields, file),
    ] {
        assert!(told.status >= 400, "{}", told.body);
        for part in [
            "only the file has to be chosen again",
            r#"<input type="hidden" name="encoding" value="utf-8">"#,
            r#"enctype="multipart/form-data""#,
            r#"<input type="file" name="file" required>"#,
            &format!(r#"action="{path}""#),
        ] {
            assert!(told.body.contains(part), "{part}: {}", told.body);
        }
    }
    // once there is a place, it is sent from there
    let told = browser.send_file(&page, &path, &fields, file).is(503);
    server.use_job_files();
    browser.send_file(&told, &path, &fields, file).is(303);
    // one without the session's token is nobody's
    let wrong = Browser::signed_in(&server).get("/app/").is(200);
    let told = browser.send_file(&wrong, &path, &fields, file).is(403);
    assert!(!told.body.contains(r#"name="encoding""#), "{}", told.body);
    assert!(told.body.contains("is not on this page"), "{}", told.body);
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
fn what_is_long_or_told_in_no_list_is_there_whole_where_what_it_was_for_is_gone() {
    let server = AdminServer::start();
    let (dataset, [record, _]) = cities(&server);
    let empty = server.make("/areas", json!({"name": "Empty"}));
    let empty = empty.text("businessAreaId");
    let browser = Browser::signed_in(&server);
    let home = browser.get("/app/").is(200);
    for gone in [format!("/areas/{empty}"), format!("/datasets/{dataset}")] {
        server.root(&format!("DELETE {gone}"), None).is(204);
    }
    let long = "x".repeat(600);
    let cells = r#"[["13"]]"#;
    let there = format!("/app/datasets/{dataset}");
    let document = r#"{"name": "Town", "fields": []}"#;
    for (path, own, input) in [
        (
            format!("{there}/records/{record}"),
            ("v-f-people", &*long),
            r#"<textarea name="v-f-people""#,
        ),
        (
            format!("{there}/paste"),
            ("cells", cells),
            r#"<span>Pasted cells</span><textarea name="cells""#,
        ),
        (
            format!("/app/areas/{empty}/schemas/new"),
            ("document", document),
            r#"<span>Schema document (JSON)</span><textarea name="document""#,
        ),
    ] {
        let told = browser.send(&home, &path, &[own]);
        assert!([403, 404].contains(&told.status), "{path}: {}", told.body);
        let whole = own.1.replace('"', "&#34;");
        for part in [
            "take from it what you need",
            input,
            &*format!("\n{whole}</textarea>"),
        ] {
            assert!(told.body.contains(part), "{part}: {}", told.body);
        }
    }
}

/// Sends the first half of a form.
fn begun(server: &AdminServer, path: &str, header: (&str, &str), body: &str) -> TcpStream {
    let (name, value) = header;
    let head = format!(
        "POST {path} HTTP/1.1\r\nHost: test\r\nConnection: close\r\n{name}: {value}\r\n\
         Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {}\r\n\r\n",
        body.len()
    );
    let mut stream = TcpStream::connect(server.address).expect("the server listens");
    let first = &body[..body.len() / 2];
    stream.write_all(head.as_bytes()).expect("it is sent");
    stream.write_all(first.as_bytes()).expect("it is sent");
    stream
}

/// The answer to what was sent.
fn answered(mut stream: TcpStream) -> String {
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("an answer");
    answer
}

#[test]
fn a_form_that_comes_slowly_and_steadily_is_waited_for_unless_a_stranger_sends_it() {
    let server = AdminServer::with_settings(Settings {
        body_time_max: Duration::from_secs(1),
        ..Settings::default()
    });
    let browser = Browser::signed_in(&server);
    let page = browser.get("/app/areas").is(200);
    let token = between(&page.body, r#"name="token" value=""#);
    let body = form(&[("name", "Finance"), ("token", &token)]);
    let mut stream = begun(&server, "/app/areas", ("Cookie", &*browser.cookie), &body);
    std::thread::sleep(Duration::from_millis(1_500));
    let rest = &body[body.len() / 2..];
    stream.write_all(rest.as_bytes()).expect("it is sent");
    let answer = answered(stream);
    assert!(answer.starts_with("HTTP/1.1 303 "), "{answer}");
    assert!(browser.get("/app/areas").is(200).body.contains("Finance"));
    let body = form(&[("username", "ada"), ("password", "wrong")]);
    for header in [
        ("Sec-Fetch-Site", "same-origin"),
        ("Cookie", "fieldstone_session=invented"),
    ] {
        let answer = answered(begun(&server, "/app/sign-in", header, &body));
        assert!(answer.starts_with("HTTP/1.1 408 "), "{answer}");
        assert!(answer.contains("is not on this page"), "{answer}");
    }
}
