//! What is old enough to go and stays all the same: retention is never ahead of the index and of jobs under way, and leaves
//! what it can't be sure of. Webhooks and backups, which hold it up too, are in `retention.rs`. docs/interface.md, "Retention".

use crate::jobs::{counts, import};
use crate::retention::{Aging, DAY};
use runtime::service::RetentionReport;
use runtime::store::jobs::{JobChoice, JobLease};
use serde_json::json;

/// Removes what is old, however far the index is.
pub(crate) fn remove_old_at_once(aging: &Aging) -> RetentionReport {
    let service = &aging.server.service;
    let removed = aging
        .server
        .tokio
        .block_on(service.remove_old(service.now()));
    removed.expect("nothing fails")
}

/// An export that someone works on.
pub(crate) fn taken_export(aging: &Aging) -> String {
    let server = &aging.server;
    let made = server.make(&format!("/datasets/{}/exports", aging.dataset), json!({}));
    let id = made.text("jobId");
    take(aging, &id);
    id
}

/// Someone works on a job that waits.
fn take(aging: &Aging, id: &str) {
    let server = &aging.server;
    let lease = JobLease {
        holder: "a test".to_owned(),
        until: server.service.now().plus_seconds(60),
    };
    let store = server.service.store();
    let taken = store.take_job(JobChoice::One(id.to_owned()), lease, server.service.now());
    let taken = server.tokio.block_on(taken).expect("a store");
    assert!(taken.is_some(), "it waits");
}

/// Who had a job is gone, and another one ends it.
pub(crate) fn taken_over(aging: &Aging, id: &str) {
    let server = &aging.server;
    server.clock.forward(120);
    server.opened.pass(120);
    let done = server.tokio.block_on(server.service.run_job(id));
    done.expect("a job");
    assert_eq!(server.get(&format!("/jobs/{id}"))["state"], "done");
}

#[cfg_attr(
    on_a_database,
    ignore = "what holds up the index in a database holds up all its writes"
)]
#[test]
fn what_the_index_has_not_seen_stays_until_it_has() {
    let aging = Aging::start(false);
    aging.create("A");
    assert_eq!(aging.remove_old(), RetentionReport::default());
    let held = tests::damage::held(&aging.server.folder.path().join("search.db"));
    for code in ["B", "C"] {
        aging.create(code);
    }
    aging.server.clock.forward(31 * DAY);
    aging.create("D");
    // the one entry that it has seen tells it that the log is still its own
    assert_eq!(remove_old_at_once(&aging).changes, 0);
    drop(held);
    assert_eq!(aging.remove_old().changes, 3);
    aging.server.is_sound();
}

#[test]
fn entries_from_before_a_job_go_while_it_is_under_way_and_those_behind_it_stay() {
    let aging = Aging::start(false);
    let server = &aging.server;
    server.use_job_files();
    for code in ["A", "B"] {
        aging.create(code);
    }
    let id = taken_export(&aging);
    for code in ["C", "D"] {
        aging.create(code);
    }
    server.clock.forward(31 * DAY);
    aging.create("E");
    assert_eq!(aging.remove_old().changes, 2);
    assert_eq!(aging.remove_old().changes, 0);
    taken_over(&aging, &id);
    assert_eq!(aging.remove_old().changes, 2);
    server.is_sound();
}

#[test]
fn what_an_import_may_delete_is_known_by_the_log_though_retention_comes_in_its_midst() {
    let aging = Aging::start(false);
    let server = &aging.server;
    server.use_job_files();
    aging.create("A");
    let query = "?mode=replace&deleteMissing=true";
    let asked = import(
        server,
        &server.root,
        &aging.dataset,
        query,
        "Code,Mayor\nB,n\n",
    );
    let id = asked.is(201).text("jobId");
    take(&aging, &id);
    aging.create("C");
    server.clock.forward(31 * DAY);
    aging.create("D");
    // that A was made
    assert_eq!(aging.remove_old().changes, 1);
    taken_over(&aging, &id);
    let job = server.get(&format!("/jobs/{id}"));
    assert_eq!(counts(&job), json!({"rows": 1, "created": 1, "deleted": 1}));
}

