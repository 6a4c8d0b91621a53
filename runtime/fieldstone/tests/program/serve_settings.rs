//! Settings of `serve` as they are felt from outside: what a flag says is what a client is answered. Those that other
//! stories are about (connections, doors, TLS, traces, backups) are told there.

use crate::jobs::{cities, company, ended};
use crate::museum::{museum, send_paper};
use crate::support::{Server, TIMEOUT, fail, json, read_response};
use serde_json::Value;
use std::io::Write as _;
use std::net::TcpStream;
use std::time::{Duration, Instant};
use tempfile::tempdir;

const LINES: &str = "Content-Type: application/x-ndjson";

/// Where the cities' records are, for clients, and the dataset for management.
fn paths(server: &Server, key: &str) -> (String, String) {
    let [area, schema, dataset] = cities(server, key);
    let records =
        format!("/v1/businessareas/{area}/schemas/{schema}/datasets/{dataset}/dataobjects");
    (records, format!("/admin/api/v1/datasets/{dataset}"))
}

/// So many writes of a request of many, of 26 bytes each.
fn writes(count: usize) -> String {
    let line = |number: usize| format!("{{\"create\":{{\"Name\":\"b{number:02}\"}}}}\n");
    (0..count).map(line).collect()
}

#[test]
fn a_time_without_an_end_is_refused_with_the_longest_one_and_that_is_served_with() {
    let folder = tempdir().expect("a folder");
    let key = crate::cities::company(folder.path());
    let names = [
        "--head-seconds",
        "--search-seconds",
        "--body-seconds",
        "--answer-seconds",
    ];
    for name in names {
        let told = fail(folder.path(), &["serve", name, "9223372036854775807"]);
        assert!(told.contains("1..=31536000"), "{name}: {told}");
    }
    let flags = names.map(|name| [name, "31536000"]).concat();
    let server = Server::start(folder.path(), &flags);
    let found = server.get(&key, "/v1/dataobjects/search?query=2718");
    assert_eq!(found.json()["total"], 1, "{}", found.body);
    server.stop();
}

#[test]
fn quotas_are_those_of_the_flags() {
    let folder = tempdir().expect("a folder");
    let key = company(folder.path());
    let quotas = [
        ("records", "--quota-records=101", 101),
        ("fileBytes", "--quota-file-bytes=102", 102),
        ("schemaVersions", "--quota-schema-versions=103", 103),
        ("domainCodes", "--quota-domain-codes=104", 104),
        ("sessions", "--quota-sessions=105", 105),
        ("jobBytes", "--quota-job-bytes=106", 106),
        ("catalogBytes", "--quota-catalog-bytes=107000", 107_000),
        ("resources", "--quota-resources=108", 108),
        ("webhooks", "--quota-webhooks=109", 109),
    ];
    let server = Server::start(folder.path(), &quotas.map(|(_, flag, _)| flag));
    let shown = server.get(&key, "/admin/api/v1/tenant/quotas").json();
    for (name, _, limit) in quotas {
        assert_eq!(shown[name]["limit"], limit, "{name}: {shown}");
    }
    server.stop();
}

#[test]
fn of_reads_that_went_well_the_log_has_one_of_as_many_as_the_flag_says() {
    let folder = tempdir().expect("a folder");
    let key = company(folder.path());
    let server = Server::start(folder.path(), &["--log-sample", "5"]);
    for credential in [&*key, ""] {
        for _ in 0..10 {
            server.get(credential, "/v1/my/businessareas");
        }
    }
    let log = server.stop();
    let lines = |status: &str| {
        let of_route = log.lines().filter(|it| it.contains("/v1/my/businessareas"));
        of_route.filter(|it| it.contains(status)).count()
    };
    assert_eq!((lines("status=200"), lines("status=401")), (2, 10), "{log}");
}

