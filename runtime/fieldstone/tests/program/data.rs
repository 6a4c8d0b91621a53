//! Data in and out by the program: into the data folder, beside the server that has it, and by a server elsewhere, with
//! the same report; what is left out, what is refused, what stays when a command is stopped.

use crate::support::{
    CITY, Server, TIMEOUT, elsewhere, fail, fieldstone, json, process, run, succeed, text,
    write_company,
};
use serde_json::{Value, json};
use sqlite::SqliteSearch;
use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use store::search::SearchIndex as _;

const INTO: &str = "Places/City/Cities";

/// A new city, one that is there, one without a name, one with two faults.
const ROWS: &str = "Name;Einwohner;Country\nKiel;247000;DE\nDelft;1;NL\n;5;DE\nBielefeld;-3;XX\n";

/// A data folder with a company in it; the key of its manifest, which may add and edit records.
fn company(folder: &Path) -> String {
    write_company(folder);
    let report = json(folder, &["apply", "company.yaml"]);
    let steps = report["steps"].as_array().expect("steps");
    let key = steps.iter().find(|step| step["what"] == "API key");
    let key = key.and_then(|step| step["secret"].as_str());
    key.expect("a key").to_owned()
}

fn write(folder: &Path, name: &str, text: &str) {
    fs::write(folder.join(name), text).expect("written");
}

/// What a job's result counts.
fn counts(job: &Value) -> [u64; 5] {
    let result = &job["importResult"];
    ["rows", "created", "updated", "rejected", "faulty"].map(|name| {
        result[name]
            .as_u64()
            .unwrap_or_else(|| panic!("{name}: {job}"))
    })
}

const IMPORT: [&str; 6] = [
    "import",
    "new.csv",
    "--into",
    INTO,
    "--map",
    "Einwohner=People",
];

#[test]
fn rows_become_records_wherever_the_dataset_is_and_are_reported_alike() {
    let mut reports = Vec::new();
    for way in ["the folder", "beside a server", "a server elsewhere"] {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        let key = company(folder);
        write(folder, "new.csv", ROWS);
        let server = (way != "the folder").then(|| Server::start(folder, &[]));
        let mut command =
            if let Some(server) = server.as_ref().filter(|_| way.ends_with("elsewhere")) {
                elsewhere(folder, server, &key)
            } else {
                let mut command = fieldstone(folder);
                command.args(["--data", "data"]);
                command
            };
        command
            .args(IMPORT)
            .args(["--rejects", "mend.csv", "--format", "json"]);
        let output = command.output().unwrap();
        let told = text(&output.stderr);
        assert_eq!(output.status.code(), Some(3), "{way}: {told}");
        let report: Value = serde_json::from_slice(&output.stdout).expect("JSON");
        let job = &report["jobs"][0];
        assert_eq!(counts(job), [4, 2, 0, 2, 1], "{way}");
        let mend = fs::read_to_string(folder.join("mend.csv")).unwrap();
        let lines: Vec<&str> = mend.lines().collect();
        assert_eq!(lines.len(), 3, "{mend}");
        assert!(lines[0].starts_with("_line;_reason;Name;"), "{mend}");
        assert!(
            lines[1].starts_with("3;") && lines[1].ends_with(";Delft;1;NL"),
            "{mend}"
        );
        reports.push(job["importResult"].clone());
    }
    assert_eq!(reports[0], reports[1]);
    assert_eq!(reports[0], reports[2]);
}

#[test]
fn an_import_into_the_folder_feeds_the_index_and_a_dry_run_makes_none() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    company(folder);
    let mut rows = vec!["Name;Einwohner;Country".to_owned()];
    rows.extend((0..3000).map(|n| format!("Town {n};{n};DE")));
    write(folder, "new.csv", &rows.join("\n"));
    let index = folder.join("data/search.db");
    run(folder, &[&IMPORT[..], &["--dry-run"]].concat());
    assert!(!index.exists());
    succeed(folder, &IMPORT);
    let index = SqliteSearch::open_to_read(&folder.join("data")).unwrap();
    let progress = index.progress().expect("an index that follows");
    assert!(progress.applied > 0 || !progress.walks.is_empty());
}

#[test]
fn people_are_told_of_faults_of_what_was_left_out_and_of_columns_that_go_nowhere() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    company(folder);
    write(folder, "new.csv", &ROWS.replace("Einwohner", "Peoples"));
    let output = run(folder, &["import", "new.csv", "--into", INTO, "--dry-run"]);
    let (out, told) = (text(&output.stdout), text(&output.stderr));
    assert_eq!(output.status.code(), Some(3), "{told}");
    for line in [
        "new.csv: 4 rows: 2 new, 0 changed, 0 as they were, 2 left out; 1 row has faults",
        r#"    column "Peoples" goes nowhere; if "People" is meant, say --map "Peoples=People""#,
        r#"    1 × "Country": domain"#,
        "        line 5: ",
        "    1 left out: ",
        "nothing was written: a dry run",
    ] {
        assert!(out.contains(line), "{line}\n{out}");
    }
    // nothing but what was asked for
    assert_eq!(told, "");
    let exported = succeed(folder, &["export", INTO]);
    assert_eq!(exported.lines().count(), 3, "{exported}");
}

