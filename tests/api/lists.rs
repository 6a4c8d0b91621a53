//! Endpoints 2 to 5: what the catalog's lists show. docs/interface.md, "Catalog items".

use crate::test_server::{TestServer, everything};
use runtime::store::catalog::{Verb, Verbs};
use serde_json::{Value, json};

fn is_timestamp(value: &Value) -> bool {
    let text = value.as_str().expect("a text");
    let shape: String = text
        .chars()
        .map(|c| if c.is_ascii_digit() { '0' } else { c })
        .collect();
    shape == "0000-00-00T00:00:00.000Z"
}

/// The object without its timestamps, which must be ones.
fn without_dates(item: &Value) -> Value {
    let mut item = item.clone();
    for key in ["createdDate", "updatedDate"] {
        let date = item
            .as_object_mut()
            .expect("an object")
            .remove(key)
            .expect(key);
        assert!(is_timestamp(&date), "{key}: {date}");
    }
    item
}

#[test]
fn areas_are_those_the_caller_may_see() {
    let server = TestServer::start();
    let page = server.get("/v1/my/businessareas").is(200).json();
    assert_eq!(page.as_object().unwrap().len(), 1, "no next page: {page}");
    let items = page["items"].as_array().unwrap();
    assert_eq!(items.len(), 1);
    assert_eq!(
        without_dates(&items[0]),
        json!({
            "businessAreaId": server.names.area, "name": "Places", "description": "about Places", "active": true,
            "createdBy": "ada", "updatedBy": "ada", "version": 1
        })
    );
    let (one, two) = (
        server.names.area.clone(),
        server.names.ungranted_area.clone(),
    );
    let both = [
        (Verbs::ALL, one.as_str()),
        (Verbs::of(Verb::View), two.as_str()),
    ];
    let key = server.key(&both, &everything(Verbs::ALL));
    let page = server
        .anonymous("GET", "/v1/my/businessareas")
        .credential(&key)
        .send()
        .json();
    assert_eq!(page["items"].as_array().unwrap().len(), 2);
    let unseen = [(Verbs::of(Verb::Add), one.as_str())];
    let key = server.key(&unseen, &everything(Verbs::ALL));
    let page = server
        .anonymous("GET", "/v1/my/businessareas")
        .credential(&key)
        .send();
    assert_eq!(page.is(200).json(), json!({"items": []}));
}

#[test]
fn a_schema_item_has_the_interfaces_properties() {
    let server = TestServer::start();
    let names = &server.names;
    let page = server
        .get(&format!("/v1/businessareas/{}/schemas", names.area))
        .is(200)
        .json();
    let items = page["items"].as_array().unwrap();
    assert_eq!(items.len(), 2);
    assert_eq!(
        without_dates(&items[0]),
        json!({
            "schemaId": names.schema, "name": "City", "description": "Where people live",
            "businessAreaId": names.area, "businessAreaName": "Places", "active": true, "state": "published",
            "fieldsCount": 11, "dataSetCount": 2, "version": 1,
            "createdBy": "u-1", "updatedBy": "u-1",
            "createdByEmail": "ada@example.org", "updatedByEmail": "ada@example.org",
            "runningJobsCount": 0, "deleted": false
        })
    );
    assert_eq!(items[1]["name"], "Remark");
    assert_eq!(items[1]["description"], "");
    assert_eq!(items[1]["dataSetCount"], 1);
    // inactive fields are fields; a dataset that is deleted does not use the schema
    let mut dataset = (*server.service.store().catalog().datasets[&names.dataset]).clone();
    dataset.deleted = true;
    server.put(dataset);
    let target = format!("/v1/businessareas/{}/schemas", names.area);
    let item = server.get(&target).is(200).json()["items"][0].clone();
    assert_eq!(
        (
            &item["dataSetCount"],
            &item["fieldsCount"],
            &item["version"]
        ),
        (&json!(1), &json!(11), &json!(1))
    );
}

#[test]
fn a_schema_is_shown_with_its_fields() {
    let server = TestServer::start();
    let names = &server.names;
    let target = format!("/v1/businessareas/{}/schemas/{}", names.area, names.schema);
    let detail = server.get(&target).is(200).json();
    assert_eq!(detail["schemaId"], *names.schema);
    assert_eq!(detail["name"], "City");
    assert_eq!(detail["description"], "Where people live");
    assert_eq!(detail["businessAreaId"], *names.area);
    assert_eq!(detail["businessAreaName"], "Places");
    assert_eq!(detail["version"], 1);
    assert_eq!(detail["createdBy"], "ada@example.org");
    assert_eq!(detail["updatedBy"], "ada@example.org");
    assert!(is_timestamp(&detail["createdDate"]) && is_timestamp(&detail["updatedDate"]));
    let fields = detail["fields"].as_array().unwrap();
    assert_eq!(fields.len(), 11);
    let given: Value = serde_json::from_str(crate::test_server::CITY).unwrap();
    assert_eq!(detail["fields"], given["fields"]);
    // and it is what the toolkit reads
    let text = detail.to_string();
    runtime::schema::Schema::read(&text, runtime::schema::Origin::Elsewhere).unwrap();
}

