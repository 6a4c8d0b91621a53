//! Who may ask for jobs, see them and take what came of them; how many there may be, where they are counted, and when what
//! they made goes.

use crate::admin_server::{AdminServer, city};
use crate::jobs::{ended, files_come_to, import, imported, made_files, server};
use runtime::service::{JobSettings, Settings};
use serde_json::{Value, json};
use std::time::{Duration, Instant, SystemTime};

#[test]
fn who_may_ask_for_a_job_see_it_and_take_what_came_of_it() {
    let server = server();
    let [area, _, dataset] = server.places(&city());
    let reader =
        json!({"name": "Reader", "permissions": [{"resource": "DATA OBJECTS", "verbs": ["view"]}]});
    let reader = server.root("POST /roles", Some(reader));
    let reader = reader.is(201).text("roleId");
    let (_, reader) = server.key("reader", &[&reader], &[&area]);
    let member = server.role("MEMBER");
    let (_, member) = server.key("member", &[&member], &[&area]);
    let (_, outside) = server.key("outside", &[&server.role("MEMBER")], &[]);
    import(&server, &reader, &dataset, "", "Code\n1\n").is(403);
    import(&server, &outside, &dataset, "", "Code\n1\n").is(403);
    import(&server, &member, "nowhere", "", "Code\n1\n").is(404);
    let exports = format!("POST /datasets/{dataset}/exports");
    server.ask(&outside, &exports, Some(json!({}))).is(403);
    let made = import(&server, &member, &dataset, "", "Code\n1\n1\n").is(201);
    assert!(
        made.header("Location")
            .unwrap()
            .ends_with(&format!("/admin/api/v1/jobs/{}", made.text("jobId")))
    );
    let rejects = made.text("jobId");
    ended(&server, &rejects);
    let made = server.ask(&member, &exports, Some(json!({}))).is(201);
    let exported = made.text("jobId");
    ended(&server, &exported);
    for (by, status) in [
        (&member, 200),
        (&server.root, 200),
        (&reader, 404),
        (&outside, 404),
    ] {
        server
            .ask(by, &format!("GET /jobs/{exported}"), None)
            .is(status);
        server
            .ask(by, &format!("POST /jobs/{exported}/cancel"), None)
            .is(status);
    }
    for (by, status) in [(&member, 200), (&server.root, 403), (&reader, 404)] {
        server
            .ask(by, &format!("GET /jobs/{exported}/export"), None)
            .is(status);
        server
            .ask(by, &format!("GET /jobs/{rejects}/rejects"), None)
            .is(status);
    }
    server
        .ask(&member, &format!("GET /jobs/{rejects}/export"), None)
        .is(404);
    let own = |by: &str, query: &str| {
        let page = server
            .ask(by, &format!("GET /jobs{query}"), None)
            .is(200)
            .json();
        crate::admin_server::names(&page, "jobId")
    };
    assert_eq!(own(&member, ""), [exported.as_str(), &rejects]);
    assert_eq!(own(&server.root, ""), own(&member, ""));
    assert_eq!(own(&member, "?dataset=other"), [""; 0]);
    assert_eq!(own(&reader, ""), [""; 0]);
    let first = server.ask(&member, "GET /jobs?pageSize=1", None).json();
    let next = first["nextPageKey"].as_str().unwrap();
    assert_eq!(
        own(&member, &format!("?pageKey={next}")),
        [rejects.as_str()]
    );
    server
        .ask(&server.root, &format!("GET /jobs?pageKey={next}"), None)
        .is(400);
    // the file of a dry run is its maker's, too
    let tried = import(&server, &member, &dataset, "?dryRun=true", "Code\n7\n").is(201);
    let tried = tried.text("jobId");
    ended(&server, &tried);
    for (by, status) in [(&server.root, 400), (&reader, 403), (&member, 201)] {
        let line = format!("POST /datasets/{dataset}/imports?fileOf={tried}");
        server.ask(by, &line, None).is(status);
    }
}

