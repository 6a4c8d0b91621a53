//! A value that a change of its schema makes one of its type is shown in that type's form, and stored so by the judgement that
//! follows; a primary key only where no other record has that form. docs/rules.md, "Records of earlier versions".

use crate::admin_server::AdminServer;
use crate::jobs::{counts, ended, exported, imported, sent_in_bulk, server};
use crate::undo;
use serde_json::{Value, json};

/// A document of fields by their names and settings, the first one the primary key.
fn document(fields: &[(&str, Value)]) -> Value {
    let fields = fields.iter().enumerate().map(|(at, (name, settings))| {
        let mut field = json!({"fieldId": format!("f-{at}"), "name": name, "active": true,
            "isPrimaryKey": at == 0, "isSortKey": false, "isRequired": at == 0});
        let settings = settings.as_object().expect("settings");
        for (name, setting) in settings {
            field[name] = setting.clone();
        }
        field
    });
    json!({"name": "Thing", "fields": fields.collect::<Vec<_>>()})
}

/// Sends lines as one request of many writes; the status of each.
fn sent(server: &AdminServer, dataset: &str, lines: &[Value]) -> Vec<u64> {
    let verdicts = sent_in_bulk(server, dataset, lines).json();
    let verdicts = verdicts.as_array().expect("verdicts").iter();
    verdicts
        .map(|it| it["status"].as_u64().expect("a status"))
        .collect()
}

/// Changes a schema, and waits until its records were judged by that: the job that did it.
fn changed(server: &AdminServer, schema: &str, document: &Value) -> Value {
    let line = format!("PUT /schemas/{schema}");
    server
        .root(&line, Some(json!({"document": document})))
        .is(200);
    let jobs = server.get("/jobs");
    let jobs = jobs["items"].as_array().expect("jobs");
    let newest = jobs.iter().find(|job| job["kind"] == "revalidate");
    let id = newest.expect("one")["jobId"].as_str().expect("an id");
    let job = ended(server, id);
    assert_eq!(job["state"], "done", "{job}");
    job
}

/// What a reader gets from a path of the data interface.
fn read(server: &AdminServer, area: &str, path: &str) -> Value {
    let count = server.answers.lock().expect("no test panics here").len();
    let role = server.role("MEMBER");
    let (_, reader) = server.key(&format!("reader {count}"), &[&role], &[area]);
    let answer = server.send(
        &format!("GET /v1{path}"),
        &[("Authorization", &*reader)],
        None,
    );
    answer.is(200).json()
}

pub(crate) fn records(server: &AdminServer, [area, schema, dataset]: &[String; 3]) -> Vec<Value> {
    let path = format!("/businessareas/{area}/schemas/{schema}/datasets/{dataset}/dataobjects");
    let page = read(server, area, &path);
    page["items"].as_array().expect("a page").clone()
}

#[test]
fn what_became_a_value_of_its_type_is_stored_in_that_types_form() {
    let server = server();
    let text = json!({"dataType": "string"});
    let whole = json!({"dataType": "integer"});
    let places = server.places(&document(&[
        ("K", text.clone()),
        ("B", text.clone()),
        ("M", whole.clone()),
        ("I", json!({"dataType": "float"})),
        ("P", text.clone()),
        ("F", whole.clone()),
    ]));
    let [area, schema, dataset] = &places;
    let values = json!({"K": "1", "B": "Y", "M": 5, "I": 3.0, "P": "+49 (30) 1234567", "F": 2});
    let others = json!({"K": "2", "B": "maybe", "M": null, "I": 3.5, "P": null, "F": null});
    let lines = [json!({"create": values}), json!({"create": others})];
    assert_eq!(sent(&server, dataset, &lines), [201, 201]);
    let mut fields = [
        ("K", text.clone()),
        (
            "B",
            json!({"dataType": "boolean", "allowedBooleanValues": "Y/N"}),
        ),
        ("M", json!({"dataType": "integer", "isMultivalue": true})),
        ("I", whole),
        ("P", json!({"dataType": "phone"})),
        ("F", json!({"dataType": "float"})),
    ];
    let job = changed(&server, schema, &document(&fields));
    let result = &job["revisionResult"];
    assert_eq!(
        (&result["changed"], &result["left"]),
        (&json!(2), &json!(0))
    );
    let shown = records(&server, &places);
    let as_now = json!({"B": true, "M": [5], "I": 3, "P": "+49301234567", "F": 2.0,
        "K": "1", "_errors": [], "_version": 1, "_dataObjectId": shown[0]["_dataObjectId"]});
    assert_eq!(shown[0], as_now);
    assert_eq!(
        (&shown[1]["B"], &shown[1]["I"]),
        (&json!("maybe"), &json!(3.5))
    );
    let found = read(
        &server,
        area,
        "/dataobjects/search?query=B:true&dataSet=Europe",
    );
    assert_eq!(found["total"], 1, "{found}");
    // stored so, it is nothing new to the next judgement
    fields[5].0 = "Number";
    let job = changed(&server, schema, &document(&fields));
    assert_eq!(job["revisionResult"]["changed"], 0, "{job}");
    server.is_sound();
}