#[test]
fn nothing_of_the_log_goes_while_a_job_is_taken_back() {
    let aging = Aging::start(false);
    let server = &aging.server;
    server.use_job_files();
    for code in ["A", "B"] {
        aging.create(code);
    }
    let query = "?mode=update";
    let asked = import(
        server,
        &server.root,
        &aging.dataset,
        query,
        "Code,Mayor\nA,second\n",
    );
    let imported = asked.is(201).text("jobId");
    let done = server.tokio.block_on(server.service.run_job(&imported));
    done.expect("a job");
    let undoing = server.root(&format!("POST /jobs/{imported}/undo"), None);
    let id = undoing.is(201).text("jobId");
    take(&aging, &id);
    server.clock.forward(31 * DAY);
    aging.create("C");
    assert_eq!(aging.remove_old().changes, 0);
    taken_over(&aging, &id);
    let job = server.get(&format!("/jobs/{id}"));
    assert_eq!(job["undoResult"]["reverted"], 1, "{job}");
}

/// A record that was deleted longer ago than it is kept.
fn long_deleted(aging: &Aging) {
    aging.delete(&aging.create("A"));
    aging.server.clock.forward(31 * DAY);
    aging.create("B");
}

#[test]
fn a_deleted_record_stays_as_long_as_a_webhook_that_is_switched_on_has_to_tell_of_it() {
    let aging = Aging::start(false);
    let hook = json!({"name": "W", "url": "https://example.org/hook", "datasets": [aging.dataset]});
    let hook = aging.server.make("/webhooks", hook).text("webhookId");
    long_deleted(&aging);
    assert_eq!(aging.remove_old().deleted, 0);
    let line = format!("POST /webhooks/{hook}/disable");
    aging.server.root(&line, None).is(200);
    assert_eq!(aging.remove_old().deleted, 1);
}

#[test]
fn a_record_that_was_deleted_before_a_job_goes_while_it_is_under_way_and_one_deleted_behind_it_stays()
 {
    let aging = Aging::start(false);
    aging.server.use_job_files();
    aging.delete(&aging.create("Before"));
    let id = taken_export(&aging);
    aging.delete(&aging.create("Behind"));
    aging.server.clock.forward(31 * DAY);
    aging.create("Young");
    assert_eq!(aging.remove_old().deleted, 1);
    assert_eq!(aging.remove_old().deleted, 0);
    taken_over(&aging, &id);
    assert_eq!(aging.remove_old().deleted, 1);
}

#[cfg_attr(
    on_a_database,
    ignore = "what holds up the index in a database holds up all its writes"
)]
#[test]
fn a_deleted_record_stays_until_the_index_has_seen_that_it_was() {
    let aging = Aging::start(false);
    aging.create("Seen");
    assert_eq!(aging.remove_old(), RetentionReport::default());
    let held = tests::damage::held(&aging.server.folder.path().join("search.db"));
    long_deleted(&aging);
    assert_eq!(remove_old_at_once(&aging).deleted, 0);
    drop(held);
    assert_eq!(aging.remove_old().deleted, 1);
}

#[test]
#[cfg_attr(on_a_database, ignore = "a database has no checksums of its rows")]
fn a_deleted_record_that_rotted_keeps_nothing_else_from_going() {
    let aging = Aging::start(false);
    for code in ["A", "B", "C"] {
        aging.delete(&aging.create(code));
    }
    // also the index has come so far
    assert_eq!(aging.remove_old(), RetentionReport::default());
    let folder = aging.server.folder.path();
    for spoil in [
        "UPDATE records SET body = replace(body, 'first', 'worst') WHERE primary_key = 'A'",
        // the log knows it by another id, so that it was deleted is not sure
        "UPDATE records SET nonce = nonce + 1 WHERE primary_key = 'B'",
    ] {
        aging.server.opened.spoil(folder, spoil);
    }
    aging.server.clock.forward(31 * DAY);
    let report = aging.remove_old();
    assert_eq!(report.deleted, 2, "{report:?}");
    assert!(report.changes > 0 && report.trail > 0, "{report:?}");
    assert_eq!(aging.remove_old().deleted, 0);
}
