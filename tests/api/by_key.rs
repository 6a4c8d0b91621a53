//! Endpoint 10. docs/interface.md, "Reading records": trimming, case, one segment decoded once.

use crate::raw::escaped;
use crate::test_server::{Names, TestServer, records_of};
use serde_json::json;

#[test]
fn every_key_is_found_under_its_escaped_form() {
    let server = TestServer::start();
    let keys = [
        "plain",
        "with space",
        "a/b",
        "a//b",
        "/",
        "a%b",
        "%",
        "%41",
        "%2F",
        "%252F",
        "a+b",
        "+",
        "a&b=c",
        "?",
        "#",
        "a;b",
        ".",
        "..",
        "../..",
        "by-pk",
        "ключ",
        "日本",
        "😀",
        "é",
        "e\u{301}",
        "\"quoted\"",
        "back\\slash",
        "a\tb",
        "{x}",
        "*",
        "'; DROP TABLE records; --",
        "null",
        "0",
        "-0",
        "1e3",
        "\u{202e}rtl",
        "a\u{200b}b",
        "%00",
        "%zz",
    ];
    for key in keys {
        server.created(&json!({"Code": key, "Name": "N"}).to_string());
    }
    for key in keys {
        let found = server.by_key(&escaped(key)).is(200).json();
        assert_eq!(found["Code"], key);
    }
}

