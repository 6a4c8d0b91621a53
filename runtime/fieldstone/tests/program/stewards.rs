//! Manifests beside people: what stewards change in a store stays theirs when its manifest is applied again.

use crate::support::{
    CITY, COMPANY, Server, TIMEOUT, elsewhere, json, succeed, text, write_company,
};
use serde_json::{Value, json as value};
use std::path::Path;
use std::time::{Duration, Instant};
use tempfile::{TempDir, tempdir};

/// A server with the company in it, and a key of a steward.
struct Company {
    folder: TempDir,
    server: Server,
    key: String,
    dataset: String,
}

impl Company {
    fn start() -> Self {
        let folder = tempdir().expect("a folder");
        write_company(folder.path());
        write(folder.path(), "cities.ndjson", CITIES);
        let server = Server::start(folder.path(), &[]);
        let made = json(folder.path(), &["apply", "company.yaml"]);
        let steps = made["steps"].as_array().expect("steps");
        let id = |what: &str, name: &str| {
            let mut steps = steps.iter();
            let step = steps.find(|step| step["what"] == what && step["name"] == name);
            let id = step.expect("the step")["id"].as_str();
            id.expect("an id").to_owned()
        };
        let dataset = format!(
            "/v1/businessareas/{}/schemas/{}/datasets/{}/dataobjects",
            id("area", "Places"),
            id("schema", "City"),
            id("dataset", "Cities")
        );
        let rights = ["--role", "MEMBER", "--area", "Places", "--tenant", "Acme"];
        let made = json(
            folder.path(),
            &[&["key", "create", "steward"], &rights[..]].concat(),
        );
        let mut key = made["steps"].as_array().expect("steps").iter();
        let key = key.find_map(|step| step["secret"].as_str());
        Company {
            server,
            key: key.expect("a key").to_owned(),
            dataset,
            folder,
        }
    }

    fn city(&self, name: &str) -> Value {
        let answer = self
            .server
            .get(&self.key, &format!("{}/by-pk/{name}", self.dataset));
        if answer.status == 404 {
            return Value::Null;
        }
        answer.json()
    }

    fn edit(&self, name: &str, change: &Value) {
        let city = self.city(name);
        let mut body = change.clone();
        body["_version"] = city["_version"].clone();
        let id = city["_dataObjectId"].as_str().expect("an id");
        let path = format!("{}/{id}", self.dataset);
        let answer = self.server.send("PUT", &self.key, &path, &body.to_string());
        assert_eq!(answer.status, 204, "{}", answer.body);
    }

    fn delete(&self, name: &str) {
        let id = self.city(name)["_dataObjectId"].clone();
        let path = format!("{}/{}", self.dataset, id.as_str().expect("an id"));
        assert_eq!(self.server.send("DELETE", &self.key, &path, "").status, 204);
    }

    /// Applies the company with this in place of its record file, and gives the counts of records: created,
    /// updated, unchanged, edited, left out.
    fn apply(&self, records: &str, more: &[&str]) -> ([u64; 5], Value) {
        let text = COMPANY.replace("records: [cities.ndjson]", records);
        write(self.folder.path(), "company.yaml", &text);
        let report = json(
            self.folder.path(),
            &[&["apply", "company.yaml"], more].concat(),
        );
        let file = report["records"][0].clone();
        let count = |name: &str| file[name].as_u64().expect("a count");
        let counts = ["created", "updated", "unchanged", "edited", "leftOut"].map(count);
        (counts, file)
    }
}

const CITIES: &str = r#"{"Name": "Delft", "People": 110000, "Country": "NL"}
{"Name": "Ulm", "People": 128928, "Country": "DE"}
{"Name": "Bonn", "People": 330000}
"#;

const SEEDS: &str = "records: [cities.ndjson]";
const UPSERT: &str = "records: [{file: cities.ndjson, mode: upsert}]";
const REPLACE: &str = "mode: replace\n                records: [cities.ndjson]";

fn write(folder: &Path, name: &str, text: &str) {
    std::fs::write(folder.join(name), text).expect("written");
}

