//! Who may do what: callers × endpoints → status, as a table. Interface, "Authentication" and "Errors";
//! decisions sections 1 and 5.

use crate::world::{World, everything, only};
use runtime::service::secrets;
use runtime::store::catalog::{Permission, Resource, Session, User, Verb, Verbs};

/// The endpoints of the table, in its order.
const ENDPOINTS: [&str; 9] = [
    "areas", "schemas", "schema", "datasets", "list", "create", "update", "delete", "by-pk",
];

impl World {
    /// What each endpoint answers to a credential, on things that are there.
    fn answers_to(&self, credential: Option<&str>) -> [u16; 9] {
        let names = &self.names;
        let schemas = format!("/v1/businessareas/{}/schemas", names.area);
        let schema = format!("{schemas}/{}", names.schema);
        ENDPOINTS.map(|endpoint| {
            let code = self.new_id();
            let body = format!(r#"{{"Code":"{code}","Name":"N"}}"#);
            let record = self.created(&body);
            let fresh = r#"{"Code":"fresh","Name":"N"}"#;
            let (method, target, body) = match endpoint {
                "areas" => ("GET", "/v1/my/businessareas".to_owned(), None),
                "schemas" => ("GET", schemas.clone(), None),
                "schema" => ("GET", schema.clone(), None),
                "datasets" => ("GET", format!("{schema}/datasets"), None),
                "list" => ("GET", self.records(), None),
                "create" => ("POST", self.records(), Some(fresh)),
                "update" => ("PUT", self.record(&record), Some(r#"{"_version":0}"#)),
                "delete" => ("DELETE", self.record(&record), None),
                _ => ("GET", format!("{}/by-pk/{code}", self.records()), None),
            };
            let mut request = self.anonymous(method, &target);
            if let Some(credential) = credential {
                request = request.credential(credential);
            }
            let answer = match body {
                Some(body) => request.json(body).send(),
                None => request.send(),
            };
            if answer.status == 201 {
                let made = answer.json();
                self.delete(&made).is(204);
            }
            if answer.status >= 400 {
                assert!(answer.clone().plain(answer.status).status >= 400);
            }
            answer.status
        })
    }

    #[track_caller]
    fn allows(&self, who: &str, credential: &str, expected: [u16; 9]) {
        let found = self.answers_to(Some(credential));
        for (at, endpoint) in ENDPOINTS.iter().enumerate() {
            assert_eq!(found[at], expected[at], "{who}: {endpoint}");
        }
    }
}

const ALL: [u16; 9] = [200, 200, 200, 200, 200, 201, 204, 204, 200];
const READS: [u16; 9] = [200, 200, 200, 200, 200, 403, 403, 403, 200];

#[test]
fn every_caller_may_do_what_its_roles_and_areas_both_allow() {
    let world = World::start();
    let area = world.names.area.clone();
    let (all, view) = (Verbs::ALL, Verbs::of(Verb::View));
    let here = [(all, area.as_str())];
    world.allows("all roles, all areas", &world.names.key, ALL);
    world.allows(
        "a role that views",
        &world.key(&here, &everything(view)),
        READS,
    );
    let seen = [(view, area.as_str())];
    world.allows(
        "an area to view",
        &world.key(&seen, &everything(all)),
        READS,
    );
    let nowhere = [200, 403, 403, 403, 403, 403, 403, 403, 403];
    world.allows(
        "roles without an area",
        &world.key(&[], &everything(all)),
        nowhere,
    );
    let secrets = [(all, world.names.ungranted_area.as_str())];
    world.allows(
        "another area",
        &world.key(&secrets, &everything(all)),
        nowhere,
    );
    world.allows("an area without a role", &world.key(&here, &[]), [403; 9]);
    let records = [Permission {
        resource: Resource::Records,
        verbs: all,
    }];
    world.allows(
        "a role for records alone",
        &world.key(&here, &records),
        [403, 403, 403, 403, 200, 201, 204, 204, 200],
    );
    for (verb, at) in [(Verb::Add, 5), (Verb::Edit, 6), (Verb::Delete, 7)] {
        let mut expected = [403; 9];
        expected[at] = ALL[at];
        let key = world.key(&here, &only(Resource::Records, verb));
        world.allows(&format!("a role to {verb:?} records"), &key, expected);
        let mut expected = [200, 403, 403, 403, 403, 403, 403, 403, 403];
        expected[at] = ALL[at];
        let key = world.key(&[(Verbs::of(verb), area.as_str())], &everything(all));
        world.allows(&format!("an area to {verb:?} in"), &key, expected);
    }
    for (resource, at) in [(Resource::Areas, 0), (Resource::Datasets, 3)] {
        let mut expected = [403; 9];
        expected[at] = 200;
        let key = world.key(&here, &only(resource, Verb::View));
        world.allows(&format!("a role to view {resource:?}"), &key, expected);
    }
    let key = world.key(&here, &only(Resource::Schemas, Verb::View));
    let schemas = [403, 200, 200, 403, 403, 403, 403, 403, 403];
    world.allows("a role to view schemas", &key, schemas);
}

#[test]
fn a_caller_of_another_tenant_finds_nothing() {
    let world = World::start();
    let foreign = world.service.store().catalog().areas[&world.names.foreign_area]
        .tenant
        .clone();
    let area = world.names.area.clone();
    let role = world.role(&everything(Verbs::ALL));
    let mut own_role = (*world.service.store().catalog().roles[&role]).clone();
    own_role.tenant.clone_from(&foreign);
    world.put(own_role);
    // even a grant that names the other tenant's area opens nothing
    let key = world.key_with(&[(Verbs::ALL, &area)], &[], |key| {
        key.tenant = foreign;
        key.roles = vec![role];
    });
    let mut expected = [404; 9];
    expected[0] = 200;
    world.allows("another tenant", &key, expected);
    let areas = world
        .anonymous("GET", "/v1/my/businessareas")
        .credential(&key)
        .send();
    assert_eq!(areas.is(200).json()["items"].as_array().unwrap().len(), 0);
}

#[test]
fn a_role_of_another_tenant_gives_nothing() {
    let world = World::start();
    let role = world.role(&everything(Verbs::ALL));
    let mut noun = (*world.service.store().catalog().roles[&role]).clone();
    noun.tenant = "another".to_owned();
    world.put(noun);
    let area = world.names.area.clone();
    let key = world.key_with(&[(Verbs::ALL, &area)], &[], |key| key.roles = vec![role]);
    world.allows("a foreign role", &key, [403; 9]);
}

#[test]
fn a_token_does_what_its_client_may() {
    let world = World::start();
    let token = world.token();
    world.allows("a client's token", &token, ALL);
}

#[test]
fn a_signed_in_users_token_is_sent_in_the_same_header() {
    let world = World::start();
    let area = world.names.area.clone();
    let key =
        world.service.store().catalog().keys_by_hash[&secrets::hash(&world.names.key)].clone();
    let stamp = world.stamp();
    world.put(User {
        id: "u-9".to_owned(),
        tenant: world.names.tenant.clone(),
        username: "grace".to_owned(),
        full_name: "Grace Jones".to_owned(),
        email: "grace@example.org".to_owned(),
        password_hash: String::new(),
        active: true,
        roles: key.roles.clone(),
        grants: key.grants.clone(),
        last_used_at: None.into(),
        stamp,
    });
    let secret = format!("{}{}", secrets::SESSION_PREFIX, "x".repeat(40));
    let end = runtime::value::Clock::now(&*world.clock).plus_seconds(3600);
    world.put(Session {
        hash: secrets::hash(&secret),
        user: "u-9".to_owned(),
        csrf_hash: String::new(),
        expires_at: end,
        used_at: runtime::value::Clock::now(&*world.clock),
    });
    assert!(!area.is_empty());
    world.allows("a user", &secret, ALL);
    world.clock.forward(3601);
    world.allows("a user whose time is over", &secret, [401; 9]);
}

#[test]
fn permission_changes_hold_from_the_next_request_on() {
    let world = World::start();
    let area = world.names.area.clone();
    let key = world.key(&[(Verbs::ALL, &area)], &everything(Verbs::ALL));
    world.allows("before", &key, ALL);
    world.change_key(&key, |key| key.grants.clear());
    world.allows(
        "without its area",
        &key,
        [200, 403, 403, 403, 403, 403, 403, 403, 403],
    );
    world.change_key(&key, |key| key.roles.clear());
    world.allows("without its roles", &key, [403; 9]);
}

#[test]
fn the_role_is_judged_before_the_path() {
    let world = World::start();
    let area = world.names.area.clone();
    let key = world.key(&[(Verbs::ALL, &area)], &[]);
    for target in [
        "/v1/businessareas/none/schemas",
        "/v1/businessareas/none/schemas/none",
    ] {
        world
            .anonymous("GET", target)
            .credential(&key)
            .send()
            .plain(403);
        world.get(target).plain(404);
    }
}

#[test]
fn path_ids_are_judged_from_left_to_right() {
    let world = World::start();
    let names = world.names.clone();
    let path =
        |area: &str, schema: &str, dataset: &str| crate::world::records_of(area, schema, dataset);
    let cases = [
        (path("none", &names.schema, &names.dataset), 404),
        (
            path(
                &names.foreign_area,
                &names.foreign_schema,
                &names.foreign_dataset,
            ),
            404,
        ),
        (path(&names.ungranted_area, "none", "none"), 403),
        (path(&names.area, "none", &names.dataset), 404),
        (
            path(&names.area, &names.foreign_schema, &names.foreign_dataset),
            404,
        ),
        (path(&names.area, &names.schema, "none"), 404),
        (
            path(&names.area, &names.schema, &names.keyless_dataset),
            404,
        ),
        (
            path(&names.area, &names.keyless_schema, &names.dataset),
            404,
        ),
        (
            path(&names.area, &names.schema, &names.foreign_dataset),
            404,
        ),
        (path(&names.area, &names.schema, &names.dataset), 200),
    ];
    for (target, status) in cases {
        let answer = world.get(&target).is(status);
        if status != 200 {
            answer.plain(status);
        }
    }
}

#[test]
fn deleted_areas_schemas_and_datasets_are_not_found_and_inactive_ones_are() {
    let world = World::start();
    let names = world.names.clone();
    let catalog = world.service.store().catalog();
    let mut area = (*catalog.areas[&names.area]).clone();
    area.active = false;
    world.put(area.clone());
    let mut schema = (*catalog.schemas[&names.schema]).clone();
    schema.active = false;
    world.put(schema.clone());
    world.allows("what is inactive", &names.key, ALL);
    let schemas = format!("/v1/businessareas/{}/schemas", names.area);
    let schemas = world.get(&schemas).json();
    assert_eq!(schemas["items"][0]["active"], false);
    let areas = world.get("/v1/my/businessareas").json();
    assert_eq!(areas["items"][0]["active"], false);

    let mut dataset = (*catalog.datasets[&names.dataset]).clone();
    dataset.deleted = true;
    world.put(dataset);
    world.get(&world.records()).plain(404);
    let base = format!("/v1/businessareas/{}/schemas", names.area);
    let datasets = world
        .get(&format!("{base}/{}/datasets", names.schema))
        .json();
    assert_eq!(datasets["items"].as_array().unwrap().len(), 1);
    schema.deleted = true;
    world.put(schema);
    world.get(&format!("{base}/{}", names.schema)).plain(404);
    assert_eq!(
        world.get(&base).json()["items"].as_array().unwrap().len(),
        1
    );
    area.deleted = true;
    world.put(area);
    world.get(&base).plain(404);
    let areas = world.get("/v1/my/businessareas").json();
    assert_eq!(areas["items"].as_array().unwrap().len(), 0);
}