#[test]
fn a_date_that_becomes_a_text_is_the_text_that_was_shown() {
    let server = server();
    let day = |shape: &str| json!({"dataType": "date", "dateFormat": shape, "dateSeparator": "/"});
    let fields = |day: Value| document(&[("K", json!({"dataType": "string"})), ("D", day)]);
    let places = server.places(&fields(day("DD$MM$YYYY")));
    let record = json!({"create": {"K": "1", "D": "2024-02-01"}});
    assert_eq!(sent(&server, &places[2], &[record]), [201]);
    let job = changed(&server, &places[1], &fields(day("MM$DD$YYYY")));
    assert_eq!(job["revisionResult"]["changed"], 1, "{job}");
    let shown = || {
        let record = records(&server, &places).remove(0);
        (record["D"].clone(), record["_version"].clone())
    };
    assert_eq!(shown(), (json!("02/01/2024"), json!(1)));
    let job = changed(&server, &places[1], &fields(json!({"dataType": "string"})));
    assert_eq!(job["revisionResult"]["changed"], 0, "{job}");
    assert_eq!(shown(), (json!("02/01/2024"), json!(1)));
}

#[test]
fn a_key_whose_form_another_record_has_stays_as_it_is_stored_and_its_record_can_be_changed() {
    let server = server();
    let day = |min: &str| json!({"dataType": "date", "dateFormat": "DD$MM$YYYY", "dateSeparator": "/", "min": min});
    let fields = |min| document(&[("K", day(min)), ("V", json!({"dataType": "string"}))]);
    let places = server.places(&fields("2020-01-01"));
    let [area, schema, dataset] = &places;
    let lines = ["2019-05-06", "06/05/2019", "2018-03-04"].map(|key| json!({"create": {"K": key}}));
    assert_eq!(sent(&server, dataset, &lines), [201, 201, 201]);
    let job = changed(&server, schema, &fields("2000-01-01"));
    let result = &job["revisionResult"];
    let told = ["records", "changed", "left", "faultyBefore", "faultyAfter"];
    let told = told.map(|name| result[name].as_u64().expect("a count"));
    assert_eq!(told, [3, 3, 1, 3, 0], "{job}");
    let shown = records(&server, &places);
    let id = &shown[0]["_dataObjectId"];
    let reason = "another record has the form that its primary key would get";
    let left = json!([{"dataObjectId": id, "reason": reason}]);
    assert_eq!(result["leftRecords"], left);
    let id = id.as_str().expect("an id");
    let line = format!("another record has the form that the primary key of {id} would get");
    assert_eq!(job["log"][0]["text"], line);
    // no rule that is gone is shown, and none of them is counted
    let keys: Vec<_> = shown.iter().map(|it| (&it["K"], &it["_errors"])).collect();
    let none = json!([]);
    let expected = ["2019-05-06", "06/05/2019", "04/03/2018"].map(Value::from);
    assert_eq!(keys, expected.each_ref().map(|key| (key, &none)));
    let listed = read(
        &server,
        area,
        &format!("/businessareas/{area}/schemas/{schema}/datasets"),
    );
    assert_eq!(listed["items"][0]["erroredRecordsCount"], 0, "{listed}");
    // each is changed without its key, and has it still; one that is sent is any value
    let lines: Vec<_> = shown
        .iter()
        .map(
            |it| json!({"update": {"_dataObjectId": it["_dataObjectId"], "_version": 1, "V": "x"}}),
        )
        .collect();
    assert_eq!(sent(&server, dataset, &lines), [200, 200, 200]);
    let now = records(&server, &places);
    let told: Vec<_> = now.iter().map(|it| (&it["K"], &it["V"])).collect();
    let x = json!("x");
    assert_eq!(told, expected.each_ref().map(|key| (key, &x)));
    let named = json!({"update": {"_dataObjectId": id, "_version": 2, "K": "2019-05-06"}});
    assert_eq!(sent(&server, dataset, &[named]), [400]);
    server.is_sound();
    // once the form is free, the next judgement gives it
    let other = json!({"delete": {"_dataObjectId": now[1]["_dataObjectId"]}});
    assert_eq!(sent(&server, dataset, &[other]), [204]);
    let job = changed(&server, schema, &fields("1999-01-01"));
    let result = &job["revisionResult"];
    assert_eq!(
        (&result["changed"], &result["left"]),
        (&json!(1), &json!(0))
    );
    assert_eq!(records(&server, &places)[0]["K"], "06/05/2019");
}

