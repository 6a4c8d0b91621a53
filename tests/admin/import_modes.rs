//! What an import does to records that are there: each mode, what the file does not have, and the same only tried.

use crate::jobs::{counts, ended, exported, import, imported, server, thing, working};
use runtime::service::JobSettings;
use serde_json::json;

#[test]
fn each_mode_does_to_records_that_are_there_what_it_says() {
    let server = server();
    let [_, _, dataset] = server.places(&thing());
    let begin = "Code,Name,Size\n1,one,1\n2,two,2\n3,three,3\n";
    imported(&server, &dataset, "", begin);
    // absent columns stay, empty cells clear, what is as it was is told so
    let job = imported(
        &server,
        &dataset,
        "?mode=update",
        "Code,Size\n1,10\n2,\n3,3\n4,4\n",
    );
    assert_eq!(
        counts(&job),
        json!({"rows": 4, "updated": 2, "unchanged": 1, "rejected": 1})
    );
    assert_eq!(job["importResult"]["rejections"][0]["reason"], "not_found");
    let cells = || exported(&server, &dataset, json!({"format": "csv"}));
    assert_eq!(cells(), "Code,Name,Size\n1,one,10\n2,two,\n3,three,3\n");
    let job = imported(
        &server,
        &dataset,
        "?mode=upsert",
        "{\"Code\":\"4\",\"Size\":\"x\"}\n{\"Code\":\"1\",\"Name\":null}\n",
    );
    assert_eq!(
        counts(&job),
        json!({"rows": 2, "created": 1, "updated": 1, "faulty": 1})
    );
    let fault = &job["importResult"]["faults"][0];
    assert_eq!(
        (&fault["field"], &fault["rule"], &fault["count"]),
        (&json!("Size"), &json!("integer"), &json!(1))
    );
    assert_eq!(fault["samples"][0]["line"], 1);
    assert_eq!(cells(), "Code,Name,Size\n1,,10\n2,two,\n3,three,3\n4,,x\n");
    // absent columns are cleared, and what the file does not have stays
    let job = imported(
        &server,
        &dataset,
        "?mode=replace",
        "Code,Name\n3,drei\n5,five\n",
    );
    assert_eq!(counts(&job), json!({"rows": 2, "created": 1, "updated": 1}));
    assert_eq!(
        cells(),
        "Code,Name,Size\n1,,10\n2,two,\n3,drei,\n4,,x\n5,five,\n"
    );
    // a row that comes twice is done twice, in its order
    let job = imported(
        &server,
        &dataset,
        "?mode=upsert",
        "Code,Name\n6,a\n6,b\n6,b\n",
    );
    assert_eq!(
        counts(&job),
        json!({"rows": 3, "created": 1, "updated": 1, "unchanged": 1})
    );
    assert!(cells().ends_with("6,b,\n"));
}

#[test]
fn what_the_file_does_not_have_goes_only_when_that_is_said_and_sure() {
    let server = server();
    let [_, _, dataset] = server.places(&thing());
    imported(&server, &dataset, "", "Code,Name\n1,one\n2,two\n3,three\n");
    let query = "?mode=replace&deleteMissing=true";
    for (file, why) in [
        ("Code,Name\n1,one\n,none\n", "not every row"),
        ("Code,Name\n", "no rows"),
    ] {
        let job = imported(&server, &dataset, query, file);
        assert_eq!(job["importResult"]["deleted"], 0);
        let log = job["log"][0]["text"].as_str().unwrap();
        assert!(log.contains(why), "{log}");
    }
    let tried = imported(
        &server,
        &dataset,
        "?mode=replace&deleteMissing=true&dryRun=true",
        "Code,Name\n2,zwei\n",
    );
    let done = imported(&server, &dataset, query, "Code,Name\n2,zwei\n");
    let expected = json!({"rows": 1, "updated": 1, "deleted": 2});
    assert_eq!(
        (counts(&tried), counts(&done)),
        (expected.clone(), expected)
    );
    assert_eq!(
        exported(&server, &dataset, json!({"format": "csv"})),
        "Code,Name,Size\n2,zwei,\n"
    );
    let line = format!("POST /admin/api/v1/datasets/{dataset}/imports?deleteMissing=true");
    let headers = [
        ("Authorization", server.root.as_str()),
        ("Content-Type", "text/csv"),
    ];
    assert_eq!(
        server
            .send(&line, &headers, Some("Code\n"))
            .is(400)
            .problems(),
        ["deleteMissing"]
    );
}