#[test]
fn records_of_a_manifest_are_seeds_that_no_one_finds_changed_back() {
    let company = Company::start();
    company.edit("Ulm", &value!({"People": 7}));
    company.delete("Bonn");
    let more = CITIES.replace("110000", "5") + "{\"Name\": \"Kiel\"}\n";
    write(company.folder.path(), "cities.ndjson", &more);
    let (counts, file) = company.apply(SEEDS, &[]);
    assert_eq!(counts, [1, 0, 2, 1, 0]);
    assert_eq!(file["edits"], value!(["line 3: someone deleted it"]));
    assert_eq!(company.city("Delft")["People"], 110_000, "a seed only");
    assert_eq!(company.city("Ulm")["People"], 7);
    assert_eq!(company.city("Bonn"), Value::Null);
    assert_eq!(company.city("Kiel")["_version"], 0);

    let (counts, _) = company.apply(SEEDS, &["--overwrite"]);
    assert_eq!(counts, [1, 0, 3, 0, 0], "seeds are made, not changed");
    assert_eq!(company.city("Bonn")["People"], 330_000);
}

#[test]
fn a_record_whose_key_was_corrected_is_not_made_again() {
    let company = Company::start();
    company.edit("Ulm", &value!({"Name": "Ulm (Danube)"}));
    company.edit("Ulm%20(Danube)", &value!({"People": 7}));
    for records in [SEEDS, UPSERT] {
        let (counts, file) = company.apply(records, &[]);
        assert_eq!(counts, [0, 0, 2, 1, 0], "{records}");
        let told = "line 2: someone gave it another primary key";
        assert_eq!(file["edits"], value!([told]));
    }
    assert_eq!(company.city("Ulm"), Value::Null);
    // what a person made is no manifest's, whatever its key was
    let made = value!({"Name": "Kiel"}).to_string();
    let answer = company
        .server
        .send("POST", &company.key, &company.dataset, &made);
    assert_eq!(answer.status, 201, "{}", answer.body);
    company.edit("Kiel", &value!({"Name": "Kiel (Baltic)"}));
    let more = CITIES.to_owned() + "{\"Name\": \"Kiel\"}\n";
    write(company.folder.path(), "cities.ndjson", &more);
    let (counts, _) = company.apply(SEEDS, &[]);
    assert_eq!(counts, [1, 0, 2, 1, 0]);
    let (counts, _) = company.apply(SEEDS, &["--overwrite"]);
    assert_eq!(counts, [1, 0, 3, 0, 0], "Ulm is made again");
}

#[test]
fn an_upsert_changes_what_a_manifest_wrote_and_leaves_alone_what_people_edited() {
    let company = Company::start();
    company.edit("Ulm", &value!({"People": 7}));
    let more = CITIES.replace("110000", "5").replace("128928", "6");
    write(company.folder.path(), "cities.ndjson", &more);
    let (counts, file) = company.apply(UPSERT, &["--dry-run"]);
    assert_eq!(counts, [0, 1, 1, 1, 0]);
    let (counts, _) = company.apply(UPSERT, &[]);
    assert_eq!(counts, [0, 1, 1, 1, 0], "as the dry run said");
    let edits = file["edits"].as_array().expect("edits");
    let edit = edits[0].as_str().expect("a text");
    assert!(
        edit.starts_with("line 2: steward edited it on 20"),
        "{edit}"
    );
    assert_eq!(company.city("Delft")["People"], 5);
    assert_eq!(company.city("Ulm")["People"], 7);
    let told = succeed(company.folder.path(), &["apply", "company.yaml"]);
    assert!(
        told.contains("1 edited by others") && told.contains("left alone, line 2: steward"),
        "{told}"
    );

    let (counts, _) = company.apply(UPSERT, &["--overwrite"]);
    assert_eq!(counts, [0, 1, 2, 0, 0]);
    assert_eq!(company.city("Ulm")["People"], 6);
    assert_eq!(company.city("Ulm")["Country"], "DE");
    // from now on it is the manifest's again
    write(company.folder.path(), "cities.ndjson", CITIES);
    let (counts, _) = company.apply(UPSERT, &[]);
    assert_eq!(counts, [0, 2, 1, 0, 0]);
}

