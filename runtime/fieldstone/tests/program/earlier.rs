//! Stores as earlier versions of the program left them, and what each of them has. What the fixtures are and how they were
//! made, `fixtures/README.md` tells; beside each stands what the program of then answered.

use crate::support::{Server, TIMEOUT};
use serde_json::{Value, json};
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// A store as the program of an earlier version left it.
pub(crate) struct Earlier {
    pub(crate) archive: PathBuf,
    /// What it has: who may ask, and what was answered.
    told: Value,
}

/// All of them.
pub(crate) fn earlier() -> Vec<Earlier> {
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
pub(crate) fn has(now: &Value, then: &Value) -> bool {
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
    pub(crate) fn unpack(&self, folder: &Path) {
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
    pub(crate) fn assert_whole(&self, server: &Server) {
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

    /// What came since works on what was there: a new version of an old record.
    pub(crate) fn change(&self, server: &Server) {
        let old = self.record(server, "B");
        let id = old["_dataObjectId"].as_str().expect("an id");
        let body = json!({"_version": old["_version"], "Title": "of today"}).to_string();
        let record = format!("{}/{id}", self.text("records"));
        let update = server.send("PUT", self.text("key"), &record, &body);
        assert_eq!(update.status, 204, "{}", update.body);
        self.assert_changed(server);
    }

    /// The new version is there.
    pub(crate) fn assert_changed(&self, server: &Server) {
        assert_eq!(self.record(server, "B")["Title"], "of today");
    }
}
