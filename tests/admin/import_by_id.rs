//! Rows that say of which record they are: what an export gives along beside the fields, and what an import does with it.

use crate::admin_server::AdminServer;
use crate::browser::field;
use crate::jobs::{counts, ended, exported, import, imported, sent_in_bulk, server, thing};
use serde_json::{Value, json};

/// Readings of meters, with a primary key or without.
fn readings(is_keyed: bool) -> Value {
    json!({"name": "Reading", "fields": [
        field("f-meter", "Meter", "string", is_keyed),
        field("f-value", "Value", "integer", false),
    ]})
}

fn cells(server: &AdminServer, dataset: &str) -> String {
    exported(server, dataset, json!({"format": "csv"}))
}

/// The ids of a dataset's records, in the order of their creation.
fn ids(server: &AdminServer, dataset: &str) -> Vec<String> {
    let lines = exported(server, dataset, json!({"withIds": true}));
    let id = |line: &str| {
        let record: Value = serde_json::from_str(line).expect("a record");
        record["_dataObjectId"].as_str().expect("an id").to_owned()
    };
    lines.lines().map(id).collect()
}

/// How many rows were rejected, by reason.
fn rejections(job: &Value) -> Value {
    let all = job["importResult"]["rejections"].as_array();
    let all = all.expect("rejections").iter();
    let counts = all.map(|it| {
        let reason = it["reason"].as_str().expect("a reason");
        (reason.to_owned(), it["count"].clone())
    });
    Value::Object(counts.collect())
}

