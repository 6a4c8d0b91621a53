//! The life of every noun: made, listed, read, changed, switched off, deleted, restored. Who may call, and what, is in
//! `lives_of_callers.rs`.

use crate::admin_server::{AdminServer, city, field, names};
use serde_json::json;

#[test]
fn a_change_that_changes_nothing_is_no_other_version() {
    let server = AdminServer::start();
    let [area, schema, dataset] = server.places(&city());
    let domain = server
        .make(
            "/domains",
            json!({"name": "Levels", "codes": [{"code": "A"}]}),
        )
        .text("dataDomainId");
    let document = server.get(&format!("/schemas/{schema}"))["document"].clone();
    let state = server.get(&format!("/schemas/{schema}"))["state"].clone();
    for (path, same, other) in [
        (
            format!("/areas/{area}"),
            json!({"name": "Places"}),
            json!({"name": "Places", "description": "where"}),
        ),
        (
            format!("/schemas/{schema}"),
            json!({"document": document, "state": state}),
            json!({"document": {"name": "City", "fields": [field("f-code", "Code", true)]}, "state": state}),
        ),
        (
            format!("/datasets/{dataset}"),
            json!({"name": server.get(&format!("/datasets/{dataset}"))["dataSetName"]}),
            json!({"name": "Asia"}),
        ),
        (
            format!("/domains/{domain}"),
            json!({"name": "Levels", "codes": [{"code": "A"}]}),
            json!({"name": "Levels", "codes": [{"code": "B"}]}),
        ),
    ] {
        let put = |body: serde_json::Value| {
            let changed = server.root(&format!("PUT {path}"), Some(body));
            changed.is(200).json()["version"].clone()
        };
        assert_eq!(put(same.clone()), 1, "{path}");
        assert_eq!(put(same), 1, "{path}");
        assert_eq!(put(other.clone()), 2, "{path}");
        assert_eq!(put(other), 2, "{path}");
    }
}

#[test]
fn what_is_made_in_one_moment_is_listed_in_order_of_creation() {
    let server = AdminServer::start();
    let [area, schema, _] = server.places(&city());
    let made = |number: usize| format!("n{number:02}");
    // the clock stands
    for number in 0..40 {
        server.make("/areas", json!({"name": made(number)}));
        let document = json!({"name": made(number), "fields": [field("f-code", "Code", true)]});
        server.make(
            &format!("/areas/{area}/schemas"),
            json!({"document": document}),
        );
        server.make(
            &format!("/schemas/{schema}/datasets"),
            json!({"name": made(number)}),
        );
    }
    for (path, name) in [
        ("/areas".to_owned(), "name"),
        (format!("/areas/{area}/schemas"), "name"),
        (format!("/schemas/{schema}/datasets"), "dataSetName"),
    ] {
        let listed = names(&server.get(&path), name);
        let expected: Vec<_> = (0..40).map(made).collect();
        assert_eq!(listed[1..], expected, "{path}");
    }
}

#[test]
fn an_area_lives_and_comes_back() {
    let server = AdminServer::start();
    let made = server.make("/areas", json!({"name": "Places", "description": "where"}));
    let id = made.text("businessAreaId");
    let location = format!("/admin/api/v1/areas/{id}");
    assert_eq!(made.header("location"), Some(location.as_str()));
    assert_eq!(made.json()["version"], 1);
    assert_eq!(made.json()["createdBy"], "root");
    assert_eq!(names(&server.get("/areas"), "name"), ["Places"]);

    let path = format!("/areas/{id}");
    let change = json!({"name": "Sites", "active": false, "version": 1});
    let changed = server
        .root(&format!("PUT {path}"), Some(change.clone()))
        .is(200)
        .json();
    assert_eq!(
        (&changed["version"], &changed["active"]),
        (&json!(2), &json!(false))
    );
    server.root(&format!("PUT {path}"), Some(change)).is(409);
    assert_eq!(server.get(&path)["name"], "Sites");

    server.root(&format!("DELETE {path}"), None).is(204);
    server.root(&format!("GET {path}"), None).is(404);
    server.root(&format!("DELETE {path}"), None).is(404);
    assert!(names(&server.get("/areas"), "name").is_empty());

    // its name is free while it is deleted, and it does not come back over another
    let other = server
        .make("/areas", json!({"name": "Sites"}))
        .text("businessAreaId");
    server.root(&format!("POST {path}/restore"), None).is(409);
    server.root(&format!("DELETE /areas/{other}"), None).is(204);
    assert_eq!(
        server
            .root(&format!("POST {path}/restore"), None)
            .is(200)
            .json()["version"],
        4
    );
    assert_eq!(server.get(&path)["name"], "Sites");
}