#[test]
fn what_the_operator_imported_repaired_or_took_back_by_commands_is_left_alone() {
    let company = Company::start();
    let folder = company.folder.path();
    let dataset = "Places/City/Cities";
    write(folder, "more.csv", "Name,People\nUlm,7\n");
    let import = ["import", "more.csv", "--into", dataset, "--mode", "update"];
    json(folder, &import);
    let repair = ["repair", dataset, "--field", "Country", "--map", "NL=DE"];
    let repaired = json(folder, &repair);
    for _ in 0..2 {
        let (counts, file) = company.apply(UPSERT, &[]);
        assert_eq!(counts, [0, 0, 1, 2, 0], "{file}");
    }
    assert_eq!(company.city("Ulm")["People"], 7);
    assert_eq!(company.city("Delft")["Country"], "DE");
    let id = repaired["jobs"][0]["jobId"].as_str().expect("an id");
    json(folder, &["jobs", "undo", id]);
    assert_eq!(company.city("Delft")["Country"], "NL");
    write(folder, "cities.ndjson", &CITIES.replace("110000", "5"));
    let (counts, file) = company.apply(UPSERT, &[]);
    assert_eq!(counts, [0, 0, 1, 2, 0], "{file}");
    let (counts, _) = company.apply(UPSERT, &["--overwrite"]);
    assert_eq!(counts, [0, 2, 1, 0, 0]);
    // from now on they are the manifest's again
    write(folder, "cities.ndjson", CITIES);
    let (counts, _) = company.apply(UPSERT, &[]);
    assert_eq!(counts, [0, 1, 2, 0, 0]);
}

#[test]
fn a_judgement_by_a_schema_that_a_manifest_changed_takes_no_record_from_who_wrote_it() {
    let company = Company::start();
    let folder = company.folder.path();
    company.edit("Ulm", &value!({"Country": "NL"}));
    let narrow = CITY.replace("\"min\": 0", "\"min\": 200000");
    write(folder, "city.json", &narrow);
    company.apply(SEEDS, &[]);
    let began = Instant::now();
    loop {
        let jobs = json(folder, &["jobs", "list"]);
        let mut all = jobs.as_array().expect("jobs").iter();
        if all.any(|job| job["kind"] == "revalidate" && job["state"] == "done") {
            break;
        }
        assert!(began.elapsed() < TIMEOUT, "it is not judged: {jobs}");
        std::thread::sleep(Duration::from_millis(20));
    }
    // both were written anew, with what is wrong with them
    for name in ["Delft", "Ulm"] {
        let version = company.city(name)["_version"].as_u64();
        assert!(version > Some(0), "{name}: {version:?}");
    }
    let more = CITIES.replace("110000", "5").replace("128928", "6");
    write(folder, "cities.ndjson", &more);
    let (counts, file) = company.apply(UPSERT, &[]);
    assert_eq!(counts, [0, 1, 1, 1, 0], "{file}");
    let told = file["edits"][0].as_str().expect("a text");
    assert!(told.starts_with("line 2: steward edited it"), "{told}");
}

#[test]
fn a_replacement_clears_what_its_record_does_not_name_and_keeps_other_records() {
    let company = Company::start();
    write(
        company.folder.path(),
        "cities.ndjson",
        "{\"Name\": \"Delft\", \"Country\": \"NL\"}\n{\"Name\": \"Bonn\"}\n",
    );
    let (counts, _) = company.apply(UPSERT, &[]);
    assert_eq!(counts, [0, 0, 2, 0, 0], "what a record does not name stays");
    let (counts, _) = company.apply(REPLACE, &[]);
    assert_eq!(counts, [0, 2, 0, 0, 0]);
    assert_eq!(company.city("Delft")["People"], Value::Null);
    assert_eq!(company.city("Delft")["Country"], "NL");
    assert_eq!(company.city("Ulm")["People"], 128_928, "it stays");
    let (counts, _) = company.apply(REPLACE, &[]);
    assert_eq!(counts, [0, 0, 2, 0, 0]);
}

