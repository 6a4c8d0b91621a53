//! Writers wait for an index that is slow, at each door that writes: it is never further behind than the bound, and what is
//! written at a time; but none for longer than it is to. And the index gets no more at a time than it is to.

use crate::admin_server::AdminServer;
use crate::jobs::{counts, ended, import, sent_in_bulk, thing};
use crate::retention::{Aging, DAY};
use crate::undo::sent;
use runtime::service::Settings;
use runtime::service::search::{IndexPace, SearchState, WAIT_MAX};
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tests::stuck_index::StuckIndex;

/// How far behind it may be.
const BEHIND_MAX: u64 = 5;
/// What a step of a slow index takes: much more than the writes that would go on meanwhile.
const PAUSE: Duration = Duration::from_secs(1);
/// Longer than any step takes, so that who writes waits for it.
const PATIENCE: Duration = Duration::from_secs(60);
/// Longer than the index needs for all that a story writes, on a machine that does much else.
const CAUGHT_UP_MAX: Duration = Duration::from_secs(180);
/// Records of a batch of the index at most, and about how many bytes of them.
const BATCH_RECORDS: usize = 4_000;
const BATCH_BYTES: usize = 8 << 20;

/// A server with an index that is as slow as a story says, and whose writers wait for it, so long at most.
fn paced(wait_max: Duration) -> (Aging, Arc<StuckIndex>) {
    let settings = Settings {
        index_pace: IndexPace {
            behind_max: BEHIND_MAX,
            wait_max,
        },
        ..Aging::settings(false)
    };
    let (server, index) = with_index(settings);
    server.start_jobs();
    (Aging::of(server), index)
}

fn with_index(settings: Settings) -> (AdminServer, Arc<StuckIndex>) {
    let server = AdminServer::without_index(settings);
    let index = server.opened.index(server.folder.path());
    let index = Arc::new(StuckIndex::of(server.tokio.block_on(index)));
    let inside = server.tokio.enter();
    server.service.start_search(index.clone(), WAIT_MAX);
    drop(inside);
    (server, index)
}

/// How the index stands.
fn state(server: &AdminServer) -> SearchState {
    let state = server.tokio.block_on(server.service.search_state());
    state.expect("a store").expect("an index")
}

