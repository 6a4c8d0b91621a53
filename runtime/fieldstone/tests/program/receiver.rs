//! Somebody at an address of this machine whom a webhook tells of the small company's cities.

use crate::support::TIMEOUT;
use serde_json::Value;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// A server sends letters to this machine only where it is told to.
pub(crate) const PRIVATE: [&str; 1] = ["--webhooks-to-private-addresses"];

/// A letter that came: its id, and the names of the records that it told of, in order.
#[derive(Clone, Debug)]
pub(crate) struct Letter {
    pub(crate) id: String,
    pub(crate) names: Vec<String>,
}

/// The names that letters told, in order.
pub(crate) fn names(letters: &[Letter]) -> Vec<&str> {
    let names = letters.iter().flat_map(|letter| &letter.names);
    names.map(String::as_str).collect()
}

/// Somebody who takes letters at an address of this machine, in the order in which they come.
pub(crate) struct Receiver {
    url: String,
    letters: Arc<Mutex<Vec<Letter>>>,
}

impl Receiver {
    pub(crate) fn start() -> Self {
        Self::answering("204 No Content")
    }

    /// One that answers each letter with this status.
    pub(crate) fn answering(status: &'static str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let url = format!("http://{}/", listener.local_addr().expect("an address"));
        let letters = Arc::<Mutex<Vec<Letter>>>::default();
        let all = letters.clone();
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let letter = taken(&stream, status).ok().flatten();
                all.lock().expect("no panic").extend(letter);
            }
        });
        Receiver { url, letters }
    }

    /// A manifest with a webhook that tells it of the small company's cities.
    pub(crate) fn manifest(&self) -> String {
        format!(
            "tenants:
  - name: Acme
    webhooks:
      - name: Cities
        url: {}
        datasets: [Places/City/Cities]
",
            self.url
        )
    }

    /// All that came so far.
    pub(crate) fn letters(&self) -> Vec<Letter> {
        self.letters.lock().expect("no panic").clone()
    }

    /// Waits until a record was told of; all that came by then.
    pub(crate) fn hears_of(&self, name: &str) -> Vec<Letter> {
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

/// Takes a letter and answers it; what it is. One whose sender is killed meanwhile is none.
fn taken(stream: &TcpStream, status: &str) -> std::io::Result<Option<Letter>> {
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
    write!(answer, "HTTP/1.1 {status}\r\nConnection: close\r\n\r\n")?;
    if body.is_empty() {
        return Ok(None);
    }
    let letter: Value = serde_json::from_slice(&body).expect("JSON");
    let items = letter["data"]["items"].as_array().expect("items").iter();
    let names = items.map(|item| item["record"]["Name"].as_str().expect("a name"));
    let names = names.map(str::to_owned).collect();
    Ok(Some(Letter { id, names }))
}
