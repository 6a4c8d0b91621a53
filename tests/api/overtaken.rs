//! Requests that are overtaken: between their judgement and their write the catalog changes. What is stored
//! always follows the schema in force. docs/interface.md, "Order of judgement".

use crate::test_server::{CITY, TestServer, everything, next_version};
use crate::tricks::tricky;
use runtime::service::Refusal;
use runtime::service::manage::{Operator, SchemaContent};
use runtime::service::secrets;
use runtime::store::Records as _;
use runtime::store::catalog::{Noun, SchemaEntry, Verb, Verbs};
use runtime::store::records::{Change, NewContent};
use serde_json::json;
use std::sync::Arc;
use tests::trick_store::{TrickStore, by_someone};

/// A city whose key is its name.
pub(crate) fn keyed_by_name() -> String {
    let code = r#""name":"Code","active":true,"dataType":"string","isPrimaryKey":"#;
    let name = r#""name":"Name","active":true,"dataType":"string","isPrimaryKey":"#;
    let moved = CITY
        .replace(&format!("{code}true"), &format!("{code}false"))
        .replace(&format!("{name}false"), &format!("{name}true"));
    assert_ne!(moved, CITY);
    moved
}

impl TestServer {
    /// The schema of the first dataset as it is now.
    fn entry(&self) -> Arc<SchemaEntry> {
        self.service.store().catalog().schemas[&self.names.schema].clone()
    }

    /// Changes the schema of the first dataset as management does.
    pub(crate) fn manage_schema(&self, document: &str) -> Result<Arc<SchemaEntry>, Refusal> {
        let operator = Operator::of_this_machine("tester");
        let caller = self.service.operator(&operator, &self.names.tenant);
        let content = SchemaContent {
            document: document.to_owned(),
            state: "published".to_owned(),
            active: true,
            version: None,
        };
        let (caller, schema) = (caller.expect("a tenant"), self.names.schema.clone());
        let changing = self.service.schemas().redefine(&caller, &schema, content);
        self.runtime.block_on(changing)
    }
}

/// Another version of the schema comes into force just before the next write.
fn overtake(server: &TestServer, store: &TrickStore, document: &str) {
    let next = next_version(&server.entry(), document);
    store.put_before_write(vec![next.into()]);
}

fn shorter_names() -> String {
    CITY.replace(
        r#""isRequired":true,"max":20"#,
        r#""isRequired":true,"max":3"#,
    )
}

