//! What an update costs the index: nothing while the words stay.

use crate::index::Stuck;
use crate::setup::SearchSetup;
use crate::test_server::CITY;
use runtime::service::search::WAIT_MAX;
use serde_json::Value;
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// A server that counts the documents of its index.
struct CountingSetup {
    setup: SearchSetup,
    index: Arc<Stuck>,
}

impl CountingSetup {
    fn start() -> Self {
        let setup = SearchSetup::without_index();
        let index = Arc::new(Stuck::new(setup.folder.path()));
        setup.attach(index.clone(), WAIT_MAX);
        CountingSetup { setup, index }
    }

    /// Changes a record; how many documents it takes until a search has seen it.
    #[track_caller]
    fn documents_of(&self, record: &Value, values: &str) -> usize {
        let code = record["Code"].as_str().expect("a code");
        let server = &self.setup.server;
        self.setup.found("x");
        let before = self.index.documents.load(Ordering::SeqCst);
        let version = server.by_key(code).json()["_version"].clone();
        let body = format!(r#"{{"_version":{version},{values}}}"#);
        server.update(record, &body).is(204);
        self.setup.found("x");
        self.index.documents.load(Ordering::SeqCst) - before
    }
}

#[test]
fn an_update_that_leaves_the_words_as_they_are_puts_nothing_into_the_index() {
    let counting = CountingSetup::start();
    let setup = &counting.setup;
    let record = setup.city("B", r#""Name":"Berlin","Tags":["große Stadt","am Fluss"]"#);
    setup.check("berlin", &["B"]);
    for same in [
        r#""Name":"Berlin""#,
        r#""Name":"BERLIN!""#,
        r#""Tags":["Grosse Stadt","am Fluß"]"#,
        r#""People":null"#,
    ] {
        assert_eq!(counting.documents_of(&record, same), 0, "{same}");
    }
    for other in [
        r#""Name":"Bonn""#,
        r#""Tags":["grosse","Stadt am Fluss"]"#,
        r#""Tags":null"#,
        r#""People":1"#,
        r#""People":null"#,
    ] {
        assert_eq!(counting.documents_of(&record, other), 1, "{other}");
    }
    setup.check("bonn NOT people:1 NOT grosse", &["B"]);
}

#[test]
fn a_new_field_or_limit_does_not_make_updates_dearer_but_a_new_name_does() {
    let counting = CountingSetup::start();
    let setup = &counting.setup;
    let record = setup.city("B", r#""Name":"Berlin""#);
    let schema = setup.server.names.schema.clone();
    let people = r#"{"fieldId":"f-people""#;
    let river = r#"{"fieldId":"f-river","name":"River","active":true,"dataType":"string","isPrimaryKey":false,"isSortKey":false,"isRequired":false}"#;
    let wider = CITY
        .replace(r#""max":20"#, r#""max":30"#)
        .replace(people, &format!("{river},{people}"));
    setup.server.change_schema(&schema, &wider);
    let same = r#""Name":"BERLIN","River":null"#;
    assert_eq!(counting.documents_of(&record, same), 0);
    assert_eq!(counting.documents_of(&record, r#""River":"Spree""#), 1);
    assert_eq!(counting.documents_of(&record, r#""River":"spree""#), 0);
    let renamed = wider.replace(r#""name":"River""#, r#""name":"Water""#);
    setup.server.change_schema(&schema, &renamed);
    assert_eq!(counting.documents_of(&record, r#""Water":"spree""#), 1);
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
        assert_eq!(total(&format!("{kind}:clay")), 0, "{kind}");
    }
}
