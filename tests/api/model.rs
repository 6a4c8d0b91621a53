//! Random requests against a model in memory that foretells every status and code. docs/interface.md,
//! "Lives of a record" and "Order of judgement".

use crate::raw::{Answer, escaped};
use crate::test_server::TestServer;
use serde_json::{Map, Value, json};
use tests::seeded_rng::SeededRng;

/// A value for the key: one of few, some with white space around, some blank.
fn random_key(rng: &mut SeededRng) -> Value {
    match rng.below(12) {
        0 => Value::Null,
        1 => json!(" \u{2003}"),
        2 => json!(rng.below(3)),
        _ => {
            let key = rng.one_of(&[
                "a", "A", "b", "c/d", "e%", "0", "é", "e\u{301}", "f g", "h+i", "j", "k",
            ]);
            json!(format!(
                "{}{key}{}",
                rng.one_of(&["", " "]),
                rng.one_of(&["", "\t\u{a0}"])
            ))
        }
    }
}

/// A record as it should be.
#[derive(Clone)]
struct Known {
    id: String,
    version: i64,
    code: Value,
    name: Value,
    is_deleted: bool,
}

impl Known {
    fn shown(&self) -> Value {
        json!([self.id, self.version, self.code, self.name])
    }

    fn is_errored(&self) -> bool {
        self.name.is_null() || self.code.is_number()
    }
}

/// The part of a record that the model knows.
fn part(record: &Value) -> Value {
    let keys = ["_dataObjectId", "_version", "Code", "Name"];
    keys.iter().map(|key| record[*key].clone()).collect()
}

/// What is stored of a key, and its text; `None` when it is no key.
fn stored_key(sent: &Value) -> Option<(Value, String)> {
    match sent {
        Value::String(text) if text.trim().is_empty() => None,
        Value::String(text) => Some((json!(text.trim()), text.trim().to_owned())),
        Value::Null => None,
        other => Some((other.clone(), other.to_string())),
    }
}

struct Model {
    server: TestServer,
    rng: SeededRng,
    records: Vec<Known>,
}

impl Model {
    fn live(&self) -> impl Iterator<Item = &Known> {
        self.records.iter().filter(|known| !known.is_deleted)
    }

    fn is_taken(&self, text: &str, own: Option<usize>) -> bool {
        self.records.iter().enumerate().any(|(at, known)| {
            let key = stored_key(&known.code).map(|(_, text)| text);
            !known.is_deleted && Some(at) != own && key.as_deref() == Some(text)
        })
    }

    fn create(&mut self) {
        let mut body = Map::new();
        let code = random_key(&mut self.rng);
        body.insert("Code".to_owned(), code.clone());
        if self.rng.below(3) > 0 {
            body.insert("Name".to_owned(), json!("N"));
        }
        let name = body.get("Name").cloned().unwrap_or(Value::Null);
        let answer = self.server.create(&Value::Object(body).to_string());
        let Some((code, text)) = stored_key(&code) else {
            return is_coded(answer, 400, "PRIMARY_KEY_REQUIRED");
        };
        if self.is_taken(&text, None) {
            return is_coded(answer, 400, "DUPLICATE_PRIMARY_KEY");
        }
        let made = answer.is(201).json();
        let known = Known {
            id: made["_dataObjectId"].as_str().unwrap().to_owned(),
            version: 0,
            code,
            name,
            is_deleted: false,
        };
        assert_eq!(part(&made), known.shown());
        assert_eq!(made["_errors"] != json!([]), known.is_errored(), "{made}");
        self.records.push(known);
    }

