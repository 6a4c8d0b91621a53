//! `--format json` of each command, as programs read it: a finding a line, all of one shape, and the result of the command
//! by itself.

use crate::support::{command, field, folder, read_request, run, schema, text};
use serde_json::{Value, json};
use std::fs;
use std::io::Write as _;
use std::net::TcpListener;
use std::path::Path;
use std::process::Output;

const MEMBERS: [&str; 10] = [
    "code", "column", "field", "file", "help", "line", "message", "path", "schema", "severity",
];

/// The findings on a stream that has nothing else.
#[track_caller]
fn findings(stream: &[u8]) -> Vec<Value> {
    let one = |line: &str| {
        let finding: Value = serde_json::from_str(line).unwrap_or_else(|_| panic!("{line}"));
        let mut keys: Vec<_> = finding.as_object().expect("an object").keys().collect();
        keys.sort();
        assert_eq!(keys, MEMBERS, "{line}");
        finding
    };
    text(stream).lines().map(one).collect()
}

#[track_caller]
fn codes(stream: &[u8]) -> Vec<String> {
    let all = findings(stream).into_iter();
    all.map(|one| one["code"].as_str().unwrap().to_owned())
        .collect()
}

fn json_of(arguments: &[&str], folder: &Path) -> Output {
    run(&[arguments, &["--format", "json"]].concat(), folder)
}

