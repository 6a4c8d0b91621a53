//! What every address of management does alike: lists come in pages, bodies are read or refused without
//! repeating them, and who has no credential learns nothing.

use crate::admin_server::{AdminServer, city, names};
use serde_json::json;

#[test]
fn lists_come_in_pages_and_a_page_key_of_another_list_is_refused() {
    let server = AdminServer::start();
    for number in 0..5 {
        server.make("/areas", json!({"name": format!("Area {number}")}));
    }
    let (mut seen, mut next) = (Vec::new(), String::new());
    loop {
        let page = server.get(&format!("/areas?pageSize=2{next}"));
        seen.extend(names(&page, "name"));
        let Some(key) = page["nextPageKey"].as_str() else {
            break;
        };
        next = format!("&pageKey={key}");
        server
            .root(&format!("GET /apps?pageKey={key}"), None)
            .is(400);
    }
    assert_eq!(seen, ["Area 0", "Area 1", "Area 2", "Area 3", "Area 4"]);
    server.root("GET /areas?pageSize=0", None).is(400);

    // a walk goes on behind what is gone for good
    let keys: Vec<_> = (0..4)
        .map(|n| server.key(&format!("k{n}"), &[], &[]).0)
        .collect();
    let page = server.get("/api-keys?pageSize=3");
    assert_eq!(names(&page, "name"), ["root", "k0", "k1"]);
    server
        .root(&format!("DELETE /api-keys/{}", keys[1]), None)
        .is(204);
    let next = page["nextPageKey"].as_str().expect("more").to_owned();
    let rest = server.get(&format!("/api-keys?pageKey={next}"));
    assert_eq!(names(&rest, "name"), ["k2", "k3"]);
    server
        .root(&format!("GET /api-keys?pageKey={}x", &next[1..]), None)
        .is(400);
}

#[test]
fn a_body_that_cannot_be_read_is_refused_without_repeating_it() {
    let server = AdminServer::start();
    let head = [("Authorization", server.root.as_str())];
    let send = |body: &str| {
        server
            .send("POST /admin/api/v1/areas", &head, Some(body))
            .is(400)
    };
    for (body, place) in [
        ("", "$"),
        ("{", "$"),
        ("[]", "$"),
        (r#"{"name":"a","nome":"b"}"#, "$.nome"),
        (r#"{"name":"a","name":"b"}"#, "$"),
        ("{} {}", "$"),
    ] {
        assert_eq!(send(body).problems(), [place], "{body}");
    }
    let answer = send(r#"{"name": "a", "active": "s3cret-canary"}"#);
    assert!(!answer.body.contains("canary"), "{}", answer.body);
    let text = [
        ("Authorization", server.root.as_str()),
        ("Content-Type", "text/plain"),
    ];
    server.send("POST /admin/api/v1/areas", &text, None).is(415);
    for name in ["", " ", " a", "a\u{7}", &"x".repeat(101)] {
        let answer = server
            .root("POST /areas", Some(json!({"name": name})))
            .is(400);
        assert_eq!(answer.problems(), ["$.name"], "{name:?}");
    }
}

#[test]
fn what_a_body_should_have_is_said_in_words_of_the_interface() {
    let server = AdminServer::start();
    let (key, _) = server.key("k", &[], &[]);
    let renewal = format!("POST /api-keys/{key}/secret");
    let moment = "must be a moment such as 2026-01-31T00:00:00Z";
    for (line, body, path, told) in [
        (
            "POST /api-keys",
            json!({"name": "day", "expiresAt": "2030-01-01"}),
            "$.expiresAt",
            moment,
        ),
        (
            "POST /api-keys",
            json!({"name": "none", "expiresAt": ""}),
            "$.expiresAt",
            moment,
        ),
        (
            &*renewal,
            json!({"graceSeconds": "5"}),
            "$.graceSeconds",
            "expected a whole number at line",
        ),
        (
            "POST /domains",
            json!({"name": "nul", "codes": [{"code": "a\u{0}", "description": ""}]}),
            "$.codes[0].code",
            "U+0000 cannot be stored",
        ),
    ] {
        let refused = server.root(line, Some(body)).is(400);
        assert_eq!(refused.problems(), [path]);
        assert!(refused.body.contains(told), "{}", refused.body);
    }
}

#[test]
fn a_parameter_that_stands_twice_is_none() {
    let server = AdminServer::start();
    let [_, _, dataset] = server.places(&city());
    for twice in [
        "/audit?action=create&action=update".to_owned(),
        "/audit?noun=area&noun=area".to_owned(),
        format!("/datasets/{dataset}/facets?field=Coast&field=Country"),
        format!("/datasets/{dataset}/facets?query=a&query=b"),
        format!("/datasets/{dataset}/days?days=1&days=2"),
        format!("/jobs?dataset={dataset}&dataset=x"),
    ] {
        let refused = server.root(&format!("GET {twice}"), None).is(400);
        assert_eq!(refused.problems(), ["query"], "{twice}");
        assert!(refused.body.contains("stands twice"), "{}", refused.body);
    }
}

#[test]
fn who_has_no_credential_does_not_learn_what_there_is() {
    let server = AdminServer::start();
    let mut answers = Vec::new();
    for line in [
        "GET /areas",
        "PATCH /areas",
        "GET /nothing",
        "DELETE /roles/x",
        "GET /",
        "POST /session",
    ] {
        let answer = server.send(
            &format!(
                "{} /admin/api/v1{}",
                line.split(' ').next().unwrap(),
                line.split(' ').nth(1).unwrap()
            ),
            &[],
            None,
        );
        answers.push(answer.is(401));
    }
    let told = |head: &str| -> Vec<String> {
        let lines = head
            .lines()
            .filter(|line| !line.to_ascii_lowercase().starts_with("date"));
        lines.map(str::to_owned).collect()
    };
    for answer in &answers {
        assert_eq!(
            (told(&answer.head), &answer.body),
            (told(&answers[0].head), &answers[0].body)
        );
    }
    server.root("GET /nothing", None).is(404);
    server.root("PATCH /areas", None).is(405);
}