#[test]
fn jobs_under_way_are_counted_where_they_are() {
    use runtime::store::jobs::{JobChoice, JobLease};
    let server = AdminServer::start();
    server.use_job_files();
    let [area, schema, dataset] = server.places(&city());
    let shown = || {
        let list = |path: &str| {
            let answer = server.send(
                &format!("GET /v1/businessareas/{area}/{path}"),
                &[("Authorization", &server.root)],
                None,
            );
            answer.is(200).json()["items"][0]["runningJobsCount"].clone()
        };
        let managed =
            server.get(&format!("/areas/{area}/schemas"))["items"][0]["runningJobsCount"].clone();
        [
            list("schemas"),
            list(&format!("schemas/{schema}/datasets")),
            managed,
        ]
    };
    assert_eq!(shown(), [0, 0, 0]);
    let grants = json!([{"area": area, "verbs": ["view", "add", "edit", "delete"]}]);
    let made = server.make(
        "/api-keys",
        json!({"name": "all", "roles": [server.role("ACCOUNT ADMINISTRATOR")], "grants": grants}),
    );
    let made = import(&server, &made.text("key"), &dataset, "", "Code\n1\n").is(201);
    assert_eq!(shown(), [0, 0, 0], "it waits");
    let store = server.service.store();
    let lease = JobLease {
        holder: "a test".to_owned(),
        until: server.service.now().plus_seconds(60),
    };
    let id = made.text("jobId");
    let taken = store.take_job(JobChoice::One(id.clone()), lease, server.service.now());
    server
        .tokio
        .block_on(taken)
        .expect("a store")
        .expect("it waits");
    assert_eq!(shown(), [1, 1, 1]);
    server
        .root(&format!("POST /jobs/{id}/cancel"), None)
        .is(200);
    assert_eq!(shown(), [1, 1, 1], "it is still under way");
}

#[test]
fn limits_of_jobs_are_told_before_and_while_a_file_is_sent() {
    let settings = JobSettings {
        waiting_max: 1,
        upload_bytes_max: 20,
        ..JobSettings::default()
    };
    let server = AdminServer::with_settings(Settings {
        jobs: settings,
        ..Settings::default()
    });
    let [_, _, dataset] = server.places(&city());
    import(&server, &server.root, &dataset, "", "Code\n1\n").is(503);
    server.use_job_files();
    import(
        &server,
        &server.root,
        &dataset,
        "",
        "Code,Mayor\n1,somebody\n",
    )
    .is(413);
    let left = || std::fs::read_dir(server.folder.path().join("jobs")).map_or(0, Iterator::count);
    assert_eq!(left(), 0, "what is too large leaves nothing");
    let line = format!("POST /admin/api/v1/datasets/{dataset}/imports");
    let headers = [
        ("Authorization", server.root.as_str()),
        ("Content-Type", "multipart/form-data"),
    ];
    server.send(&line, &headers, Some("x")).is(415);
    for (query, path) in [
        ("?mode=all", "query"),
        ("?dryrun=true", "query"),
        ("?encoding=x", "encoding"),
        ("?map=x", "map"),
        ("?delimiter=%22", "delimiter"),
        ("?quote=%60", "quote"),
        ("?delimiter=%27&quote=%27", "quote"),
    ] {
        let answer = import(&server, &server.root, &dataset, query, "Code\n1\n").is(400);
        assert_eq!(answer.problems(), [path], "{query}");
    }
    for (options, path) in [
        (json!({"fields": ["Nome"]}), "$.fields"),
        (json!({"format": "json"}), "$.format"),
        (json!({"delimiter": "ä"}), "$.delimiter"),
    ] {
        let answer = server
            .root(&format!("POST /datasets/{dataset}/exports"), Some(options))
            .is(400);
        assert_eq!(answer.problems(), [path]);
    }
    let made = import(&server, &server.root, &dataset, "", "Code\n1\n").is(201);
    import(&server, &server.root, &dataset, "", "Code\n2\n").is(409);
    server
        .root(
            &format!("POST /datasets/{dataset}/exports"),
            Some(json!({})),
        )
        .is(409);
    assert_eq!(left(), 1);
    let job = server
        .root(&format!("POST /jobs/{}/cancel", made.text("jobId")), None)
        .is(200);
    assert_eq!(job.text("state"), "cancelled");
}

#[cfg(unix)]
#[test]
fn an_import_that_reads_on_and_on_without_a_row_ends_when_it_is_cancelled() {
    use std::io::Write as _;
    let server = AdminServer::start();
    server.use_job_files();
    let [_, _, dataset] = server.places(&city());
    let made = import(
        &server,
        &server.root,
        &dataset,
        "?format=ndjson",
        "{\"Code\":\"1\"}\n",
    );
    let id = made.is(201).text("jobId");
    // in place of what was sent, blank lines without an end
    let input = server.folder.path().join(format!("jobs/{id}.input"));
    std::fs::remove_file(&input).expect("it was sent");
    let made = std::process::Command::new("mkfifo").arg(&input).status();
    assert!(made.expect("it runs").success());
    let feeding = std::thread::spawn(move || {
        let pipe = std::fs::File::options().write(true).open(&input);
        let mut pipe = pipe.expect("someone reads");
        let blank = vec![b'\n'; 64 << 10];
        while pipe.write_all(&blank).is_ok() {}
    });
    server.start_jobs();
    let path = format!("/jobs/{id}");
    let patience = Instant::now() + Duration::from_secs(60);
    while server.get(&path)["state"] != "running" {
        assert!(Instant::now() < patience, "it is not begun");
        std::thread::sleep(Duration::from_millis(10));
    }
    server.root(&format!("POST {path}/cancel"), None).is(200);
    assert_eq!(ended(&server, &id)["state"], "cancelled");
    feeding.join().expect("nobody reads any more");
}

