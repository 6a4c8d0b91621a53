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

pub(crate) fn letters_of_datasets_that_are_written_in_turns_are_noted_once_each() {
    const CITIES: usize = 60;
    let place = Place::new();
    let key = place.company();
    let receiver = Receiver::start();
    let of_both = receiver.manifest().replace(
        "[Places/City/Cities]",
        "[Places/City/Cities, Places/City/Towns]",
    );
    let company = std::fs::read_to_string(place.path().join("company.yaml")).expect("it is there");
    let two = "              - name: Towns\n              - name: Cities\n";
    let company = company.replace("              - name: Cities\n", two);
    std::fs::write(place.path().join("company.yaml"), company).expect("written");
    place.json(&["apply", "company.yaml"]);
    let of_both = of_both.replace(
        "      - name: Cities\n",
        "      - name: Cities\n        active: false\n",
    );
    std::fs::write(place.path().join("hooks.yaml"), &of_both).expect("written");
    place.json(&["apply", "hooks.yaml"]);
    let server = place.serve("one", &PRIVATE);
    let records = cities(&server, &key);
    let dataset = records.trim_end_matches("/dataobjects");
    let (datasets, own) = dataset.rsplit_once('/').expect("a dataset");
    let listed = server.get(&key, datasets).json();
    let ids = listed["items"].as_array().expect("datasets").iter();
    let mut ids = ids.map(|it| it["dataSetId"].as_str().expect("an id"));
    let towns = ids.find(|id| *id != own).expect("towns");
    let towns = format!("{datasets}/{towns}/dataobjects");
    let all: Vec<String> = (0..CITIES).map(|number| format!("City {number}")).collect();
    for (number, name) in all.iter().enumerate() {
        let records = if number % 2 == 0 { &records } else { &towns };
        create(&server, (&key, records), name);
    }
    let on = of_both.replace("active: false", "active: true");
    std::fs::write(place.path().join("hooks.yaml"), on).expect("written");
    place.json(&["apply", "hooks.yaml"]);
    let letters = receiver.hears_of(&all[CITIES - 1]);
    assert_eq!(names(&letters), all, "each is told once, in order");
    assert_eq!(letters.len(), CITIES, "one letter a turn");
    // the sessions tell what they wrote when they end
    server.stop();
    let written = |table: &str| {
        let count = format!(
            "SELECT 'written: ' || n_tup_ins + n_tup_upd FROM pg_stat_user_tables WHERE relname = '{table}'"
        );
        let told = place.sql(&count);
        let written = told
            .lines()
            .find_map(|it| it.trim().strip_prefix("written: "));
        written
            .expect("a number")
            .parse::<usize>()
            .expect("a number")
    };
    // by itself, each letter would be begun and ended, and its turn taken
    let noted = written("deliveries");
    assert!((CITIES..CITIES + CITIES / 2).contains(&noted), "{noted}");
    let turns = written("leases");
    assert!(turns < CITIES / 2, "{turns}");
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
