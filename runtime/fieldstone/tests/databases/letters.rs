//! Letters of webhooks where servers are several: one of them sends, and another one goes on when that one is gone.

use crate::cities::cities;
use crate::place::Place;
use crate::support::{Server, TIMEOUT};
use serde_json::{Value, json};
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// Somebody who takes letters at an address of this machine, and what they told: names of records, in order.
struct Receiver {
    url: String,
    told: Arc<Mutex<Vec<String>>>,
}

impl Receiver {
    fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let url = format!("http://{}/", listener.local_addr().expect("an address"));
        let told = Arc::<Mutex<Vec<String>>>::default();
        let all = told.clone();
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let names = taken(&stream).unwrap_or_default();
                all.lock().expect("no panic").extend(names);
            }
        });
        Receiver { url, told }
    }

    /// Waits until a record was told of; all that was told by then.
    fn hears_of(&self, name: &str) -> Vec<String> {
        let began = Instant::now();
        loop {
            let told = self.told.lock().expect("no panic").clone();
            if told.iter().any(|it| it == name) {
                return told;
            }
            assert!(began.elapsed() < TIMEOUT, "{name} is not told: {told:?}");
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

/// Takes a letter and says so; what it tells. One whose sender is killed meanwhile is none.
fn taken(stream: &TcpStream) -> std::io::Result<Vec<String>> {
    let mut reader = BufReader::new(stream);
    let (mut length, mut line) = (0, String::new());
    while reader.read_line(&mut line)? > 0 && !line.trim().is_empty() {
        let head = line.trim().to_ascii_lowercase();
        if let Some(value) = head.strip_prefix("content-length:") {
            length = value.trim().parse().expect("a number");
        }
        line.clear();
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body)?;
    let mut answer = stream;
    answer.write_all(b"HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n")?;
    if body.is_empty() {
        return Ok(Vec::new());
    }
    let letter: Value = serde_json::from_slice(&body).expect("JSON");
    let items = letter["data"]["items"].as_array().expect("items").iter();
    let names = items.map(|item| item["record"]["Name"].as_str().expect("a name"));
    Ok(names.map(str::to_owned).collect())
}

pub(crate) fn letters_of_a_server_that_was_killed_are_sent_on_by_another_in_their_order() {
    let place = Place::new();
    let key = place.company();
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
    let private = ["--webhooks-to-private-addresses"];
    let one = place.serve("one", &private);
    let records = cities(&one, &key);
    let create = |server: &Server, name: &str| {
        let body = json!({"Name": name}).to_string();
        let made = server.send("POST", &key, &records, &body);
        assert_eq!(made.status, 201, "{}", made.body);
    };
    create(&one, "First");
    receiver.hears_of("First");
    let other = place.serve("other", &private);
    create(&other, "Second");
    receiver.hears_of("Second");
    // whichever of them sent that one, the first server has the lease by its letter before
    drop(one);
    let names: Vec<String> = (0..5).map(|number| format!("City {number}")).collect();
    for name in &names {
        create(&other, name);
    }
    let mut told = receiver.hears_of("City 4");
    // a letter whose arrival was not noted any more comes once more
    told.dedup();
    let expected = ["First", "Second"].map(str::to_owned);
    assert_eq!(told, [&expected[..], &names[..]].concat());
}