#[test]
fn an_overtaken_create_is_judged_under_the_schema_in_force() {
    let (server, store) = tricky();
    overtake(&server, &store, &shorter_names());
    let record = server.created(r#"{"Code":"1","Name":"a long name"}"#);
    assert_eq!(record["_errors"][0]["name"], "Name");
    assert_eq!(server.by_key("1").json(), record);

    let renamed = CITY.replace(r#""name":"People","#, r#""name":"Inhabitants","#);
    overtake(&server, &store, &renamed);
    server
        .create(r#"{"Code":"2","Name":"N","People":5}"#)
        .coded_error(400, "INVALID_REQUEST_BODY");
    assert_eq!(store.waiting(), 0);
}

#[test]
fn an_overtaken_create_has_its_key_under_the_key_field_of_today() {
    let (server, store) = tricky();
    overtake(&server, &store, &keyed_by_name());
    server.created(r#"{"Code":"1","Name":"N"}"#);
    assert_eq!(server.by_key("N").is(200).json()["Code"], "1");
    server.by_key("1").is(404);

    server.change_schema(&server.names.schema, CITY);
    overtake(&server, &store, &keyed_by_name());
    server
        .create(r#"{"Code":"2"}"#)
        .coded_error(400, "PRIMARY_KEY_REQUIRED");
}

#[test]
fn an_overtaken_update_is_judged_under_the_schema_in_force() {
    let (server, store) = tricky();
    let record = server.created(r#"{"Code":"1","Name":"a long name"}"#);
    assert_eq!(record["_errors"], json!([]));
    overtake(&server, &store, &shorter_names());
    server
        .update(&record, r#"{"_version":0,"People":5}"#)
        .is(204);
    let now = server.by_key("1").json();
    assert_eq!(now["_errors"][0]["name"], "Name");
    assert_eq!(now["_version"], 1, "it was written once");
}

#[test]
fn an_overtaken_write_is_judged_by_the_codes_of_now() {
    let (server, store) = tricky();
    let mut domain = (*server.service.store().catalog().domains["regions"]).clone();
    domain.version += 1;
    domain.codes.retain(|code| code.code != "N");
    store.put_before_write(vec![domain.clone().into()]);
    let record = server.created(r#"{"Code":"1","Name":"N","Region":"N"}"#);
    assert_eq!(record["_errors"][0]["name"], "Region");
    assert_eq!(store.waiting(), 0);

    domain.version += 1;
    domain.codes.retain(|code| code.code != "S");
    store.put_before_write(vec![domain.into()]);
    server
        .update(&record, r#"{"_version":0,"Region":"S"}"#)
        .is(204);
    let now = server.by_key("1").json();
    assert_eq!(now["_errors"][0]["name"], "Region");
    assert_eq!(now["_version"], 1, "it was written once");
}

/// The first dataset, its schema and its area: as they are, and deleted.
fn places(server: &TestServer) -> [[Noun; 2]; 3] {
    let (catalog, names) = (server.service.store().catalog(), &server.names);
    let mut dataset = (*catalog.datasets[&names.dataset]).clone();
    let mut schema = (*catalog.schemas[&names.schema]).clone();
    let mut area = (*catalog.areas[&names.area]).clone();
    let there = [
        dataset.clone().into(),
        schema.clone().into(),
        area.clone().into(),
    ];
    dataset.deleted = true;
    schema.deleted = true;
    area.deleted = true;
    let [dataset_there, schema_there, area_there] = there;
    [
        [dataset_there, dataset.into()],
        [schema_there, schema.into()],
        [area_there, area.into()],
    ]
}

#[test]
fn what_is_no_longer_there_is_not_written_to() {
    let (server, store) = tricky();
    let record = server.created(r#"{"Code":"1","Name":"N"}"#);
    for [there, deleted] in places(&server) {
        let requests = [
            server
                .request("POST", &server.records())
                .json(r#"{"Code":"2","Name":"N"}"#),
            server
                .request("PUT", &server.record(&record))
                .json(r#"{"_version":0,"Name":"M"}"#),
            server.request("DELETE", &server.record(&record)),
        ];
        for request in requests {
            store.put_before_write(vec![deleted.clone()]);
            request.send().plain_error(404);
            assert_eq!(store.waiting(), 0, "it was admitted and judged before");
            server.put(there.clone());
            let page = server.get(&server.records()).json();
            assert_eq!(page["items"], json!([record]));
        }
    }
}

#[test]
fn a_delete_asks_for_no_version_of_the_schema() {
    let (server, store) = tricky();
    let record = server.created(r#"{"Code":"1","Name":"N"}"#);
    overtake(&server, &store, &shorter_names());
    server.delete(&record).is(204);
    assert_eq!(store.waiting(), 0);
    server.by_key("1").is(404);
}

/// Just before the next look, a field gets another name, and the city `2` is written under it.
fn rename_before_look(server: &TestServer, store: &TrickStore, from: &str, to: &str) {
    let document = CITY.replace(r#""name":"People""#, &format!(r#""name":"{to}""#));
    let next = next_version(&server.entry(), &document);
    let catalog = server.service.store().catalog();
    let dataset = catalog.datasets[&server.names.dataset].number;
    let found = server.runtime.block_on(store.by_key(dataset, "2"));
    let record = found.expect("the store works").expect("it is there");
    let (from, to) = (format!("\"{from}\":"), format!("\"{to}\":"));
    let change = Change::Update {
        id: record.id,
        version: record.version,
        content: NewContent {
            body: record.body.replace(&from, &to),
            primary_key: Some("2".to_owned()),
            schema_version: next.current().number,
            errors: None,
            hidden: None,
        },
    };
    store.change_before_look(next.into(), by_someone(dataset, change));
}

#[test]
fn what_finds_a_record_of_a_newer_schema_is_judged_again_by_that_one() {
    let (server, store) = tricky();
    server.created(r#"{"Code":"1","Name":"N","People":1}"#);
    let second = server.created(r#"{"Code":"2","Name":"N","People":2}"#);
    rename_before_look(&server, &store, "People", "Inhabitants");
    let page = server.get(&server.records()).is(200).json();
    let values = |name: &str| [0, 1].map(|index| page["items"][index][name].clone());
    assert_eq!(values("Inhabitants"), [1, 2], "all under one version");
    assert_eq!(values("_version"), [0, 1]);

    rename_before_look(&server, &store, "Inhabitants", "Souls");
    let found = server.by_key("2").is(200).json();
    assert_eq!(
        (&found["Souls"], &found["_version"]),
        (&json!(2), &json!(2))
    );

    rename_before_look(&server, &store, "Souls", "Heads");
    let body = r#"{"_version":3,"Heads":3}"#;
    server.update(&second, body).is(204);
    let found = server.by_key("2").is(200).json();
    assert_eq!(
        (&found["Heads"], &found["_version"]),
        (&json!(3), &json!(4))
    );
}

#[test]
fn an_overtaken_restore_is_judged_by_the_key_of_today() {
    let (server, store) = tricky();
    let record = server.created(r#"{"Code":"1","Name":"N"}"#);
    server.delete(&record).is(204);
    let operator = Operator::of_this_machine("tester");
    let restore = || {
        let caller = server.service.operator(&operator, &server.names.tenant);
        let (caller, id) = (caller.expect("a tenant"), record["_dataObjectId"].as_str());
        let restoring =
            server
                .service
                .restore_record(&caller, &server.names.dataset, id.expect("an id"));
        server.runtime.block_on(restoring)
    };
    overtake(&server, &store, &keyed_by_name());
    let denied = restore();
    assert!(matches!(denied, Err(Refusal::Conflict(_))), "{denied:?}");
    assert_eq!(store.waiting(), 0, "it was judged before");
    server.by_key("N").is(404);
    server.change_schema(&server.names.schema, CITY);
    overtake(&server, &store, &shorter_names());
    restore().expect("its key is what it was");
    assert_eq!(server.by_key("1").is(200).json()["_version"], 1);
}

#[test]
fn an_overtaken_request_must_be_allowed_by_the_newest_catalog_too() {
    let (server, store) = tricky();
    let area = server.names.area.clone();
    let cases = [
        (403, "verbs"),
        (403, "roles"),
        (401, "active"),
        (201, "description"),
    ];
    for (status, changes) in cases {
        let key = server.key(&[(Verbs::ALL, &area)], &everything(Verbs::ALL));
        let catalog = server.service.store().catalog();
        let mut changed = (*catalog.keys_by_hash[&secrets::hash(&key)]).clone();
        match changes {
            "verbs" => changed.grants[0].verbs = Verbs::of(Verb::View),
            "roles" => changed.roles.clear(),
            "active" => changed.active = false,
            _ => changed.description = "as before".to_owned(),
        }
        let next = next_version(&server.entry(), CITY);
        store.put_before_write(vec![next.into(), changed.into()]);
        let request = server.anonymous("POST", &server.records()).credential(&key);
        let answer = request.json(r#"{"Code":"1","Name":"N"}"#).send();
        assert_eq!(answer.status, status, "{answer:?}");
        assert_eq!(store.waiting(), 0, "it was admitted and judged before");
    }
}

#[cfg_attr(
    on_a_database,
    ignore = "it holds the catalog of a database at last, and nobody overtakes it"
)]
#[test]
fn a_request_that_is_overtaken_without_end_gives_up_and_writes_nothing() {
    let (server, store) = tricky();
    let mut entry = (*server.entry()).clone();
    for _ in 0..96 {
        entry = next_version(&entry, CITY);
        store.put_before_write(vec![entry.clone().into()]);
    }
    server.create(r#"{"Code":"1","Name":"N"}"#).plain_error(500);
    assert_eq!(store.waiting(), 64, "the tries are bounded");
    while store.waiting() > 0 {
        server.create(r#"{"Code":"1","Name":"N"}"#).plain_error(500);
    }
    server.by_key("1").is(404);
}

#[test]
fn a_record_that_lands_before_the_decision_keeps_the_key_field_as_it_is() {
    let (server, store) = tricky();
    let dataset = &server.service.store().catalog().datasets[&server.names.dataset];
    let content = NewContent {
        body: r#"{"Code":"1","Name":"N"}"#.to_owned(),
        primary_key: Some("1".to_owned()),
        schema_version: 1,
        errors: None,
        hidden: None,
    };
    let number = dataset.number;
    store.write_before_decision(by_someone(number, Change::Create { nonce: 1, content }));
    let denied = server.manage_schema(&keyed_by_name());
    assert!(matches!(denied, Err(Refusal::Conflict(_))), "{denied:?}");
    assert_eq!(server.entry().current().number, 1);
    assert_eq!(server.by_key("1").is(200).json()["Name"], "N");
}
