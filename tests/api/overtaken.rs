//! Requests that are overtaken: between their judgement and their write the catalog changes. What is stored
//! always follows the schema in force. Decisions section 2.

use crate::tricks::{TrickStore, tricky};
use crate::world::{CITY, World, everything, next_version};
use runtime::service::manage::{Denied, Operator, SchemaContent};
use runtime::service::secrets;
use runtime::store::catalog::{Actor, ActorKind, ApiKey, Noun, SchemaEntry, Verb, Verbs};
use runtime::store::records::{Change, NewContent, Shelf, Write};
use runtime::value::Timestamp;
use serde_json::json;
use std::sync::Arc;

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

impl World {
    /// The schema of the first dataset as it is now.
    fn entry(&self) -> Arc<SchemaEntry> {
        self.service.store().catalog().schemas[&self.names.schema].clone()
    }

    /// Changes the schema of the first dataset as management does.
    pub(crate) fn manage_schema(&self, document: &str) -> Result<Arc<SchemaEntry>, Denied> {
        let operator = Operator::of_this_machine("tester");
        let caller = self.service.operator(&operator, &self.names.tenant);
        let content = SchemaContent {
            document: document.to_owned(),
            state: "published".to_owned(),
            active: true,
            version: None,
        };
        let (caller, schema) = (caller.expect("a tenant"), self.names.schema.clone());
        let changing = self.service.update_schema(&caller, &schema, content);
        self.runtime.block_on(changing)
    }
}

