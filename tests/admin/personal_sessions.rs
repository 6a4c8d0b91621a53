//! The data interface shows a user what management does: a session of one who has no view of `PERSONAL DATA` gets masks there,
//! finds, sorts and looks up nothing by personal values, and stores no mask in place of one. Programs read whole records.
//! docs/interface.md, "Personal data".

use crate::admin_server::PASSWORD;
use crate::browser::everything_in;
use crate::personal_dataset::{MARKER, People, hides};
use crate::requests::Answer;
use crate::rights::role;
use serde_json::{Value, json};
use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::time::Duration;

/// People, and two users: one who sees everything but them, and one who sees them.
struct Sessions {
    people: People,
    masked: String,
    seeing: String,
}

impl Sessions {
    fn start() -> Self {
        let people = People::start();
        let server = &people.server;
        let sees = role(server, "Sees", &[("PERSONAL DATA", &["view"])]);
        let session = |name: &str, roles: &[&str]| {
            let body = json!({"username": name, "fullName": name, "email": "one@example.org", "password": PASSWORD,
                "mustChangePassword": false, "roles": roles, "grants": everything_in(&[&people.area])});
            server.make("/users", body);
            server.session(name, PASSWORD)
        };
        let masked = session("max", &[&people.role]);
        let seeing = session("sia", &[&people.role, &sees]);
        Sessions {
            people,
            masked,
            seeing,
        }
    }

    fn dataset(&self) -> String {
        let People {
            area,
            schema,
            dataset,
            ..
        } = &self.people;
        format!("/v1/businessareas/{area}/schemas/{schema}/datasets/{dataset}")
    }

    fn record(&self) -> String {
        format!("{}/dataobjects/{}", self.dataset(), self.people.ids[0])
    }

    fn send(&self, by: &str, line: &str, body: Option<&Value>) -> Answer {
        let body = body.map(Value::to_string);
        self.people
            .server
            .send(line, &[("Authorization", by)], body.as_deref())
    }

    fn get(&self, by: &str, path: &str) -> Answer {
        self.send(by, &format!("GET {path}"), None)
    }

    /// What is heard first by who listens to changes from their beginning.
    fn heard(&self, by: &str) -> String {
        let mut stream = TcpStream::connect(self.people.server.address).expect("it listens");
        let patience = Some(Duration::from_secs(60));
        stream.set_read_timeout(patience).expect("a limit");
        let path = self.dataset();
        let head = format!(
            "GET {path}/changes HTTP/1.1\r\nHost: test\r\nAuthorization: {by}\r\nAccept: text/event-stream\r\n\r\n"
        );
        stream.write_all(head.as_bytes()).expect("sent");
        let mut heard = Vec::new();
        // the last change is a deletion
        while !String::from_utf8_lossy(&heard).contains(r#""action":"delete""#) {
            let mut piece = [0; 4096];
            let count = stream.read(&mut piece).expect("an event");
            assert_ne!(count, 0, "{}", String::from_utf8_lossy(&heard));
            heard.extend(&piece[..count]);
        }
        String::from_utf8_lossy(&heard).into_owned()
    }

    /// The looks that the trail tells of a user.
    fn looks(&self, name: &str) -> usize {
        let path = format!("/audit?action=view_personal_data&actor={name}&pageSize=1000");
        let page = self.people.server.get(&path);
        page["items"].as_array().expect("items").len()
    }
}

