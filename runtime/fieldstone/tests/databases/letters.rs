//! Letters of webhooks where servers are several: one of them sends, and another one goes on when that one is gone.

use crate::cities::cities;
use crate::place::Place;
use crate::support::{Server, TIMEOUT};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// A letter that came: its id, and the names of the records that it told of, in order.
#[derive(Clone, Debug)]
struct Letter {
    id: String,
    names: Vec<String>,
}

/// The names that letters told, in order.
fn names(letters: &[Letter]) -> Vec<&str> {
    let names = letters.iter().flat_map(|letter| &letter.names);
    names.map(String::as_str).collect()
}

/// Somebody who takes letters at an address of this machine, in the order in which they come.
struct Receiver {
    url: String,
    letters: Arc<Mutex<Vec<Letter>>>,
}

impl Receiver {
    fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let url = format!("http://{}/", listener.local_addr().expect("an address"));
        let letters = Arc::<Mutex<Vec<Letter>>>::default();
        let all = letters.clone();
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let letter = taken(&stream).ok().flatten();
                all.lock().expect("no panic").extend(letter);
            }
        });
        Receiver { url, letters }
    }

    /// All that came so far.
    fn letters(&self) -> Vec<Letter> {
        self.letters.lock().expect("no panic").clone()
    }

    /// Waits until a record was told of; all that came by then.
    fn hears_of(&self, name: &str) -> Vec<Letter> {
        let began = Instant::now();
        loop {
            let letters = self.letters();
            if names(&letters).contains(&name) {
                return letters;
            }
            assert!(began.elapsed() < TIMEOUT, "{name} is not told: {letters:?}");
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

/// Takes a letter and says so; what it is. One whose sender is killed meanwhile is none.
fn taken(stream: &TcpStream) -> std::io::Result<Option<Letter>> {
    let mut reader = BufReader::new(stream);
    let (mut length, mut id, mut line) = (0, String::new(), String::new());
    while reader.read_line(&mut line)? > 0 && !line.trim().is_empty() {
        let (name, value) = line.trim().split_once(": ").unwrap_or_default();
        match name.to_ascii_lowercase().as_str() {
            "content-length" => length = value.parse().expect("a number"),
            "webhook-id" => value.clone_into(&mut id),
            _ => {}
        }
        line.clear();
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body)?;
    let mut answer = stream;
    answer.write_all(b"HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n")?;
    if body.is_empty() {
        return Ok(None);
    }
    let letter: Value = serde_json::from_slice(&body).expect("JSON");
    let items = letter["data"]["items"].as_array().expect("items").iter();
    let names = items.map(|item| item["record"]["Name"].as_str().expect("a name"));
    let names = names.map(str::to_owned).collect();
    Ok(Some(Letter { id, names }))
}

/// A webhook that tells a receiver of the cities.
fn webhook(place: &Place) -> Receiver {
    let receiver = Receiver::start();
    let hooks = format!(
        "tenants:
  - name: Acme
    webhooks:
      - name: Cities
        url: {}
        datasets: [Places/City/Cities]
",
        receiver.url
    );
    std::fs::write(place.path().join("hooks.yaml"), hooks).expect("written");
    place.json(&["apply", "hooks.yaml"]);
    receiver
}

/// Creates a city by a server.
fn create(server: &Server, (key, records): (&str, &str), name: &str) {
    let body = json!({"Name": name}).to_string();
    let made = server.send("POST", key, records, &body);
    assert_eq!(made.status, 201, "{}", made.body);
}

const PRIVATE: [&str; 1] = ["--webhooks-to-private-addresses"];

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