#[test]
fn what_is_exported_is_imported_as_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    company(folder);
    let before = succeed(folder, &["export", INTO, "-"]);
    assert_eq!(before.lines().count(), 3, "{before}");
    for name in ["all.csv", "all.csv.gz", "all.ndjson.zst", "all.xlsx"] {
        let more = ["--split", ";"];
        let is_csv = name.contains(".csv");
        let more = if is_csv { &more[..] } else { &[] };
        succeed(folder, &[&["export", INTO, name], more].concat());
        let import = [
            "import",
            name,
            "--into",
            INTO,
            "--mode",
            "replace",
            "--delete-missing",
        ];
        let report = json(folder, &[&import[..], more].concat());
        let result = &report["jobs"][0]["importResult"];
        assert_eq!(result["unchanged"], 3, "{name}: {report}");
        let packing = &result["found"]["packing"];
        let told = match name {
            "all.csv.gz" => Some("gzip"),
            "all.ndjson.zst" => Some("zstd"),
            _ => None,
        };
        assert_eq!(packing.as_str(), told, "{name}: {report}");
        if let Some(told) = told {
            let tried = [&import[..4], &["--mode", "upsert", "--dry-run"], more].concat();
            let text = succeed(folder, &tried);
            assert!(
                text.contains(&format!(", packed with {told}, utf-8")),
                "{text}"
            );
        }
        assert_eq!(succeed(folder, &["export", INTO]), before, "{name}");
    }
    succeed(
        folder,
        &[
            "export", INTO, "two.csv", "--field", "Country", "--field", "Name",
        ],
    );
    let two = fs::read_to_string(folder.join("two.csv")).unwrap();
    assert_eq!(two.lines().next(), Some("Country,Name"));
    assert!(two.contains("NL,Delft"), "{two}");
}

#[test]
fn a_parquet_file_has_all_records_and_is_not_read() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    company(folder);
    succeed(folder, &["export", INTO, "all.parquet"]);
    let file = fs::read(folder.join("all.parquet")).unwrap();
    // how one begins and ends
    assert!(file.starts_with(b"PAR1") && file.ends_with(b"PAR1"));
    let jobs = json(folder, &["jobs", "list"]);
    assert_eq!(jobs[0]["exportResult"]["records"], 3, "{jobs}");
    assert_eq!(jobs[0]["exportResult"]["bytes"], file.len());
    let told = fail(folder, &["import", "all.parquet", "--into", INTO]);
    assert!(
        told.contains("a Parquet file is written, not read"),
        "{told}"
    );
    let told = fail(folder, &["export", INTO, "all.parquet.gz"]);
    assert!(told.contains("a Parquet file is packed already"), "{told}");
}

#[test]
fn standard_input_is_a_file_and_a_dataset_goes_by_its_id_too() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    company(folder);
    let jobs = json(folder, &["jobs", "list"]);
    assert_eq!(jobs, json!([]));
    let mut import = fieldstone(folder);
    import.args(["--data", "data", "import", "-", "--into", INTO]);
    let output = import.input("{\"Name\":\"Kiel\"}\n").output();
    let output = output.expect("it ran");
    let out = text(&output.stdout);
    assert!(out.starts_with("standard input: 1 rows: 1 new, "), "{out}");
    let jobs = json(folder, &["jobs", "list"]);
    let (id, dataset) = (&jobs[0]["jobId"], jobs[0]["dataSetId"].as_str().unwrap());
    assert_eq!(jobs[0]["state"], "done");
    let shown = succeed(folder, &["jobs", "show", id.as_str().unwrap()]);
    assert!(shown.contains("done  import  1 rows"), "{shown}");
    let exported = succeed(folder, &["export", dataset]);
    assert_eq!(exported.lines().count(), 4);
    // what ended stays ended
    let cancelled = json(folder, &["jobs", "cancel", id.as_str().unwrap()]);
    assert_eq!(cancelled["state"], "done");
}

