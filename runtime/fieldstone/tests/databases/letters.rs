//! Letters of webhooks where servers are several: one of them sends, and another one goes on when that one is gone.

use crate::cities::cities;
use crate::place::Place;
use crate::receiver::{PRIVATE, Receiver, names};
use crate::support::Server;
use serde_json::json;
use std::collections::BTreeSet;
use std::time::Duration;

/// A webhook that tells a receiver of the cities.
fn webhook(place: &Place) -> Receiver {
    let receiver = Receiver::start();
    std::fs::write(place.path().join("hooks.yaml"), receiver.manifest()).expect("written");
    place.json(&["apply", "hooks.yaml"]);
    receiver
}

/// Creates a city by a server.
pub(crate) fn create(server: &Server, (key, records): (&str, &str), name: &str) {
    let body = json!({"Name": name}).to_string();
    let made = server.send("POST", key, records, &body);
    assert_eq!(made.status, 201, "{}", made.body);
}

pub(crate) fn letters_of_a_server_that_was_killed_are_sent_on_by_another_in_their_order() {
    let place = Place::new();
    let key = place.company();
    let receiver = webhook(&place);
    let one = place.serve("one", &PRIVATE);
    let records = cities(&one, &key);
    let asked = (&*key, &*records);
    create(&one, asked, "First");
    receiver.hears_of("First");
    let other = place.serve("other", &PRIVATE);
    create(&other, asked, "Second");
    let before = receiver.hears_of("Second");
    assert_eq!(names(&before), ["First", "Second"]);
    // whichever of them sent that one, the first server has the lease by its letter before
    drop(one);
    place.end_leases();
    let cities: Vec<String> = (0..5).map(|number| format!("City {number}")).collect();
    for name in &cities {
        create(&other, asked, name);
    }
    let letters = receiver.hears_of("City 4");
    let told = names(&letters[before.len()..]);
    // a letter whose arrival was not noted any more when its server was killed is told once more
    let told = told.strip_prefix(&["Second"]).unwrap_or(&told);
    assert_eq!(told, cities);
}

pub(crate) fn of_two_servers_that_live_one_sends_each_letter_and_once() {
    const CITIES: usize = 50;
    let place = Place::new();
    let key = place.company();
    let receiver = webhook(&place);
    let servers = [place.serve("one", &PRIVATE), place.serve("other", &PRIVATE)];
    let records = cities(&servers[0], &key);
    let all: Vec<String> = (0..CITIES).map(|number| format!("City {number}")).collect();
    for (number, name) in all.iter().enumerate() {
        create(&servers[number % 2], (&key, &records), name);
        // so that they are of many letters
        std::thread::sleep(Duration::from_millis(30));
    }
    receiver.hears_of(&all[CITIES - 1]);
    // one that came once more would come soon
    std::thread::sleep(Duration::from_secs(2));
    let letters = receiver.letters();
    assert_eq!(names(&letters), all, "each is told once, in order");
    let ids: BTreeSet<&str> = letters.iter().map(|letter| &*letter.id).collect();
    assert_eq!(ids.len(), letters.len(), "{letters:?}");
    assert!(ids.len() > 1 && !ids.contains(""), "{ids:?}");
}