#[test]
fn what_others_wrote_since_the_import_was_asked_for_stays_though_its_work_begins_later() {
    let server = working(JobSettings {
        workers: 0,
        ..JobSettings::default()
    });
    let [_, _, dataset] = server.places(&thing());
    let done = |id: &str| {
        let worked = server.tokio.block_on(server.service.run_job(id));
        worked.expect("it is worked off");
        ended(&server, id)
    };
    let sent = |query: &str, file: &str| {
        let made = import(&server, &server.root, &dataset, query, file).is(201);
        made.text("jobId")
    };
    done(&sent("", "Code,Name\nold,gone\nedited,before\n"));
    let replacing = sent("?mode=replace&deleteMissing=true", "Code,Name\n1,one\n");
    // nobody has taken it yet, as behind a server that was killed
    done(&sent("?mode=upsert", "Code,Name\nnew,made\nedited,since\n"));
    let job = done(&replacing);
    assert_eq!(counts(&job), json!({"rows": 1, "created": 1, "deleted": 1}));
    let made = server.make(
        &format!("/datasets/{dataset}/exports"),
        json!({"format": "csv"}),
    );
    let id = made.text("jobId");
    assert_eq!(done(&id)["state"], "done");
    let path = format!("GET /jobs/{id}/export");
    assert_eq!(
        server.root(&path, None).is(200).body,
        "Code,Name,Size\nedited,since,\nnew,made,\n1,one,\n"
    );
}

#[test]
fn what_is_only_tried_is_counted_as_it_would_be_and_written_nowhere() {
    let server = server();
    let [_, schema, dataset] = server.places(&thing());
    imported(&server, &dataset, "", "Code,Name,Size\n1,one,1\n2,two,2\n");
    let cells = "Code,Name,Size\n1,one,1\n2,zwei,2\n3,three,x\n,none,\n";
    let members = r#"{"Code":"1","Size":"x"}
{"Code":"2","Name":"two"}
{"Code":"4","Size":4}
"#;
    let modes = ["create", "update", "upsert", "replace"];
    let each = [("cells", cells), ("members", members)];
    let each = each.map(|it| modes.map(|mode| (mode, it)));
    for (mode, (kind, file)) in each.into_iter().flatten() {
        let query = format!("?mode={mode}&dryRun=true");
        let tried = imported(&server, &dataset, &query, file);
        let before = server.get(&format!("/schemas/{schema}/datasets"));
        assert_eq!(before["items"][0]["recordCount"], 2);
        let other = server.make(
            &format!("/schemas/{schema}/datasets"),
            json!({"name": format!("{mode} {kind}")}),
        );
        let other = other.text("dataSetId");
        imported(&server, &other, "", "Code,Name,Size\n1,one,1\n2,two,2\n");
        let done = imported(&server, &other, &format!("?mode={mode}"), file);
        assert_eq!(
            tried["importResult"]["faults"], done["importResult"]["faults"],
            "{mode} {kind}"
        );
        assert_eq!(
            tried["importResult"]["rejections"], done["importResult"]["rejections"],
            "{mode} {kind}"
        );
        assert_eq!(counts(&tried), counts(&done), "{mode} {kind}");
        assert_eq!(tried["log"], json!([]), "no key comes twice");
    }
}

#[test]
fn rows_of_empty_cells_are_none_where_records_have_a_key_and_the_file_is_whole_without_them() {
    let server = server();
    let [_, _, dataset] = server.places(&thing());
    imported(&server, &dataset, "", "Code,Name\n1,one\n2,two\n");
    // as spreadsheets save rows that were formatted, and other programs with quotes
    let file = "Code;Name;Size\n;;\n1;eins;\n\"\";\"\";\"\"\n \u{a0};;\n";
    let deleting = "?mode=replace&deleteMissing=true";
    let trying = format!("{deleting}&dryRun=true");
    for query in [&*trying, deleting] {
        let job = imported(&server, &dataset, query, file);
        let expected = json!({"rows": 1, "updated": 1, "deleted": 1});
        assert_eq!(counts(&job), expected, "{job}");
    }
    let cells = || exported(&server, &dataset, json!({"format": "csv"}));
    assert_eq!(cells(), "Code,Name,Size\n1,eins,\n");
    // a file of such rows alone has none
    let job = imported(&server, &dataset, deleting, "Code;Name\n;\n;\n");
    assert_eq!(counts(&job), json!({}), "{job}");
    assert_eq!(cells(), "Code,Name,Size\n1,eins,\n");
    // and one with a value has it
    let job = imported(&server, &dataset, "", "Code;Name\n;zwei\n");
    assert_eq!(counts(&job), json!({"rows": 1, "rejected": 1}), "{job}");
}

#[test]
fn rows_of_empty_cells_above_the_names_are_none_and_lines_are_told_as_they_are_in_the_file() {
    let server = server();
    let [_, _, dataset] = server.places(&thing());
    let file = ";;\n;;\nCode;Name;Size\n1;eins;\n;zwei;\n";
    let job = imported(&server, &dataset, "", file);
    let expected = json!({"rows": 2, "created": 1, "rejected": 1});
    assert_eq!(counts(&job), expected, "{job}");
    let rejected = &job["importResult"]["rejections"][0]["samples"][0];
    assert_eq!(rejected["line"], 5, "{job}");
}