/// A folder with `bad.json`, which is refused, and `odd.json`, of which a name is adjusted and a setting means nothing.
fn schemas() -> tempfile::TempDir {
    let folder = folder();
    let bad = field("1", "Size", "integer", r#","min":9,"max":1"#);
    fs::write(folder.path().join("bad.json"), schema("s3", "Bad", &[bad])).unwrap();
    let odd = field("1", "2nd Size", "integer", r#","maxSize":3,"maximum":9"#);
    fs::write(folder.path().join("odd.json"), schema("s4", "Odd", &[odd])).unwrap();
    folder
}

#[test]
fn generating_tells_what_is_refused_noted_written_and_stale() {
    let folder = schemas();
    let refused = json_of(&["bad.json"], folder.path());
    assert_eq!((refused.status.code(), refused.stdout.len()), (Some(1), 0));
    let all = findings(&refused.stderr);
    assert_eq!(all.len(), 1);
    for (key, value) in [
        ("code", json!("contradiction")),
        ("severity", json!("error")),
        ("file", json!("bad.json")),
        ("schema", Value::Null),
        ("path", json!("$.fields[0].min")),
        ("line", json!(1)),
    ] {
        assert_eq!(all[0][key], value, "{key}");
    }
    // the types are the result, and stand by themselves
    let printed = json_of(&["odd.json"], folder.path());
    assert!(text(&printed.stdout).contains("pub struct Odd {"));
    assert_eq!(codes(&printed.stderr), ["no_effect", "misspelt", "name"]);
    for finding in findings(&printed.stderr) {
        let about = (&finding["schema"], &finding["field"]);
        assert_eq!(about, (&json!("Odd"), &json!("2nd Size")));
    }
    let out = ["odd.json", "a.json", "--out", "gen", "--quiet"];
    let quiet = json_of(&out, folder.path());
    assert_eq!((quiet.stdout.len(), quiet.stderr.len()), (0, 0));
    let written = json_of(&["b.json", "odd.json", "--out", "gen"], folder.path());
    let told = codes(&written.stdout);
    assert_eq!(told[..3], ["no_effect", "misspelt", "name"]);
    assert_eq!(told[3..], ["removed", "written", "written", "written"]);
    let check = ["odd.json", "--out", "gen", "--check"];
    let stale = json_of(&check, folder.path());
    assert_eq!((stale.status.code(), stale.stderr.len()), (Some(1), 0));
    let all = findings(&stale.stdout);
    let beta = all
        .iter()
        .find(|one| one["file"] == "gen/beta.rs")
        .expect("it is stale");
    assert_eq!(
        (&beta["code"], &beta["severity"]),
        (&json!("stale"), &json!("error"))
    );
    assert_eq!(beta["help"], "run the same command without --check");
}

#[test]
fn what_can_not_be_done_is_told_on_standard_error_by_every_command() {
    let folder = schemas();
    fs::write(folder.path().join("rows.csv"), "Size\n1\n").unwrap();
    for arguments in [
        &["none.json"][..],
        &["generate", "a.json", "--rename", "Alpha.Nope=size"],
        &["validate", "none.json", "rows.csv"],
        &["infer", "none.csv"],
        &["export", "none.json", "--to", "sqlite"],
        &["diff", "none.json", "a.json"],
        &["lint", "none.json"],
        &["sample", "none.json"],
        &["explain", "a.json", "Nope"],
        &["fetch", "nowhere", "--all"],
    ] {
        let output = json_of(arguments, folder.path());
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert_eq!(text(&output.stdout), "", "{arguments:?}");
        let all = findings(&output.stderr);
        assert_eq!(all.len(), 1, "{arguments:?}");
        assert_eq!(all[0]["code"], "failure", "{arguments:?}");
        assert!(all[0]["help"].is_string(), "{arguments:?}");
    }
    // and what is wrong with a schema that a command works with
    for arguments in [
        &["validate", "bad.json", "rows.csv"][..],
        &["export", "bad.json", "--to", "sqlite"],
        &["diff", "bad.json", "a.json"],
        &["sample", "bad.json"],
    ] {
        let output = json_of(arguments, folder.path());
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert_eq!(
            codes(&output.stderr),
            ["contradiction", "failure"],
            "{arguments:?}"
        );
    }
    let output = json_of(&["explain", "bad.json"], folder.path());
    assert_eq!(codes(&output.stdout), ["contradiction"]);
    assert_eq!(codes(&output.stderr), ["failure"]);
}

#[test]
fn advice_is_of_the_same_shape() {
    let folder = schemas();
    let output = json_of(&["lint", "odd.json", "bad.json"], folder.path());
    assert_eq!(
        codes(&output.stdout),
        ["no_effect", "misspelt", "contradiction"]
    );
    let severities = findings(&output.stdout).into_iter();
    let severities: Vec<_> = severities.map(|one| one["severity"].clone()).collect();
    assert_eq!(severities, ["warning", "warning", "error"]);
}

#[test]
fn a_field_is_explained_line_by_line() {
    let folder = schemas();
    let output = json_of(&["explain", "odd.json"], folder.path());
    assert_eq!((output.status.code(), output.stderr.len()), (Some(0), 0));
    let all = findings(&output.stdout);
    assert_eq!(
        codes(&output.stdout),
        ["name", "type", "single", "integer", "min", "max"]
    );
    assert_eq!(all[0]["message"], "field_2nd_size");
    assert_eq!(all[0]["help"], "an identifier can't begin with a digit");
    assert_eq!(all[1]["message"], "Option<i64>");
    assert_eq!(all[1]["path"], "$.fields[0]");
    assert_eq!(all[3]["message"], "must be a whole number");
}

#[test]
fn the_evidence_of_a_proposal_stands_beside_the_schema() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("in.csv"), "Code,Size\nA,1\nB,22\n").unwrap();
    let printed = json_of(&["infer", "in.csv"], folder.path());
    let document: Value = serde_json::from_slice(&printed.stdout).unwrap();
    assert_eq!(document["name"], "in");
    let all = findings(&printed.stderr);
    assert_eq!(all[0]["code"], "type");
    assert_eq!(all[0]["message"], "string");
    assert_eq!(
        (&all[0]["file"], &all[0]["field"]),
        (&json!("in.csv"), &json!("Code"))
    );
    let told = codes(&printed.stderr);
    assert!(told.contains(&"first_that_differs".to_owned()), "{told:?}");
    let written = json_of(&["infer", "in.csv", "--out", "in.json"], folder.path());
    assert_eq!(text(&written.stdout), text(&printed.stderr));
    assert_eq!(text(&written.stderr), "");
    fs::write(folder.path().join("in.csv"), "{\"a\n[1]\n").unwrap();
    let none = json_of(&["infer", "in.csv"], folder.path());
    assert_eq!(none.status.code(), Some(1));
    assert_eq!(codes(&none.stderr), ["unread_rows", "no_proposal"]);
}

