//! Stores of earlier versions of the program: they are read as they are, brought to this version, and have all that they
//! had. What the fixtures are and how they were made, `fixtures/README.md` tells; beside each stands what the program of
//! then answered.

use crate::support::{Server, TIMEOUT, succeed};
use serde_json::{Value, json};
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use tempfile::tempdir;

/// A store as the program of an earlier version left it.
struct Earlier {
    archive: PathBuf,
    /// What it has: who may ask, and what was answered.
    told: Value,
}

/// All of them.
fn earlier() -> Vec<Earlier> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/stores");
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("the fixtures") {
        let archive = entry.expect("an entry").path();
        let name = archive.file_name().and_then(|name| name.to_str());
        if let Some(stem) = name.and_then(|name| name.strip_suffix(".tar.zst")) {
            let told = archive.with_file_name(format!("{stem}.json"));
            let told = fs::read_to_string(told).expect("what it has");
            let told = serde_json::from_str(&told).expect("JSON");
            found.push(Earlier { archive, told });
        }
    }
    found
}

/// Whether an answer has all that was answered then; what was `null` may be left out.
fn has(now: &Value, then: &Value) -> bool {
    match (now, then) {
        (Value::Object(now), Value::Object(then)) => then
            .iter()
            .all(|(name, then)| has(now.get(name).unwrap_or(&Value::Null), then)),
        (Value::Array(now), Value::Array(then)) => {
            now.len() == then.len() && now.iter().zip(then).all(|(now, then)| has(now, then))
        }
        _ => now == then,
    }
}

impl Earlier {
    fn unpack(&self, folder: &Path) {
        let file = File::open(&self.archive).expect("the archive");
        let decoder = zstd::Decoder::new(file).expect("zstd");
        let unpacked = tar::Archive::new(decoder).unpack(folder.join("data"));
        unpacked.expect("a tar archive");
    }

    fn text(&self, name: &str) -> &str {
        self.told[name].as_str().expect(name)
    }

    /// A record by its key.
    fn record(&self, server: &Server, key: &str) -> Value {
        let path = format!("{}/by-pk/{key}", self.text("records"));
        let answer = server.get(self.text("key"), &path);
        assert_eq!(answer.status, 200, "{key}: {}", answer.body);
        answer.json()
    }

    /// A path with the id of the record whose key stands in braces.
    fn path(&self, server: &Server, path: &str) -> String {
        let Some((before, rest)) = path.split_once('{') else {
            return path.to_owned();
        };
        let (key, behind) = rest.split_once('}').expect("a key in braces");
        let record = self.record(server, key);
        let id = record["_dataObjectId"].as_str().expect("an id");
        format!("{before}{id}{behind}")
    }

    /// Compares answers with those of then.
    fn compare(&self, server: &Server, credential: &str, answers: &Value) {
        for (path, then) in answers.as_object().into_iter().flatten() {
            let own = self.path(server, path);
            let began = Instant::now();
            // the search index is made anew meanwhile
            let now = loop {
                let now = server.get(credential, &own);
                if now.status != 503 || began.elapsed() > TIMEOUT {
                    break now;
                }
                std::thread::sleep(Duration::from_millis(20));
            };
            assert_eq!(now.status, 200, "{own}: {}", now.body);
            let now = now.json();
            assert!(has(&now, then), "{own}: {now}, and once {then}");
        }
    }

    /// All that it had is there.
    fn assert_whole(&self, server: &Server) {
        self.compare(server, self.text("key"), &self.told["answers"]);
        let file = &self.told["file"];
        let record = self.record(server, file["record"].as_str().expect("a key"));
        let link = record[file["field"].as_str().expect("a field")].as_str();
        let link = link.and_then(|link| link.split_once(server.address()));
        let (_, link) = link.expect("a link to its own address");
        let content = server.get("", link).body;
        assert_eq!(file["content"], content);
        if let Some(user) = self.told["user"].as_object() {
            let mut body = Value::Object(user.clone());
            body["token"] = json!(true);
            let session = server.send("POST", "", "/admin/api/v1/sessions", &body.to_string());
            assert_eq!(session.status, 200, "{}", session.body);
            let token = session.json();
            let token = token["token"].as_str().expect("a token");
            self.compare(server, token, &self.told["answersOfUser"]);
        }
        if let Some(day) = self.told["day"].as_object() {
            self.knows_day(server, &Value::Object(day.clone()));
        }
    }