#[test]
fn a_dataset_item_has_the_interfaces_properties_and_exact_counts() {
    let server = TestServer::start();
    let names = &server.names;
    let target = format!(
        "/v1/businessareas/{}/schemas/{}/datasets",
        names.area, names.schema
    );
    let counts = |expected: [u64; 2]| {
        let item = server.get(&target).is(200).json()["items"][0].clone();
        assert_eq!(
            [
                item["recordCount"].as_u64(),
                item["erroredRecordsCount"].as_u64()
            ],
            expected.map(Some)
        );
        item
    };
    let item = counts([0, 0]);
    assert_eq!(
        without_dates(&item),
        json!({
            "dataSetId": names.dataset, "dataSetName": "Europe", "dataSetDescription": "cities of Europe",
            "businessAreaId": names.area, "businessAreaName": "Places",
            "schemaId": names.schema, "schemaName": "City",
            "recordCount": 0, "erroredRecordsCount": 0, "runningJobsCount": 0, "version": 1,
            "createdBy": "u-1", "updatedBy": "u-1",
            "createdByEmail": "ada@example.org", "updatedByEmail": "ada@example.org",
            "createdByName": "Ada Smith", "updatedByName": "Ada Smith", "deleted": false
        })
    );
    let clean = server.created(r#"{"Code":"1","Name":"N"}"#);
    let faulty = server.created(r#"{"Code":"2"}"#);
    counts([2, 1]);
    server
        .update(&faulty, r#"{"_version":0,"Name":"N"}"#)
        .is(204);
    counts([2, 0]);
    server
        .update(&clean, r#"{"_version":0,"Name":null}"#)
        .is(204);
    counts([2, 1]);
    server.delete(&clean).is(204);
    let item = counts([1, 0]);
    assert_eq!(
        item["version"], 1,
        "records do not change the dataset's version"
    );
    assert_eq!(server.get(&target).json()["items"][1]["recordCount"], 0);
}

#[test]
fn names_are_those_of_today_wherever_they_are_shown() {
    let server = TestServer::start();
    let names = server.names.clone();
    let catalog = server.service.store().catalog();
    let mut area = (*catalog.areas[&names.area]).clone();
    area.name = "Sites".to_owned();
    server.put(area);
    let renamed = crate::test_server::CITY.replace(r#""name": "City""#, r#""name": "Town""#);
    server.change_schema(&names.schema, &renamed);
    let schemas = format!("/v1/businessareas/{}/schemas", names.area);
    let schema = format!("{schemas}/{}", names.schema);
    let item = |target: &str| server.get(target).is(200).json()["items"][0].clone();
    assert_eq!(item("/v1/my/businessareas")["name"], "Sites");
    for shown in [item(&schemas), server.get(&schema).is(200).json()] {
        assert_eq!(
            (&shown["name"], &shown["version"]),
            (&json!("Town"), &json!(2))
        );
        assert_eq!(shown["businessAreaName"], "Sites");
    }
    let dataset = item(&format!("{schema}/datasets"));
    assert_eq!(dataset["schemaName"], "Town");
    assert_eq!(dataset["businessAreaName"], "Sites");
}

#[test]
fn lists_come_in_order_of_creation() {
    let server = TestServer::start();
    let names = &server.names;
    let made = ["Zulu", "Alpha", "Mike"].map(|name| server.dataset(&names.schema, name));
    let target = format!(
        "/v1/businessareas/{}/schemas/{}/datasets",
        names.area, names.schema
    );
    let items = server.get(&target).json()["items"]
        .as_array()
        .unwrap()
        .clone();
    let ids: Vec<_> = items
        .iter()
        .map(|item| item["dataSetId"].as_str().unwrap())
        .collect();
    assert_eq!(ids[2..], made);
}

#[test]
fn accept_is_not_judged() {
    let server = TestServer::start();
    for accept in ["text/html", "application/xml", "nonsense", ""] {
        let answer = server
            .request("GET", "/v1/my/businessareas")
            .header("Accept", accept)
            .send();
        answer.is(200).json();
    }
}
