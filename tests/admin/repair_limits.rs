//! What a repair may make of values: no more than a record holds, however much a few words ask for. What is left alone
//! counts as what it is.

use crate::admin_server::AdminServer;
use crate::jobs::{ended, exported, imported, server, thing, working};
use runtime::service::JobSettings;
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::time::Duration;

/// Asks for a repair of names and waits until it has ended; what came of it.
fn repaired(
    server: &AdminServer,
    dataset: &str,
    field: &str,
    action: &Value,
    trial: bool,
) -> Value {
    let options = json!({"field": field, "action": action, "dryRun": trial});
    let made = server.make(&format!("/datasets/{dataset}/repairs"), options);
    let job = ended(server, &made.text("jobId"));
    assert_eq!(job["state"], "done", "{job}");
    job["revisionResult"].clone()
}

#[test]
fn a_value_that_would_be_larger_than_a_record_is_left_and_never_made() {
    let server = server();
    let [_, _, dataset] = server.places(&thing());
    let file = format!("Code,Name\n1,{}\n2,a\n", "b".repeat(1_000_000));
    imported(&server, &dataset, "", &file);
    let with = "z".repeat(60_000);
    for action in [
        json!({"replace": {"text": "b", "with": with}}),
        json!({"regex": {"pattern": "b", "with": with}}),
        json!({"regex": {"pattern": "b+", "with": "$0".repeat(100)}}),
    ] {
        for trial in [true, false] {
            let result = repaired(&server, &dataset, "Name", &action, trial);
            let told = ["records", "changed", "left"].map(|name| result[name].clone());
            assert_eq!(told, [json!(2), json!(0), json!(1)]);
            let left = &result["leftRecords"][0];
            assert_eq!(left["reason"], "its value would be too large");
        }
    }
    let after = exported(
        &server,
        &dataset,
        json!({"format": "csv", "fields": ["Code", "Name"]}),
    );
    assert!(after == file, "nothing was written");
}

#[test]
fn many_values_that_grow_are_written_in_steps_and_told_by_their_beginnings() {
    let server = server();
    let [_, _, dataset] = server.places(&thing());
    let (count, times) = (20, 1000);
    let mut file = String::from("Code,Name\n");
    for code in 0..count {
        writeln!(file, "{code},{}", "b".repeat(times)).expect("a text takes it");
    }
    imported(&server, &dataset, "", &file);
    let grow = json!({"replace": {"text": "b", "with": "z".repeat(times)}});
    let result = repaired(&server, &dataset, "Name", &grow, false);
    let told = ["records", "changed", "left"].map(|name| result[name].clone());
    assert_eq!(told, [json!(count), json!(count), json!(0)]);
    let sample = result["samples"][0]["after"].as_str().expect("a text");
    assert!(sample.ends_with("zz…") && sample.len() < 10_000, "{sample}");
    let after = exported(
        &server,
        &dataset,
        json!({"format": "csv", "fields": ["Name"]}),
    );
    let grown = "z".repeat(times * times);
    assert!(after.lines().skip(1).all(|line| line == grown));
    assert_eq!(after.lines().count(), count + 1);
    // what a query finds is as large, and read in steps, too
    let options = json!({"query": "*", "field": "Name", "action": {"set": null}});
    let made = server.make(&format!("/datasets/{dataset}/repairs"), options);
    let job = ended(&server, &made.text("jobId"));
    assert_eq!(job["revisionResult"]["changed"], count, "{job}");
}

