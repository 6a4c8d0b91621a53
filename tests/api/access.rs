//! Who may do what: callers × endpoints → status, as a table. docs/interface.md, "Rights" and
//! "Order of judgement".

use crate::test_server::{TestServer, everything, only};
use runtime::service::secrets;
use runtime::store::catalog::{Permission, Resource, Session, User, Verb, Verbs};

/// The endpoints of the table, in its order.
const ENDPOINTS: [&str; 9] = [
    "areas", "schemas", "schema", "datasets", "list", "create", "update", "delete", "by-pk",
];

impl TestServer {
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
                assert!(answer.clone().plain_error(answer.status).status >= 400);
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
    let server = TestServer::start();
    let area = server.names.area.clone();
    let (all, view) = (Verbs::ALL, Verbs::of(Verb::View));
    let here = [(all, area.as_str())];
    server.allows("all roles, all areas", &server.names.key, ALL);
    server.allows(
        "a role that views",
        &server.key(&here, &everything(view)),
        READS,
    );
    let seen = [(view, area.as_str())];
    server.allows(
        "an area to view",
        &server.key(&seen, &everything(all)),
        READS,
    );
    let nowhere = [200, 403, 403, 403, 403, 403, 403, 403, 403];
    server.allows(
        "roles without an area",
        &server.key(&[], &everything(all)),
        nowhere,
    );
    let secrets = [(all, server.names.ungranted_area.as_str())];
    server.allows(
        "another area",
        &server.key(&secrets, &everything(all)),
        nowhere,
    );
    server.allows("an area without a role", &server.key(&here, &[]), [403; 9]);
    let records = [Permission {
        resource: Resource::Records,
        verbs: all,
    }];
    server.allows(
        "a role for records alone",
        &server.key(&here, &records),
        [403, 403, 403, 403, 200, 201, 204, 204, 200],
    );
    for (verb, at) in [(Verb::Add, 5), (Verb::Edit, 6), (Verb::Delete, 7)] {
        let mut expected = [403; 9];
        expected[at] = ALL[at];
        let key = server.key(&here, &only(Resource::Records, verb));
        server.allows(&format!("a role to {verb:?} records"), &key, expected);
        let mut expected = [200, 403, 403, 403, 403, 403, 403, 403, 403];
        expected[at] = ALL[at];
        let key = server.key(&[(Verbs::of(verb), area.as_str())], &everything(all));
        server.allows(&format!("an area to {verb:?} in"), &key, expected);
    }
    for (resource, at) in [(Resource::Areas, 0), (Resource::Datasets, 3)] {
        let mut expected = [403; 9];
        expected[at] = 200;
        let key = server.key(&here, &only(resource, Verb::View));
        server.allows(&format!("a role to view {resource:?}"), &key, expected);
    }
    let key = server.key(&here, &only(Resource::Schemas, Verb::View));
    let schemas = [403, 200, 200, 403, 403, 403, 403, 403, 403];
    server.allows("a role to view schemas", &key, schemas);
}

#[test]
fn a_caller_of_another_tenant_finds_nothing() {
    let server = TestServer::start();
    let foreign = server.service.store().catalog().areas[&server.names.foreign_area]
        .tenant
        .clone();
    let area = server.names.area.clone();
    let role = server.role(&everything(Verbs::ALL));
    let mut own_role = (*server.service.store().catalog().roles[&role]).clone();
    own_role.tenant.clone_from(&foreign);
    server.put(own_role);
    // even a grant that names the other tenant's area opens nothing
    let key = server.key_with(&[(Verbs::ALL, &area)], &[], |key| {
        key.tenant = foreign;
        key.roles = vec![role];
    });
    let mut expected = [404; 9];
    expected[0] = 200;
    server.allows("another tenant", &key, expected);
    let areas = server
        .anonymous("GET", "/v1/my/businessareas")
        .credential(&key)
        .send();
    assert_eq!(areas.is(200).json()["items"].as_array().unwrap().len(), 0);
}

#[test]
fn a_role_of_another_tenant_gives_nothing() {
    let server = TestServer::start();
    let role = server.role(&everything(Verbs::ALL));
    let mut noun = (*server.service.store().catalog().roles[&role]).clone();
    noun.tenant = "another".to_owned();
    server.put(noun);
    let area = server.names.area.clone();
    let key = server.key_with(&[(Verbs::ALL, &area)], &[], |key| key.roles = vec![role]);
    server.allows("a foreign role", &key, [403; 9]);
}

#[test]
fn a_token_does_what_its_client_may() {
    let server = TestServer::start();
    let token = server.token();
    server.allows("a client's token", &token, ALL);
}

