//! What is done with all that a query finds, where fields have names that differ by case alone: the query names one of
//! them exactly, or nothing is done; and where a field is not searched, whatever other schemas say of theirs.

use crate::jobs::{exported, imported, server, thing};
use crate::repairs::{cells, repaired};
use serde_json::json;

#[test]
fn a_repair_or_an_export_by_a_name_that_may_be_several_fields_is_refused() {
    let server = server();
    let field = |id: &str, name: &str, is_key: bool| {
        json!({"fieldId": id, "name": name, "active": true, "dataType": "string",
            "isPrimaryKey": is_key, "isSortKey": false, "isRequired": is_key})
    };
    let fields = [
        field("f-key", "K", true),
        field("f-large", "Code", false),
        field("f-small", "code", false),
        field("f-tag", "Tag", false),
    ];
    let [_, _, dataset] = server.places(&json!({"name": "Thing", "fields": fields}));
    let begin = "K,Code,code,Tag\n1,keep,kill,t\n2,kill,keep,t\n";
    imported(&server, &dataset, "", begin);
    let clear = |query: &str| json!({"field": "Tag", "action": {"set": null}, "query": query});
    for query in ["CODE:kill", "\"CODE\":kill", "NOT fault:CODE", "CODE:none"] {
        for (line, options) in [
            ("repairs", clear(query)),
            ("exports", json!({"format": "csv", "query": query})),
        ] {
            let line = format!("POST /datasets/{dataset}/{line}");
            let said = server.root(&line, Some(options)).is(400).text("message");
            assert!(said.contains("`Code` or `code`"), "{query}: {said}");
            assert!(said.contains("such as `\"Code\"`"), "{query}: {said}");
        }
    }
    assert_eq!(cells(&server, &dataset), begin);
    let found = exported(
        &server,
        &dataset,
        json!({"format": "csv", "query": "code:kill"}),
    );
    assert_eq!(found, "K,Code,code,Tag\n1,keep,kill,t\n");
    let job = repaired(&server, &dataset, clear("code:kill"));
    assert_eq!(job["revisionResult"]["changed"], 1, "{job}");
    assert_eq!(
        cells(&server, &dataset),
        "K,Code,code,Tag\n1,keep,kill,\n2,kill,keep,t\n"
    );
}

#[test]
fn a_repair_or_an_export_by_words_in_a_field_that_only_another_schema_searches_is_refused() {
    let server = server();
    let document = |is_searched: bool| {
        let mut document = thing();
        document["fields"][1]["isSearched"] = is_searched.into();
        document
    };
    let [area, _, dataset] = server.places(&document(false));
    let begin = "Code,Name,Size\n1,foo,1\n2,other,2\n";
    imported(&server, &dataset, "", begin);
    let mut other = document(true);
    other["name"] = json!("Other");
    server.make(
        &format!("/areas/{area}/schemas"),
        json!({"document": other}),
    );
    for query in ["Name:foo", "NOT Name:foo"] {
        for (line, options) in [
            (
                "repairs",
                json!({"field": "Name", "action": {"set": "bar"}, "query": query}),
            ),
            ("exports", json!({"format": "csv", "query": query})),
        ] {
            let line = format!("POST /datasets/{dataset}/{line}");
            let said = server.root(&line, Some(options)).is(400).text("message");
            assert!(said.contains("not searched"), "{query}: {said}");
        }
    }
    assert_eq!(cells(&server, &dataset), begin);
}
