//! Records that were written under another version of their schema. docs/rules.md,
//! "Records of earlier versions".

use crate::test_server::{CITY, TestServer};
use serde_json::{Value, json};

impl TestServer {
    fn change(&self, from: &str, to: &str) {
        assert!(CITY.contains(from), "{from}");
        self.change_schema(&self.names.schema, &CITY.replace(from, to));
    }

    fn as_it_was(&self) {
        self.change_schema(&self.names.schema, CITY);
    }

    fn shown(&self, key: &str) -> Value {
        let by_key = self.by_key(key).is(200).json();
        let items = self.get(&self.records()).is(200).json()["items"].clone();
        assert!(
            items.as_array().unwrap().contains(&by_key),
            "the list shows the same"
        );
        by_key
    }
}

const PEOPLE: &str = r#""name":"People","active":true"#;

#[test]
fn values_are_shown_under_the_name_of_today() {
    let server = TestServer::start();
    let record = server.created(r#"{"Code":"1","Name":"N","People":5}"#);
    server.change(PEOPLE, r#""name":"Inhabitants","active":true"#);
    let shown = server.shown("1");
    assert_eq!(shown["Inhabitants"], 5);
    assert_eq!(shown.get("People"), None);
    assert_eq!(
        shown["_version"], 0,
        "a schema's change is no write of the record"
    );
    server
        .update(&record, r#"{"_version":0,"People":6}"#)
        .coded_error(400, "INVALID_REQUEST_BODY");
    server
        .update(&record, r#"{"_version":0,"Inhabitants":6}"#)
        .is(204);
    assert_eq!(server.shown("1")["Inhabitants"], 6);
}

#[test]
fn two_fields_may_swap_their_names() {
    let server = TestServer::start();
    server.created(r#"{"Code":"1","Name":"N","Site":"https://a.example","Mail":"a@example.org"}"#);
    let swapped = CITY.replace(r#""name":"Site""#, r#""name":"X""#);
    let swapped = swapped
        .replace(r#""name":"Mail""#, r#""name":"Site""#)
        .replace(r#""name":"X""#, r#""name":"Mail""#);
    server.change_schema(&server.names.schema, &swapped);
    let shown = server.shown("1");
    assert_eq!(
        (&shown["Site"], &shown["Mail"]),
        (&json!("a@example.org"), &json!("https://a.example"))
    );
}

#[test]
fn an_inactive_field_keeps_its_value_hidden_through_updates() {
    let server = TestServer::start();
    let record = server.created(r#"{"Code":"1","Name":"N","People":5}"#);
    server.change(PEOPLE, r#""name":"People","active":false"#);
    assert_eq!(server.shown("1").get("People"), None);
    server
        .update(&record, r#"{"_version":0,"Name":"M"}"#)
        .is(204);
    server
        .update(&record, r#"{"_version":1,"Name":"O"}"#)
        .is(204);
    assert_eq!(server.shown("1").get("People"), None);
    server.as_it_was();
    let shown = server.shown("1");
    assert_eq!((&shown["People"], &shown["Name"]), (&json!(5), &json!("O")));
}

#[test]
fn a_removed_field_keeps_its_value_too() {
    let server = TestServer::start();
    let record = server.created(r#"{"Code":"1","Name":"N","Phone":"+4930123456"}"#);
    let field = CITY
        .lines()
        .find(|line| line.contains("f-phone"))
        .unwrap()
        .trim();
    server.change(field, "");
    server
        .update(&record, r#"{"_version":0,"Name":"M"}"#)
        .is(204);
    server.as_it_was();
    assert_eq!(server.shown("1")["Phone"], "+4930123456");
}

#[test]
fn dates_are_shown_in_the_format_of_today() {
    let server = TestServer::start();
    server.created(r#"{"Code":"1","Name":"N","Founded":"01.02.2003"}"#);
    server.created(r#"{"Code":"2","Name":"N","Founded":"not a date"}"#);
    server.change(
        r#""dateFormat":"DD$MM$YYYY","dateSeparator":".""#,
        r#""dateFormat":"YYYY$MMM$DD","dateSeparator":"/""#,
    );
    assert_eq!(server.shown("1")["Founded"], "2003/Feb/01");
    assert_eq!(
        server.shown("2")["Founded"],
        "not a date",
        "a faulty value is shown as it is stored"
    );
}

#[test]
fn a_value_that_no_longer_fits_is_named_from_the_next_validation_on() {
    let server = TestServer::start();
    let record = server.created(r#"{"Code":"1","Name":"a long name","People":5}"#);
    server.change(
        r#""isRequired":true,"max":20"#,
        r#""isRequired":true,"max":3"#,
    );
    assert_eq!(server.shown("1")["_errors"], json!([]));
    server
        .update(&record, r#"{"_version":0,"People":6}"#)
        .is(204);
    let shown = server.shown("1");
    assert_eq!(shown["_errors"][0]["name"], "Name");
    assert_eq!(shown["Name"], "a long name");
}

#[test]
fn a_field_of_another_type_shows_the_value_as_it_is_stored() {
    let server = TestServer::start();
    let record = server.created(r#"{"Code":"1","Name":"N","People":5}"#);
    server.change(
        r#""name":"People","active":true,"dataType":"integer","isPrimaryKey":false,"isSortKey":false,"isRequired":false,"min":0"#,
        r#""name":"People","active":true,"dataType":"boolean","isPrimaryKey":false,"isSortKey":false,"isRequired":false"#,
    );
    assert_eq!(server.shown("1")["People"], 5);
    server.update(&record, r#"{"_version":0}"#).is(204);
    let shown = server.shown("1");
    assert_eq!(
        (&shown["People"], &shown["_errors"][0]["name"]),
        (&json!(5), &json!("People"))
    );
}

#[test]
fn a_value_that_is_one_of_another_type_is_shown_in_its_form_before_anybody_writes_it() {
    let server = TestServer::start();
    server.created(r#"{"Code":"1","Name":"N","People":5}"#);
    server.created(r#"{"Code":"2","Name":"N","People":1e0}"#);
    server.created(r#"{"Code":"3","Name":"N","People":-1e0}"#);
    let shown = || ["1", "2", "3"].map(|key| server.shown(key)["People"].to_string());
    assert_eq!(shown(), ["5", "1", "-1.0"]);
    server.change(
        r#""name":"People","active":true,"dataType":"integer""#,
        r#""name":"People","active":true,"dataType":"float""#,
    );
    assert_eq!(
        shown(),
        ["5.0", "1.0", "-1.0"],
        "a faulty value is shown as it is stored"
    );
    server.change(
        PEOPLE,
        r#""name":"People","active":true,"isMultivalue":true"#,
    );
    assert_eq!(shown(), ["[5]", "[1]", "[-1.0]"]);
    assert_eq!(server.shown("1")["_version"], 0);
}

#[test]
fn faults_follow_their_field_to_its_name_and_order_and_leave_with_it() {
    let server = TestServer::start();
    server.created(r#"{"Code":"1","People":-1,"Mail":"nobody"}"#);
    let names = |record: &Value| -> Vec<String> {
        let faults = record["_errors"].as_array().unwrap().iter();
        faults
            .map(|fault| fault["name"].as_str().unwrap().to_owned())
            .collect()
    };
    assert_eq!(names(&server.shown("1")), ["Name", "People", "Mail"]);
    server.change(PEOPLE, r#""name":"Inhabitants","active":true"#);
    assert_eq!(names(&server.shown("1")), ["Name", "Inhabitants", "Mail"]);
    server.change(
        r#""name":"Mail","active":true"#,
        r#""name":"Mail","active":false"#,
    );
    assert_eq!(names(&server.shown("1")), ["Name", "People"]);
}

#[test]
fn a_new_field_is_null_and_required_from_the_next_validation_on() {
    let server = TestServer::start();
    let record = server.created(r#"{"Code":"1","Name":"N"}"#);
    server.change(
        r#""name":"Old","active":false"#,
        r#""name":"Old","active":true"#,
    );
    let shown = server.shown("1");
    assert_eq!(
        (&shown["Old"], &shown["_errors"]),
        (&Value::Null, &json!([]))
    );
    server.update(&record, r#"{"_version":0}"#).is(204);
    assert_eq!(server.shown("1")["_errors"][0]["name"], "Old");
}

#[test]
fn a_code_taken_out_of_its_domain_is_refused_from_then_on() {
    let server = TestServer::start();
    let record = server.created(r#"{"Code":"1","Name":"N","Region":"N"}"#);
    assert_eq!(record["_errors"], json!([]));
    let mut domain = (*server.service.store().catalog().domains["regions"]).clone();
    domain.codes.retain(|code| code.code != "N");
    let name = domain.name.clone();
    server.put(domain);
    server.update(&record, r#"{"_version":0}"#).is(204);
    let faults = server.shown("1")["_errors"].clone();
    let text = format!("must be a code of the data domain {name}");
    assert_eq!(faults, json!([{"name": "Region", "errors": text}]));
}