#[test]
fn a_session_reads_masks_where_a_program_reads_values() {
    let sessions = Sessions::start();
    let (dataset, record) = (sessions.dataset(), sessions.record());
    for path in [
        format!("{dataset}/dataobjects"),
        record,
        format!("{dataset}/dataobjects/by-pk/P1"),
        format!("{dataset}/changes"),
        "/v1/dataobjects/search?query=Code:P1".to_owned(),
    ] {
        let masked = sessions.get(&sessions.masked, &path).is(200);
        hides(&masked, &path);
        assert!(masked.body.contains(r#""Mail":"***""#), "{}", masked.body);
        assert!(masked.body.contains("Ulm"), "{}", masked.body);
        for by in [&sessions.seeing, &sessions.people.key] {
            let whole = sessions.get(by, &path).is(200);
            assert!(whole.body.contains(MARKER), "{path}: {}", whole.body);
        }
    }
    let heard = sessions.heard(&sessions.masked);
    assert!(!heard.contains(MARKER) && heard.contains("***"), "{heard}");
    assert!(sessions.heard(&sessions.seeing).contains(MARKER));
    assert!(sessions.heard(&sessions.people.key).contains(MARKER));
    assert_eq!(sessions.looks("max"), 0);
    assert_eq!(sessions.looks("sia"), 2, "the dataset, and the record");
}

#[test]
fn a_session_that_waits_for_a_change_is_told_it_with_masks() {
    let sessions = Sessions::start();
    let changes = format!("{}/changes", sessions.dataset());
    let latest = sessions.get(&sessions.masked, &format!("{changes}?after=latest"));
    let next = latest.is(200).text("next");
    let path = format!("{changes}?after={next}&wait=60");
    std::thread::scope(|scope| {
        let waited = scope.spawn(|| sessions.get(&sessions.masked, &path));
        let body = json!({"_version": 1, "Mail": format!("third.{MARKER}@example.org")});
        let line = format!("PUT {}", sessions.record());
        sessions
            .send(&sessions.people.server.root, &line, Some(&body))
            .is(204);
        let told = waited.join().expect("an answer").is(200);
        hides(&told, "a change");
        assert_eq!(told.json()["items"][0]["record"]["Mail"], "***");
    });
}

#[test]
fn a_session_finds_sorts_and_looks_up_nothing_by_what_it_does_not_see() {
    let sessions = Sessions::start();
    let search = |by: &str, more: &str| {
        let path = format!("/v1/dataobjects/search?query={more}");
        sessions.get(by, &path)
    };
    let mail = format!("Mail:{MARKER}");
    for asked in [
        &*mail,
        "Age:%3E40",
        "Age:40..50",
        "Colour:red",
        "*&sort=Mail",
    ] {
        let refused = search(&sessions.masked, asked).is(403);
        assert!(refused.body.contains("PERSONAL DATA"), "{}", refused.body);
        search(&sessions.seeing, asked).is(200);
        search(&sessions.people.key, asked).is(200);
    }
    let total = |by: &str| search(by, MARKER).is(200).json()["total"].clone();
    assert_eq!(total(&sessions.masked), 0);
    assert_eq!(total(&sessions.seeing), 2);
    assert_eq!(total(&sessions.people.key), 2);
    // a primary key that is personal is looked up by who sees it
    let server = &sessions.people.server;
    let line = format!("/schemas/{}", sessions.people.schema);
    let mut document = server.get(&line)["document"].clone();
    document["fields"][0]["isPII"] = true.into();
    let body = json!({"document": document, "state": "published", "active": true});
    server.root(&format!("PUT {line}"), Some(body)).is(200);
    for (key, status) in [("P1", 200), ("none", 404)] {
        let path = format!("{}/dataobjects/by-pk/{key}", sessions.dataset());
        let refused = sessions.get(&sessions.masked, &path).is(403);
        assert!(refused.body.contains("PERSONAL DATA"), "{}", refused.body);
        sessions.get(&sessions.seeing, &path).is(status);
        sessions.get(&sessions.people.key, &path).is(status);
    }
}

#[test]
fn a_session_writes_values_it_does_not_see_and_stores_no_mask() {
    let sessions = Sessions::start();
    let records = format!("POST {}/dataobjects", sessions.dataset());
    let body = json!({"Code": "P9", "Town": "Ulm", "Mail": format!("{MARKER}.new@example.org")});
    let made = sessions
        .send(&sessions.masked, &records, Some(&body))
        .is(201);
    hides(&made, "what was made");
    assert_eq!(made.json()["Mail"], "***");
    let record = format!("PUT {}", sessions.record());
    let read = sessions
        .get(&sessions.masked, &sessions.record())
        .is(200)
        .json();
    let refused = sessions
        .send(&sessions.masked, &record, Some(&read))
        .is(400);
    assert_eq!(refused.text("code"), "INVALID_REQUEST_BODY");
    let named = |answer: &Answer| -> Vec<String> {
        let fields = answer.json()["fields"].clone();
        let fields = fields.as_array().expect("fields").iter();
        fields
            .map(|it| it["name"].as_str().expect("a name").to_owned())
            .collect()
    };
    assert_eq!(named(&refused), ["Age", "Colour", "Mail"]);
    let masks = json!({"Code": "P8", "Mail": "***"});
    let refused = sessions
        .send(&sessions.masked, &records, Some(&masks))
        .is(400);
    assert_eq!(named(&refused), ["Mail"]);
    let change =
        json!({"_version": 1, "Town": "Bonn", "Mail": format!("fourth.{MARKER}@example.org")});
    sessions
        .send(&sessions.masked, &record, Some(&change))
        .is(204);
    let mails = sessions.people.mails();
    assert!(mails.iter().all(|mail| mail != "***"), "{mails:?}");
    assert_eq!(mails[0], format!("fourth.{MARKER}@example.org"));
    // to a program it is a text like any other
    sessions
        .send(&sessions.people.key, &records, Some(&masks))
        .is(201);
}
