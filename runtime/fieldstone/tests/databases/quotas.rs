//! Quotas of a tenant hold for all servers of one database together: who asks several of them at once gets no more.

use crate::cities::cities;
use crate::job_files::wait_for;
use crate::limits::{PASSWORD, sign_in};
use crate::museum::hall;
use crate::place::Place;
use crate::support::{Response, Server, TIMEOUT, elsewhere, text};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

/// How many ask at once.
const ASKERS: usize = 8;

/// Two servers with a limit, with a folder of its own each.
fn limited(place: &Place, limit: [&str; 2]) -> [Server; 2] {
    ["one", "other"].map(|folder| place.serve(folder, &limit))
}

/// How many of so many requests are done that are sent to both servers at once.
fn done(servers: &[Server; 2], count: usize, ask: impl Fn(&Server, usize) -> bool + Sync) -> usize {
    std::thread::scope(|scope| {
        let asked: Vec<_> = (0..ASKERS)
            .map(|asker| {
                let (server, ask) = (&servers[asker % 2], &ask);
                scope.spawn(move || {
                    let own = (asker..count).step_by(ASKERS);
                    own.filter(|number| ask(server, *number)).count()
                })
            })
            .collect();
        let ended = asked
            .into_iter()
            .map(|asked| asked.join().expect("answers"));
        ended.sum::<usize>()
    })
}

/// Whether something was done, which is told by this status, or else refused for a quota.
fn is_done(answer: &Response, status: u16) -> bool {
    if answer.status == status {
        return true;
    }
    assert_eq!(answer.status, 403, "{}", answer.body);
    assert_eq!(answer.json()["code"], "QUOTA_EXCEEDED", "{}", answer.body);
    false
}

pub(crate) fn a_quota_of_records_is_that_of_all_servers() {
    const QUOTA: usize = 50;
    let place = Place::new();
    let key = place.company();
    let servers = limited(&place, ["--quota-records", &QUOTA.to_string()]);
    let records = cities(&servers[0], &key);
    let count = || {
        let listed = servers[0].get(&key, &format!("{records}?pageSize=1000"));
        listed.json()["items"].as_array().expect("items").len()
    };
    let before = count();
    let made = done(&servers, 160, |server, number| {
        let body = json!({"Name": format!("W{number}")}).to_string();
        is_done(&server.send("POST", &key, &records, &body), 201)
    });
    assert_eq!((before + made, count()), (QUOTA, QUOTA), "not one more");
    // an import is refused by it, too, at whichever server it is worked on
    std::fs::write(place.path().join("more.ndjson"), "{\"Name\": \"Leiden\"}\n").expect("written");
    let mut import = elsewhere(place.path(), &servers[1], &key);
    import.args(["import", "more.ndjson", "--into", "Places/City/Cities"]);
    let import = import.output().expect("it starts");
    let told = format!("{}{}", text(&import.stdout), text(&import.stderr));
    assert!(!import.status.success(), "there is no room for it: {told}");
    assert!(told.contains("may have 50 records"), "{told}");
    assert_eq!(count(), QUOTA);
    let checked = place.run(&["check"]);
    assert!(checked.status.success(), "counters are exact");
}

/// Asserts that each server tells how much of a quota is used.
fn is_used(servers: &[Server; 2], root: &str, quota: &str, told: &Value) {
    for server in servers {
        let quotas = server.get(root, "/admin/api/v1/tenant/quotas").json();
        assert_eq!(quotas[quota], *told, "{quotas}");
    }
}

pub(crate) fn a_quota_of_schema_versions_is_that_of_all_servers() {
    const QUOTA: usize = 10;
    let place = Place::new();
    place.company();
    let root = place.root();
    let servers = limited(&place, ["--quota-schema-versions", &QUOTA.to_string()]);
    let areas = servers[0].get(&root, "/admin/api/v1/areas").json();
    let area = areas["items"][0]["businessAreaId"].as_str().expect("an id");
    let path = format!("/admin/api/v1/areas/{area}/schemas");
    let field = json!({"fieldId": "f", "name": "Code", "active": true, "dataType": "string",
        "isPrimaryKey": true, "isSortKey": false, "isRequired": true});
    let made = done(&servers, 32, |server, number| {
        let document = json!({"name": format!("Schema {number}"), "fields": [field]});
        let body = json!({"document": document}).to_string();
        is_done(&server.send("POST", &root, &path, &body), 201)
    });
    assert_eq!(made, QUOTA - 1, "one was there");
    let told = json!({"limit": QUOTA, "used": QUOTA});
    is_used(&servers, &root, "schemaVersions", &told);
}

