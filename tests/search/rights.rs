//! Who finds what.

use crate::desk::{Desk, codes};
use crate::raw::Answer;
use crate::world::{everything, only, records_of};
use runtime::store::catalog::{Resource, Verb, Verbs};

fn with(desk: &Desk, key: &str, parameters: &str) -> Answer {
    desk.world
        .anonymous("GET", &format!("/v1/dataobjects/search?{parameters}"))
        .credential(key)
        .send()
}

/// A city in both datasets of the first schema, and one of another tenant; a remark.
fn world() -> Desk {
    let desk = Desk::start();
    desk.city("B", r#""Name":"Berlin""#);
    let names = desk.world.names.clone();
    let post = |path: String, body: &str| {
        desk.world.request("POST", &path).json(body).send().is(201);
    };
    post(
        records_of(&names.area, &names.schema, &names.other_dataset),
        r#"{"Code":"A","Name":"Ankara Berlin"}"#,
    );
    post(
        records_of(&names.area, &names.keyless_schema, &names.keyless_dataset),
        r#"{"Text":"about Berlin"}"#,
    );
    desk
}

#[test]
fn search_needs_its_own_permission_and_a_credential() {
    let desk = world();
    let area = desk.world.names.area.clone();
    desk.world
        .anonymous("GET", "/v1/dataobjects/search?query=berlin")
        .send()
        .is(401);
    let records_only = desk
        .world
        .key(&[(Verbs::ALL, &area)], &only(Resource::Records, Verb::View));
    with(&desk, &records_only, "query=berlin").plain(403);
    // the role is judged before the query
    with(&desk, &records_only, "").plain(403);
    let search_only = desk
        .world
        .key(&[(Verbs::ALL, &area)], &only(Resource::Search, Verb::View));
    assert_eq!(
        with(&desk, &search_only, "query=berlin").is(200).json()["total"],
        3
    );
}

#[test]
fn only_areas_that_are_granted_for_viewing_are_searched() {
    let desk = world();
    let names = desk.world.names.clone();
    let nowhere = desk.world.key(&[], &everything(Verbs::ALL));
    let adding = desk.world.key(
        &[(Verbs::of(Verb::Add), &names.area)],
        &everything(Verbs::ALL),
    );
    let elsewhere = desk.world.key(
        &[(Verbs::ALL, &names.ungranted_area)],
        &everything(Verbs::ALL),
    );
    let foreign = desk.world.key(
        &[(Verbs::ALL, &names.foreign_area)],
        &everything(Verbs::ALL),
    );
    for key in [nowhere, adding, elsewhere, foreign] {
        let found = with(&desk, &key, "query=berlin").is(200).json();
        assert_eq!(found, serde_json::json!({"hits": [], "total": 0}));
    }
}

#[test]
fn a_right_that_is_taken_holds_on_the_next_search() {
    let desk = world();
    let area = desk.world.names.area.clone();
    let key = desk
        .world
        .key(&[(Verbs::ALL, &area)], &everything(Verbs::ALL));
    assert_eq!(with(&desk, &key, "query=berlin").is(200).json()["total"], 3);
    desk.world.change_key(&key, |key| key.grants.clear());
    assert_eq!(with(&desk, &key, "query=berlin").is(200).json()["total"], 0);
}

#[test]
fn filters_are_names_and_all_is_everything() {
    let desk = world();
    let total = |parameters: &str| desk.ask(parameters).is(200).json()["total"].clone();
    assert_eq!(total("query=berlin"), 3);
    assert_eq!(
        total("query=berlin&businessArea=all&schema=all&dataSet=all"),
        3
    );
    assert_eq!(total("query=berlin&businessArea=&schema=&dataSet="), 3);
    assert_eq!(total("query=berlin&businessArea=Places"), 3);
    assert_eq!(total("query=berlin&schema=City"), 2);
    assert_eq!(total("query=berlin&schema=Remark"), 1);
    assert_eq!(
        codes(&desk.ask("query=berlin&dataSet=Asia").is(200).json()),
        ["A"]
    );
    assert_eq!(total("query=berlin&schema=Remark&dataSet=Asia"), 0);
    for unknown in [
        "businessArea=Nowhere",
        "schema=city",
        "dataSet=Moon",
        "businessArea=Elsewhere",
    ] {
        assert_eq!(total(&format!("query=berlin&{unknown}")), 0, "{unknown}");
    }
    let id = &desk.world.names.schema;
    assert_eq!(
        total(&format!("query=berlin&schema={id}")),
        0,
        "filters take names, not ids"
    );
}

#[test]
fn deleted_records_datasets_and_areas_leave() {
    let desk = world();
    let record = desk.world.by_key("B").is(200).json();
    desk.world.delete(&record).is(204);
    desk.check("berlin schema", &[]);
    assert_eq!(desk.found("berlin")["total"], 2);
    let catalog = desk.world.service.store().catalog();
    let mut dataset = (*catalog.datasets[&desk.world.names.other_dataset]).clone();
    dataset.deleted = true;
    desk.world.put(dataset);
    assert_eq!(desk.found("berlin")["total"], 1);
    let mut area = (*catalog.areas[&desk.world.names.area]).clone();
    area.deleted = true;
    desk.world.put(area);
    assert_eq!(desk.found("berlin")["total"], 0);
}
