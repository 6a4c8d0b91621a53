//! A record that someone comes in between with while a job is taken back: it is told as taken back in part, and another undoing
//! of the same job brings it all the way.

use crate::admin_server::AdminServer;
use crate::held_jobs::begun;
use crate::jobs::{ended, thing};
use crate::retention::{Aging, DAY};
use crate::undo::sent;
use serde_json::{Value, json};

/// What an undoing that has ended tells: records, and how many were reverted and left.
fn told(job: &Value) -> [u64; 3] {
    assert_eq!(job["state"], "done", "{job}");
    ["records", "reverted", "left"].map(|name| job["undoResult"][name].as_u64().expect("a count"))
}

fn undo(server: &AdminServer, job: &str) -> String {
    let made = server.root(&format!("POST /jobs/{job}/undo"), None).is(201);
    made.text("jobId")
}

/// Undoes a job here and now.
fn undone(server: &AdminServer, job: &str) -> Value {
    let id = undo(server, job);
    let done = server.service.run_job(&id);
    server.tokio.block_on(done).expect("a job");
    server.get(&format!("/jobs/{id}"))
}

#[test]
fn what_was_taken_back_in_part_is_told_so_and_another_undoing_goes_on_with_it() {
    let server = AdminServer::start();
    server.use_job_files();
    let [_, _, dataset] = server.places(&thing());
    let record = json!({"create": {"Code": "a", "Size": 1}});
    let (_, ids) = sent(&server, &dataset, &[record]);
    let lines = [
        json!({"update": {"_dataObjectId": ids[0], "_version": 0, "Code": "x"}}),
        json!({"update": {"_dataObjectId": ids[0], "_version": 1, "Size": 9}}),
        json!({"create": {"Code": "other", "Size": 2}}),
    ];
    let (job, made) = sent(&server, &dataset, &lines);
    assert_eq!(made.len(), lines.len());
    let first = undo(&server, &job);
    let (service, store) = begun(&server);
    // when its first write is to be taken back, its key is free no more
    let taker = json!({"create": {"Code": "a", "Size": 7}});
    let (_, taker) = sent(&server, &dataset, &[taker]);
    store.let_steps_go();
    let first = ended(&server, &first);
    server.tokio.block_on(service.stop_jobs());
    assert_eq!(told(&first), [2, 0, 1], "{first}");
    let reason = "taken back in part: another record has its primary key of then";
    let left = json!([{"dataObjectId": ids[0], "reason": reason}]);
    assert_eq!(first["undoResult"]["leftRecords"], left);
    // what is back already is not counted once more
    let again = undone(&server, &job);
    assert_eq!(told(&again), [1, 0, 1], "{again}");
    assert_eq!(again["undoResult"]["leftRecords"], left);
    let freed = json!({"update": {"_dataObjectId": taker[0], "_version": 0, "Code": "b"}});
    sent(&server, &dataset, &[freed]);
    let again = undone(&server, &job);
    assert_eq!(told(&again), [1, 1, 0], "{again}");
    let past = format!("/datasets/{dataset}/records/{}/history", ids[0]);
    let newest = server.get(&past)["items"][0]["changes"].clone();
    let code = newest.as_array().expect("changes").iter();
    let code: Vec<_> = code.map(|it| (&it["name"], &it["after"])).collect();
    assert_eq!(code, [(&json!("Code"), &json!("a"))]);
    // and all is back by then
    assert_eq!(told(&undone(&server, &job)), [0, 0, 0]);
}

/// A job that deletes a record of twenty days before, and makes another.
fn deleted_long_after() -> (Aging, String) {
    let aging = Aging::start(false);
    aging.server.use_job_files();
    let id = aging.create("A");
    aging.server.clock.forward(20 * DAY);
    let lines = [
        json!({"delete": {"_dataObjectId": id}}),
        json!({"create": {"Code": "B"}}),
    ];
    let (job, _) = sent(&aging.server, &aging.dataset, &lines);
    (aging, job)
}

#[test]
fn what_an_earlier_undoing_restored_is_not_left_where_the_log_before_the_job_is_gone() {
    let (aging, job) = deleted_long_after();
    let server = &aging.server;
    assert_eq!(told(&undone(server, &job)), [2, 0, 0]);
    // only what came before the job goes
    server.clock.forward(15 * DAY);
    assert_eq!(aging.remove_old().changes, 1);
    let again = undone(server, &job);
    assert_eq!(told(&again), [0, 0, 0], "{again}");
}

#[test]
fn a_deletion_that_was_done_again_is_taken_back_again_where_the_log_before_the_job_is_gone() {
    let (aging, job) = deleted_long_after();
    let server = &aging.server;
    let first = undone(server, &job);
    assert_eq!(first["undoResult"]["restored"], 1, "{first}");
    // only what came before the job goes
    server.clock.forward(15 * DAY);
    assert_eq!(aging.remove_old().changes, 1);
    let again = undone(server, first["jobId"].as_str().expect("an id"));
    assert_eq!(again["undoResult"]["deleted"], 1, "{again}");
    let second = undone(server, &job);
    assert_eq!(second["undoResult"]["restored"], 1, "{second}");
    assert_eq!(told(&second), [2, 0, 0], "{second}");
}