    fn update(&mut self) {
        let at = self.rng.below(self.records.len());
        let known = self.records[at].clone();
        let stale = self.rng.below(5) == 0;
        let version = known.version + i64::from(stale);
        let mut body = Map::new();
        // without its version, or with a key that is none of the schema's
        let mistake = self.rng.below(12);
        if mistake != 0 {
            body.insert("_version".to_owned(), json!(version));
        }
        if mistake == 1 {
            body.insert("Nope".to_owned(), json!(1));
        }
        let code = (self.rng.below(2) == 0).then(|| random_key(&mut self.rng));
        if let Some(code) = &code {
            body.insert("Code".to_owned(), code.clone());
        }
        let name = match self.rng.below(3) {
            0 => None,
            1 => Some(Value::Null),
            _ => Some(json!(format!("M{version}"))),
        };
        if let Some(name) = &name {
            body.insert("Name".to_owned(), name.clone());
        }
        let target = format!("{}/{}", self.server.records(), known.id);
        let body = Value::Object(body).to_string();
        let answer = self.server.request("PUT", &target).json(body).send();
        let key = code.as_ref().map(stored_key);
        if mistake < 2 {
            return is_coded(answer, 400, "INVALID_REQUEST_BODY");
        } else if known.is_deleted {
            return is_coded(answer, 404, "DATA_OBJECT_NOT_FOUND");
        } else if stale {
            return is_coded(answer, 400, "DATA_OBJECT_VERSION_CONFLICT");
        } else if key == Some(None) {
            return is_coded(answer, 400, "PRIMARY_KEY_REQUIRED");
        }
        if let Some(Some((code, text))) = key {
            if self.is_taken(&text, Some(at)) {
                return is_coded(answer, 400, "DUPLICATE_PRIMARY_KEY");
            }
            self.records[at].code = code;
        }
        answer.is(204);
        self.records[at].version += 1;
        if let Some(name) = name {
            self.records[at].name = name;
        }
    }

    fn delete(&mut self) {
        let at = self.rng.below(self.records.len());
        let target = format!("{}/{}", self.server.records(), self.records[at].id);
        let answer = self.server.request("DELETE", &target).send();
        if self.records[at].is_deleted {
            return is_coded(answer, 404, "DATA_OBJECT_NOT_FOUND");
        }
        answer.is(204);
        self.records[at].is_deleted = true;
    }

    fn look_up(&mut self) {
        let key = random_key(&mut self.rng);
        let sent = key.as_str().map_or_else(|| key.to_string(), str::to_owned);
        let answer = self.server.by_key(&escaped(&sent));
        let found = self.live().find(|known| {
            let key = stored_key(&known.code).map(|(_, text)| text);
            key.as_deref() == Some(sent.trim())
        });
        match found {
            Some(known) => assert_eq!(part(&answer.is(200).json()), known.shown()),
            None => assert!(answer.is(404).body.is_empty(), "{sent:?}"),
        }
    }

    /// The list and the counts are those of the model.
    fn compare(&mut self) {
        let size = 1 + self.rng.below(7);
        let items = self.server.walk(&self.server.records(), size);
        let shown: Vec<Value> = items.iter().map(part).collect();
        let expected: Vec<Value> = self.live().map(Known::shown).collect();
        assert_eq!(shown, expected);
        let names = &self.server.names;
        let target = format!(
            "/v1/businessareas/{}/schemas/{}/datasets",
            names.area, names.schema
        );
        let item = self.server.get(&target).is(200).json()["items"][0].clone();
        let errored = self.live().filter(|known| known.is_errored()).count();
        assert_eq!(item["recordCount"], json!(expected.len()));
        assert_eq!(item["erroredRecordsCount"], json!(errored));
    }
}

#[track_caller]
fn is_coded(answer: Answer, status: u16, code: &str) {
    answer.coded_error(status, code);
}

#[test]
fn every_answer_is_the_one_that_the_model_foretells() {
    let mut model = Model {
        server: TestServer::start(),
        rng: SeededRng(4_711),
        records: Vec::new(),
    };
    model.server.created(r#"{"Code":"first","Name":"N"}"#);
    let first = model.server.by_key("first").is(200).json();
    model.records.push(Known {
        id: first["_dataObjectId"].as_str().unwrap().to_owned(),
        version: 0,
        code: json!("first"),
        name: json!("N"),
        is_deleted: false,
    });
    for step in 0..800 {
        match model.rng.below(10) {
            0..=2 => model.create(),
            3..=5 => model.update(),
            6..=7 => model.delete(),
            _ => model.look_up(),
        }
        if step % 25 == 0 {
            model.compare();
        }
    }
    model.compare();
    assert!(model.records.len() > 40);
}
