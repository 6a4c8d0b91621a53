//! Records that were written under another version of their schema. Decisions section 2.

use crate::world::{CITY, World};
use serde_json::{Value, json};

impl World {
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
    let world = World::start();
    let record = world.created(r#"{"Code":"1","Name":"N","People":5}"#);
    world.change(PEOPLE, r#""name":"Inhabitants","active":true"#);
    let shown = world.shown("1");
    assert_eq!(shown["Inhabitants"], 5);
    assert_eq!(shown.get("People"), None);
    assert_eq!(
        shown["_version"], 0,
        "a schema's change is no write of the record"
    );
    world
        .update(&record, r#"{"_version":0,"People":6}"#)
        .coded(400, "INVALID_REQUEST_BODY");
    world
        .update(&record, r#"{"_version":0,"Inhabitants":6}"#)
        .is(204);
    assert_eq!(world.shown("1")["Inhabitants"], 6);
}

#[test]
fn two_fields_may_swap_their_names() {
    let world = World::start();
    world.created(r#"{"Code":"1","Name":"N","Site":"https://a.example","Mail":"a@example.org"}"#);
    let swapped = CITY.replace(r#""name":"Site""#, r#""name":"X""#);
    let swapped = swapped
        .replace(r#""name":"Mail""#, r#""name":"Site""#)
        .replace(r#""name":"X""#, r#""name":"Mail""#);
    world.change_schema(&world.names.schema, &swapped);
    let shown = world.shown("1");
    assert_eq!(
        (&shown["Site"], &shown["Mail"]),
        (&json!("a@example.org"), &json!("https://a.example"))
    );
}

#[test]
fn an_inactive_field_keeps_its_value_hidden_through_updates() {
    let world = World::start();
    let record = world.created(r#"{"Code":"1","Name":"N","People":5}"#);
    world.change(PEOPLE, r#""name":"People","active":false"#);
    assert_eq!(world.shown("1").get("People"), None);
    world
        .update(&record, r#"{"_version":0,"Name":"M"}"#)
        .is(204);
    world
        .update(&record, r#"{"_version":1,"Name":"O"}"#)
        .is(204);
    assert_eq!(world.shown("1").get("People"), None);
    world.as_it_was();
    let shown = world.shown("1");
    assert_eq!((&shown["People"], &shown["Name"]), (&json!(5), &json!("O")));
}

#[test]
fn a_removed_field_keeps_its_value_too() {
    let world = World::start();
    let record = world.created(r#"{"Code":"1","Name":"N","Phone":"+4930123456"}"#);
    let field = CITY
        .lines()
        .find(|line| line.contains("f-phone"))
        .unwrap()
        .trim();
    world.change(field, "");
    world
        .update(&record, r#"{"_version":0,"Name":"M"}"#)
        .is(204);
    world.as_it_was();
    assert_eq!(world.shown("1")["Phone"], "+4930123456");
}

#[test]
fn dates_are_shown_in_the_format_of_today() {
    let world = World::start();
    world.created(r#"{"Code":"1","Name":"N","Founded":"01.02.2003"}"#);
    world.created(r#"{"Code":"2","Name":"N","Founded":"not a date"}"#);
    world.change(
        r#""dateFormat":"DD$MM$YYYY","dateSeparator":".""#,
        r#""dateFormat":"YYYY$MMM$DD","dateSeparator":"/""#,
    );
    assert_eq!(world.shown("1")["Founded"], "2003/Feb/01");
    assert_eq!(
        world.shown("2")["Founded"],
        "not a date",
        "a faulty value is shown as it is stored"
    );
}

#[test]
fn a_value_that_no_longer_fits_is_named_from_the_next_validation_on() {
    let world = World::start();
    let record = world.created(r#"{"Code":"1","Name":"a long name","People":5}"#);
    world.change(
        r#""isRequired":true,"max":20"#,
        r#""isRequired":true,"max":3"#,
    );
    assert_eq!(world.shown("1")["_errors"], json!([]));
    world
        .update(&record, r#"{"_version":0,"People":6}"#)
        .is(204);
    let shown = world.shown("1");
    assert_eq!(shown["_errors"][0]["name"], "Name");
    assert_eq!(shown["Name"], "a long name");
}

#[test]
fn a_field_of_another_type_shows_the_value_as_it_is_stored() {
    let world = World::start();
    let record = world.created(r#"{"Code":"1","Name":"N","People":5}"#);
    world.change(
        r#""name":"People","active":true,"dataType":"integer","isPrimaryKey":false,"isSortKey":false,"isRequired":false,"min":0"#,
        r#""name":"People","active":true,"dataType":"boolean","isPrimaryKey":false,"isSortKey":false,"isRequired":false"#,
    );
    assert_eq!(world.shown("1")["People"], 5);
    world.update(&record, r#"{"_version":0}"#).is(204);
    let shown = world.shown("1");
    assert_eq!(
        (&shown["People"], &shown["_errors"][0]["name"]),
        (&json!(5), &json!("People"))
    );
}

#[test]
fn faults_follow_their_field_to_its_name_and_order_and_leave_with_it() {
    let world = World::start();
    world.created(r#"{"Code":"1","People":-1,"Mail":"nobody"}"#);
    let names = |record: &Value| -> Vec<String> {
        let faults = record["_errors"].as_array().unwrap().iter();
        faults
            .map(|fault| fault["name"].as_str().unwrap().to_owned())
            .collect()
    };
    assert_eq!(names(&world.shown("1")), ["Name", "People", "Mail"]);
    world.change(PEOPLE, r#""name":"Inhabitants","active":true"#);
    assert_eq!(names(&world.shown("1")), ["Name", "Inhabitants", "Mail"]);
    world.change(
        r#""name":"Mail","active":true"#,
        r#""name":"Mail","active":false"#,
    );
    assert_eq!(names(&world.shown("1")), ["Name", "People"]);
}

#[test]
fn a_new_field_is_null_and_required_from_the_next_validation_on() {
    let world = World::start();
    let record = world.created(r#"{"Code":"1","Name":"N"}"#);
    world.change(
        r#""name":"Old","active":false"#,
        r#""name":"Old","active":true"#,
    );
    let shown = world.shown("1");
    assert_eq!(
        (&shown["Old"], &shown["_errors"]),
        (&Value::Null, &json!([]))
    );
    world.update(&record, r#"{"_version":0}"#).is(204);
    assert_eq!(world.shown("1")["_errors"][0]["name"], "Old");
}

#[test]
fn a_code_taken_out_of_its_domain_is_refused_from_then_on() {
    let world = World::start();
    let record = world.created(r#"{"Code":"1","Name":"N","Region":"N"}"#);
    assert_eq!(record["_errors"], json!([]));
    let mut domain = (*world.service.store().catalog().domains["regions"]).clone();
    domain.codes.retain(|code| code.code != "N");
    world.put(domain);
    world.update(&record, r#"{"_version":0}"#).is(204);
    assert_eq!(world.shown("1")["_errors"][0]["name"], "Region");
}
