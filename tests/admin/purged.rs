//! What a purge leaves: nothing, once the databases were compacted. docs/interface.md, "Retention".

use crate::admin_server::AdminServer;
use crate::jobs::ended;
use crate::retention::Aging;
use runtime::store::sqlite::SqliteStore;
use serde_json::json;
use std::fmt::Write as _;
use std::path::Path;

/// Files below a folder that hold a text; none where the folder is made with its first file.
pub(crate) fn holding(folder: &Path, text: &str) -> Vec<String> {
    let mut found = Vec::new();
    if !folder.exists() {
        return found;
    }
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            found.extend(holding(&path, text));
            continue;
        }
        let bytes = std::fs::read(&path).expect("a file");
        if holds(&bytes, text) {
            found.push(path.display().to_string());
        }
    }
    found
}

/// Whether bytes hold a text of small letters, however they write it: as it is, or as digits.
fn holds(bytes: &[u8], text: &str) -> bool {
    let bytes = bytes.to_ascii_lowercase();
    let mut digits = String::new();
    for byte in text.bytes() {
        write!(digits, "{byte:02x}").expect("a text takes it");
    }
    let is_in = |text: &str| bytes.windows(text.len()).any(|it| it == text.as_bytes());
    is_in(text) || is_in(&digits)
}

/// What may stand nowhere in the end.
const CANARY: &str = "purgecanary";

/// Jobs that were asked for with it: an export, and repairs.
fn exports_and_repairs(aging: &Aging) -> [String; 4] {
    let server = &aging.server;
    let query = format!("Mayor:{CANARY}");
    let map = json!({(CANARY): format!("{CANARY} mapped")});
    let set = json!({"set": format!("{CANARY} set")});
    let replace = json!({"replace": {"text": CANARY, "with": "none"}});
    let asked = [
        ("exports", json!({"format": "csv", "query": query})),
        (
            "repairs",
            json!({"field": "Mayor", "query": query, "dryRun": true, "action": set}),
        ),
        ("repairs", json!({"field": "Mayor", "action": {"map": map}})),
        (
            "repairs",
            json!({"field": "Mayor", "dryRun": true, "action": replace}),
        ),
    ];
    asked.map(|(what, options)| {
        let path = format!("/datasets/{}/{what}", aging.dataset);
        let id = server.make(&path, options).text("jobId");
        let job = ended(server, &id);
        assert_eq!(job["state"], "done", "{job}");
        assert!(job.to_string().contains(CANARY), "{job}");
        id
    })
}

#[test]
fn a_dry_run_of_a_repair_that_a_purge_emptied_is_to_be_tried_again() {
    let aging = Aging::start(false);
    let server = &aging.server;
    server.start_jobs();
    let gone = aging.create("gone");
    aging.create("stays");
    let mut repair = json!({"field": "Mayor", "action": {"set": "second"}, "dryRun": true});
    let path = format!("/datasets/{}/repairs", aging.dataset);
    let trial = server.make(&path, repair.clone()).text("jobId");
    assert_eq!(ended(server, &trial)["state"], "done");
    aging.delete(&gone);
    let purge = format!("DELETE /datasets/{}/deleted-records/{gone}", aging.dataset);
    server.root(&purge, None).is(204);
    repair["dryRun"] = json!(false);
    repair["trial"] = json!(trial);
    let refused = server.root(&format!("POST {path}"), Some(repair)).is(409);
    assert!(
        refused
            .body
            .contains("was purged since it was tried, so what it showed is not kept"),
        "{}",
        refused.body
    );
}