#[test]
fn what_a_job_made_goes_when_its_time_is_over() {
    let server = server();
    let [_, _, dataset] = server.places(&city());
    let job = imported(&server, &dataset, "", "Code\n1\n1\n");
    let id = job["jobId"].as_str().unwrap();
    let rejects = format!("GET /jobs/{id}/rejects");
    server.root(&rejects, None).is(200);
    let jobs = server.folder.path().join("jobs");
    let files = || std::fs::read_dir(&jobs).expect("a folder").count();
    // what was sent goes
    files_come_to(&server, 1);
    let clean = || {
        server
            .tokio
            .block_on(server.service.clean_jobs())
            .expect("it cleans");
    };
    clean();
    server.root(&rejects, None).is(200);
    server.clock.forward(7 * 24 * 3600);
    clean();
    assert_eq!(files(), 0);
    server.root(&rejects, None).is(404);
    assert_eq!(server.get(&format!("/jobs/{id}"))["files"], json!([]));
    server.clock.forward(90 * 24 * 3600);
    clean();
    server.root(&format!("GET /jobs/{id}"), None).is(404);
}

#[test]
fn the_file_of_a_dry_run_is_kept_as_long_as_what_jobs_make() {
    let server = server();
    let [_, _, dataset] = server.places(&city());
    let tried = imported(&server, &dataset, "?dryRun=true", "Code\n1\n");
    let jobs = server.folder.path().join("jobs");
    let input = jobs.join(format!("{}.input", tried["jobId"].as_str().unwrap()));
    // what was written lately is looked at by nobody
    let two_days_ago = SystemTime::now() - Duration::from_secs(2 * 24 * 3600);
    let file = std::fs::File::options().write(true).open(&input);
    let dated = file.expect("it is kept").set_modified(two_days_ago);
    dated.expect("it takes a time");
    let clean = || {
        let cleaned = server.tokio.block_on(server.service.clean_jobs());
        cleaned.expect("it cleans");
    };
    server.clock.forward(6 * 24 * 3600);
    clean();
    assert!(input.exists(), "it may be imported yet");
    server.clock.forward(2 * 24 * 3600);
    clean();
    assert!(!input.exists(), "its time is over");
}

/// As where another server did so, which has a folder of its own.
#[test]
fn files_of_a_job_that_a_purge_emptied_go_with_the_next_cleaning_and_nobody_takes_them() {
    let server = server();
    let [area, schema, dataset] = server.places(&city());
    let (_, member) = server.key("member", &[&server.role("MEMBER")], &[&area]);
    let tried = imported(&server, &dataset, "?dryRun=true", "Code\n1\n");
    let made = imported(&server, &dataset, "", "Code\n1\n1\n");
    let id = |job: &Value| job["jobId"].as_str().expect("an id").to_owned();
    let jobs = server.folder.path().join("jobs");
    let files = [
        jobs.join(format!("{}.input", id(&tried))),
        made_files(&server, &id(&made), ".rejects").remove(0),
    ];
    let is_there = || files.each_ref().map(|it| it.exists());
    assert_eq!(is_there(), [true; 2]);
    let records =
        format!("/v1/businessareas/{area}/schemas/{schema}/datasets/{dataset}/dataobjects");
    let head = [("Authorization", member.as_str())];
    let record = server.send(&format!("POST {records}"), &head, Some(r#"{"Code":"9"}"#));
    let record = record.is(201).text("_dataObjectId");
    let delete = server.send(&format!("DELETE {records}/{record}"), &head, None);
    delete.is(204);
    let purge = format!("DELETE /datasets/{dataset}/deleted-records/{record}");
    server.root(&purge, None).is(204);
    assert_eq!(is_there(), [false; 2], "its own are gone");
    for path in &files {
        std::fs::write(path, "Code\n1\n").expect("written");
    }
    let again = format!("POST /datasets/{dataset}/imports?fileOf={}", id(&tried));
    let refused = server.root(&again, None).is(409);
    assert!(refused.body.contains("send it again"), "{}", refused.body);
    let cleaned = server.tokio.block_on(server.service.clean_jobs());
    cleaned.expect("it cleans");
    assert_eq!(is_there(), [false; 2], "though they are young");
}