#[test]
fn bodies_and_pages_end_at_the_bytes_of_the_flags() {
    let folder = tempdir().expect("a folder");
    let key = company(folder.path());
    let flags = [
        "--body-bytes-max=400",
        "--bulk-bytes-max=500",
        "--import-bytes-max=600",
        "--page-bytes=1",
        "--page-size=2",
        "--page-size-max=3",
    ];
    let server = Server::start(folder.path(), &flags);
    let (records, dataset) = paths(&server, &key);
    let record = |length: usize| {
        format!(
            "{{\"Name\": \"N{length}\", \"Country\": \"{:length$}\"}}",
            "x"
        )
    };
    for (length, status) in [(300, 201), (401, 413)] {
        let answer = server.send("POST", &key, &records, &record(length));
        assert_eq!(answer.status, status, "{}", answer.body);
    }
    for (path, count, status) in [
        ("records/bulk", 18, 200),
        ("records/bulk", 21, 413),
        ("imports", 22, 201),
        ("imports", 25, 413),
    ] {
        let path = format!("{dataset}/{path}");
        let answer = server.send_as("POST", &key, &path, LINES, &writes(count));
        assert_eq!(answer.status, status, "{path}, {count}: {}", answer.body);
    }
    let page = server.get(&key, &format!("{records}?pageSize=3")).json();
    let items = page["items"].as_array().expect("a page").len();
    assert!(items == 1 && page["nextPageKey"].is_string(), "{page}");
    let too_many = server.get(&key, &format!("{records}?pageSize=4"));
    assert_eq!(too_many.status, 400, "{}", too_many.body);
    server.stop();
}

#[test]
fn a_file_has_the_bytes_and_its_link_the_seconds_of_the_flags() {
    let folder = tempdir().expect("a folder");
    let keeper = museum(folder.path(), |arguments| json(folder.path(), arguments));
    let small = Server::start(folder.path(), &["--file-bytes-max=4"]);
    assert_eq!(send_paper(&small, &keeper, "hello").status, 413);
    small.stop();
    let flags = ["--file-bytes-max=5", "--link-seconds=2"];
    let server = Server::start(folder.path(), &flags);
    let made = send_paper(&server, &keeper, "hello");
    assert_eq!(made.status, 201, "{}", made.body);
    let url = made.json()["url"].as_str().expect("a link").to_owned();
    let (_, path) = url.split_once("/v1/").expect("a path");
    let began = Instant::now();
    while server.get("", &format!("/v1/{path}")).status == 200 {
        assert!(began.elapsed() < TIMEOUT, "the link does not end");
        std::thread::sleep(Duration::from_millis(100));
    }
    assert_eq!(server.get("", &format!("/v1/{path}")).status, 403);
    server.stop();
}

#[test]
fn a_body_that_does_not_come_is_given_up_after_the_seconds_of_the_flag() {
    let folder = tempdir().expect("a folder");
    let key = company(folder.path());
    let server = Server::start(folder.path(), &["--body-seconds=1"]);
    let (records, _) = paths(&server, &key);
    let mut stream = TcpStream::connect(server.address()).expect("it listens");
    let whole = server.request(
        "POST",
        &key,
        &records,
        "Content-Type: application/json",
        "{}",
    );
    let head = &whole[..whole.len() - 2];
    let began = Instant::now();
    stream.write_all(head.as_bytes()).expect("it reads");
    let answer = read_response(&mut stream);
    assert_eq!(answer.status, 408, "{}", answer.body);
    // sooner than the head's time would end it
    assert!(began.elapsed() < Duration::from_secs(25), "{began:?}");
    server.stop();
}

