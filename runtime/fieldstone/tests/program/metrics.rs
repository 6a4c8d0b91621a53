//! Figures of what goes on, shown on a listener of their own. What the dashboard and the alerts ask for is in `alerts.rs`.

use crate::cities::{cities, company};
use crate::deployments::documents;
use crate::receiver::{PRIVATE, Receiver};
use crate::scrape::{WATCHED, address_of, figure, find_figure, scrape};
use crate::support::{Server, TIMEOUT, succeed, write_company};
use std::path::Path;
use std::time::{Duration, Instant};
use tempfile::tempdir;

fn watched(folder: &Path) -> (Server, String) {
    watched_with(folder, &[])
}

fn watched_with(folder: &Path, more: &[&str]) -> (Server, String) {
    write_company(folder);
    succeed(folder, &["apply", "company.yaml"]);
    let server = Server::start_process(folder, &[&WATCHED, more].concat());
    let address = address_of(&server);
    (server, address)
}

/// Waits until a figure is one that is waited for.
fn wait_for(address: &str, name: &str, is_it: impl Fn(f64) -> bool) {
    let began = Instant::now();
    loop {
        let found = figure(&scrape(address), name);
        if is_it(found) {
            return;
        }
        assert!(began.elapsed() < TIMEOUT, "{name}: {found}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn how_far_the_search_index_is_behind_is_told_in_figures() {
    let folder = tempdir().expect("a folder");
    let key = company(folder.path());
    let lag = "fieldstone_index_lag_entries";
    let server = Server::start_process(folder.path(), &WATCHED);
    let address = address_of(&server);
    let records = cities(&server, &key);
    wait_for(&address, lag, |behind| behind < 0.5);
    // nobody else can write the index from now on
    let index = rusqlite::Connection::open(folder.path().join("data/search.db"));
    let index = index.expect("the index");
    index.busy_timeout(TIMEOUT).expect("a limit");
    index.execute_batch("BEGIN IMMEDIATE").expect("the lock");
    for name in ["Goch", "Kleve"] {
        let body = format!("{{\"Name\": \"{name}\"}}");
        let made = server.send("POST", &key, &records, &body);
        assert_eq!(made.status, 201, "{}", made.body);
    }
    wait_for(&address, lag, |behind| behind > 1.5);
    // however little that is, it is told that the index can't be written
    let failed = "fieldstone_index_failed";
    wait_for(&address, failed, |failed| failed > 0.5);
    drop(index);
    wait_for(&address, lag, |behind| behind < 0.5);
    wait_for(&address, failed, |failed| failed < 0.5);
    server.stop();
}

#[test]
fn backups_that_fail_are_counted() {
    let folder = tempdir().expect("a folder");
    let at = folder.path().join("backups");
    std::fs::write(&at, "no folder").expect("a file");
    let at = at.to_str().expect("a path");
    let (server, address) = watched_with(folder.path(), &["--backup-dir", at]);
    let failed = "fieldstone_failed_backups_total";
    assert!(figure(&scrape(&address), failed).abs() < 0.1);
    let told = server.wait_for_error("the store was not backed up");
    assert!(told.contains("can't make"), "{told}");
    wait_for(&address, failed, |count| count > 0.5);
    // of none that was made there is no age, so the alert of old ones asks for that, too
    let last = "fieldstone_backup_last_success_timestamp_seconds";
    let figures = scrape(&address);
    assert!(!figures.lines().any(|line| line.starts_with(last)));
    server.stop();
    let alerts = documents("alerts.yaml").remove(0);
    let rules = alerts["groups"][0]["rules"].as_array().expect("rules");
    let old = rules.iter().find(|it| it["alert"] == "FieldstoneBackupOld");
    let asked = old.expect("the rule")["expr"].as_str().expect("a question");
    let words: Vec<&str> = asked.split_whitespace().collect();
    let asked = words.join(" ");
    for part in [
        format!("time() - {last} > 2 * 86400 or "),
        format!(" or {failed} > 0 unless {last}"),
    ] {
        assert!(asked.contains(&part), "{asked}");
    }
}

#[test]
fn a_server_that_begins_tells_of_the_backup_that_another_made_before_it() {
    let folder = tempdir().expect("a folder");
    let backups = folder.path().join("backups");
    std::fs::create_dir(&backups).expect("a folder");
    let newest = "fieldstone-20261122T043000123Z.tar.zst";
    std::fs::write(backups.join(newest), "another server's").expect("a file");
    let at = backups.to_str().expect("a path");
    let more = ["--backup-dir", at, "--backup-every", "876000"];
    let (_server, address) = watched_with(folder.path(), &more);
    let begun = figure(
        &scrape(&address),
        "fieldstone_backup_last_success_timestamp_seconds",
    );
    assert!((begun - 1_795_321_800.0).abs() < 0.5, "{begun}");
}

#[test]
fn requests_commits_sizes_and_the_process_are_told_in_figures() {
    let folder = tempdir().expect("a folder");
    let (server, address) = watched(folder.path());
    assert_eq!(server.get("", "/healthz").status, 200);
    assert_eq!(server.get("", "/v1/businessareas").status, 401);
    // its proof is a commit, which is counted after it was answered
    assert_eq!(server.get("", "/readyz").status, 200);
    let commits = |text: &str| figure(text, "fieldstone_commit_duration_seconds_count");
    let scrapes = std::iter::repeat_with(|| scrape(&address));
    let text = scrapes.take(1_000).find(|text| commits(text) >= 1.0);
    let text = text.expect("a commit that is counted");
    let of = |status: u16, route: &str| {
        let labels = format!("method=\"GET\",route=\"{route}\",status=\"{status}\"");
        figure(
            &text,
            &format!("fieldstone_http_request_duration_seconds_count{{{labels}}}"),
        )
    };
    assert!((of(200, "/healthz") - 1.0).abs() < 0.1, "{text}");
    let refused = "status=\"401\"";
    assert!(text.contains(refused), "{text}");
    for (name, least) in [
        ("fieldstone_ready", 1.0),
        ("fieldstone_commit_duration_seconds_count", 1.0),
        ("fieldstone_file_bytes{file=\"fieldstone.db\"}", 4096.0),
        ("fieldstone_disk_free_bytes", 1.0),
        ("fieldstone_memory_budget_bytes", 1.0),
        ("fieldstone_connections", 1.0),
    ] {
        assert!(figure(&text, name) >= least, "{name}: {text}");
    }
    assert!(figure(&text, "fieldstone_writer_queue_jobs").abs() < 0.1);
    assert!(
        !text.contains("Delft") && !text.contains("anna"),
        "no data in figures"
    );
    server.stop();
}

#[test]
fn jobs_and_what_is_answered_from_memory_are_told_in_figures() {
    let folder = tempdir().expect("a folder");
    let key = company(folder.path());
    let server = Server::start_process(folder.path(), &WATCHED);
    let address = address_of(&server);
    let records = cities(&server, &key);
    let before = scrape(&address);
    for path in [format!("{records}/by-pk/City%207"), records.clone()] {
        for _ in 0..3 {
            assert_eq!(server.get(&key, &path).status, 200);
        }
    }
    let export = ["export", "Places/City/Cities", "out.ndjson"];
    succeed(folder.path(), &export);
    // its end is counted after it is told
    let done = "fieldstone_ended_jobs_total{state=\"done\"}";
    wait_for(&address, done, |count| count > 0.5);
    let text = scrape(&address);
    for cache in ["records", "pages"] {
        let more = |name: &str| {
            let name = format!("fieldstone_cache_{name}{{cache=\"{cache}\"}}");
            figure(&text, &name) - figure(&before, &name)
        };
        assert!((more("hits_total") - 2.0).abs() < 0.1, "{text}");
        assert!((more("misses_total") - 1.0).abs() < 0.1, "{text}");
        assert!(more("bytes") > 1.0, "{text}");
    }
    assert!((figure(&text, done) - 1.0).abs() < 0.1, "{text}");
    let failed = figure(&text, "fieldstone_ended_jobs_total{state=\"failed\"}");
    assert!(failed.abs() < 0.1, "{text}");
    assert!(
        figure(&text, "fieldstone_running_jobs").abs() < 0.1,
        "{text}"
    );
    server.stop();
}

#[test]
fn a_job_that_goes_on_and_a_write_that_fails_are_told_in_figures() {
    let folder = tempdir().expect("a folder");
    let key = company(folder.path());
    let server = Server::start_process(folder.path(), &WATCHED);
    let address = address_of(&server);
    let records = cities(&server, &key);
    let told = |name: &str| figure(&scrape(&address), name);
    let (running, failed) = ("fieldstone_running_jobs", "fieldstone_failed_commits_total");
    assert!(told(running).abs() < 0.1 && told(failed).abs() < 0.1);
    // more rows than are stored before one can look
    let rows: Vec<_> = (0..30_000).map(|at| format!("Town {at},{at}\n")).collect();
    let file = format!("Name,People\n{}", rows.concat());
    let dataset = records.rsplit('/').nth(1).expect("the dataset");
    let path = format!("/admin/api/v1/datasets/{dataset}/imports");
    let made = server.send_as("POST", &key, &path, "Content-Type: text/csv", &file);
    assert_eq!(made.status, 201, "{}", made.body);
    let id = made.json()["jobId"].as_str().expect("a job").to_owned();
    let job = format!("/admin/api/v1/jobs/{id}");
    while told(running) < 0.5 {
        let job = server.get(&key, &job).json();
        assert!(job["endedDate"].is_null(), "it was never told: {job}");
    }
    let cancelled = server.send("POST", &key, &format!("{job}/cancel"), "");
    assert_eq!(cancelled.status, 200, "{}", cancelled.body);
    let ended = "fieldstone_ended_jobs_total{state=\"cancelled\"}";
    wait_for(&address, ended, |count| count > 0.5);
    assert!(told(running).abs() < 0.1);
    // who looks at figures has a write tried, which must not be the one that fails
    let (data, aside) = (folder.path().join("data"), folder.path().join("aside"));
    std::fs::rename(&data, &aside).expect("moved");
    let body = r#"{"Name": "Lost", "People": 1}"#;
    assert_eq!(server.send("POST", &key, &records, body).status, 500);
    std::fs::rename(&aside, &data).expect("put back");
    assert!(told(failed) > 0.5);
    server.stop();
}

#[test]
fn writes_that_wait_for_the_writer_and_share_its_commit_and_the_log_are_told_in_figures() {
    let folder = tempdir().expect("a folder");
    let key = company(folder.path());
    let server = Server::start_process(folder.path(), &WATCHED);
    let address = address_of(&server);
    let records = cities(&server, &key);
    // how many writes were in commits beside the first of each
    let shared = || {
        let text = scrape(&address);
        let of = |end: &str| find_figure(&text, &format!("fieldstone_commit_jobs_{end}"));
        of("sum").unwrap_or_default() - of("count").unwrap_or_default()
    };
    let before = shared();
    // nobody else can write the store from now on
    let store = rusqlite::Connection::open(folder.path().join("data/fieldstone.db"));
    let store = store.expect("the store");
    store.busy_timeout(TIMEOUT).expect("a limit");
    store.execute_batch("BEGIN IMMEDIATE").expect("the lock");
    let waiting = "fieldstone_writer_queue_jobs";
    std::thread::scope(|scope| {
        for name in ["Goch", "Kleve", "Rees", "Xanten", "Wesel"] {
            let (server, key, records) = (&server, &key, &records);
            scope.spawn(move || {
                let body = format!("{{\"Name\": \"{name}\"}}");
                let send = || server.send("POST", key, records, &body).status;
                // one for which the lock is held for too long is refused, and comes again
                let made = std::iter::repeat_with(send).find(|status| *status < 500);
                assert_eq!(made, Some(201), "{name}");
            });
        }
        // behind one that was begun
        wait_for(&address, waiting, |jobs| jobs > 1.5);
        drop(store);
    });
    let began = Instant::now();
    while shared() < before + 0.5 {
        assert!(began.elapsed() < TIMEOUT, "no commit was shared");
        std::thread::sleep(Duration::from_millis(20));
    }
    wait_for(&address, waiting, |jobs| jobs < 0.5);
    let log = "fieldstone_file_bytes{file=\"fieldstone.db-wal\"}";
    wait_for(&address, log, |bytes| bytes > 0.5);
    server.stop();
}

#[test]
fn a_webhook_that_is_switched_off_since_nothing_arrives_is_told_in_figures() {
    let folder = tempdir().expect("a folder");
    let key = company(folder.path());
    let server = Server::start_process(folder.path(), &[&WATCHED[..], &PRIVATE[..]].concat());
    let address = address_of(&server);
    let records = cities(&server, &key);
    let receiver = Receiver::answering("410 Gone");
    std::fs::write(folder.path().join("hooks.yaml"), receiver.manifest()).expect("written");
    succeed(folder.path(), &["apply", "hooks.yaml"]);
    let off = "fieldstone_switched_off_webhooks_total";
    assert!(figure(&scrape(&address), off).abs() < 0.1);
    let made = server.send("POST", &key, &records, "{\"Name\": \"Goch\"}");
    assert_eq!(made.status, 201, "{}", made.body);
    wait_for(&address, off, |count| count > 0.5);
    server.stop();
}

#[test]
fn caches_that_are_given_no_bytes_answer_nothing() {
    let folder = tempdir().expect("a folder");
    let key = company(folder.path());
    let flags = [
        "--metrics-listen=127.0.0.1:0",
        "--record-cache-bytes=0",
        "--page-cache-bytes=0",
    ];
    let server = Server::start_process(folder.path(), &flags);
    let address = address_of(&server);
    let records = cities(&server, &key);
    for path in [format!("{records}/by-pk/City%207"), records] {
        for _ in 0..3 {
            assert_eq!(server.get(&key, &path).status, 200);
        }
    }
    let text = scrape(&address);
    for cache in ["records", "pages"] {
        let line = format!("fieldstone_cache_hits_total{{cache=\"{cache}\"}} 0");
        assert!(text.lines().any(|it| it == line), "{line}: {text}");
    }
    server.stop();
}

#[test]
fn a_server_that_nobody_watches_shows_no_figures() {
    let folder = tempdir().expect("a folder");
    write_company(folder.path());
    succeed(folder.path(), &["apply", "company.yaml"]);
    let server = Server::start(folder.path(), &[]);
    assert_eq!(server.get("", "/metrics").status, 401);
    assert_eq!(succeed(folder.path(), &["health"]).trim(), "ready");
    assert!(!server.stop().contains("metrics"));
    assert!(crate::support::fail(folder.path(), &["health"]).contains("no server has"));
}
