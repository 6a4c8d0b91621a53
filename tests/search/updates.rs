//! What an update costs the index: no text while the words stay.

use crate::setup::SearchSetup;
use crate::test_server::CITY;
use serde_json::Value;

/// What the full-text part of the index holds: it changes with every record that is written there.
fn texts(setup: &SearchSetup) -> Vec<(i64, Vec<u8>)> {
    let file = setup.folder.path().join("search.db");
    let connection = rusqlite::Connection::open(file).expect("the index");
    let blocks = "SELECT id, block FROM words_data ORDER BY id";
    let mut blocks = connection.prepare(blocks).expect("its data");
    let blocks = blocks.query_map([], |row| Ok((row.get(0)?, row.get(1)?)));
    let blocks: Result<_, _> = blocks.expect("its blocks").collect();
    blocks.expect("blocks")
}

/// Changes a record; whether its texts are written anew until a search has seen it.
#[track_caller]
fn is_written_anew(setup: &SearchSetup, record: &Value, values: &str) -> bool {
    let code = record["Code"].as_str().expect("a code");
    let server = &setup.server;
    setup.found("x");
    let before = texts(setup);
    let version = server.by_key(code).json()["_version"].clone();
    let body = format!(r#"{{"_version":{version},{values}}}"#);
    server.update(record, &body).is(204);
    setup.found("x");
    texts(setup) != before
}

#[test]
#[cfg_attr(
    on_a_database,
    ignore = "an update of a record there writes all its rows in the index anew"
)]
fn an_update_that_leaves_the_texts_as_they_are_writes_none() {
    let setup = SearchSetup::start();
    let record = setup.city("B", r#""Name":"Berlin","Tags":["große Stadt","am Fluss"]"#);
    setup.check("berlin", &["B"]);
    for same in [
        r#""Name":"Berlin""#,
        r#""Tags":["große Stadt","am Fluss"]"#,
        r#""People":null"#,
    ] {
        assert!(!is_written_anew(&setup, &record, same), "{same}");
    }
    for other in [
        r#""Name":"Bonn""#,
        r#""Name":"BONN!""#,
        r#""Tags":["große","Stadt am Fluss"]"#,
        r#""Tags":null"#,
        r#""People":1"#,
        r#""People":null"#,
    ] {
        assert!(is_written_anew(&setup, &record, other), "{other}");
    }
    setup.check("bonn NOT people:1 NOT grosse", &["B"]);
    // the same words, and another number
    is_written_anew(&setup, &record, r#""People":1"#);
    assert!(
        is_written_anew(&setup, &record, r#""People":-1"#),
        "it is faulty now"
    );
    setup.check("People:<0 is:faulty", &["B"]);
}

#[test]
#[cfg_attr(
    on_a_database,
    ignore = "an update of a record there writes all its rows in the index anew"
)]
fn after_a_new_field_or_limit_a_record_is_written_once_and_after_a_new_name_too() {
    let setup = SearchSetup::start();
    let record = setup.city("B", r#""Name":"Berlin""#);
    setup.check("berlin", &["B"]);
    let schema = setup.server.names.schema.clone();
    let people = r#"{"fieldId":"f-people""#;
    let river = r#"{"fieldId":"f-river","name":"River","active":true,"dataType":"string","isPrimaryKey":false,"isSortKey":false,"isRequired":false}"#;
    let wider = CITY
        .replace(r#""max":20"#, r#""max":30"#)
        .replace(people, &format!("{river},{people}"));
    setup.server.change_schema(&schema, &wider);
    let same = r#""Name":"Berlin","River":null"#;
    assert!(is_written_anew(&setup, &record, same));
    assert!(!is_written_anew(&setup, &record, same));
    assert!(is_written_anew(&setup, &record, r#""River":"Spree""#));
    assert!(!is_written_anew(&setup, &record, r#""River":"Spree""#));
    let renamed = wider.replace(r#""name":"River""#, r#""name":"Water""#);
    setup.server.change_schema(&schema, &renamed);
    assert!(is_written_anew(&setup, &record, r#""Water":"Spree""#));
    assert!(!is_written_anew(&setup, &record, r#""Water":"Spree""#));
    setup.check("Water:spree", &["B"]);
}

#[test]
fn files_are_not_found_by_what_is_stored_of_them() {
    let setup = SearchSetup::start();
    let names = &setup.server.names;
    let field = |id: &str, name: &str, kind: &str, is_list: bool| {
        format!(
            r#"{{"fieldId":"{id}","name":"{name}","active":true,"dataType":"{kind}","isPrimaryKey":false,"isSortKey":false,"isRequired":false,"isMultivalue":{is_list}}}"#
        )
    };
    let kinds = ["attachment", "image", "document", "video"];
    let files = kinds.map(|kind| field(kind, kind, kind, kind == "document"));
    let document = format!(
        r#"{{"schemaId":"s","name":"Exhibit","businessAreaId":"a","businessAreaName":"A","createdDate":"2026-01-01T00:00:00.000Z","fields":[{},{}]}}"#,
        field("t", "Title", "string", false),
        files.join(",")
    );
    let schema = setup.server.schema(&names.tenant, &names.area, &document);
    let dataset = setup.server.dataset(&schema, "Exhibits");
    let path = crate::test_server::records_of(&names.area, &schema, &dataset);
    // values that are no files are kept with their faults, as any other
    let body = r#"{"Title":"vase","attachment":"clay","image":"clay","document":["clay","clay"],"video":"clay"}"#;
    let made = setup
        .server
        .request("POST", &path)
        .json(body)
        .send()
        .is(201);
    let faulty = made.json()["_errors"].as_array().map(Vec::len);
    assert_eq!(faulty, Some(kinds.len()), "{}", made.text());
    let total = |query: &str| setup.found(query)["total"].clone();
    assert_eq!(total("vase"), 1);
    assert_eq!(total("clay"), 0);
    for kind in kinds {
        for query in [format!("{kind}:clay"), format!("{kind}:=clay")] {
            let refused = setup.refused(&format!("query={}", crate::setup::encoded(&query)));
            assert!(refused.contains("not searched"), "{query}: {refused}");
        }
    }
}