pub(crate) fn a_quota_of_codes_is_that_of_all_servers() {
    const QUOTA: usize = 12;
    let place = Place::new();
    place.company();
    let root = place.root();
    let servers = limited(&place, ["--quota-domain-codes", &QUOTA.to_string()]);
    let codes = json!([{"code": "a"}, {"code": "b"}, {"code": "c"}]);
    let made = done(&servers, 32, |server, number| {
        let body = json!({"name": format!("Domain {number}"), "codes": codes}).to_string();
        is_done(
            &server.send("POST", &root, "/admin/api/v1/domains", &body),
            201,
        )
    });
    assert_eq!(
        made, 3,
        "two codes were there, and none of a fourth has room"
    );
    let told = json!({"limit": QUOTA, "used": 11});
    is_used(&servers, &root, "domainCodes", &told);
}

pub(crate) fn a_quota_of_files_is_that_of_all_servers() {
    let place = Place::new();
    let key = place.museum();
    let limit = ["--quota-file-bytes", "100"];
    // one folder, as files ask for
    let servers = [place.serve("files", &limit), place.serve("files", &limit)];
    let path = format!("{}/files", hall(&servers[0], &key));
    let content = "ten bytes.";
    // both learn how much room there is while there is some
    for server in &servers {
        let sent = server.send_file(&key, &path, content);
        assert_eq!(sent.status, 201, "{}", sent.body);
    }
    let made = done(&servers, 20, |server, _| {
        is_done(&server.send_file(&key, &path, content), 201)
    });
    assert_eq!(made, 8, "a hundred bytes are ten files, two were there");
}

pub(crate) fn a_quota_of_sessions_is_that_of_all_servers() {
    const QUOTA: usize = 5;
    const USERS: [&str; 3] = ["berta", "carla", "dora"];
    let place = Place::new();
    place.company();
    std::fs::write(place.path().join("password"), PASSWORD).expect("written");
    for name in USERS {
        let email = format!("{name}@example.com");
        let create = ["user", "create", name, "--email", &email];
        let role = ["--role", "MEMBER", "--password-file", "password"];
        place.json(&[&create[..], &role].concat());
    }
    let servers = limited(&place, ["--quota-sessions", &QUOTA.to_string()]);
    let begun = done(&servers, 18, |server, number| {
        is_done(&sign_in(server, USERS[number % 3], PASSWORD), 200)
    });
    assert_eq!(begun, QUOTA, "neither one more nor one less");
}

pub(crate) fn a_quota_of_files_of_jobs_is_that_of_all_servers_wherever_their_folders_are() {
    const QUOTA: u64 = 4000;
    let place = Place::new();
    let key = place.company();
    let servers = limited(&place, ["--quota-job-bytes", &QUOTA.to_string()]);
    let records = cities(&servers[0], &key);
    for number in 0..20 {
        let body = json!({"Name": format!("City {number}")}).to_string();
        assert_eq!(servers[0].send("POST", &key, &records, &body).status, 201);
    }
    let dataset = records.split('/').nth(7).expect("a dataset");
    let exported = |server: &Server| -> Option<u64> {
        let path = format!("/admin/api/v1/datasets/{dataset}/exports");
        let asked = server.send("POST", &key, &path, r#"{"format": "csv"}"#);
        if asked.status == 403 {
            assert_eq!(asked.json()["code"], "QUOTA_EXCEEDED", "{}", asked.body);
            return None;
        }
        assert_eq!(asked.status, 201, "{}", asked.body);
        let job = format!("/admin/api/v1/jobs/{}", asked.json()["jobId"].as_str()?);
        let job = wait_for((server, &key, &job), |job| {
            matches!(job["state"].as_str(), Some("done" | "failed"))
        });
        if job["state"] == "done" {
            return job["exportResult"]["bytes"].as_u64();
        }
        let why = job["failure"].as_str().expect("a reason");
        assert!(why.contains("may have 4000 bytes"), "{why}");
        None
    };
    let one = exported(&servers[0]).expect("there is room");
    let (mut made, mut full) = (1, [false; 2]);
    for number in 1..40 {
        match exported(&servers[number % 2]) {
            Some(_) => made += 1,
            None => full[number % 2] = true,
        }
    }
    assert_eq!(full, [true; 2], "both refuse in the end");
    let on_disk = |data: &str| {
        let jobs = std::fs::read_dir(place.path().join(data).join("jobs"));
        let files = jobs.into_iter().flatten().flatten();
        // one that goes just now has none
        let lengths = files.filter_map(|file| Some(file.metadata().ok()?.len()));
        lengths.sum::<u64>()
    };
    let all = || on_disk("one") + on_disk("other");
    // what was refused goes behind the end of its job
    let began = Instant::now();
    while all() != made * one && began.elapsed() < TIMEOUT {
        std::thread::sleep(Duration::from_millis(20));
    }
    let all = all();
    assert_eq!(all, made * one, "what was refused left nothing");
    assert!(all <= QUOTA, "{all} bytes of {QUOTA}");
    // what each has set aside is small: one more would not have fitted
    let aside = 2 * (QUOTA / 256);
    assert!(all + one + aside > QUOTA, "{all} bytes, {one} each");
}