/// Another version of the schema comes into force just before the next write.
fn overtake(world: &World, store: &TrickStore, document: &str) {
    let next = next_version(&world.entry(), document);
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
    let (world, store) = tricky();
    overtake(&world, &store, &shorter_names());
    let record = world.created(r#"{"Code":"1","Name":"a long name"}"#);
    assert_eq!(record["_errors"][0]["name"], "Name");
    assert_eq!(world.by_key("1").json(), record);

    let renamed = CITY.replace(r#""name":"People","#, r#""name":"Inhabitants","#);
    overtake(&world, &store, &renamed);
    world
        .create(r#"{"Code":"2","Name":"N","People":5}"#)
        .coded(400, "INVALID_REQUEST_BODY");
    assert_eq!(store.waiting(), 0);
}

#[test]
fn an_overtaken_create_has_its_key_under_the_key_field_of_today() {
    let (world, store) = tricky();
    overtake(&world, &store, &keyed_by_name());
    world.created(r#"{"Code":"1","Name":"N"}"#);
    assert_eq!(world.by_key("N").is(200).json()["Code"], "1");
    world.by_key("1").is(404);

    world.change_schema(&world.names.schema, CITY);
    overtake(&world, &store, &keyed_by_name());
    world
        .create(r#"{"Code":"2"}"#)
        .coded(400, "PRIMARY_KEY_REQUIRED");
}

#[test]
fn an_overtaken_update_is_judged_under_the_schema_in_force() {
    let (world, store) = tricky();
    let record = world.created(r#"{"Code":"1","Name":"a long name"}"#);
    assert_eq!(record["_errors"], json!([]));
    overtake(&world, &store, &shorter_names());
    world
        .update(&record, r#"{"_version":0,"People":5}"#)
        .is(204);
    let now = world.by_key("1").json();
    assert_eq!(now["_errors"][0]["name"], "Name");
    assert_eq!(now["_version"], 1, "it was written once");
}

#[test]
fn what_is_no_longer_there_is_not_written_to() {
    let gone = |world: &World, noun: &str| {
        let catalog = world.service.store().catalog();
        let names = &world.names;
        match noun {
            "dataset" => {
                let mut dataset = (*catalog.datasets[&names.dataset]).clone();
                dataset.deleted = true;
                dataset.into()
            }
            "schema" => {
                let mut schema = (*catalog.schemas[&names.schema]).clone();
                schema.deleted = true;
                schema.into()
            }
            _ => {
                let mut area = (*catalog.areas[&names.area]).clone();
                area.deleted = true;
                area.into()
            }
        }
    };
    for noun in ["dataset", "schema", "area"] {
        let (world, store) = tricky();
        let record = world.created(r#"{"Code":"1","Name":"N"}"#);
        let place = record["_dataObjectId"].clone();
        let is_as_it_was = || {
            let catalog = world.service.store().catalog();
            let number = catalog.datasets[&world.names.dataset].number;
            let page = world.service.store().page(number, Shelf::Live, 0, 10);
            let found = world.runtime.block_on(page).expect("the store works");
            assert_eq!((found.len(), found[0].version), (1, 0), "{noun} {place}");
        };
        let restored = [
            (*world.service.store().catalog().datasets[&world.names.dataset])
                .clone()
                .into(),
            (*world.entry()).clone().into(),
            (*world.service.store().catalog().areas[&world.names.area])
                .clone()
                .into(),
        ];
        let requests = [
            world
                .request("POST", &world.records())
                .json(r#"{"Code":"2","Name":"N"}"#),
            world
                .request("PUT", &world.record(&record))
                .json(r#"{"_version":0,"Name":"M"}"#),
            world.request("DELETE", &world.record(&record)),
        ];
        for request in requests {
            store.put_before_write(vec![gone(&world, noun)]);
            request.send().plain(404);
            assert_eq!(store.waiting(), 0);
            is_as_it_was();
            restored
                .iter()
                .for_each(|noun: &Noun| world.put(noun.clone()));
        }
    }
}

#[test]
fn an_overtaken_request_must_be_allowed_by_the_newest_catalog_too() {
    let (world, store) = tricky();
    let area = world.names.area.clone();
    let cases: [(u16, fn(&mut ApiKey)); 4] = [
        (403, |key| key.grants[0].verbs = Verbs::of(Verb::View)),
        (403, |key| key.roles.clear()),
        (401, |key| key.active = false),
        (201, |key| key.description = "as before".to_owned()),
    ];
    for (status, change) in cases {
        let key = world.key(&[(Verbs::ALL, &area)], &everything(Verbs::ALL));
        let catalog = world.service.store().catalog();
        let mut changed = (*catalog.keys_by_hash[&secrets::hash(&key)]).clone();
        change(&mut changed);
        let next = next_version(&world.entry(), CITY);
        store.put_before_write(vec![next.into(), changed.into()]);
        let request = world.anonymous("POST", &world.records()).credential(&key);
        let answer = request.json(r#"{"Code":"1","Name":"N"}"#).send();
        assert_eq!(answer.status, status, "{answer:?}");
        assert_eq!(store.waiting(), 0, "it was admitted and judged before");
    }
}

#[test]
fn a_request_that_is_overtaken_without_end_gives_up_and_writes_nothing() {
    let (world, store) = tricky();
    let mut entry = (*world.entry()).clone();
    for _ in 0..40 {
        entry = next_version(&entry, CITY);
        store.put_before_write(vec![entry.clone().into()]);
    }
    world.create(r#"{"Code":"1","Name":"N"}"#).plain(500);
    assert!(store.waiting() > 20, "the tries are bounded");
    while store.waiting() > 0 {
        world.create(r#"{"Code":"1","Name":"N"}"#).plain(500);
    }
    world.by_key("1").is(404);
}

#[test]
fn a_record_that_lands_before_the_decision_keeps_the_key_field_as_it_is() {
    let (world, store) = tricky();
    let dataset = &world.service.store().catalog().datasets[&world.names.dataset];
    let content = NewContent {
        body: r#"{"Code":"1","Name":"N"}"#.to_owned(),
        primary_key: Some("1".to_owned()),
        schema_version: 1,
        errors: None,
        hidden: None,
    };
    store.write_before_decision(Write {
        dataset: dataset.number,
        actor: Actor {
            kind: ActorKind::User,
            id: "u".to_owned(),
            name: "u".to_owned(),
            email: None,
            full_name: None,
        },
        at: Timestamp::from_millis(0),
        judged_under: None,
        audit: None,
        change: Change::Create { nonce: 1, content },
    });
    let denied = world.manage_schema(&keyed_by_name());
    assert!(matches!(denied, Err(Denied::Conflict(_))), "{denied:?}");
    assert_eq!(world.entry().current().number, 1);
    assert_eq!(world.by_key("1").is(200).json()["Name"], "N");
}