    /// What was counted on a day is told, unless that is too long ago.
    fn knows_day(&self, server: &Server, day: &Value) {
        let path = format!(
            "/admin/api/v1/datasets/{}/days?days=400",
            self.text("dataset")
        );
        let told = server.get(self.text("key"), &path).json();
        let days = told["items"].as_array().expect("days");
        let is_too_long_ago = days.first().is_some_and(|first| {
            let first = first["day"].as_str().expect("a day");
            day["day"].as_str().is_some_and(|day| day < first) && days.len() >= 400
        });
        let is_told = days.iter().any(|own| has(own, day));
        assert!(is_told || is_too_long_ago, "{day}: {told}");
    }
}

/// As the guide for upgrading says.
fn upgrade(earlier: &Earlier) {
    let folder = tempdir().expect("a folder");
    let path = folder.path();
    earlier.unpack(path);
    // looked at and backed up before anything is changed
    assert!(succeed(path, &["check", "--contents"]).contains("is sound"));
    succeed(path, &["backup", "before.tar.zst"]);
    let server = Server::start(path, &[]);
    earlier.assert_whole(&server);
    // what came since works on what was there: a new version of an old record
    let old = earlier.record(&server, "B");
    let id = old["_dataObjectId"].as_str().expect("an id");
    let body = json!({"_version": old["_version"], "Title": "of today"}).to_string();
    let record = format!("{}/{id}", earlier.text("records"));
    let update = server.send("PUT", earlier.text("key"), &record, &body);
    assert_eq!(update.status, 204, "{}", update.body);
    server.stop();
    assert!(succeed(path, &["check", "--contents"]).contains("is sound"));
    assert!(succeed(path, &["compact"]).contains("bytes"));
    let server = Server::start(path, &[]);
    assert_eq!(earlier.record(&server, "B")["Title"], "of today");
    server.stop();

    // and what was backed up before is restored by this version, as it was
    let other = path.join("other");
    fs::create_dir(&other).expect("a folder");
    succeed(&other, &["restore", "../before.tar.zst"]);
    let server = Server::start(&other, &[]);
    earlier.assert_whole(&server);
    server.stop();
}

#[test]
fn stores_of_earlier_versions_are_checked_backed_up_upgraded_and_served_with_all_they_had() {
    let all = earlier();
    assert!(!all.is_empty(), "there are stores of earlier versions");
    for earlier in all {
        println!("{}", earlier.archive.display());
        upgrade(&earlier);
    }
}

#[test]
fn a_store_of_the_version_before_the_newest_is_kept() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../store/sqlite/migrations");
    let steps = fs::read_dir(folder)
        .expect("the steps of the tables")
        .count();
    let before = format!("version_{}.tar.zst", steps - 1);
    assert!(
        earlier().iter().any(|it| it.archive.ends_with(&before)),
        "{before} is missing: `.ci/store_fixture` makes it by the program of before step {steps}"
    );
}

#[test]
fn an_answer_that_lacks_what_there_was_is_told() {
    let then = json!({"items": [{"No": "A", "Title": null}, {}]});
    for (now, is_whole) in [
        (
            json!({"items": [{"No": "A", "More": 1}, {"No": "B"}]}),
            true,
        ),
        (json!({"items": [{"No": "A", "Title": "x"}, {}]}), false),
        (json!({"items": [{"No": "A"}]}), false),
        (json!({"items": [{"No": "B"}, {}]}), false),
        (json!({}), false),
    ] {
        assert_eq!(has(&now, &then), is_whole, "{now}");
    }
}