/// Waits until it has all, from the log or from the records.
fn catch_up(server: &AdminServer) {
    let has_all = |it: &SearchState| it.is_known && it.behind == 0 && it.reading == 0;
    let began = Instant::now();
    loop {
        let now = state(server);
        if has_all(&now) {
            return;
        }
        assert!(began.elapsed() < CAUGHT_UP_MAX, "it has not all: {now:?}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Has something written while the index is slow, from where it has all: it is to be behind by no more than the bound and
/// what is written at a time.
#[track_caller]
fn holds(server: &AdminServer, index: &StuckIndex, at_a_time: u64, write: impl FnOnce() + Send) {
    catch_up(server);
    index.take_time(PAUSE);
    let mut most = 0;
    std::thread::scope(|scope| {
        let writing = scope.spawn(write);
        while !writing.is_finished() {
            most = most.max(state(server).behind);
            std::thread::sleep(Duration::from_millis(2));
        }
        writing.join().expect("it is written");
    });
    index.take_time(Duration::ZERO);
    assert!(
        most > 0 && most <= BEHIND_MAX + at_a_time,
        "{most} entries behind"
    );
}

#[test]
fn who_writes_one_record_after_another_waits_for_an_index_that_is_slow() {
    let (aging, index) = paced(PATIENCE);
    let codes: Vec<String> = (0..12).map(|at| format!("C{at}")).collect();
    let mut made = Vec::new();
    holds(&aging.server, &index, 1, || {
        made.extend(codes.iter().map(|code| aging.create(code)));
    });
    holds(&aging.server, &index, 1, || {
        for id in &made {
            aging.update(id, 0, "second");
        }
    });
    holds(&aging.server, &index, 1, || {
        for id in &made {
            aging.delete(id);
        }
    });
}

#[test]
fn who_restores_and_purges_records_waits_for_an_index_that_is_slow() {
    let (aging, index) = paced(PATIENCE);
    let made: Vec<String> = (0..12).map(|at| aging.create(&format!("C{at}"))).collect();
    let all = |line: &dyn Fn(&str) -> String, status| {
        for id in &made {
            aging.server.root(&line(id), None).is(status);
        }
    };
    let deleted = format!("/datasets/{}/deleted-records", aging.dataset);
    for id in &made {
        aging.delete(id);
    }
    holds(&aging.server, &index, 1, || {
        all(&|id| format!("POST {deleted}/{id}/restore"), 204);
    });
    for id in &made {
        aging.delete(id);
    }
    holds(&aging.server, &index, 1, || {
        all(&|id| format!("DELETE {deleted}/{id}"), 204);
    });
}

#[test]
fn a_request_of_many_writes_waits_for_an_index_that_is_slow() {
    let (aging, index) = paced(PATIENCE);
    let line = |at: usize| json!({"create": {"Code": format!("C{at}")}});
    let lines: Vec<Value> = (0..5 * 256).map(line).collect();
    holds(&aging.server, &index, 256, || {
        sent(&aging.server, &aging.dataset, &lines);
    });
}

#[test]
fn an_import_waits_for_an_index_that_is_slow() {
    let (aging, index) = paced(PATIENCE);
    let mut file = String::from("Code,Mayor\n");
    let rows = 5 * 512;
    for row in 0..rows {
        writeln!(file, "{row},n").expect("a text takes it");
    }
    let server = &aging.server;
    holds(server, &index, 512, || {
        let made = import(server, &server.root, &aging.dataset, "", &file);
        let job = ended(server, &made.is(201).text("jobId"));
        assert_eq!(counts(&job), json!({"rows": rows, "created": rows}));
    });
}

#[test]
fn what_goes_by_its_age_waits_for_an_index_that_is_slow() {
    let (aging, index) = paced(PATIENCE);
    let line = |at: usize| json!({"create": {"Code": format!("C{at}")}});
    let lines: Vec<Value> = (0..5 * 200).map(line).collect();
    let (_, made) = sent(&aging.server, &aging.dataset, &lines);
    let line = |id: &String| json!({"delete": {"_dataObjectId": id}});
    let lines: Vec<Value> = made.iter().map(line).collect();
    sent_in_bulk(&aging.server, &aging.dataset, &lines);
    aging.server.clock.forward(31 * DAY);
    holds(&aging.server, &index, 200, || {
        assert_eq!(aging.remove_old().deleted, lines.len());
    });
}

#[test]
fn a_write_is_let_through_after_its_time_while_the_index_stands_still() {
    let wait_max = Duration::from_millis(50);
    let (aging, index) = paced(wait_max);
    catch_up(&aging.server);
    index.stand_still();
    let began = Instant::now();
    for at in 0..2 * BEHIND_MAX {
        aging.create(&format!("C{at}"));
    }
    let took = began.elapsed();
    // all were answered, and the index has none of them
    let now = state(&aging.server);
    index.go_on();
    assert_eq!(now.behind, 2 * BEHIND_MAX, "{now:?}");
    let waited = wait_max * u32::try_from(BEHIND_MAX).expect("a few");
    assert!(took >= waited, "those beyond the bound wait: {took:?}");
    catch_up(&aging.server);
}

/// What the index gets at a time of all that came while it was full, and of the same once more from the records.
fn batches(server: &AdminServer, index: &StuckIndex, write: impl FnOnce()) -> [Vec<usize>; 2] {
    catch_up(server);
    index.taken_batches();
    index.fill_up();
    write();
    // a step that began while it was written may have seen a part of it
    let (refused, began) = (index.refused(), Instant::now());
    while index.refused() < refused + 2 {
        assert!(
            began.elapsed() < CAUGHT_UP_MAX,
            "it is not tried again, {refused} times before: {:?}",
            state(server)
        );
        std::thread::sleep(Duration::from_millis(5));
    }
    index.make_room();
    catch_up(server);
    let of_log = index.taken_batches();
    let made_anew = server.tokio.block_on(server.service.rebuild_index());
    made_anew.expect("an index that is made anew");
    catch_up(server);
    [of_log, index.taken_batches()]
}

#[test]
fn the_index_gets_so_many_records_at_a_time_and_no_more() {
    let (server, index) = with_index(Settings::default());
    let [_, _, dataset] = server.places(&thing());
    let line = |at: usize| json!({"create": {"Code": format!("C{at}")}});
    let lines: Vec<Value> = (0..BATCH_RECORDS + 300).map(line).collect();
    let got = batches(&server, &index, || {
        sent(&server, &dataset, &lines);
    });
    assert_eq!(got, [[BATCH_RECORDS, 300], [BATCH_RECORDS, 300]]);
}

#[test]
fn the_index_gets_so_many_bytes_at_a_time_and_no_more() {
    let (server, index) = with_index(Settings::default());
    let mut document = thing();
    // nobody looks for its words, which would take their time
    document["fields"][1]["isSearched"] = json!(false);
    let [_, _, dataset] = server.places(&document);
    let name = "x".repeat(500_000);
    let (requests, records) = (6, 8);
    let got = batches(&server, &index, || {
        for request in 0..requests {
            let line =
                |at: usize| json!({"create": {"Code": format!("C{request} {at}"), "Name": name}});
            let lines: Vec<Value> = (0..records).map(line).collect();
            sent(&server, &dataset, &lines);
        }
    });
    for batches in got {
        assert_eq!(batches.iter().sum::<usize>(), requests * records);
        // the last one brings it there
        let most = batches.iter().max().expect("a batch");
        let least = BATCH_BYTES / name.len() / 2;
        assert!(
            (least..=BATCH_BYTES / name.len() + 1).contains(most),
            "{batches:?}"
        );
    }
}
