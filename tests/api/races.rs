//! Requests that race: one winner, and the others told why. docs/rules.md, "Primary keys";
//! docs/interface.md, "Writing records".

use crate::overtaken::keyed_by_name;
use crate::raw::Answer;
use crate::test_server::{CITY, TestServer};
use runtime::service::Refusal;
use runtime::store::StoreError;
use runtime::store::records::{LogEntry, PageLimit};
use std::collections::BTreeMap;
use std::sync::Barrier;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use tests::ends::Ends;

const RACERS: usize = 8;

/// Sends requests at the same moment.
fn race(send: impl Fn(usize) -> Answer + Sync) -> Vec<Answer> {
    let line = Barrier::new(RACERS);
    std::thread::scope(|scope| {
        let racers: Vec<_> = (0..RACERS)
            .map(|number| {
                let (line, send) = (&line, &send);
                scope.spawn(move || {
                    line.wait();
                    send(number)
                })
            })
            .collect();
        racers
            .into_iter()
            .map(|racer| racer.join().expect("an answer"))
            .collect()
    })
}

fn winners(answers: &[Answer], status: u16) -> Vec<usize> {
    let won = answers
        .iter()
        .enumerate()
        .filter(|(_, answer)| answer.status == status);
    won.map(|(number, _)| number).collect()
}

#[test]
fn of_racing_creates_of_one_key_exactly_one_wins() {
    let server = TestServer::start();
    for round in 0..10 {
        let answers =
            race(|number| server.create(&format!(r#"{{"Code":"{round}","Name":"n{number}"}}"#)));
        let won = winners(&answers, 201);
        assert_eq!(won.len(), 1);
        let stored = server.by_key(&round.to_string()).is(200);
        assert_eq!(stored.body, answers[won[0]].body);
        for answer in answers.into_iter().filter(|answer| answer.status != 201) {
            answer.coded_error(400, "DUPLICATE_PRIMARY_KEY");
        }
    }
    assert_eq!(server.record_count(), 10);
}

#[test]
fn of_racing_updates_of_one_version_exactly_one_wins() {
    let server = TestServer::start();
    let record = server.created(r#"{"Code":"1","Name":"N"}"#);
    for version in 0..10 {
        let answers = race(|number| {
            server.update(
                &record,
                &format!(r#"{{"_version":{version},"Name":"n{number}"}}"#),
            )
        });
        let won = winners(&answers, 204);
        assert_eq!(won.len(), 1);
        let now = server.by_key("1").json();
        assert_eq!(now["_version"], version + 1);
        assert_eq!(now["Name"], format!("n{}", won[0]));
        for answer in answers.into_iter().filter(|answer| answer.status != 204) {
            answer.coded_error(400, "DATA_OBJECT_VERSION_CONFLICT");
        }
    }
}

#[test]
fn of_racing_changes_to_one_key_exactly_one_wins() {
    let server = TestServer::start();
    let records: Vec<_> = (0..RACERS)
        .map(|number| server.created(&format!(r#"{{"Code":"{number}","Name":"N"}}"#)))
        .collect();
    let answers = race(|number| server.update(&records[number], r#"{"_version":0,"Code":"goal"}"#));
    assert_eq!(winners(&answers, 204).len(), 1);
    for answer in answers.into_iter().filter(|answer| answer.status != 204) {
        answer.coded_error(400, "DUPLICATE_PRIMARY_KEY");
    }
}

#[test]
fn of_racing_deletes_exactly_one_wins() {
    let server = TestServer::start();
    let record = server.created(r#"{"Code":"1","Name":"N"}"#);
    let answers = race(|_| server.delete(&record));
    assert_eq!(winners(&answers, 204).len(), 1);
    for answer in answers.into_iter().filter(|answer| answer.status != 204) {
        answer.coded_error(404, "DATA_OBJECT_NOT_FOUND");
    }
}

#[test]
fn a_delete_and_an_update_never_both_hold() {
    let server = TestServer::start();
    for round in 0..20 {
        let record = server.created(&format!(r#"{{"Code":"{round}","Name":"N"}}"#));
        let answers = race(|number| match number % 2 {
            0 => server.delete(&record),
            _ => server.update(&record, r#"{"_version":0,"Name":"M"}"#),
        });
        for (number, answer) in answers.iter().enumerate() {
            let known: &[u16] = if number % 2 == 0 {
                &[204, 404, 409]
            } else {
                &[204, 400, 404]
            };
            assert!(known.contains(&answer.status), "{answer:?}");
        }
        let deletes = answers
            .iter()
            .step_by(2)
            .filter(|answer| answer.status == 204)
            .count();
        let found = server.by_key(&round.to_string()).status;
        assert_eq!(found, if deletes == 1 { 404 } else { 200 });
        assert!(deletes <= 1);
    }
}

impl TestServer {
    fn wait<T>(&self, answer: impl Future<Output = Result<T, StoreError>>) -> T {
        self.runtime.block_on(answer).expect("the store works")
    }

    /// Moves the primary key from field to field until it has moved so often, and has been refused so often
    /// because records were in the way; in the end it is the name.
    fn move_key(&self, times: usize) {
        let documents = [keyed_by_name(), CITY.to_owned()];
        let (mut moved, mut refused) = (0, 0);
        let end = Instant::now() + Duration::from_secs(300);
        while moved < times || refused < times || moved % 2 == 0 {
            assert!(Instant::now() < end, "{moved} moves, {refused} refused");
            match self.manage_schema(&documents[moved % 2]) {
                Ok(_) => moved += 1,
                Err(Refusal::Conflict(_)) => refused += 1,
                Err(other) => panic!("{other}"),
            }
        }
    }

    /// Creates and deletes cities until it is told to stop, and leaves one.
    fn come_and_go(&self, racer: usize, stop: &AtomicBool) {
        let mut round = 0;
        loop {
            let is_last = stop.load(Ordering::Relaxed);
            let city = self.created(&format!(
                r#"{{"Code":"c{racer}-{round}","Name":"n{racer}-{round}"}}"#
            ));
            if is_last {
                return;
            }
            self.delete(&city).is(204);
            std::thread::sleep(Duration::from_millis(1));
            round += 1;
        }
    }
}

/// Every version of this log has another primary key: so at no moment are there live records of two.
fn holds_one_key_at_a_time(log: &[LogEntry]) {
    let mut live = BTreeMap::new();
    for entry in log {
        match entry.action.as_str() {
            "create" => {
                live.insert(entry.id.place, entry.schema_version);
            }
            _ => {
                live.remove(&entry.id.place);
            }
        }
        let now = entry.schema_version;
        assert!(live.values().all(|version| *version == now), "{entry:?}");
    }
}

#[test]
fn the_primary_key_never_moves_under_a_live_record() {
    let server = TestServer::start();
    let stop = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let _ends = Ends(&stop);
        for racer in 0..4 {
            let (server, stop) = (&server, &stop);
            scope.spawn(move || server.come_and_go(racer, stop));
        }
        server.move_key(20);
    });
    let store = server.service.store();
    holds_one_key_at_a_time(&server.wait(store.log(0, PageLimit::of(1_000_000))));
    assert_eq!(server.wait(store.check()), Vec::<String>::new());
    let page = server.get(&server.records()).is(200).json();
    let cities = page["items"].as_array().unwrap();
    assert_eq!(cities.len(), 4);
    for city in cities {
        let key = city["Name"].as_str().unwrap();
        assert_eq!(server.by_key(key).is(200).json(), *city);
    }
    assert!(matches!(
        server.manage_schema(CITY),
        Err(Refusal::Conflict(_))
    ));
}