#[test]
fn of_keys_that_get_one_form_the_first_record_has_it() {
    let server = server();
    let fields = |max: u32| document(&[("K", json!({"dataType": "integer", "max": max}))]);
    let places = server.places(&fields(100));
    // a number as it is written
    let line = format!("POST /admin/api/v1/datasets/{}/records/bulk", places[2]);
    let headers = [
        ("Authorization", &*server.root),
        ("Content-Type", "application/x-ndjson"),
    ];
    let text = ["1e3", "1000.0", "200.0"].map(|key| format!(r#"{{"create":{{"K":{key}}}}}"#));
    server.send(&line, &headers, Some(&text.join("\n"))).is(200);
    let job = changed(&server, &places[1], &fields(10_000));
    let result = &job["revisionResult"];
    assert_eq!(
        (&result["changed"], &result["left"]),
        (&json!(3), &json!(1))
    );
    let [area, schema, dataset] = &places;
    let path = format!("/businessareas/{area}/schemas/{schema}/datasets/{dataset}/dataobjects");
    for key in ["1000", "1000.0", "200"] {
        let shown = read(&server, area, &format!("{path}/by-pk/{key}"));
        assert_eq!(shown["_errors"], json!([]), "{shown}");
    }
}

#[test]
fn a_text_that_is_too_long_for_the_key_that_its_field_came_to_be_is_shown_as_it_was() {
    let server = server();
    let text = json!({"dataType": "string"});
    let mut fields = document(&[("K", text.clone()), ("T", text)]);
    let places = server.places(&fields);
    let [area, schema, dataset] = &places;
    let long = json!("x".repeat(2000));
    let record = json!({"create": {"K": "1", "T": long}});
    assert_eq!(sent(&server, dataset, &[record]), [201]);
    let id = records(&server, &places)[0]["_dataObjectId"].clone();
    let gone = json!({"delete": {"_dataObjectId": id}});
    assert_eq!(sent(&server, dataset, &[gone]), [204]);
    // no record lives, so the key may be another
    fields["fields"][0]["isPrimaryKey"] = false.into();
    fields["fields"][1]["isPrimaryKey"] = true.into();
    let line = format!("PUT /schemas/{schema}");
    server
        .root(&line, Some(json!({"document": fields})))
        .is(200);
    let path = format!("/businessareas/{area}/schemas/{schema}/datasets/{dataset}/changes");
    let page = read(&server, area, &path);
    let told = page["items"].as_array().expect("changes").iter();
    let told: Vec<_> = told.map(|it| (&it["action"], &it["record"]["T"])).collect();
    let [create, delete] = [json!("create"), json!("delete")];
    assert_eq!(told, [(&create, &long), (&delete, &long)]);
    let id = id.as_str().expect("an id");
    let past = server.get(&format!("/datasets/{dataset}/records/{id}/versions/0"));
    assert_eq!(past["T"], long);
}

#[test]
fn a_record_whose_key_stays_as_it_is_stored_goes_back_and_keeps_it() {
    let server = server();
    let day = |min: &str| json!({"dataType": "date", "dateFormat": "DD$MM$YYYY", "dateSeparator": "/", "min": min});
    let fields = |min| document(&[("K", day(min)), ("V", json!({"dataType": "string"}))]);
    let places = server.places(&fields("2020-01-01"));
    let [_, schema, dataset] = &places;
    let lines = ["2019-05-06", "06/05/2019"].map(|key| json!({"create": {"K": key, "V": "old"}}));
    assert_eq!(sent(&server, dataset, &lines), [201, 201]);
    changed(&server, schema, &fields("2000-01-01"));
    let shown = || {
        let record = records(&server, &places).remove(0);
        ["K", "V", "_version"].map(|name| record[name].clone())
    };
    let key = json!("2019-05-06");
    assert_eq!(shown(), [key.clone(), json!("old"), json!(1)]);
    let id = records(&server, &places)[0]["_dataObjectId"].clone();
    let line = json!({"update": {"_dataObjectId": id, "_version": 1, "V": "new"}});
    let other = json!({"create": {"K": "01/01/2021", "V": "other"}});
    let (job, _) = undo::sent(&server, dataset, &[line, other]);
    assert_eq!(undo::undone(&server, &job).1, [2, 1, 1, 0, 0]);
    assert_eq!(shown(), [key.clone(), json!("old"), json!(3)]);
    let id = id.as_str().expect("an id");
    let line = format!("POST /datasets/{dataset}/records/{id}/versions/2/restore");
    server.root(&line, Some(json!({"_version": 3}))).is(204);
    assert_eq!(shown(), [key, json!("new"), json!(4)]);
    server.is_sound();
}

#[test]
fn a_record_whose_key_the_file_has_in_another_form_is_not_deleted_as_missing() {
    let server = server();
    let day = |min: &str| json!({"dataType": "date", "dateFormat": "DD$MM$YYYY", "dateSeparator": "/", "min": min});
    let fields = |min| document(&[("K", day(min)), ("V", json!({"dataType": "string"}))]);
    let places = server.places(&fields("2020-01-01"));
    let [_, schema, dataset] = &places;
    let lines = ["2019-05-06", "06/05/2019", "2018-03-04"]
        .map(|key| json!({"create": {"K": key, "V": "old"}}));
    assert_eq!(sent(&server, dataset, &lines), [201, 201, 201]);
    changed(&server, schema, &fields("2000-01-01"));
    let id = records(&server, &places)[0]["_dataObjectId"].clone();
    let id = id.as_str().expect("an id");
    // what was exported is imported, and nothing goes
    let file = exported(&server, dataset, json!({"format": "csv"}));
    assert_eq!(
        file,
        "K,V\n2019-05-06,old\n06/05/2019,old\n04/03/2018,old\n"
    );
    let query = "?mode=replace&deleteMissing=true";
    for trial in ["&dryRun=true", ""] {
        let job = imported(&server, dataset, &format!("{query}{trial}"), &file);
        assert_eq!(counts(&job), json!({"rows": 3, "unchanged": 3}));
        let told = format!(
            "the file has the primary key of {id} in another form than it is stored, so the record stays"
        );
        let log = job["log"].as_array().expect("a log");
        assert_eq!(log.last().expect("a line")["text"], told);
    }
    assert_eq!(records(&server, &places).len(), 3);
    // a file that has it in no form takes it away
    let job = imported(&server, dataset, query, "K,V\n2018-03-04,old\n");
    let gone = json!({"rows": 1, "unchanged": 1, "deleted": 2});
    assert_eq!(counts(&job), gone);
}
