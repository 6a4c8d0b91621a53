//! The law of the index: whatever happened to records and schemas while it followed, it finds what an
//! index finds that is made anew.

use crate::setup::SearchSetup;
use crate::test_server::{TestServer, records_of};
use runtime::schema::{DataType, Field};
use runtime::service::search::{SearchRequest, WAIT_MAX};
use runtime::service::{PageRequest, Refusal, Service, Settings};
use runtime::store::records::Change;
use serde_json::Value;
use tests::seeded_rng::SeededRng;

/// Rounds of a play, and those of a long one.
const ROUNDS: usize = 4;
const ROUNDS_LARGE: usize = 12;
const STEPS: usize = 25;
const TEXTS: [&str; 6] = ["ab", "AB.", "cd", "ab cd", "Cd ÄB", ""];
const DAYS: [&str; 4] = ["01.02.2003", "2003.02.01", "03.02.2001", "ab"];
const WORDS: [&str; 6] = ["ab", "cd", "\"ab cd\"", "2003", "\"01 02\"", "a*"];
const NAMES: [&str; 6] = ["A", "B", "C", "Day", "Tags", "More"];

/// A field of a version: id, name, type, and whether it is active.
type Column = (&'static str, &'static str, &'static str, bool);

const A: Column = ("f-a", "A", "string", true);
const B: Column = ("f-b", "B", "string", true);
const DAY: Column = ("f-day", "Day", "date", true);
const TAGS: Column = ("f-tags", "Tags", "tags", true);

/// What the schema may become, from any other of them.
const VERSIONS: [&[Column]; 11] = [
    &[A, B, DAY, TAGS],
    // in another order, and with one more
    &[TAGS, DAY, B, A],
    &[TAGS, B, A, ("f-more", "More", "string", true), DAY],
    // without one, and with that one off
    &[A, DAY, TAGS],
    &[A, ("f-b", "B", "string", false), DAY, TAGS],
    // by other names
    &[("f-a", "C", "string", true), B, DAY, TAGS],
    &[
        ("f-a", "B", "string", true),
        ("f-b", "A", "string", true),
        DAY,
        TAGS,
    ],
    // the name of one that is off or gone
    &[("f-a", "A", "string", false), ("f-c", "A", "string", true)],
    &[("f-a", "B", "string", true), DAY, TAGS],
    // in another format or type
    &[A, B, ("f-day", "Day", "day", true), TAGS],
    &[A, ("f-b", "B", "date", true), DAY, TAGS],
];

fn document(columns: &[Column]) -> String {
    let field = |(id, name, kind, active): &Column| {
        let kind = match *kind {
            "date" => r#""date","dateFormat":"DD$MM$YYYY","dateSeparator":".""#,
            "day" => r#""date","dateFormat":"YYYY$MM$DD","dateSeparator":".""#,
            "tags" => r#""string","isMultivalue":true"#,
            _ => r#""string""#,
        };
        format!(
            r#"{{"fieldId":"{id}","name":"{name}","active":{active},"isPrimaryKey":false,"isSortKey":false,"isRequired":false,"dataType":{kind}}}"#
        )
    };
    let fields: Vec<String> = columns.iter().map(field).collect();
    format!(
        r#"{{"schemaId":"s","name":"Thing","businessAreaId":"a","businessAreaName":"A","createdDate":"2026-01-01T00:00:00.000Z","fields":[{}]}}"#,
        fields.join(",")
    )
}

/// A dataset whose records and schema change at random.
struct Play {
    setup: SearchSetup,
    schema: String,
    dataset: u32,
    path: String,
    /// How many of the versions its schema may become.
    versions: usize,
    rng: SeededRng,
}

impl Play {
    fn start(seed: u64, versions: usize) -> Self {
        let setup = SearchSetup::start();
        let names = setup.server.names.clone();
        let first = document(VERSIONS[0]);
        let schema = setup.server.schema(&names.tenant, &names.area, &first);
        let dataset = setup.server.dataset(&schema, "Things");
        Play {
            path: records_of(&names.area, &schema, &dataset),
            dataset: setup.server.service.store().catalog().datasets[&dataset].number,
            setup,
            schema,
            versions,
            rng: SeededRng(seed),
        }
    }

    /// A record that is not deleted, as the interface shows it.
    fn any(&mut self) -> Option<Value> {
        let page = self
            .setup
            .server
            .get(&format!("{}?pageSize=1000", self.path));
        let items = page.is(200).json()["items"].as_array().cloned();
        self.one_of(items.expect("items"))
    }

    fn one_of<T>(&mut self, mut of: Vec<T>) -> Option<T> {
        let at = self.rng.below(of.len().max(1));
        (!of.is_empty()).then(|| of.swap_remove(at))
    }

    fn value_of(&mut self, field: &Field) -> String {
        let text = |rng: &mut SeededRng| format!("\"{}\"", rng.one_of(&TEXTS));
        if self.rng.below(6) == 0 {
            "null".to_owned()
        } else if field.is_multivalue() {
            let count = self.rng.below(3);
            let values: Vec<String> = (0..count).map(|_| text(&mut self.rng)).collect();
            format!("[{}]", values.join(","))
        } else if field.data_type == DataType::Date {
            format!("\"{}\"", self.rng.one_of(&DAYS))
        } else {
            text(&mut self.rng)
        }
    }

    /// Some of the active fields with values.
    fn values(&mut self) -> Vec<String> {
        let catalog = self.setup.server.service.store().catalog();
        let schema = &catalog.schemas[&self.schema].current().schema;
        let mut values = Vec::new();
        for field in schema.active_fields() {
            if self.rng.below(2) == 0 {
                values.push(format!("\"{}\":{}", field.name, self.value_of(field)));
            }
        }
        values
    }

    fn create(&mut self) {
        let body = format!("{{{}}}", self.values().join(","));
        let request = self.setup.server.request("POST", &self.path);
        request.json(body).send().is(201);
    }

    fn update(&mut self, record: &Value) {
        let mut values = self.values();
        values.push(format!("\"_version\":{}", record["_version"]));
        let body = format!("{{{}}}", values.join(","));
        let request = self.setup.server.request("PUT", &self.path_of(record));
        request.json(body).send().is(204);
    }

    fn delete(&self, record: &Value) {
        let request = self.setup.server.request("DELETE", &self.path_of(record));
        request.send().is(204);
    }

    fn path_of(&self, record: &Value) -> String {
        let id = record["_dataObjectId"].as_str().expect("an id");
        format!("{}/{id}", self.path)
    }

    fn change_schema(&mut self) {
        let next = VERSIONS[self.rng.below(self.versions)];
        self.setup
            .server
            .change_schema(&self.schema, &document(next));
    }

    fn go_on(&mut self) {
        let what = self.rng.below(20);
        match what {
            0..=2 => self.create(),
            3 => self.change_schema(),
            // the index catches up
            4..=5 => drop(self.setup.found("ab")),
            6..=7 => {
                if let Some(id) = self.one_of(self.setup.deleted(self.dataset)) {
                    let is_last = self.rng.below(4) == 0;
                    let change = if is_last {
                        Change::Purge { id }
                    } else {
                        Change::Restore { id }
                    };
                    self.setup.write(self.dataset, change);
                }
            }
            _ => match self.any() {
                Some(record) if what == 8 => self.delete(&record),
                Some(record) => self.update(&record),
                None => self.create(),
            },
        }
    }

    /// What a service over this store finds, by query.
    fn found(&self, service: &Service) -> Vec<(String, Vec<String>)> {
        let fields = NAMES.iter().flat_map(|name| {
            let with_name = |word: &&str| format!("{name}:{word}");
            WORDS.iter().map(with_name).collect::<Vec<_>>()
        });
        let alone = WORDS.iter().map(|word| (*word).to_owned());
        let none = ["NOT ab".to_owned(), "NOT nothing".to_owned()];
        let caller = service.authenticate(&self.setup.server.names.key);
        let caller = caller.expect("the caller");
        let ask = |query: String| {
            let request = SearchRequest {
                query: Some(query.clone()),
                schema: Some("Thing".to_owned()),
                page: PageRequest {
                    size: Some("1000".to_owned()),
                    ..PageRequest::default()
                },
                ..SearchRequest::default()
            };
            let found = service.search(&caller, &request);
            let found = match self.setup.server.runtime.block_on(found) {
                // the schema of this round has no such field
                Err(Refusal::Parameter(_)) => return (query, Vec::new()),
                found => found,
            };
            let found: Value = serde_json::from_str(&found.expect("it is answered")).expect("JSON");
            let hits = found["hits"].as_array().expect("hits").iter();
            let ids = hits.map(|hit| hit["_dataObjectId"].to_string());
            (query, ids.collect())
        };
        alone.chain(fields).chain(none).map(ask).collect()
    }
}

#[test]
fn an_index_that_followed_finds_what_one_made_anew_finds() {
    follow(ROUNDS, 100);
}

#[test]
#[ignore = "large data: the full lane runs it"]
fn an_index_that_followed_a_large_play_finds_what_one_made_anew_finds() {
    follow(ROUNDS_LARGE, 1000);
}

/// Compares both after each round, which together find more than so many records.
fn follow(rounds: usize, hits_min: usize) {
    for (seed, versions) in [(1, VERSIONS.len()), (2, VERSIONS.len()), (3, 2), (4, 3)] {
        let mut play = Play::start(seed, versions);
        let mut hits = 0;
        let folder = tempfile::tempdir().expect("a folder");
        let index = play.setup.another_index(folder.path());
        for round in 0..rounds {
            for _ in 0..STEPS {
                play.go_on();
            }
            let followed = play.found(&play.setup.server.service);
            // another service over the same store, with an index that is empty
            let cleared = async { index.clear().await };
            let cleared = play.setup.server.runtime.block_on(cleared);
            cleared.expect("it is empty");
            let store = play.setup.server.service.store().clone();
            let nobodys = tempfile::tempdir().expect("a folder");
            let anew = SearchSetup {
                server: TestServer::with_store(store, nobodys, Settings::default()),
                folder: tempfile::tempdir().expect("a folder"),
            };
            anew.attach(index.clone(), WAIT_MAX);
            let expected = play.found(&anew.server.service);
            for (followed, expected) in followed.iter().zip(&expected) {
                assert_eq!(followed, expected, "seed {seed}, round {round}");
            }
            hits += expected.iter().map(|(_, ids)| ids.len()).sum::<usize>();
            let stopped = anew.server.service.stop_search();
            anew.server.runtime.block_on(stopped);
        }
        assert!(hits > hits_min, "{hits} hits");
    }
}
