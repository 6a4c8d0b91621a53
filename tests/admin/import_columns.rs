//! Which field a column of an import is for: what is said of columns and contradicts itself, what is told of those that go
//! nowhere, and of a record that no column of a sheet can hold.

use crate::jobs::{counts, ended, exported, import, imported, server, thing};
use serde_json::json;

#[test]
fn two_columns_for_one_field_are_refused_where_they_are_said_and_told_where_they_are_found() {
    let server = server();
    let [_, _, dataset] = server.places(&thing());
    let file = "Code,name,NAME\n1,one,two\n";
    for map in [
        "?map=name%3DName&map=NAME%3DName",
        "?map=name%3DName&map=name%3DSize",
    ] {
        let refused = import(&server, &server.root, &dataset, map, file).is(400);
        assert_eq!(refused.problems(), ["map"], "{map}");
    }
    let job = imported(&server, &dataset, "", file);
    let unused = &job["importResult"]["unusedColumns"];
    assert_eq!(unused[0]["column"], "NAME", "{job}");
    assert_eq!(unused.as_array().map(Vec::len), Some(1), "{job}");
    assert_eq!(
        exported(&server, &dataset, json!({"format": "csv"})),
        "Code,Name,Size\n1,one,\n"
    );
}

#[test]
fn a_column_with_an_equals_sign_and_a_member_of_json_are_for_the_fields_that_are_said() {
    let server = server();
    let [_, _, dataset] = server.places(&thing());
    let map = "?map=a%3Db%3DName&map=Old%3D";
    for file in [
        "Code,a=b,Old\n1,one,x\n",
        "{\"Code\":\"2\",\"a=b\":\"two\",\"Old\":1}\n",
        "[{\"Old\":null,\"Code\":\"3\",\"a=b\":\"three\"}]",
    ] {
        let job = imported(&server, &dataset, map, file);
        assert_eq!(counts(&job), json!({"rows": 1, "created": 1}), "{job}");
    }
    assert_eq!(
        exported(&server, &dataset, json!({"format": "csv"})),
        "Code,Name,Size\n1,one,\n2,two,\n3,three,\n"
    );
}

#[test]
fn a_text_that_no_cell_of_a_sheet_holds_is_told_with_its_record_and_field() {
    let server = server();
    let [_, _, dataset] = server.places(&thing());
    let long = "x".repeat(32_768);
    imported(&server, &dataset, "", &format!("Code,Name\n1,{long}\n"));
    let path = format!("/datasets/{dataset}/exports");
    let made = server.make(&path, json!({"format": "xlsx"}));
    let job = ended(&server, &made.text("jobId"));
    assert_eq!(job["state"], "failed", "{job}");
    let failure = job["failure"].as_str().expect("a reason");
    let rest = failure.strip_prefix("the record ").expect("a record");
    let (id, rest) = rest.split_once(' ').expect("an id");
    assert!(id.len() > 8, "{failure}");
    let told = "has a text of more than 32,767 characters in \"Name\"";
    assert!(rest.starts_with(told), "{failure}");
}

#[test]
fn names_of_columns_below_a_title_are_told_of_and_taken_for_none() {
    let server = server();
    let [_, _, dataset] = server.places(&thing());
    for (file, line) in [
        // as a spreadsheet writes a sheet, and as it was written by hand
        (
            "All things;;\nas of;today;\n;;\nCode;Name;Size\n1;one;1\n",
            4,
        ),
        ("All things\n\ncode,name\n1,one\n", 3),
    ] {
        let made = import(&server, &server.root, &dataset, "", file).is(201);
        let job = ended(&server, &made.text("jobId"));
        assert_eq!(job["state"], "failed", "{job}");
        let told = format!(
            "the first row has no name of a field, but line {line} has; take away the lines before it"
        );
        assert_eq!(job["failure"], told, "{job}");
    }
    assert_eq!(
        exported(&server, &dataset, json!({"format": "csv"})),
        "Code,Name,Size\n"
    );
}

#[test]
fn a_header_that_looks_odd_is_no_record_and_no_other_goes_by_it() {
    let server = server();
    let [_, _, dataset] = server.places(&thing());
    imported(&server, &dataset, "", "Code,Name,Size\n1,one,1\n2,two,2\n");
    let cells = || exported(&server, &dataset, json!({"format": "csv"}));
    let before = cells();
    let failed = |query: &str, file: &str| {
        let made = import(&server, &server.root, &dataset, query, file).is(201);
        let job = ended(&server, &made.text("jobId"));
        assert_eq!(job["state"], "failed", "{file}: {job}");
        let failure = job["failure"].as_str().expect("a reason");
        let told = "no column of the file has the name of a field";
        assert!(failure.contains(told), "{failure}");
    };
    for file in [
        "Description,2nd kind\nblue,7001\nred,7002\n",
        "Description;Item number;\nblue;7001;\nred;7002;\n",
        "Description,Kind,Kind\nblue,x,7001\nred,y,7002\n",
        "Colour@work,Kind,\nblue,x,\nred,y,\n",
        "7001,7002,\n7003,7004,\n",
    ] {
        for query in ["", "?mode=upsert", "?mode=replace&deleteMissing=true"] {
            failed(query, file);
        }
    }
    // where types ask for what no column is called, a new record can be made by the order, and no other changes or goes by it
    let typed = "3,three,7\n4,four,8\n";
    for query in ["?mode=upsert", "?mode=replace&deleteMissing=true"] {
        failed(query, typed);
    }
    assert_eq!(cells(), before);
    let job = imported(&server, &dataset, "", typed);
    assert_eq!(counts(&job), json!({"rows": 2, "created": 2}), "{job}");
    assert_eq!(job["importResult"]["found"]["header"], false, "{job}");
    let said = "?mode=replace&deleteMissing=true&header=false";
    let job = imported(&server, &dataset, said, typed);
    let expected = json!({"rows": 2, "unchanged": 2, "deleted": 2});
    assert_eq!(counts(&job), expected, "{job}");
}

#[test]
fn a_field_whose_name_has_a_sign_that_parts_cells_has_its_column_in_what_was_exported_and_rejected()
{
    let server = server();
    let mut document = thing();
    document["fields"][1]["name"] = json!("a;b;c");
    let [_, _, dataset] = server.places(&document);
    let file = "Code,\"a;b;c\",Size\n1,p;q;r,1\n2,p;q;r,2\n";
    imported(&server, &dataset, "", file);
    let all = exported(&server, &dataset, json!({"format": "csv"}));
    assert_eq!(all, file);
    let job = imported(&server, &dataset, "?mode=upsert", &all);
    assert_eq!(counts(&job), json!({"rows": 2, "unchanged": 2}), "{job}");
    let job = imported(&server, &dataset, "", &all);
    assert_eq!(counts(&job), json!({"rows": 2, "rejected": 2}), "{job}");
    let path = format!(
        "GET /jobs/{}/rejects",
        job["jobId"].as_str().expect("an id")
    );
    let marked = server.root(&path, None).is(200).body;
    let again = imported(&server, &dataset, "?mode=upsert", &marked);
    assert_eq!(
        counts(&again),
        json!({"rows": 2, "unchanged": 2}),
        "{marked}"
    );
}
