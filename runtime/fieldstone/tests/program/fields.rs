//! Fields of a manifest's schemas: which is which from one application to the next, and what becomes of their values.

use crate::support::{CITY, COMPANY, fail, json, run, succeed, text, write_company};
use serde_json::{Value, json as value};
use std::path::Path;
use tempfile::{TempDir, tempdir};

fn write(folder: &Path, name: &str, text: &str) {
    std::fs::write(folder.join(name), text).expect("written");
}

/// A folder with the company, its schema without ids and with these fields.
fn company(fields: &Value) -> TempDir {
    let folder = tempdir().expect("a folder");
    write(folder.path(), "company.yaml", COMPANY);
    write(
        folder.path(),
        "cities.ndjson",
        "{\"Name\": \"Delft\", \"People\": 5}\n{\"Name\": \"Ulm\", \"People\": 6}\n{\"Name\": \"Bonn\"}\n",
    );
    change(folder.path(), fields);
    folder
}

fn change(folder: &Path, fields: &Value) {
    let document = value!({"name": "City", "fields": fields});
    write(folder, "city.json", &document.to_string());
}

fn name() -> Value {
    value!({"name": "Name", "dataType": "string", "isPrimaryKey": true})
}

/// What is told of the schema's fields.
fn fields(report: &Value) -> Value {
    let steps = report["steps"].as_array().expect("steps");
    let mut steps = steps.iter();
    let step = steps.find(|step| step["what"] == "schema");
    step.expect("a schema")["fields"].clone()
}

#[test]
fn settings_of_fields_have_defaults_and_applying_again_changes_nothing() {
    let folder = company(&value!([name(), {"name": "People", "dataType": "integer"}]));
    succeed(folder.path(), &["apply", "company.yaml"]);
    let again = succeed(folder.path(), &["apply", "company.yaml"]);
    assert!(again.ends_with("nothing to change\n"), "{again}");
}

#[test]
fn a_field_is_renamed_by_what_it_was_and_keeps_its_values() {
    let folder = company(&value!([name(), {"name": "People", "dataType": "integer"}]));
    succeed(folder.path(), &["apply", "company.yaml"]);
    let renamed =
        value!({"name": "Folk", "dataType": "integer", "renamedFrom": "People", "max": 9});
    change(folder.path(), &value!([name(), renamed]));
    let expected = value!([{"action": "change", "name": "Folk", "renamedFrom": "People",
        "properties": [{"property": "max", "from": null, "to": 9}]}]);
    let dry = json(folder.path(), &["apply", "company.yaml", "--dry-run"]);
    assert_eq!(fields(&dry), expected);
    let told = succeed(folder.path(), &["apply", "company.yaml"]);
    let line = "    ~ field Folk, renamed from People, max null -> 9\n";
    assert!(told.contains(line), "{told}");
    let again = succeed(folder.path(), &["apply", "company.yaml"]);
    assert!(again.ends_with("nothing to change\n"), "{again}");
    // the values are there under the new name: an upsert of them finds them as they are
    let upsert = COMPANY.replace("[cities.ndjson]", "[{file: cities.ndjson, mode: upsert}]");
    write(folder.path(), "company.yaml", &upsert);
    write(
        folder.path(),
        "cities.ndjson",
        "{\"Name\": \"Delft\", \"Folk\": 5}\n",
    );
    let report = json(folder.path(), &["apply", "company.yaml"]);
    assert_eq!(report["records"][0]["unchanged"], 1, "{report}");

    let wrong = value!({"name": "Men", "dataType": "integer", "renamedFrom": "Peple"});
    change(folder.path(), &value!([name(), wrong]));
    let message = fail(folder.path(), &["apply", "company.yaml"]);
    let expected = "the field Men is to be renamed from `Peple`, which no active field is named; there are Name, Folk";
    assert!(message.contains(expected), "{message}");
}

