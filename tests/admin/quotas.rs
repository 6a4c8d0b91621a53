//! Quotas of a tenant: what fits is taken, what would be more is 403 and changes nothing.

use crate::admin_server::{AdminServer, PASSWORD, city, field};
use crate::jobs::{ended, import, imported};
use crate::requests::Answer;
use runtime::service::{Quotas, Settings};
use serde_json::{Value, json};

fn server() -> AdminServer {
    AdminServer::with_settings(Settings {
        quotas: Quotas {
            records: 2,
            schema_versions: 2,
            domain_codes: 3,
            sessions: 1,
            ..Quotas::default()
        },
        ..Settings::default()
    })
}

fn is_refused(answer: &Answer) {
    assert_eq!(answer.status, 403, "{}", answer.body);
    assert_eq!(answer.json()["code"], "QUOTA_EXCEEDED", "{}", answer.body);
}

/// The body of what is made under a name.
type Body<'b> = &'b dyn Fn(&str) -> Value;

#[test]
fn records_are_counted_without_those_that_are_deleted() {
    let server = server();
    let [area, schema, dataset] = server.places(&city());
    let (_, key) = server.key("writer", &[&server.role("MEMBER")], &[&area]);
    let records =
        format!("/v1/businessareas/{area}/schemas/{schema}/datasets/{dataset}/dataobjects");
    let head = [("Authorization", key.as_str())];
    let create = |code: &str| {
        let body = json!({"Code": code}).to_string();
        server.send(&format!("POST {records}"), &head, Some(&body))
    };
    let first = create("A").is(201).text("_dataObjectId");
    create("B").is(201);
    // what can't be a record is told first
    server
        .send(&format!("POST {records}"), &head, Some("[]"))
        .is(400);
    is_refused(&create("C"));
    // and so is a key that is taken: room would not help
    let taken = create("B").is(400);
    assert_eq!(taken.json()["code"], "DUPLICATE_PRIMARY_KEY");
    assert_eq!(taken.json()["fields"][0]["name"], "Code");
    server
        .send(&format!("DELETE {records}/{first}"), &head, None)
        .is(204);
    create("C").is(201);
    let restore = format!("POST /datasets/{dataset}/deleted-records/{first}/restore");
    is_refused(&server.root(&restore, None));
    let used = server.get("/tenant/quotas");
    assert_eq!(used["records"], json!({"limit": 2, "used": 2}));
}

#[test]
fn versions_of_schemas_are_counted_over_all_schemas() {
    let server = server();
    let [area, schema, _] = server.places(&city());
    let put = |document: &Value| {
        let line = format!("PUT /schemas/{schema}");
        server.root(&line, Some(json!({"document": document})))
    };
    let mut more = city();
    let fields = more["fields"].as_array_mut().expect("fields");
    fields.push(field("new", "New", false));
    put(&more).is(200);
    // the same structure is no version
    put(&more).is(200);
    let fields = more["fields"].as_array_mut().expect("fields");
    fields.push(field("newer", "Newer", false));
    is_refused(&put(&more));
    let mut other = city();
    other["name"] = json!("Other");
    let line = format!("POST /areas/{area}/schemas");
    is_refused(&server.root(&line, Some(json!({"document": other}))));
    let used = server.get("/tenant/quotas");
    assert_eq!(used["schemaVersions"], json!({"limit": 2, "used": 2}));
}

#[test]
fn codes_are_counted_over_all_domains() {
    let server = server();
    let domain = |name: &str, codes: &[&str]| {
        let codes: Vec<_> = codes.iter().map(|code| json!({"code": code})).collect();
        json!({"name": name, "codes": codes})
    };
    let id = server
        .make("/domains", domain("x", &["a", "b"]))
        .text("dataDomainId");
    is_refused(&server.root("POST /domains", Some(domain("y", &["a", "b"]))));
    server.make("/domains", domain("y", &["a"]));
    let put = |codes: &[&str]| server.root(&format!("PUT /domains/{id}"), Some(domain("x", codes)));
    is_refused(&put(&["a", "b", "c"]));
    put(&["c", "d"]).is(200);
    put(&[]).is(200);
    let used = server.get("/tenant/quotas");
    assert_eq!(used["domainCodes"], json!({"limit": 3, "used": 1}));
}

