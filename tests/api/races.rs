//! Requests that race: one winner, and the others told why. Decisions section 2.

use crate::raw::Answer;
use crate::world::World;
use std::sync::Barrier;

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
    let world = World::start();
    for round in 0..10 {
        let answers =
            race(|number| world.create(&format!(r#"{{"Code":"{round}","Name":"n{number}"}}"#)));
        let won = winners(&answers, 201);
        assert_eq!(won.len(), 1);
        let stored = world.by_key(&round.to_string()).is(200);
        assert_eq!(stored.body, answers[won[0]].body);
        for answer in answers.into_iter().filter(|answer| answer.status != 201) {
            answer.coded(400, "DUPLICATE_PRIMARY_KEY");
        }
    }
    assert_eq!(
        world.get(&world.records()).json()["items"]
            .as_array()
            .unwrap()
            .len(),
        10
    );
}

#[test]
fn of_racing_updates_of_one_version_exactly_one_wins() {
    let world = World::start();
    let record = world.created(r#"{"Code":"1","Name":"N"}"#);
    for version in 0..10 {
        let answers = race(|number| {
            world.update(
                &record,
                &format!(r#"{{"_version":{version},"Name":"n{number}"}}"#),
            )
        });
        let won = winners(&answers, 204);
        assert_eq!(won.len(), 1);
        let now = world.by_key("1").json();
        assert_eq!(now["_version"], version + 1);
        assert_eq!(now["Name"], format!("n{}", won[0]));
        for answer in answers.into_iter().filter(|answer| answer.status != 204) {
            answer.coded(400, "DATA_OBJECT_VERSION_CONFLICT");
        }
    }
}

#[test]
fn of_racing_changes_to_one_key_exactly_one_wins() {
    let world = World::start();
    let records: Vec<_> = (0..RACERS)
        .map(|number| world.created(&format!(r#"{{"Code":"{number}","Name":"N"}}"#)))
        .collect();
    let answers = race(|number| world.update(&records[number], r#"{"_version":0,"Code":"goal"}"#));
    assert_eq!(winners(&answers, 204).len(), 1);
    for answer in answers.into_iter().filter(|answer| answer.status != 204) {
        answer.coded(400, "DUPLICATE_PRIMARY_KEY");
    }
}

#[test]
fn of_racing_deletes_exactly_one_wins() {
    let world = World::start();
    let record = world.created(r#"{"Code":"1","Name":"N"}"#);
    let answers = race(|_| world.delete(&record));
    assert_eq!(winners(&answers, 204).len(), 1);
    for answer in answers.into_iter().filter(|answer| answer.status != 204) {
        answer.coded(404, "DATA_OBJECT_NOT_FOUND");
    }
}

#[test]
fn a_delete_and_an_update_never_both_hold() {
    let world = World::start();
    for round in 0..20 {
        let record = world.created(&format!(r#"{{"Code":"{round}","Name":"N"}}"#));
        let answers = race(|number| match number % 2 {
            0 => world.delete(&record),
            _ => world.update(&record, r#"{"_version":0,"Name":"M"}"#),
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
        let found = world.by_key(&round.to_string()).status;
        assert_eq!(found, if deletes == 1 { 404 } else { 200 });
        assert!(deletes <= 1);
    }
}