#[test]
fn a_removed_field_is_told_with_its_values_and_one_of_its_name_is_another_field() {
    let folder = company(&value!([name(), {"name": "People", "dataType": "integer"}]));
    succeed(folder.path(), &["apply", "company.yaml"]);
    change(
        folder.path(),
        &value!([name(), {"name": "Note", "dataType": "string"}]),
    );
    let expected = value!([{"action": "add", "name": "Note"},
        {"action": "remove", "name": "People", "hiddenValues": 2}]);
    let dry = json(folder.path(), &["apply", "company.yaml", "--dry-run"]);
    assert_eq!(fields(&dry), expected);
    let told = succeed(folder.path(), &["apply", "company.yaml"]);
    let line = "    - field People: 2 records have a value in it, hidden from now on\n";
    assert!(told.contains(line), "{told}");

    // a name that is used again is a new field: what it had is not seen
    change(
        folder.path(),
        &value!([name(), {"name": "People", "dataType": "integer"}]),
    );
    succeed(folder.path(), &["apply", "company.yaml"]);
    let upsert = COMPANY.replace("[cities.ndjson]", "[{file: cities.ndjson, mode: upsert}]");
    write(folder.path(), "company.yaml", &upsert);
    let report = json(folder.path(), &["apply", "company.yaml"]);
    assert_eq!(report["records"][0]["updated"], 2, "{report}");
}

#[test]
fn ids_of_schemas_that_name_none_are_another_in_each_store() {
    let id = || {
        let people = value!({"name": "People", "dataType": "integer"});
        let folder = company(&value!([name(), people]));
        let report = json(folder.path(), &["apply", "company.yaml"]);
        let steps = report["steps"].as_array().expect("steps").clone();
        let mut steps = steps.into_iter();
        let step = steps.find(|step| step["what"] == "schema");
        step.expect("a schema")["id"].clone()
    };
    let (one, other) = (id(), id());
    assert!(one.is_string() && one != other, "{one} {other}");
}

#[test]
fn a_field_that_comes_back_by_its_id_is_told_with_the_values_that_come_with_it() {
    let secret = || value!({"fieldId": "s1", "name": "People", "dataType": "integer"});
    let folder = company(&value!([name(), secret()]));
    succeed(folder.path(), &["apply", "company.yaml"]);
    change(folder.path(), &value!([name()]));
    succeed(folder.path(), &["apply", "company.yaml"]);
    change(folder.path(), &value!([name(), secret()]));
    let dry = json(folder.path(), &["apply", "company.yaml", "--dry-run"]);
    let expected = value!([{"action": "add", "name": "People", "returningValues": 2}]);
    assert_eq!(fields(&dry), expected);
    let told = succeed(folder.path(), &["apply", "company.yaml"]);
    let line = "    + field People is there again, with the values of 2 records\n";
    assert!(told.contains(line), "{told}");

    // the same where it was only switched off
    let mut off = secret();
    off["active"] = value!(false);
    change(folder.path(), &value!([name(), off]));
    succeed(folder.path(), &["apply", "company.yaml"]);
    change(folder.path(), &value!([name(), secret()]));
    let report = json(folder.path(), &["apply", "company.yaml"]);
    assert_eq!(fields(&report)[0]["returningValues"], 2, "{report}");
}

#[test]
fn a_property_that_nobody_knows_is_told_with_the_name_that_is_near() {
    let folder = tempdir().expect("a folder");
    write_company(folder.path());
    let slip = CITY.replacen("\"min\": 0", "\"minn\": 0", 1);
    std::fs::write(folder.path().join("city.json"), slip).expect("written");
    let told = "the field People of the schema City (city.json) has a property `minn` that is not known; it is kept and does nothing; is `min` meant?";
    let planned = json(folder.path(), &["apply", "company.yaml", "--dry-run"]);
    assert_eq!(planned["warnings"], value!([told]));
    let output = run(folder.path(), &["apply", "company.yaml"]);
    let errors = text(&output.stderr);
    assert!(errors.contains(&format!("warning: {told}\n")), "{errors}");
    write_company(folder.path());
    let mended = json(folder.path(), &["apply", "company.yaml"]);
    assert_eq!(mended["warnings"], Value::Null);
}