#[test]
fn bytes_of_schemas_and_domains_are_counted_together() {
    let server = AdminServer::with_settings(Settings {
        quotas: Quotas {
            catalog_bytes: 20_000,
            ..Quotas::default()
        },
        ..Settings::default()
    });
    let domain = |name: &str, bytes: usize| {
        let code = json!({"code": "a", "description": "d".repeat(bytes)});
        json!({"name": name, "codes": [code]})
    };
    let id = server
        .make("/domains", domain("x", 15_000))
        .text("dataDomainId");
    is_refused(&server.root("POST /domains", Some(domain("y", 5_000))));
    // what was counted once is counted again when it changed
    let put = |bytes| server.root(&format!("PUT /domains/{id}"), Some(domain("x", bytes)));
    is_refused(&put(20_000));
    put(1_000).is(200);
    let [area, _, _] = server.places(&city());
    let mut large = city();
    large["name"] = json!("Large");
    large["description"] = json!("d".repeat(18_500));
    let line = format!("POST /areas/{area}/schemas");
    is_refused(&server.root(&line, Some(json!({"document": large}))));
    let used = &server.get("/tenant/quotas")["catalogBytes"];
    let count = used["used"].as_u64().expect("a number");
    assert!((1_001..4_000).contains(&count), "{used}");
}