#[test]
fn a_record_is_found_by_its_id_as_by_its_key() {
    let server = TestServer::start();
    let made = server.created(r#"{"Code":"A","Name":"N"}"#);
    let id = made["_dataObjectId"].as_str().expect("an id");
    let path = format!("{}/{id}", server.records());
    let found = server.get(&path).is(200).json();
    assert_eq!(found, made);
    assert_eq!(found, server.by_key("A").is(200).json());
    let none = format!("{}/nothing", server.records());
    let missing = server.get(&none).is(404).json();
    assert_eq!(missing["code"], "DATA_OBJECT_NOT_FOUND");
    server.request("DELETE", &path).send().is(204);
    let deleted = server.get(&path).is(404).json();
    assert_eq!(deleted["code"], "DATA_OBJECT_NOT_FOUND");
}

#[test]
fn a_path_is_decoded_once_and_a_plus_is_a_plus() {
    let server = TestServer::start();
    server.created(r#"{"Code":"A+B","Name":"plus"}"#);
    server.created(r#"{"Code":"A B","Name":"space"}"#);
    server.created(r#"{"Code":"A%20B","Name":"escape"}"#);
    for (path, name) in [
        ("A+B", "plus"),
        ("A%2BB", "plus"),
        ("A%20B", "space"),
        ("A%2520B", "escape"),
        ("%41%2b%42", "plus"),
    ] {
        assert_eq!(server.by_key(path).is(200).json()["Name"], name, "{path}");
    }
}

#[test]
fn a_slash_splits_and_an_escaped_one_does_not() {
    let server = TestServer::start();
    server.created(r#"{"Code":"a/b","Name":"N"}"#);
    server.by_key("a%2Fb").is(200);
    server.by_key("a%2fb").is(200);
    server.by_key("a/b").plain_error(404);
    server.by_key("a%2Fb/").plain_error(404);
}

#[test]
fn white_space_around_a_key_is_trimmed_and_case_counts() {
    let server = TestServer::start();
    server.created(r#"{"Code":"Ab","Name":"N"}"#);
    for path in [
        "Ab",
        "%20Ab%20",
        "%09Ab%0A",
        "%C2%A0Ab",
        "Ab%E2%80%83%E3%80%80",
    ] {
        server.by_key(path).is(200);
    }
    for path in ["ab", "AB", "A%20b", "Ab%E2%80%8B", "A"] {
        assert!(server.by_key(path).is(404).body.is_empty(), "{path}");
    }
}

#[test]
fn white_space_is_what_unicode_calls_so() {
    let server = TestServer::start();
    let spaces = "\t\n\u{b}\u{c}\r \u{85}\u{a0}\u{1680}\u{2000}\u{2001}\u{2002}\u{2003}\u{2004}\u{2005}\u{2006}\u{2007}\u{2008}\u{2009}\u{200a}\u{2028}\u{2029}\u{202f}\u{205f}\u{3000}";
    let made = json!({"Code": format!("{spaces}a b{spaces}"), "Name": spaces});
    let made = server.created(&made.to_string());
    assert_eq!(made["Code"], "a b");
    for space in spaces.chars() {
        let path = escaped(&format!("{space}a b{space}"));
        assert_eq!(server.by_key(&path).is(200).json(), made, "{space:?}");
        let blank = json!({"Code": space.to_string()}).to_string();
        server
            .create(&blank)
            .coded_error(400, "PRIMARY_KEY_REQUIRED");
    }
    // what looks like nothing is something all the same
    for other in ["\u{200b}", "\u{feff}", "\u{180e}", "\u{2060}", "\u{1f}"] {
        let key = format!("{other}a b");
        server.by_key(&escaped(&key)).is(404);
        let body = json!({"Code": key, "Name": "N"}).to_string();
        assert_eq!(server.created(&body)["Code"], key);
    }
}

#[test]
fn what_no_record_can_have_is_the_empty_404() {
    let server = TestServer::start();
    server.created(r#"{"Code":"1","Name":"N"}"#);
    let long = "x".repeat(1025);
    let longer = "x".repeat(20_000);
    let paths = [
        "2",
        "",
        "%20",
        "%C2%A0",
        "%ff",
        "%C3%28",
        "%ED%A0%80",
        "1%ff",
        "%00",
        "1%00",
        &long,
        &longer,
    ];
    for path in paths {
        let answer = server.by_key(path).is(404);
        assert!(answer.body.is_empty(), "{path}");
        assert_eq!(answer.header("content-type"), None);
        assert_eq!(answer.header("content-length"), Some("0"));
        assert!(answer.header("x-request-id").is_some());
    }
}

#[test]
fn a_404_for_the_ids_before_the_key_has_a_message() {
    let server = TestServer::start();
    let Names {
        area,
        schema,
        dataset,
        ungranted_area,
        ..
    } = &server.names;
    for key in ["1", "%ff", ""] {
        server
            .get(&format!(
                "{}/by-pk/{key}",
                records_of("none", schema, dataset)
            ))
            .plain_error(404);
        server
            .get(&format!(
                "{}/by-pk/{key}",
                records_of(area, "none", dataset)
            ))
            .plain_error(404);
        server
            .get(&format!("{}/by-pk/{key}", records_of(area, schema, "none")))
            .plain_error(404);
        server
            .get(&format!(
                "{}/by-pk/{key}",
                records_of(ungranted_area, schema, dataset)
            ))
            .plain_error(403);
    }
}

#[test]
fn a_key_is_not_converted() {
    let server = TestServer::start();
    server.created(r#"{"Code":"5","Name":"N"}"#);
    for path in ["5.0", "05", "%2B5", "5e0", "%225%22"] {
        assert!(server.by_key(path).is(404).body.is_empty(), "{path}");
    }
}

#[test]
fn head_answers_as_get_does_without_a_body() {
    let server = TestServer::start();
    let record = server.create(r#"{"Code":"1","Name":"N"}"#).is(201);
    let head = server
        .request("HEAD", &format!("{}/by-pk/1", server.records()))
        .send()
        .is(200);
    assert!(head.body.is_empty());
    assert_eq!(
        head.header("content-length"),
        Some(record.body.len().to_string().as_str())
    );
    server
        .request("HEAD", &format!("{}/by-pk/2", server.records()))
        .send()
        .is(404);
    server.request("HEAD", &server.records()).send().is(200);
}
