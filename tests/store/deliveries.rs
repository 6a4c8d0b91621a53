//! How far a webhook has come, as several note it: who saw it elsewhere than where it stands takes back nothing of the others, and a
//! try that failed nothing of what arrived out of its turn meanwhile.

use crate::engines::{each, wait};
use runtime::store::deliveries::{DeadLetter, Delivery};
use runtime::value::Timestamp;
use std::thread;

const HOOK: &str = "hook";
const AT_ONCE: u64 = 8;

/// One that delivered all up to an entry, with nothing under way.
fn behind(position: u64) -> Delivery {
    Delivery {
        position,
        ..Delivery::default()
    }
}

#[test]
fn a_note_of_who_saw_a_webhook_where_it_stands_no_more_is_not_taken() {
    each(|folder| {
        let store = folder.open();
        let note = |seen: &Delivery, next: &Delivery, dead: Option<DeadLetter>| {
            wait(store.note_delivery(HOOK, seen.clone(), next.clone(), dead))
        };
        let begun = Delivery {
            batch_end: Some(5),
            ..behind(0)
        };
        assert!(note(&behind(0), &begun, None), "it never tried");
        // who saw it before that
        assert!(!note(&behind(0), &behind(3), None));
        // what is tried again is where it was
        let tried = Delivery {
            tries: 1,
            ..begun.clone()
        };
        assert!(note(&begun, &tried, None));
        assert!(note(&begun, &behind(5), None));
        let dead = DeadLetter {
            dataset: 1,
            after: 0,
            last: 5,
            changes: 5,
            at: Timestamp::from_millis(0),
            error: "too late".to_owned(),
        };
        assert!(!note(&begun, &tried, Some(dead)));
        assert_eq!(wait(store.delivery(HOOK)), Some(behind(5)));
        let given_up = wait(store.dead_letters(HOOK, 0, 10));
        assert!(given_up.is_empty(), "{} are given up", given_up.len());
    });
}

#[test]
fn what_failed_while_something_arrived_out_of_its_turn_is_not_noted_and_what_arrived_is() {
    each(|folder| {
        let store = folder.open();
        let note = |seen: &Delivery, next: &Delivery| {
            wait(store.note_delivery(HOOK, seen.clone(), next.clone(), None))
        };
        let [tried_at, arrived_at, brought_at, again_at] = [1, 2, 3, 4].map(Timestamp::from_millis);
        let begun = Delivery {
            batch_end: Some(5),
            ..behind(0)
        };
        let failed = Delivery {
            tries: 1,
            next_try_at: Some(again_at),
            failing_since: Some(tried_at),
            error: Some("nobody is home".to_owned()),
            ..begun.clone()
        };
        assert!(note(&behind(0), &begun));
        wait(store.note_arrival(HOOK, arrived_at));
        assert!(!note(&begun, &failed), "it would be put off");
        let arrived = begun.clone().arrived(arrived_at);
        assert_eq!(wait(store.delivery(HOOK)), Some(arrived));
        // what was brought meanwhile is not brought again
        let brought = Delivery {
            delivered_at: Some(brought_at),
            ..behind(5)
        };
        assert!(note(&begun, &brought));
        assert_eq!(wait(store.delivery(HOOK)), Some(brought));
    });
}

#[test]
fn of_first_notes_that_come_at_once_one_is_taken() {
    each(|folder| {
        let store = folder.open();
        let taken = thread::scope(|scope| {
            let note = |position| {
                let store = &store;
                scope.spawn(move || {
                    let noted = store.note_delivery(HOOK, behind(0), behind(position), None);
                    wait(noted).then_some(position)
                })
            };
            let noting: Vec<_> = (1..=AT_ONCE).map(note).collect();
            let noted = noting.into_iter().map(|it| it.join().expect("no panic"));
            noted.flatten().collect::<Vec<u64>>()
        });
        assert_eq!(taken.len(), 1, "{taken:?}");
        assert_eq!(wait(store.delivery(HOOK)), Some(behind(taken[0])));
    });
}
