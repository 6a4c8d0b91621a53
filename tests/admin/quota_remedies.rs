//! A quota that is used up says what makes room; and whoever does that has room for one more.

use crate::admin_server::{AdminServer, PASSWORD, city, field};
use crate::browser::Browser;
use crate::jobs::{ended, imported};
use crate::requests::Answer;
use runtime::service::{Quotas, Settings};
use serde_json::{Value, json};

fn server(quotas: Quotas) -> AdminServer {
    AdminServer::with_settings(Settings {
        quotas,
        ..Settings::default()
    })
}

/// What becomes of one write.
fn written(server: &AdminServer, dataset: &str, line: &Value) -> Value {
    let path = format!("POST /admin/api/v1/datasets/{dataset}/records/bulk");
    let headers = [
        ("Authorization", &*server.root),
        ("Content-Type", "application/x-ndjson"),
    ];
    let answer = server.send(&path, &headers, Some(&line.to_string()));
    answer.is(200).json()[0].clone()
}

#[track_caller]
fn is_full(answer: &Answer, remedy: &str) {
    assert_eq!(answer.status, 403, "{}", answer.body);
    assert_eq!(answer.json()["code"], "QUOTA_EXCEEDED", "{}", answer.body);
    assert!(answer.text("message").contains(remedy), "{}", answer.body);
}

#[test]
fn records_of_a_deleted_dataset_make_room_when_it_was_restored_to_delete_them() {
    let server = server(Quotas {
        records: 2,
        ..Quotas::default()
    });
    let [_, schema, kept] = server.places(&city());
    let second = json!({"name": "Second"});
    let second = server.make(&format!("/schemas/{schema}/datasets"), second);
    let second = second.text("dataSetId");
    let create = |dataset: &str, code: &str| {
        let line = json!({"create": {"Code": code}});
        written(&server, dataset, &line)
    };
    create(&kept, "A");
    let record = create(&second, "B")["_dataObjectId"].clone();
    let delete = format!("DELETE /datasets/{second}");
    server.root(&delete, None).is(204);
    let refused = create(&kept, "C");
    assert_eq!(refused["status"], 403, "{refused}");
    let told = refused.to_string();
    assert!(
        told.contains("restore such a dataset to delete them"),
        "{told}"
    );

    let restore = format!("POST /datasets/{second}/restore");
    server.root(&restore, None).is(200);
    written(
        &server,
        &second,
        &json!({"delete": {"_dataObjectId": record}}),
    );
    server.root(&delete, None).is(204);
    assert_eq!(create(&kept, "C")["status"], 201);
}

#[test]
fn versions_of_a_schema_that_is_deleted_make_room_and_need_it_again_when_it_is_restored() {
    let server = server(Quotas {
        schema_versions: 2,
        ..Quotas::default()
    });
    let [area, schema, _] = server.places(&city());
    let mut more = city();
    let fields = more["fields"].as_array_mut().expect("fields");
    fields.push(field("new", "New", false));
    let change = format!("PUT /schemas/{schema}");
    server
        .root(&change, Some(json!({"document": more})))
        .is(200);
    let make = || {
        let mut other = city();
        other["name"] = json!("Other");
        let line = format!("POST /areas/{area}/schemas");
        server.root(&line, Some(json!({"document": other})))
    };
    is_full(&make(), "delete schemas");
    server
        .root(&format!("DELETE /schemas/{schema}"), None)
        .is(204);
    let used = || server.get("/tenant/quotas")["schemaVersions"]["used"].as_u64();
    assert_eq!(used(), Some(0));
    let other = make().is(201).text("schemaId");
    let restore = format!("POST /schemas/{schema}/restore");
    is_full(&server.root(&restore, None), "delete schemas");
    assert_eq!(used(), Some(1));
    server
        .root(&format!("DELETE /schemas/{other}"), None)
        .is(204);
    server.root(&restore, None).is(200);
    assert_eq!(used(), Some(2));

    // what is made and deleted again and again counts from as many on
    let delete = |schema: &str| {
        server
            .root(&format!("DELETE /schemas/{schema}"), None)
            .is(204)
    };
    delete(&schema);
    assert_eq!(used(), Some(1));
    delete(&make().is(201).text("schemaId"));
    assert_eq!(used(), Some(2));
    is_full(&make(), "delete schemas");
}