#[test]
fn a_schema_and_its_datasets_live_and_come_back() {
    let server = AdminServer::start();
    let [area, schema, dataset] = server.places(&city());
    let path = format!("/schemas/{schema}");
    assert_eq!(server.get(&path)["document"]["name"], "City");
    assert_eq!(
        names(&server.get(&format!("/areas/{area}/schemas")), "schemaId"),
        [schema.as_str()]
    );
    let published = json!({"document": city(), "state": "published", "active": false});
    let changed = server
        .root(&format!("PUT {path}"), Some(published))
        .is(200)
        .json();
    assert_eq!(changed["state"], "published");
    assert_eq!(changed["version"], 1, "the structure is the same");

    let listed = server.get(&format!("{path}/datasets"));
    assert_eq!(names(&listed, "dataSetName"), ["Europe"]);
    assert_eq!(listed["items"][0]["recordCount"], 0);
    let own = format!("/datasets/{dataset}");
    let renamed = json!({"name": "Asia", "description": "far"});
    let renamed = server
        .root(&format!("PUT {own}"), Some(renamed))
        .is(200)
        .json();
    assert_eq!(
        (&renamed["dataSetName"], &renamed["version"]),
        (&json!("Asia"), &json!(2))
    );
    server
        .root(
            &format!("POST {path}/datasets"),
            Some(json!({"name": "Asia"})),
        )
        .is(409);

    server.root(&format!("DELETE {own}"), None).is(204);
    server.root(&format!("GET {own}"), None).is(404);
    server.root(&format!("POST {own}/restore"), None).is(200);
    server.root(&format!("GET {own}"), None).is(200);

    // what is below something deleted is not found either, and comes back with it
    server.root(&format!("DELETE {path}"), None).is(204);
    server.root(&format!("GET {own}"), None).is(404);
    server.root(&format!("DELETE {own}"), None).is(404);
    server.root(&format!("POST {path}/restore"), None).is(200);
    server.root(&format!("GET {own}"), None).is(200);
    server.root(&format!("DELETE /areas/{area}"), None).is(204);
    server.root(&format!("GET {own}"), None).is(404);
    server.root(&format!("GET {path}"), None).is(404);
    server
        .root(
            &format!("POST /schemas/{schema}/datasets"),
            Some(json!({"name": "x"})),
        )
        .is(404);
}

#[test]
fn a_domain_lives_until_nothing_names_it() {
    let server = AdminServer::start();
    let codes = json!([{"code": "S"}, {"code": "N", "description": "north"}]);
    let made = server.make("/domains", json!({"name": "Regions", "codes": codes}));
    let id = made.text("dataDomainId");
    assert_eq!(made.json()["codes"][0]["code"], "N", "sorted");
    let path = format!("/domains/{id}");
    let twice = json!({"name": "Regions", "codes": [{"code": "N"}, {"code": "N"}, {"code": " "}]});
    let answer = server.root(&format!("PUT {path}"), Some(twice)).is(400);
    assert_eq!(answer.problems(), ["$.codes[1].code", "$.codes[2].code"]);
    let more = json!({"name": "Regions", "codes": [{"code": "W"}]});
    assert_eq!(
        server
            .root(&format!("PUT {path}"), Some(more))
            .is(200)
            .json()["version"],
        2
    );

    let mut document = city();
    document["fields"][1]["dataType"] = "picklist".into();
    document["fields"][1]["picklistType"] = "dynamic".into();
    document["fields"][1]["dataDomainId"] = id.as_str().into();
    let [_, schema, _] = server.places(&document);
    server.root(&format!("DELETE {path}"), None).is(409);
    let back = json!({"document": city()});
    server
        .root(&format!("PUT /schemas/{schema}"), Some(back))
        .is(200);
    server.root(&format!("DELETE {path}"), None).is(204);
    server.root(&format!("GET {path}"), None).is(404);
}
