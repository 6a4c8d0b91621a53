//! Who finds what.

use crate::raw::Answer;
use crate::setup::{SearchSetup, codes};
use crate::test_server::{everything, only, records_of};
use runtime::store::catalog::{Permission, Resource, Verb, Verbs};

fn search_as(setup: &SearchSetup, key: &str, parameters: &str) -> Answer {
    setup
        .server
        .anonymous("GET", &format!("/v1/dataobjects/search?{parameters}"))
        .credential(key)
        .send()
}

/// A city in both datasets of the first schema, and one of another tenant; a remark.
fn server() -> SearchSetup {
    let setup = SearchSetup::start();
    setup.city("B", r#""Name":"Berlin""#);
    let names = setup.server.names.clone();
    let post = |path: String, body: &str| {
        setup
            .server
            .request("POST", &path)
            .json(body)
            .send()
            .is(201);
    };
    post(
        records_of(&names.area, &names.schema, &names.other_dataset),
        r#"{"Code":"A","Name":"Ankara Berlin"}"#,
    );
    post(
        records_of(&names.area, &names.keyless_schema, &names.keyless_dataset),
        r#"{"Text":"about Berlin"}"#,
    );
    setup
}

#[test]
fn search_needs_its_own_permission_and_a_credential() {
    let setup = server();
    let area = setup.server.names.area.clone();
    setup
        .server
        .anonymous("GET", "/v1/dataobjects/search?query=berlin")
        .send()
        .is(401);
    let records_only = setup
        .server
        .key(&[(Verbs::ALL, &area)], &only(Resource::Records, Verb::View));
    search_as(&setup, &records_only, "query=berlin").plain_error(403);
    // the role is judged before the query
    search_as(&setup, &records_only, "").plain_error(403);
}

#[test]
fn who_may_search_but_not_see_records_learns_neither_hits_nor_their_number() {
    let setup = server();
    let area = setup.server.names.area.clone();
    let key = |permissions: &[Permission]| setup.server.key(&[(Verbs::ALL, &area)], permissions);
    let search_only = key(&only(Resource::Search, Verb::View));
    for query in ["query=berlin", "query=nothing+at+all", ""] {
        search_as(&setup, &search_only, query).plain_error(403);
    }
    let of = |resource, verb| only(resource, verb).remove(0);
    let adding = [
        of(Resource::Search, Verb::View),
        of(Resource::Records, Verb::Add),
    ];
    search_as(&setup, &key(&adding), "query=berlin").plain_error(403);
    let both = [
        of(Resource::Search, Verb::View),
        of(Resource::Records, Verb::View),
    ];
    let found = search_as(&setup, &key(&both), "query=berlin").is(200);
    assert_eq!(found.json()["total"], 3);
}

#[test]
fn only_areas_that_are_granted_for_viewing_are_searched() {
    let setup = server();
    let names = setup.server.names.clone();
    let nowhere = setup.server.key(&[], &everything(Verbs::ALL));
    let adding = setup.server.key(
        &[(Verbs::of(Verb::Add), &names.area)],
        &everything(Verbs::ALL),
    );
    let elsewhere = setup.server.key(
        &[(Verbs::ALL, &names.ungranted_area)],
        &everything(Verbs::ALL),
    );
    let foreign = setup.server.key(
        &[(Verbs::ALL, &names.foreign_area)],
        &everything(Verbs::ALL),
    );
    for key in [nowhere, adding, elsewhere, foreign] {
        let found = search_as(&setup, &key, "query=berlin").is(200).json();
        assert_eq!(found, serde_json::json!({"hits": [], "total": 0}));
    }
}

#[test]
fn a_right_that_is_taken_holds_on_the_next_search() {
    let setup = server();
    let area = setup.server.names.area.clone();
    let key = setup
        .server
        .key(&[(Verbs::ALL, &area)], &everything(Verbs::ALL));
    assert_eq!(
        search_as(&setup, &key, "query=berlin").is(200).json()["total"],
        3
    );
    setup.server.change_key(&key, |key| key.grants.clear());
    assert_eq!(
        search_as(&setup, &key, "query=berlin").is(200).json()["total"],
        0
    );
}

#[test]
fn filters_are_names_and_all_is_everything() {
    let setup = server();
    let total = |parameters: &str| setup.ask(parameters).is(200).json()["total"].clone();
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
        codes(&setup.ask("query=berlin&dataSet=Asia").is(200).json()),
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
    let id = &setup.server.names.schema;
    assert_eq!(
        total(&format!("query=berlin&schema={id}")),
        0,
        "filters take names, not ids"
    );
}

#[test]
fn deleted_records_datasets_and_areas_leave() {
    let setup = server();
    let record = setup.server.by_key("B").is(200).json();
    setup.server.delete(&record).is(204);
    setup.check("berlin schema", &[]);
    assert_eq!(setup.found("berlin")["total"], 2);
    let catalog = setup.server.service.store().catalog();
    let mut dataset = (*catalog.datasets[&setup.server.names.other_dataset]).clone();
    dataset.deleted = true;
    setup.server.put(dataset);
    assert_eq!(setup.found("berlin")["total"], 1);
    let mut area = (*catalog.areas[&setup.server.names.area]).clone();
    area.deleted = true;
    setup.server.put(area);
    assert_eq!(setup.found("berlin")["total"], 0);
}

#[test]
fn names_of_fields_that_the_caller_may_not_view_are_not_told() {
    let setup = server();
    let names = &setup.server.names;
    let none = setup.server.key(&[], &everything(Verbs::ALL));
    let adder = setup.server.key(
        &[(Verbs::of(Verb::Add), &names.area)],
        &everything(Verbs::ALL),
    );
    for key in [&none, &adder] {
        let answer = search_as(&setup, key, "query=Nmae:x").plain_error(400);
        assert!(!answer.text().contains("`Name`"), "{}", answer.text());
        // a field of others is like one that is nowhere
        let own = |field: &str| {
            let answer = search_as(&setup, key, &format!("query={field}:x"));
            answer.plain_error(400).text().replace(field, "?")
        };
        assert_eq!(own("Name"), own("Nowt"));
    }
}

#[test]
fn a_parameter_that_stands_twice_is_refused_to_who_may_search() {
    let setup = server();
    for name in ["query", "businessArea", "schema", "dataSet", "sort"] {
        let told = setup.refused(&format!("query=berlin&{name}=all&{name}=all"));
        assert_eq!(told, format!("`{name}` stands twice; send it once"));
    }
    for name in ["pageKey", "pageSize"] {
        setup.refused(&format!("query=berlin&{name}=1&{name}=1"));
    }
}