#[test]
fn what_can_not_be_is_refused_and_leaves_everything_as_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    company(folder);
    write(folder, "new.csv", ROWS);
    let refused = |more: &[&str]| {
        let arguments = [&["import", "new.csv", "--into", INTO], more].concat();
        fail(folder, &arguments)
    };
    for (more, told) in [
        (&["--rejects", "new.csv"][..], "would be written over"),
        (&["--rejects", "data/r.csv"], "lies in the data folder"),
        (&["--rejects", "-"], "--rejects - would be a file"),
        (&["--delete-missing"], "goes with --mode replace"),
        (&["--map", "Einwohner"], "a column, `=` and a field"),
        (&["--map", "Einwohner=Peoples"], r#"is "People" meant?"#),
        (&["--detach"], "takes a server"),
        (&["--input-format", "xlsx"], "the Excel file: "),
        (&["-", "-"], "can be read only once"),
    ] {
        let message = refused(more);
        assert!(message.contains(told), "{more:?}: {message}");
    }
    for (path, told) in [
        (
            "Places/City/Towns",
            "there is no dataset `Towns` that you may see; there are: Cities",
        ),
        ("Place/City/Cities", "there is no business area `Place`"),
        ("Places/Cities", "write AREA/SCHEMA/DATASET"),
        ("nothing", "no such dataset"),
    ] {
        let message = fail(folder, &["import", "new.csv", "--into", path]);
        assert!(message.contains(told), "{path}: {message}");
        let message = fail(folder, &["export", path]);
        assert!(message.contains(told), "{path}: {message}");
    }
    let message = fail(folder, &["import", "none.csv", "--into", INTO]);
    assert!(message.contains("can't read none.csv"), "{message}");
    fs::create_dir(folder.join("rows")).unwrap();
    let message = fail(folder, &["import", "rows", "--into", INTO]);
    assert!(message.contains("rows: it is a folder"), "{message}");
    assert!(!folder.join("-").exists());
    assert_eq!(fs::read_to_string(folder.join("new.csv")).unwrap(), ROWS);
    assert_eq!(succeed(folder, &["export", INTO]).lines().count(), 3);
}

#[test]
fn a_key_does_no_more_than_it_may() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let key = company(folder);
    write(folder, "new.csv", ROWS);
    let server = Server::start(folder, &[]);
    let run = |key: &str, more: &[&str]| {
        let mut command = elsewhere(folder, &server, key);
        command.args(["import", "new.csv", "--into", INTO]);
        command.args(more).output().unwrap()
    };
    // it may add and edit, not delete
    let output = run(&key, &["--mode", "replace", "--delete-missing"]);
    assert_eq!(output.status.code(), Some(1));
    let output = run("fst_nobody", &["--format", "json"]);
    let report: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(report["error"]["code"], "unauthenticated");
    let output = run(&key, &["--detach", "--format", "json"]);
    let report: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let id = report["jobs"][0]["jobId"]
        .as_str()
        .expect("a job")
        .to_owned();
    let began = Instant::now();
    loop {
        let job = json(folder, &["jobs", "show", &id]);
        if job["state"] == "done" {
            break assert_eq!(counts(&job), [4, 2, 0, 2, 1]);
        }
        assert!(began.elapsed() < TIMEOUT, "{job}");
        std::thread::sleep(Duration::from_millis(50));
    }
}

#[cfg(unix)]
#[test]
fn a_command_that_is_stopped_while_it_sends_leaves_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    company(folder);
    let server = Server::start(folder, &[]);
    let mut command = process(folder);
    command.args(["--data", "data", "import", "-", "--into", INTO]);
    let command = command.stdin(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(b"{\"Name\":\"Kiel\"}\n").unwrap();
    crate::pipes::waits_for_bytes(&mut child);
    let id = child.id().to_string();
    Command::new("kill").args(["-INT", &id]).status().unwrap();
    let began = Instant::now();
    while child.try_wait().unwrap().is_none() {
        assert!(began.elapsed() < TIMEOUT, "it does not end");
        std::thread::sleep(Duration::from_millis(10));
    }
    drop(stdin);
    let output = child.wait_with_output().unwrap();
    let told = text(&output.stderr);
    assert!(told.contains("nothing of it was imported"), "{told}");
    assert_eq!(output.status.code(), Some(1));
    server.stop();
    assert_eq!(json(folder, &["jobs", "list"]), json!([]));
    assert_eq!(succeed(folder, &["export", INTO]).lines().count(), 3);
}

#[test]
fn where_there_are_several_tenants_one_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    company(folder);
    write(folder, "other.yaml", "tenants:\n  - name: Other\n");
    succeed(folder, &["apply", "other.yaml"]);
    assert!(CITY.contains("Name"));
    for server in [None, Some(Server::start(folder, &[]))] {
        let message = fail(folder, &["export", INTO]);
        assert!(
            message.contains("say which with --tenant: Acme, Other"),
            "{message}"
        );
        let exported = succeed(folder, &["export", INTO, "--tenant", "Acme"]);
        assert_eq!(exported.lines().count(), 3);
        drop(server);
    }
}
