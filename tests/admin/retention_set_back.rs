//! What goes by its age where the clock was set back: the log's numbers say what was told to whom, whatever moments say.
//! docs/interface.md, "Retention".

use crate::admin_server::AdminServer;
use crate::jobs::ended;
use crate::retention::{Aging, DAY};
use crate::retention_waits::{remove_old_at_once, taken_export, taken_over};
use runtime::service::search::WAIT_MAX;
use serde_json::json;
use std::sync::Arc;
use tests::stuck_index::StuckIndex;

/// Something is written by a clock that is ten days ahead, and behind it, by one that was put right, a record is deleted: later
/// in the log, and earlier by its moment. It is kept no more, and what was written before it is.
fn delete_behind_a_later_moment(aging: &Aging, record: &str) {
    let clock = &aging.server.clock;
    clock.forward(10 * DAY);
    aging.create("Ahead");
    clock.forward(-10 * DAY);
    aging.delete(record);
    clock.forward(31 * DAY);
}

#[test]
fn a_deletion_that_a_webhook_has_to_tell_stays_though_its_moment_is_before_what_it_told_last() {
    let aging = Aging::start(false);
    let old = aging.create("Old");
    let hook = json!({"name": "W", "url": "https://example.org/hook", "datasets": [aging.dataset]});
    let hook = aging.server.make("/webhooks", hook).text("webhookId");
    delete_behind_a_later_moment(&aging, &old);
    assert_eq!(aging.remove_old().deleted, 0);
    let line = format!("POST /webhooks/{hook}/disable");
    aging.server.root(&line, None).is(200);
    assert_eq!(aging.remove_old().deleted, 1);
    aging.server.is_sound();
}

#[test]
fn a_deletion_that_the_index_has_not_seen_stays_though_its_moment_is_before_what_it_saw_last() {
    let server = AdminServer::without_index(Aging::settings(false));
    let index = server.opened.index(server.folder.path());
    let index = Arc::new(StuckIndex::of(server.tokio.block_on(index)));
    let inside = server.tokio.enter();
    server.service.start_search(index.clone(), WAIT_MAX);
    drop(inside);
    let aging = Aging::of(server);
    let old = aging.create("Old");
    assert_eq!(aging.remove_old().deleted, 0);
    index.fill_up();
    delete_behind_a_later_moment(&aging, &old);
    let report = remove_old_at_once(&aging);
    assert_eq!((report.deleted, report.changes), (0, 0));
    index.make_room();
    assert_eq!(aging.remove_old().deleted, 1);
    aging.server.is_sound();
}

#[test]
fn what_was_written_behind_a_job_stays_while_it_is_under_way_though_the_clock_was_set_back() {
    let aging = Aging::start(false);
    aging.server.use_job_files();
    let old = aging.create("Old");
    aging.server.clock.forward(10 * DAY);
    let id = taken_export(&aging);
    aging.server.clock.forward(-10 * DAY);
    delete_behind_a_later_moment(&aging, &old);
    let report = aging.remove_old();
    // what is from before it goes
    assert_eq!((report.deleted, report.changes), (0, 1));
    taken_over(&aging, &id);
    assert_eq!(aging.remove_old().deleted, 1);
}

#[test]
fn a_job_that_read_a_record_is_emptied_with_it_though_it_was_asked_for_by_a_clock_that_was_ahead() {
    let aging = Aging::start(false);
    let server = &aging.server;
    server.start_jobs();
    let id = aging.create("A");
    server.clock.forward(10 * DAY);
    let path = format!("/datasets/{}/exports", aging.dataset);
    let export = server.make(&path, json!({})).text("jobId");
    assert_eq!(ended(server, &export)["files"][0]["file"], "export");
    server.clock.forward(-10 * DAY);
    aging.delete(&id);
    server.clock.forward(31 * DAY);
    assert_eq!(aging.remove_old().deleted, 1);
    let job = ended(server, &export);
    assert_eq!(
        (&job["isPurged"], &job["files"]),
        (&json!(true), &json!([]))
    );
}

#[test]
fn a_record_that_a_clock_deleted_which_was_ahead_goes_with_what_was_written_behind_it() {
    let aging = Aging::start(false);
    let id = aging.create("A");
    aging.server.clock.forward(365 * DAY);
    aging.delete(&id);
    aging.server.clock.forward(-365 * DAY);
    aging.create("B");
    aging.server.clock.forward(29 * DAY);
    assert_eq!(aging.remove_old().deleted, 0);
    aging.server.clock.forward(2 * DAY);
    assert_eq!(aging.remove_old().deleted, 1);
    aging.server.is_sound();
}

#[test]
fn the_log_is_cut_behind_entries_whose_moments_are_to_come() {
    let aging = Aging::start(false);
    aging.server.clock.forward(365 * DAY);
    aging.create("Ahead");
    aging.server.clock.forward(-365 * DAY);
    aging.create("Old");
    aging.server.clock.forward(31 * DAY);
    aging.create("Young");
    assert_eq!(aging.remove_old().changes, 2);
    aging.server.is_sound();
}