#[test]
fn a_dry_run_tells_what_the_run_does_by_the_new_schema_and_for_new_datasets() {
    let company = Company::start();
    // the new schema refuses what is no field any more, and a new dataset gets the same file
    let narrow = CITY.replace("\"name\": \"People\"", "\"name\": \"Folk\"");
    write(company.folder.path(), "city.json", &narrow);
    let two = "mode: upsert\n                records: [cities.ndjson]\n              - name: More\n                records: [more.ndjson]";
    write(
        company.folder.path(),
        "more.ndjson",
        "{\"Name\": \"Ulm\"}\n{\"Folk\": 1}\n{\"Name\": \"Ulm\"}\n",
    );
    let text = COMPANY.replace(SEEDS, two);
    write(company.folder.path(), "company.yaml", &text);
    let before = company.city("Ulm");
    let dry = json(
        company.folder.path(),
        &["apply", "company.yaml", "--dry-run"],
    );
    assert_eq!(company.city("Ulm"), before, "nothing is kept");
    let run = json(company.folder.path(), &["apply", "company.yaml"]);
    assert_eq!(dry["records"], run["records"], "{dry:#}");
    let counts = |index: usize, name: &str| run["records"][index][name].clone();
    assert_eq!(counts(0, "leftOut"), 3, "{run:#}");
    assert_eq!(
        (counts(1, "created"), counts(1, "leftOut")),
        (1.into(), 2.into())
    );
    let actions = |report: &Value| {
        let steps = report["steps"].as_array().expect("steps").iter();
        let steps = steps.map(|step| (step["action"].clone(), step["name"].clone()));
        steps.collect::<Vec<_>>()
    };
    assert_eq!(actions(&dry), actions(&run));
    let left = std::fs::read_dir(company.folder.path().join("data")).expect("the folder");
    let left: Vec<_> = left
        .map(|entry| entry.expect("an entry").file_name())
        .collect();
    assert!(
        !left
            .iter()
            .any(|name| name.to_string_lossy().starts_with("trial")),
        "{left:?}"
    );
}

#[test]
fn who_edited_a_record_is_told_only_to_who_may_see_the_change_log() {
    let company = Company::start();
    company.edit("Ulm", &value!({"People": 7}));
    let folder = company.folder.path();
    let rights = ["--role", "Clerk", "--area", "Places", "--tenant", "Acme"];
    let made = json(folder, &[&["key", "create", "clerk"], &rights[..]].concat());
    let mut steps = made["steps"].as_array().expect("steps").iter();
    let key = steps.find_map(|step| step["secret"].as_str());
    let manifest = json(folder, &["manifest", "export"]);
    let areas = manifest["tenants"][0]["areas"].as_array().expect("areas");
    let places = areas.iter().find(|area| area["name"] == "Places");
    let mut places = places.expect("Places").clone();
    let listed = json(folder, &["apply", "company.yaml"]);
    let steps = listed["steps"].as_array().expect("steps");
    let domain = steps.iter().find(|step| step["what"] == "data domain");
    let schema = &mut places["schemas"][0];
    schema["document"]["fields"][2]["dataDomainId"] = domain.expect("a domain")["id"].clone();
    schema["datasets"][0]["records"] = value!([{"file": "cities.ndjson", "mode": "upsert"}]);
    write(folder, "cities.ndjson", &CITIES.replace("128928", "6"));
    let tenant = value!({"tenants": [{"name": "Acme", "areas": [places]}]});
    write(folder, "places.json", &tenant.to_string());
    let mut elsewhere = elsewhere(folder, &company.server, key.expect("a key"));
    let output = elsewhere.args(["apply", "places.json"]).output();
    let output = output.expect("it ran");
    let told = text(&output.stdout) + &text(&output.stderr);
    assert!(
        told.contains("left alone, line 2: someone edited it on 20"),
        "{told}"
    );
    assert!(!told.contains("steward"), "{told}");
}