#[test]
fn a_signed_in_users_token_is_sent_in_the_same_header() {
    let server = TestServer::start();
    let area = server.names.area.clone();
    let key =
        server.service.store().catalog().keys_by_hash[&secrets::hash(&server.names.key)].clone();
    let stamp = server.stamp();
    server.put(User {
        id: "u-9".to_owned(),
        tenant: server.names.tenant.clone(),
        username: "grace".to_owned(),
        full_name: "Grace Jones".to_owned(),
        email: "grace@example.org".to_owned(),
        password_hash: String::new(),
        must_change_password: false,
        password_ends_at: None,
        invitation: None,
        second_factor: None,
        second_factor_required: false,
        sign_outs: 0,
        active: true,
        roles: key.roles.clone(),
        grants: key.grants.clone(),
        last_used_at: None.into(),
        stamp,
    });
    let secret = format!("{}{}", secrets::SESSION_PREFIX, "x".repeat(40));
    let end = runtime::value::Clock::now(&*server.clock).plus_seconds(3600);
    server.put(Session {
        hash: secrets::hash(&secret),
        user: "u-9".to_owned(),
        csrf_hash: String::new(),
        expires_at: end,
        used_at: runtime::value::Clock::now(&*server.clock),
        begun_at: runtime::value::Clock::now(&*server.clock),
        proved_at: runtime::value::Clock::now(&*server.clock),
        address: None,
        user_agent: None,
    });
    assert!(!area.is_empty());
    server.allows("a user", &secret, ALL);
    server.clock.forward(3601);
    server.allows("a user whose time is over", &secret, [401; 9]);
}

#[test]
fn permission_changes_hold_from_the_next_request_on() {
    let server = TestServer::start();
    let area = server.names.area.clone();
    let key = server.key(&[(Verbs::ALL, &area)], &everything(Verbs::ALL));
    server.allows("before", &key, ALL);
    server.change_key(&key, |key| key.grants.clear());
    server.allows(
        "without its area",
        &key,
        [200, 403, 403, 403, 403, 403, 403, 403, 403],
    );
    server.change_key(&key, |key| key.roles.clear());
    server.allows("without its roles", &key, [403; 9]);
}

#[test]
fn the_role_is_judged_before_the_path() {
    let server = TestServer::start();
    let area = server.names.area.clone();
    let key = server.key(&[(Verbs::ALL, &area)], &[]);
    for target in [
        "/v1/businessareas/none/schemas",
        "/v1/businessareas/none/schemas/none",
    ] {
        server
            .anonymous("GET", target)
            .credential(&key)
            .send()
            .plain_error(403);
        server.get(target).plain_error(404);
    }
}

#[test]
fn path_ids_are_judged_from_left_to_right() {
    let server = TestServer::start();
    let names = server.names.clone();
    let path = |area: &str, schema: &str, dataset: &str| {
        crate::test_server::records_of(area, schema, dataset)
    };
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
        let answer = server.get(&target).is(status);
        if status != 200 {
            answer.plain_error(status);
        }
    }
}

#[test]
fn deleted_areas_schemas_and_datasets_are_not_found_and_inactive_ones_are() {
    let server = TestServer::start();
    let names = server.names.clone();
    let catalog = server.service.store().catalog();
    let mut area = (*catalog.areas[&names.area]).clone();
    area.active = false;
    server.put(area.clone());
    let mut schema = (*catalog.schemas[&names.schema]).clone();
    schema.active = false;
    server.put(schema.clone());
    server.allows("what is inactive", &names.key, ALL);
    let schemas = format!("/v1/businessareas/{}/schemas", names.area);
    let schemas = server.get(&schemas).json();
    assert_eq!(schemas["items"][0]["active"], false);
    let areas = server.get("/v1/my/businessareas").json();
    assert_eq!(areas["items"][0]["active"], false);

    let mut dataset = (*catalog.datasets[&names.dataset]).clone();
    dataset.deleted = true;
    server.put(dataset);
    server.get(&server.records()).plain_error(404);
    let base = format!("/v1/businessareas/{}/schemas", names.area);
    let datasets = server
        .get(&format!("{base}/{}/datasets", names.schema))
        .json();
    assert_eq!(datasets["items"].as_array().unwrap().len(), 1);
    schema.deleted = true;
    server.put(schema);
    server
        .get(&format!("{base}/{}", names.schema))
        .plain_error(404);
    assert_eq!(
        server.get(&base).json()["items"].as_array().unwrap().len(),
        1
    );
    area.deleted = true;
    server.put(area);
    server.get(&base).plain_error(404);
    let areas = server.get("/v1/my/businessareas").json();
    assert_eq!(areas["items"].as_array().unwrap().len(), 0);
}