#[test]
fn samples_and_exports_stay_as_they_are() {
    let folder = schemas();
    for arguments in [
        &["sample", "odd.json", "--count", "3"][..],
        &["export", "odd.json", "--to", "sqlite"],
    ] {
        let plain = run(arguments, folder.path());
        let output = json_of(arguments, folder.path());
        assert_eq!(text(&output.stdout), text(&plain.stdout), "{arguments:?}");
        assert_eq!(text(&output.stderr), "", "{arguments:?}");
    }
    let one = field("1", "Photo", "image", "");
    fs::write(folder.path().join("photo.json"), schema("s5", "P", &[one])).unwrap();
    let output = json_of(&["sample", "photo.json", "--breaking"], folder.path());
    let all = findings(&output.stderr);
    assert!(!all.is_empty());
    for finding in all {
        let about = (&finding["code"], &finding["schema"], &finding["field"]);
        assert_eq!(about, (&json!("no_record"), &json!("P"), &json!("Photo")));
    }
}

/// A service with one area and one schema, which answers so many requests.
fn serve(requests: usize) -> (String, std::thread::JoinHandle<()>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let base = format!("http://{}", listener.local_addr().unwrap());
    let one = |stream: &mut std::net::TcpStream| {
        let request = read_request(stream);
        let path = request.split(' ').nth(1).unwrap().to_owned();
        let body = match path.as_str() {
            "/v1/my/businessareas" => {
                json!({"items": [{"businessAreaId": "a1", "name": "Area"}]}).to_string()
            }
            "/v1/businessareas/a1/schemas" => {
                json!({"items": [{"schemaId": "s1", "name": "Alpha"}]}).to_string()
            }
            _ => schema("s1", "Alpha", &[field("1", "Size", "integer", "")]),
        };
        let length = body.len();
        write!(
            stream,
            "HTTP/1.1 200 OK\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{body}"
        )
        .unwrap();
    };
    let server = std::thread::spawn(move || {
        for _ in 0..requests {
            one(&mut listener.accept().unwrap().0);
        }
    });
    (base, server)
}

#[test]
fn fetching_tells_each_file_and_what_is_stale() {
    let folder = tempfile::tempdir().unwrap();
    let (base, server) = serve(4 * 3);
    let fetch = |more: &[&str]| {
        let all = [&["fetch", &base, "--all", "--format", "json"], more].concat();
        let mut command = command(&all, folder.path());
        let command = command.env("FIELDSTONE_API_KEY", "fs_key");
        command.env("NO_PROXY", "127.0.0.1").output().unwrap()
    };
    let stale = fetch(&["--check"]);
    assert_eq!((stale.status.code(), stale.stderr.len()), (Some(1), 0));
    let files = findings(&stale.stdout).into_iter();
    let files: Vec<_> = files.map(|one| one["file"].clone()).collect();
    assert_eq!(files, ["./alpha.json", "./fieldstone.sources"]);
    let written = fetch(&[]);
    assert_eq!(codes(&written.stdout), ["written"]);
    assert_eq!(findings(&written.stdout)[0]["schema"], "Alpha");
    assert_eq!(codes(&fetch(&[]).stdout), ["unchanged"]);
    let types = fetch(&["--out", "gen"]);
    assert_eq!(codes(&types.stdout), ["written", "written", "written"]);
    server.join().unwrap();
}