#[test]
fn codes_that_are_taken_out_of_a_domain_and_sessions_that_are_ended_make_room() {
    let server = server(Quotas {
        domain_codes: 2,
        sessions: 1,
        ..Quotas::default()
    });
    let domain = |name: &str, codes: &[&str]| {
        let codes: Vec<_> = codes.iter().map(|code| json!({"code": code})).collect();
        json!({"name": name, "codes": codes})
    };
    let made = server.make("/domains", domain("x", &["a", "b"]));
    let second = || server.root("POST /domains", Some(domain("y", &["a"])));
    is_full(&second(), "take codes out of data domains");
    let line = format!("PUT /domains/{}", made.text("dataDomainId"));
    server.root(&line, Some(domain("x", &["a"]))).is(200);
    second().is(201);

    server.end_first_session();
    let enter = || server.enter("ada", PASSWORD);
    enter().is(200);
    is_full(&enter(), "end some, or wait until some have run out");
    let line = format!("DELETE /users/{}/sessions", server.ada);
    server.root(&line, None).is(204);
    enter().is(200);
}

/// A server with room for the file of one export, a dataset, and the export that has it; there was none for another.
fn exported_once() -> (AdminServer, String, String) {
    let server = server(Quotas {
        job_bytes: 1000,
        ..Quotas::default()
    });
    server.start_jobs();
    let [_, _, dataset] = server.places(&city());
    let rows: Vec<_> = (0..60).map(|row| format!("{row},mayor {row}\n")).collect();
    let file = format!("Code,Mayor\n{}", rows.concat());
    imported(&server, &dataset, "", &file);
    let exported = export(&server, &dataset);
    assert_eq!(exported["state"], "done", "{exported}");
    let id = exported["jobId"].as_str().expect("an id").to_owned();
    let failed = export(&server, &dataset);
    assert_eq!(failed["state"], "failed", "{failed}");
    let told = failed["failure"].as_str().expect("a failure");
    assert!(
        told.contains("delete files of jobs that have ended"),
        "{told}"
    );
    (server, dataset, id)
}

fn export(server: &AdminServer, dataset: &str) -> Value {
    let line = format!("/datasets/{dataset}/exports");
    let made = server.make(&line, json!({"format": "csv"}));
    ended(server, &made.text("jobId"))
}

#[test]
fn files_of_a_job_that_has_ended_are_deleted_before_their_time_and_make_room() {
    let (server, dataset, id) = exported_once();
    let (_, other) = server.key("other", &[&server.role("MEMBER")], &[]);
    let line = format!("DELETE /jobs/{id}/files");
    server.ask(&other, &line, None).is(404);
    let file = format!("GET /jobs/{id}/export");
    server.root(&file, None).is(200);
    server.root(&line, None).is(204);
    server.root(&file, None).is(404);
    let job = server.get(&format!("/jobs/{id}"));
    assert_eq!((&job["state"], &job["files"]), (&json!("done"), &json!([])));
    assert_eq!(server.get("/tenant/quotas")["jobBytes"]["used"], 0);
    // there is nothing more to delete
    server.root(&line, None).is(204);
    assert_eq!(export(&server, &dataset)["state"], "done");
}

#[test]
fn a_job_that_has_not_ended_keeps_its_files() {
    let server = server(Quotas::default());
    // nobody works on it
    server.use_job_files();
    let [_, _, dataset] = server.places(&city());
    let made = server.make(&format!("/datasets/{dataset}/exports"), json!({}));
    let line = format!("DELETE /jobs/{}/files", made.text("jobId"));
    let refused = server.root(&line, None).is(409);
    assert!(refused.text("message").contains("cancel it first"));
}

#[test]
fn the_page_of_a_job_deletes_its_files() {
    let (server, _, id) = exported_once();
    let browser = Browser::signed_in(&server);
    let path = format!("/app/jobs/{id}");
    let page = browser.get(&path).is(200);
    let delete = format!("{path}/files/delete");
    assert!(page.body.contains(&format!(r#"action="{delete}""#)));
    browser.send(&page, &delete, &[]).is(303);
    let page = browser.get(&path).is(200);
    assert!(!page.body.contains("deleteJobFiles"), "{}", page.body);
    let job = server.get(&format!("/jobs/{id}"));
    assert_eq!(job["files"], json!([]));
}