#[test]
fn faulty_rows_are_taken_along_mended_and_brought_back_with_and_without_a_primary_key() {
    for is_keyed in [true, false] {
        let server = server();
        let [_, _, dataset] = server.places(&readings(is_keyed));
        let file = "Meter,Value\nM1,1\nM2,many\nM3,3\n";
        imported(&server, &dataset, "", file);
        let options = json!({"format": "csv", "query": "is:faulty", "withErrors": true,
            "withIds": !is_keyed});
        let faulty = exported(&server, &dataset, options);
        let (head, row) = faulty.split_once('\n').expect("a head and a row");
        let names = if is_keyed {
            "_errors,Meter,Value"
        } else {
            "_dataObjectId,_errors,Meter,Value"
        };
        assert_eq!(head, names);
        assert!(
            row.contains("Value: ") && row.ends_with(",M2,many\n"),
            "{row}"
        );
        let mended = faulty.replace(",M2,many", ",M2,2");
        let job = imported(&server, &dataset, "?mode=update", &mended);
        assert_eq!(counts(&job), json!({"rows": 1, "updated": 1}), "{job}");
        assert_eq!(job["importResult"]["unusedColumns"], json!([]));
        assert_eq!(cells(&server, &dataset), file.replace("many", "2"));
        // so are rows of JSON
        let lines = exported(
            &server,
            &dataset,
            json!({"withErrors": true, "withIds": true}),
        );
        assert!(
            lines.starts_with(r#"{"_dataObjectId":""#)
                && lines.contains(r#","_errors":null,"Meter":"M1""#),
            "{lines}"
        );
        let changed = lines.replace(r#""Value":3"#, r#""Value":33"#);
        let job = imported(&server, &dataset, "?mode=replace", &changed);
        let expected = json!({"rows": 3, "updated": 1, "unchanged": 2});
        assert_eq!(counts(&job), expected, "{job}");
    }
}

#[test]
fn an_id_of_no_record_is_rejected_and_one_that_is_there_gets_no_second_record() {
    let server = server();
    let [_, schema, dataset] = server.places(&readings(false));
    let path = format!("/schemas/{schema}/datasets");
    let other = server
        .make(&path, json!({"name": "Other"}))
        .text("dataSetId");
    imported(&server, &dataset, "", "Meter,Value\nM1,1\nM2,2\n");
    imported(&server, &other, "", "Meter,Value\nM9,9\n");
    let own = ids(&server, &dataset);
    let foreign = ids(&server, &other).remove(0);
    let gone = json!({"delete": {"_dataObjectId": own[1], "_version": 0}});
    sent_in_bulk(&server, &dataset, &[gone]);
    let file = format!(
        "_dataObjectId,Meter,Value\n{},M1,7\n{},M2,7\n{foreign},M9,7\nnobody,M9,7\n,M3,3\n",
        own[0], own[1]
    );
    let tried = imported(&server, &dataset, "?mode=upsert&dryRun=true", &file);
    let done = imported(&server, &dataset, "?mode=upsert", &file);
    for job in [&tried, &done] {
        let expected = json!({"rows": 5, "created": 1, "updated": 1, "rejected": 3});
        assert_eq!(counts(job), expected, "{job}");
        assert_eq!(rejections(job), json!({"id_unknown": 3}));
    }
    assert_eq!(cells(&server, &dataset), "Meter,Value\nM1,7\nM3,3\n");
    // what is copied from another dataset is new here, what is here already is not
    let file = format!("_dataObjectId,Meter\n{},M1\n{foreign},M9\n", own[0]);
    let job = imported(&server, &dataset, "", &file);
    let expected = json!({"rows": 2, "created": 1, "rejected": 1});
    assert_eq!(counts(&job), expected, "{job}");
    assert_eq!(rejections(&job), json!({"record_exists": 1}));
    // records that no row is of go where that is said
    let file = format!("_dataObjectId,Meter\n{},M1\n", own[0]);
    let query = "?mode=replace&deleteMissing=true";
    let job = imported(&server, &dataset, query, &file);
    let expected = json!({"rows": 1, "updated": 1, "deleted": 2});
    assert_eq!(counts(&job), expected, "{job}");
}

#[test]
fn without_a_primary_key_and_without_ids_nothing_is_changed() {
    let server = server();
    let [_, _, dataset] = server.places(&readings(false));
    for mode in ["update", "upsert", "replace"] {
        let query = format!("?mode={mode}");
        let by = &server.root;
        let made = import(&server, by, &dataset, &query, "Meter,Value\nM1,1\n").is(201);
        let job = ended(&server, &made.text("jobId"));
        assert_eq!(job["state"], "failed", "{job}");
        let failure = job["failure"].as_str().expect("a reason");
        assert!(failure.contains("no column `_dataObjectId`"), "{failure}");
    }
    let rows = "{\"Meter\":\"M1\"}\n{\"_dataObjectId\":null,\"Meter\":\"M2\"}\n";
    let job = imported(&server, &dataset, "?mode=upsert", rows);
    let expected = json!({"rows": 2, "created": 1, "rejected": 1});
    assert_eq!(counts(&job), expected, "{job}");
    assert_eq!(rejections(&job), json!({"id_missing": 1}));
    // what stands beside the fields is asked for by options of its own
    let path = format!("POST /datasets/{dataset}/exports");
    let wrong = json!({"fields": ["_errors"]});
    assert_eq!(
        server.root(&path, Some(wrong)).is(400).problems(),
        ["$.fields"]
    );
}

#[test]
fn a_primary_key_changes_by_the_id_of_its_record_and_never_to_one_that_is_taken() {
    let server = server();
    let [_, _, dataset] = server.places(&thing());
    imported(&server, &dataset, "", "Code,Name\n1,one\n2,two\n");
    let own = ids(&server, &dataset);
    let first = &own[0];
    let file = format!("_dataObjectId,Code\n{first},2\n{first},\n");
    for query in ["?mode=update&dryRun=true", "?mode=update"] {
        let job = imported(&server, &dataset, query, &file);
        let expected = json!({"rows": 2, "rejected": 2});
        assert_eq!(counts(&job), expected, "{job}");
        let expected = json!({"duplicate_key": 1, "key_missing": 1});
        assert_eq!(rejections(&job), expected, "{job}");
    }
    // one after the other, also by its key, which is free again then
    let file = format!("_dataObjectId,Code\n{first},10\n{first},11\n{first},11\n,2\n,1\n");
    let job = imported(&server, &dataset, "?mode=upsert", &file);
    let expected = json!({"rows": 5, "created": 1, "updated": 2, "unchanged": 2});
    assert_eq!(counts(&job), expected, "{job}");
    assert_eq!(
        cells(&server, &dataset),
        "Code,Name,Size\n11,one,\n2,two,\n1,,\n"
    );
}

/// Imports a file of ids into a dataset of two records of its own, which has these counts.
#[track_caller]
fn stored(rows: &str, expected: &Value) -> String {
    let server = server();
    let [_, _, dataset] = server.places(&thing());
    imported(&server, &dataset, "", "Code,Name\n1,one\n2,two\n");
    let own = ids(&server, &dataset);
    let rows = rows.replace("{A}", &own[0]).replace("{B}", &own[1]);
    let file = format!("_dataObjectId,Code,Name\n{rows}");
    let job = imported(&server, &dataset, "?mode=upsert", &file);
    assert_eq!(&counts(&job), expected, "{rows} {job}");
    cells(&server, &dataset)
}

#[test]
fn a_key_that_a_row_gives_away_is_free_for_the_row_behind_it() {
    let expected = json!({"rows": 2, "updated": 2});
    let cells = stored("{A},10,one\n{B},1,two\n", &expected);
    assert_eq!(cells, "Code,Name,Size\n10,one,\n1,two,\n");
    // and one that nobody gave away is not
    let expected = json!({"rows": 2, "updated": 1, "rejected": 1});
    let cells = stored("{B},1,two\n{A},10,one\n", &expected);
    assert_eq!(cells, "Code,Name,Size\n10,one,\n2,two,\n");
}

#[test]
fn rows_of_one_record_are_stored_one_after_the_other_by_ids_and_by_keys() {
    for (rows, expected) in [
        (
            "{A},10,a\n{A},11,a\n{A},10,a\n",
            json!({"rows": 3, "updated": 3}),
        ),
        (
            "{A},10,a\n{A},11,a\n{A},11,a\n",
            json!({"rows": 3, "updated": 2, "unchanged": 1}),
        ),
        ("{A},9,x\n,9,y\n", json!({"rows": 2, "updated": 2})),
        (
            ",9,x\n{B},9,y\n",
            json!({"rows": 2, "created": 1, "rejected": 1}),
        ),
        (
            "{A},1,x\n,1,x\n",
            json!({"rows": 2, "updated": 1, "unchanged": 1}),
        ),
        (
            "{A},10,a\n,1,b\n{B},10,c\n{B},1,c\n{A},2,a\n",
            json!({"rows": 5, "created": 1, "updated": 1, "rejected": 3}),
        ),
    ] {
        stored(rows, &expected);
    }
}

#[test]
fn without_a_primary_key_rows_of_one_id_are_stored_one_after_the_other_and_update_makes_none() {
    let server = server();
    let [_, _, dataset] = server.places(&readings(false));
    imported(&server, &dataset, "", "Meter,Value\nM1,1\n");
    let own = ids(&server, &dataset).remove(0);
    let file = format!("_dataObjectId,Value\n{own},2\n{own},3\n{own},3\n,4\n");
    let job = imported(&server, &dataset, "?mode=update", &file);
    let expected = json!({"rows": 4, "updated": 2, "unchanged": 1, "rejected": 1});
    assert_eq!(counts(&job), expected, "{job}");
    assert_eq!(rejections(&job), json!({"id_missing": 1}));
    assert_eq!(cells(&server, &dataset), "Meter,Value\nM1,3\n");
}

#[test]
fn a_file_that_says_twice_of_which_record_a_row_is_changes_none() {
    let server = server();
    let [_, _, dataset] = server.places(&thing());
    imported(&server, &dataset, "", "Code,Name\n1,one\n2,two\n");
    let own = ids(&server, &dataset);
    let file = format!(
        "_dataObjectId,Code,_dataObjectId\n{},1,{}\n",
        own[0], own[1]
    );
    let by = &server.root;
    let made = import(&server, by, &dataset, "?mode=update", &file).is(201);
    let job = ended(&server, &made.text("jobId"));
    assert_eq!(job["state"], "failed", "{job}");
    let failure = job["failure"].as_str().expect("a reason");
    assert!(failure.contains("several columns"), "{failure}");
    let row = format!(
        r#"{{"_dataObjectId":"{}","Name":"x","_dataObjectId":"{}"}}"#,
        own[0], own[1]
    );
    let job = imported(&server, &dataset, "?mode=update", &format!("{row}\n"));
    assert_eq!(counts(&job), json!({"rows": 1, "rejected": 1}), "{job}");
    assert_eq!(rejections(&job), json!({"system_property": 1}));
}

#[test]
fn a_dry_run_compares_rows_of_one_key_with_what_is_stored_and_names_their_lines() {
    let server = server();
    let [_, _, dataset] = server.places(&thing());
    imported(&server, &dataset, "", "Code,Name\n1,one\n");
    let id = ids(&server, &dataset).remove(0);
    let file =
        format!("_dataObjectId,Code,Name\n,1,eins\n,1,one\n,2,two\n,2,zwei\n{id},3,\n{id},4,\n");
    let job = imported(&server, &dataset, "?mode=upsert&dryRun=true", &file);
    let expected = json!({"rows": 6, "created": 2, "updated": 3, "unchanged": 1});
    assert_eq!(counts(&job), expected, "{job}");
    let told = "these lines have the primary key or id of a line before, and each was compared with what is stored, not with that line: 3, 5, 7";
    assert_eq!(job["log"][0]["text"], told, "{job}");
    // the second of a key that is to be made is left out, as by the import
    for query in ["?dryRun=true", ""] {
        let job = imported(&server, &dataset, query, "Code\n7\n7\n");
        let expected = json!({"rows": 2, "created": 1, "rejected": 1});
        assert_eq!(counts(&job), expected, "{job}");
        assert_eq!(job["log"], json!([]));
    }
}