/// Imports that were told of a column with it: one that is done, and one that failed, since there is none.
fn mapped_imports(aging: &Aging) -> [String; 2] {
    let server = &aging.server;
    let head = [
        ("Authorization", server.root.as_str()),
        ("Content-Type", "application/octet-stream"),
    ];
    let imports = [
        (format!("{CANARY}%3DMayor"), "done"),
        (format!("{CANARY}%20none%3DMayor"), "failed"),
    ];
    imports.map(|(map, state)| {
        let path = format!("/admin/api/v1/datasets/{}/imports", aging.dataset);
        let line = format!("POST {path}?map={map}&sheet={CANARY}");
        let rows = format!("Code,{CANARY}\nmapped,none\n");
        let id = server.send(&line, &head, Some(&rows)).is(201).text("jobId");
        let job = ended(server, &id);
        assert_eq!(job["state"], state, "{job}");
        assert!(job["importOptions"].to_string().contains(CANARY), "{job}");
        id
    })
}

#[test]
fn what_was_purged_stands_in_no_row_and_in_no_file_once_the_databases_were_compacted() {
    let aging = Aging::start(false);
    let server = &aging.server;
    server.start_jobs();
    let id = aging.create(CANARY);
    for number in 0..50 {
        aging.create(&format!("other {number}"));
    }
    aging.update(&id, 0, &format!("{CANARY} twice"));
    // what an import was sent, and tells of it, and what an export made
    let line = format!(
        "POST /admin/api/v1/datasets/{}/imports?mode=create&format=csv",
        aging.dataset
    );
    let head = [
        ("Authorization", server.root.as_str()),
        ("Content-Type", "application/octet-stream"),
    ];
    let rows = format!("Code,Mayor,{CANARY}\n{CANARY},{CANARY},\n,{CANARY},\n");
    let import = server.send(&line, &head, Some(&rows)).is(201).text("jobId");
    let told = ended(server, &import);
    assert_eq!(told["importResult"]["rejected"], 2, "{told}");
    let asked = exports_and_repairs(&aging);
    let mapped = mapped_imports(&aging);
    aging.delete(&id);
    let purge = format!("DELETE /datasets/{}/deleted-records/{id}", aging.dataset);
    server.root(&purge, None).is(204);
    let told = ended(server, &import);
    assert_eq!(
        (&told["importResult"]["rejected"], &told["files"]),
        (&json!(2), &json!([]))
    );
    for id in asked.iter().chain(&mapped).chain([&import]) {
        let told = ended(server, id);
        assert_eq!(told["isPurged"], true, "{told}");
        let told = told.to_string().to_ascii_lowercase();
        assert!(!told.contains(CANARY), "{told}");
    }
    // what was only tried is not told as what wrote
    let tried = asked
        .each_ref()
        .map(|id| ended(server, id)["isDryRun"].clone());
    assert_eq!(tried, [json!(null), json!(true), json!(null), json!(true)]);
    let trail = server.get("/audit?pageSize=1");
    assert!(
        trail.to_string().contains("purge") && !trail.to_string().contains(CANARY),
        "{trail}"
    );
    aging.remove_old();
    if tests::engine::is_database() {
        // no row has it; what its files keep of rows that are gone, its own means take away: docs/scale.md,
        // "What is removed"
        let rows = aging.server.opened.kept(aging.server.folder.path());
        assert!(rows.iter().all(|rows| !holds(rows, CANARY)));
        let jobs = aging.server.folder.path().join("jobs");
        assert_eq!(holding(&jobs, CANARY), Vec::<String>::new());
        return;
    }
    let Aging { server, .. } = aging;
    let AdminServer {
        folder,
        service,
        deliveries,
        opened,
        tokio,
        ..
    } = server;
    tokio.block_on(service.close()).expect("closed");
    drop((tokio, service, deliveries, opened));
    let before = holding(folder.path(), CANARY);
    let compacted = SqliteStore::compact_folder(folder.path()).expect("compacted");
    assert!(compacted.after <= compacted.before, "{compacted:?}");
    assert_eq!(
        holding(folder.path(), CANARY),
        Vec::<String>::new(),
        "before: {before:?}"
    );
    // and it is the same store
    assert_eq!(
        SqliteStore::check_folder(folder.path()).expect("a store"),
        Vec::<String>::new()
    );
    let again = SqliteStore::open(folder.path()).expect("it opens");
    drop(again);
}