#[test]
fn texts_of_an_action_that_are_too_long_or_name_no_group_are_refused_with_their_place() {
    let server = server();
    let [_, _, dataset] = server.places(&thing());
    imported(&server, &dataset, "", "Code,Name\n1,u12\n");
    let repairs = format!("POST /datasets/{dataset}/repairs");
    let long = "z".repeat(70_000);
    for (action, path) in [
        (
            json!({"replace": {"text": "b", "with": long}}),
            "$.action.replace.with",
        ),
        (
            json!({"replace": {"text": long, "with": "b"}}),
            "$.action.replace.text",
        ),
        (
            json!({"regex": {"pattern": long, "with": "b"}}),
            "$.action.regex.pattern",
        ),
        (
            json!({"regex": {"pattern": "b", "with": long}}),
            "$.action.regex.with",
        ),
        (
            json!({"regex": {"pattern": "^u([0-9]+)$", "with": "v$1w"}}),
            "$.action.regex.with",
        ),
    ] {
        let options = json!({"field": "Name", "action": action});
        let refused = server.root(&repairs, Some(options)).is(400);
        assert_eq!(refused.problems(), [path]);
    }
    let meant = json!({"regex": {"pattern": "^u([0-9]+)$", "with": "v$1w"}});
    let options = json!({"field": "Name", "action": meant});
    let refused = server.root(&repairs, Some(options)).is(400);
    let told = "names the group `1w`, which the pattern does not have; write `${1}w`";
    assert!(refused.body.contains(told), "{}", refused.body);
    let meant = json!({"regex": {"pattern": "^u([0-9]+)$", "with": "v${1}w"}});
    repaired(&server, &dataset, "Name", &meant, false);
    let after = exported(
        &server,
        &dataset,
        json!({"format": "csv", "fields": ["Name"]}),
    );
    assert_eq!(after, "Name\nv12w\n");
}

#[test]
fn a_blank_query_repairs_nothing() {
    let server = server();
    let [_, _, dataset] = server.places(&thing());
    imported(&server, &dataset, "", "Code,Name\n1,a\n2,b\n");
    let repairs = format!("POST /datasets/{dataset}/repairs");
    for query in ["", " ", "\u{3000}\n"] {
        let options = json!({"query": query, "field": "Name", "action": {"set": null}});
        let refused = server.root(&repairs, Some(options)).is(400);
        assert_eq!(refused.problems(), ["$.query"]);
    }
    let names = json!({"format": "csv", "fields": ["Name"]});
    assert_eq!(exported(&server, &dataset, names), "Name\na\nb\n");
}

#[test]
fn what_is_left_alone_is_as_faulty_before_as_after() {
    let server = server();
    let [_, _, dataset] = server.places(&thing());
    imported(&server, &dataset, "", "Code,Size\n1,x\n2,2\n3,y\n");
    let clear = json!({"set": null});
    for trial in [true, false] {
        let result = repaired(&server, &dataset, "Code", &clear, trial);
        let told = ["records", "changed", "left", "faultyBefore", "faultyAfter"];
        let told = told.map(|name| result[name].as_u64().expect("a count"));
        assert_eq!(told, [3, 0, 3, 2, 2], "{result}");
        assert_eq!(result["faults"], json!([]));
    }
}

#[test]
fn a_value_on_which_an_expression_takes_too_long_is_left_and_others_are_changed() {
    let server = working(JobSettings {
        repair_time_max: Duration::from_millis(200),
        ..JobSettings::default()
    });
    let [_, _, dataset] = server.places(&thing());
    let file = format!("Code,Name\n1,{}\n2,a\n", "A".repeat(900_000));
    imported(&server, &dataset, "", &file);
    // each of its matches is found once the rest of the text was read
    let slow = json!({"regex": {"pattern": ".*[^A-Z]|[A-Z]", "with": "<$0>"}});
    for trial in [true, false] {
        let result = repaired(&server, &dataset, "Name", &slow, trial);
        let told = ["records", "changed", "left"].map(|name| result[name].clone());
        assert_eq!(told, [json!(2), json!(1), json!(1)]);
        let reason = "the regular expression takes too long on its value";
        assert_eq!(result["leftRecords"][0]["reason"], reason);
    }
    let after = exported(
        &server,
        &dataset,
        json!({"format": "csv", "fields": ["Code", "Name"]}),
    );
    assert!(
        after == file.replace("2,a", "2,<a>"),
        "nothing else is changed"
    );
}