#[test]
fn a_search_that_can_not_see_the_last_writes_says_so() {
    let folder = tempdir().expect("a folder");
    let key = company(folder.path());
    let server = Server::start(folder.path(), &[]);
    let (records, _) = paths(&server, &key);
    let search = |name: &str| {
        let path = format!("/v1/dataobjects/search?query={name}");
        server.get(&key, &path)
    };
    let waits = |name: &str, is_behind: bool| {
        let began = Instant::now();
        loop {
            let found = search(name).json();
            let is_told = found["isBehind"] == true;
            if found["total"] == 1 && is_told == is_behind {
                return found;
            }
            assert!(began.elapsed() < TIMEOUT, "{found}");
        }
    };
    assert!(waits("Delft", false).get("isBehind").is_none());
    // the index can't be written from now on
    let index = rusqlite::Connection::open(folder.path().join("data/search.db"));
    let index = index.expect("the index");
    index.busy_timeout(TIMEOUT).expect("a limit");
    index.execute_batch("BEGIN IMMEDIATE").expect("the lock");
    let made = server.send("POST", &key, &records, r#"{"Name": "Goch"}"#);
    assert_eq!(made.status, 201, "{}", made.body);
    waits("Delft", true);
    let found = search("Goch");
    let is_told = found.status == 503 || found.json()["isBehind"] == true;
    assert!(is_told, "{} {}", found.status, found.body);
    drop(index);
    waits("Goch", false);
    server.stop();
}

/// What a member of an answer is with these flags, of a company of its own.
fn with(flags: &[&str], ask: impl Fn(&Server, &str) -> Value) -> Value {
    let folder = tempdir().expect("a folder");
    let key = company(folder.path());
    let server = Server::start(folder.path(), flags);
    let told = ask(&server, &key);
    server.stop();
    told
}

/// A moment, as it is written: later ones come behind in the order of texts.
#[track_caller]
fn moment(told: &Value) -> &str {
    told.as_str().unwrap_or_else(|| panic!("no moment: {told}"))
}

#[test]
fn a_password_that_someone_else_chose_has_the_hours_of_the_flag() {
    let ends = |flags: &[&str]| {
        with(flags, |server, key| {
            let new = r#"{"username": "bob", "fullName": "Bob", "email": "bob@example.org",
                "password": "handed over on paper", "mustChangePassword": true, "roles": [], "grants": []}"#;
            let made = server.send("POST", key, "/admin/api/v1/users", new);
            assert_eq!(made.status, 201, "{}", made.body);
            made.json()["passwordEndsAt"].clone()
        })
    };
    let (short, default) = (ends(&["--initial-password-hours=1"]), ends(&[]));
    assert!(moment(&short) < moment(&default), "{short} {default}");
    assert!(ends(&["--initial-password-hours=0"]).is_null());
}

#[test]
fn files_of_jobs_stay_for_the_days_of_the_flag() {
    let until = |flags: &[&str]| {
        with(flags, |server, key| {
            let (_, dataset) = paths(server, key);
            let made = server.send("POST", key, &format!("{dataset}/exports"), "{}");
            assert_eq!(made.status, 201, "{}", made.body);
            let id = made.json()["jobId"].as_str().expect("an id").to_owned();
            let job = ended(server, key, &format!("/admin/api/v1/jobs/{id}"));
            assert_eq!(job["state"], "done", "{job}");
            job["files"][0]["until"].clone()
        })
    };
    let (short, default) = (until(&["--job-files-days=1"]), until(&[]));
    assert!(moment(&short) < moment(&default), "{short} {default}");
}

#[test]
fn records_are_judged_anew_unless_the_flag_says_otherwise() {
    let kinds = |flags: &[&str]| {
        with(flags, |server, key| {
            let domains = server.get(key, "/admin/api/v1/domains").json();
            let id = domains["items"][0]["dataDomainId"].as_str();
            let domain = format!("/admin/api/v1/domains/{}", id.expect("an id"));
            let codes = r#"{"name": "Countries", "codes": [{"code": "NL"}]}"#;
            let changed = server.send("PUT", key, &domain, codes);
            assert_eq!(changed.status, 200, "{}", changed.body);
            let jobs = server.get(key, "/admin/api/v1/jobs").json();
            jobs["items"].clone()
        })
    };
    assert_eq!(kinds(&[])[0]["kind"], "revalidate");
    assert_eq!(kinds(&["--no-revalidation"]), Value::Array(Vec::new()));
}

#[test]
fn a_tenant_has_as_many_jobs_that_wait_as_the_flag_says() {
    let folder = tempdir().expect("a folder");
    let key = company(folder.path());
    let server = Server::start(folder.path(), &["--job-waiting-max=1"]);
    let (_, dataset) = paths(&server, &key);
    let path = format!("{dataset}/imports");
    // a file that is being sent has the place of a job that waits
    let whole = server.request("POST", &key, &path, LINES, &writes(4));
    let half = &whole[..whole.len() - 50];
    let send_half = || {
        let mut sending = TcpStream::connect(server.address()).expect("it listens");
        sending.write_all(half.as_bytes()).expect("it reads");
        sending
    };
    let mut sending = send_half();
    let began = Instant::now();
    loop {
        let another = server.send_as("POST", &key, &path, LINES, &writes(1));
        if another.status == 409 {
            break;
        }
        assert!(began.elapsed() < TIMEOUT, "{}", another.body);
        // the other one may have come first, so that this was refused
        sending = send_half();
        std::thread::sleep(Duration::from_millis(20));
    }
    drop(sending);
    server.stop();
}