#[test]
fn resources_are_counted_by_their_kinds() {
    let server = AdminServer::with_settings(Settings {
        quotas: Quotas {
            resources: 3,
            webhooks: 1,
            ..Quotas::default()
        },
        ..Settings::default()
    });
    let [area, schema, dataset] = server.places(&city());
    let member = server.role("MEMBER");
    let of_name = |name: &str| json!({"name": name});
    let called = |name: &str| json!({"name": name, "roles": [member], "grants": []});
    let document = |name: &str| {
        let mut document = city();
        document["name"] = json!(name);
        json!({"document": document})
    };
    let user = |name: &str| json!({"username": name, "fullName": "Somebody", "email": format!("{name}@example.com"), "password": PASSWORD, "roles": [member], "grants": []});
    let hook =
        |name: &str| json!({"name": name, "url": "https://example.com", "datasets": [dataset]});
    let role = |name: &str| json!({"name": name, "permissions": []});
    let domain = |name: &str| json!({"name": name, "codes": []});
    let kinds: [(String, Body<'_>); 9] = [
        ("/areas".to_owned(), &of_name),
        (format!("/areas/{area}/schemas"), &document),
        (format!("/schemas/{schema}/datasets"), &of_name),
        ("/domains".to_owned(), &domain),
        ("/roles".to_owned(), &role),
        ("/users".to_owned(), &user),
        ("/api-keys".to_owned(), &called),
        ("/apps".to_owned(), &called),
        ("/webhooks".to_owned(), &hook),
    ];
    for (path, body) in kinds {
        let line = format!("POST {path}");
        let mut made = (0..4).map(|n| server.root(&line, Some(body(&format!("n{n}")))));
        let refused = made.find(|answer| answer.status != 201);
        is_refused(&refused.unwrap_or_else(|| panic!("{path}: four more are made")));
    }
    let used = server.get("/tenant/quotas");
    assert_eq!(used["resources"], json!({"limit": 3, "used": 3}));
    assert_eq!(used["webhooks"], json!({"limit": 1, "used": 1}));
    // what is deleted makes room
    let domains = server.get("/domains")["items"].clone();
    let id = domains[0]["dataDomainId"].as_str().expect("an id");
    server.root(&format!("DELETE /domains/{id}"), None).is(204);
    server.make("/domains", domain("again"));
}

#[test]
fn sessions_are_counted_over_all_users_and_only_administrators_see_quotas() {
    let server = server();
    server.end_first_session();
    let sign_in = || server.enter("ada", PASSWORD);
    let session = sign_in().is(200).text("token");
    is_refused(&sign_in());
    server.ask(&session, "DELETE /session", None).is(204);
    let session = sign_in().is(200).text("token");
    let seen = server.ask(&session, "GET /tenant/quotas", None).is(200);
    assert_eq!(seen.json()["sessions"], json!({"limit": 1, "used": 1}));
    let (_, member) = server.key("m", &[&server.role("MEMBER")], &[]);
    server.ask(&member, "GET /tenant/quotas", None).is(403);
}

#[test]
fn files_of_jobs_are_counted_as_they_are_written_and_nothing_half_is_left() {
    let server = AdminServer::with_settings(Settings {
        quotas: Quotas {
            job_bytes: 1000,
            ..Quotas::default()
        },
        ..Settings::default()
    });
    let folder = server.folder.path().join("jobs");
    server.start_jobs();
    let [_, _, dataset] = server.places(&city());
    let left = || std::fs::read_dir(&folder).map_or(0, Iterator::count);
    // what was sent goes in the moment after the end of its job is told
    let comes_to = |count: usize| {
        let began = std::time::Instant::now();
        while left() != count && began.elapsed().as_secs() < 60 {
            std::thread::sleep(std::time::Duration::from_millis(10));
        }
    };
    let used = || server.get("/tenant/quotas")["jobBytes"]["used"].as_u64();
    let rows = |count: usize| {
        let rows: Vec<_> = (0..count)
            .map(|row| format!("{row},mayor {row}\n"))
            .collect();
        format!("Code,Mayor\n{}", rows.concat())
    };
    let is_failed = |made: Answer| {
        let job = ended(&server, &made.is(201).text("jobId"));
        assert_eq!(job["state"], "failed", "{job}");
        let failure = job["failure"].as_str().expect("a failure");
        assert!(
            failure.contains("may have 1000 bytes of files of jobs"),
            "{failure}"
        );
        assert_eq!(job["files"], json!([]));
    };
    let exports = format!("POST /datasets/{dataset}/exports");

    // what is sent
    is_refused(&import(&server, &server.root, &dataset, "", &rows(100)));
    comes_to(0);
    assert_eq!((left(), used()), (0, Some(0)));
    imported(&server, &dataset, "", &rows(40));
    imported(&server, &dataset, "?mode=upsert", &rows(60));
    comes_to(0);
    assert_eq!((left(), used()), (0, Some(0)), "what was sent is gone");

    // what is exported
    is_failed(server.root(&exports, Some(json!({}))));
    is_failed(server.root(&exports, Some(json!({"format": "xlsx"}))));
    is_failed(server.root(&exports, Some(json!({"format": "parquet"}))));
    comes_to(0);
    assert_eq!((left(), used()), (0, Some(0)));
    let made = server
        .root(&exports, Some(json!({"format": "csv"})))
        .is(201);
    let job = ended(&server, &made.text("jobId"));
    let bytes = job["exportResult"]["bytes"].as_u64();
    comes_to(1);
    assert_eq!((left(), used()), (1, bytes), "{job}");

    // what can't be stored: it fails, and what was written of it by then is no part
    is_failed(import(&server, &server.root, &dataset, "", &rows(20)));
    comes_to(1);
    assert_eq!((left(), used()), (1, bytes));

    // what goes makes room
    server.clock.forward(7 * 24 * 3600);
    let cleaned = server.tokio.block_on(server.service.clean_jobs());
    cleaned.expect("it cleans");
    comes_to(0);
    assert_eq!((left(), used()), (0, Some(0)));
    let made = server
        .root(&exports, Some(json!({"format": "csv"})))
        .is(201);
    assert_eq!(ended(&server, &made.text("jobId"))["state"], "done");
}

#[test]
fn what_makes_a_file_is_not_begun_where_no_byte_has_room() {
    let server = AdminServer::with_settings(Settings {
        quotas: Quotas {
            job_bytes: 0,
            ..Quotas::default()
        },
        ..Settings::default()
    });
    server.use_job_files();
    let [_, _, dataset] = server.places(&city());
    let line = format!("POST /datasets/{dataset}/exports");
    is_refused(&server.root(&line, Some(json!({}))));
    // the draft that records are judged by is a file of the job
    let line = format!("POST /datasets/{dataset}/effects");
    is_refused(&server.root(&line, Some(json!({"document": city()}))));
    let mut codes = json!({"name": "Countries", "codes": [{"code": "DE"}]});
    let domain = server.make("/domains", codes.clone()).text("dataDomainId");
    codes["dataDomainId"] = json!(domain);
    let line = format!("POST /datasets/{dataset}/domain-effects");
    is_refused(&server.root(&line, Some(codes)));
    let view = server.get("/tenant/quotas");
    assert_eq!(view["jobBytes"], json!({"limit": 0, "used": 0}));
}
