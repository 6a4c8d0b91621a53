//! What is wrong in the application: over all datasets, with a way to each fault, however many there are; and what a record that has
//! one holds there.

use crate::admin_server::AdminServer;
use crate::browser::{Browser, cities, field, written};
use serde_json::{Value, json};

/// A dataset of things with these fields behind their key and these records, in the area of another one.
fn things(server: &AdminServer, beside: &str, fields: Vec<Value>, records: &[Value]) -> String {
    let area = server.get(&format!("/datasets/{beside}"))["businessAreaId"].clone();
    let area = area.as_str().expect("an area");
    let key = field("f-code", "Code", "string", true);
    let all: Vec<Value> = std::iter::once(key).chain(fields).collect();
    let schema = json!({"document": {"name": "Thing", "fields": all}});
    let schema = server.make(&format!("/areas/{area}/schemas"), schema);
    let path = format!("/schemas/{}/datasets", schema.text("schemaId"));
    let made = server.make(&path, json!({"name": "Things"}));
    let dataset = made.text("dataSetId");
    written(server, &dataset, records);
    dataset
}

/// The same with a record in which each of so many fields is faulty.
fn faulty_things(server: &AdminServer, beside: &str, fields: usize) -> String {
    let sizes = (0..fields).map(|at| {
        let (id, name) = (format!("f-{at}"), format!("Size {at}"));
        field(&id, &name, "integer", false)
    });
    let mut record = json!({"Code": "T1"});
    for at in 0..fields {
        record[format!("Size {at}")] = json!("large");
    }
    things(server, beside, sizes.collect(), &[record])
}

/// The fields of the lines that a page shows.
fn fields_of(page: &str) -> Vec<&str> {
    let heads = page.split(r#"role="rowheader">"#).skip(1);
    let named = heads.filter_map(|it| it.split('<').next());
    named.collect()
}

#[test]
fn home_has_the_first_faults_and_says_of_how_many_and_their_page_leads_to_all() {
    let server = AdminServer::start();
    let (towns, _) = cities(&server);
    // two records of the one field, and one of each of many
    written(&server, &towns, &[json!({"Code": "A3", "People": "few"})]);
    let things = faulty_things(&server, &towns, 110);
    let browser = Browser::signed_in(&server);
    let part = browser.part("/app/faults").is(200);
    let first = fields_of(&part.body);
    assert_eq!(first.len(), 12, "{}", part.body);
    assert_eq!(first[..3], ["People", "Size 0", "Size 1"]);
    for told in [
        "The 12 most frequent of 111 kinds of faults.",
        "The 5 most frequent of 111 kinds of faults.",
        r#"<a href="/app/faults">All faults by field</a>"#,
    ] {
        assert!(part.body.contains(told), "{told}: {}", part.body);
    }
    // all of them in parts, each with its dataset, in one order
    let page = browser.get("/app/faults").is(200);
    let all = fields_of(&page.body);
    assert_eq!(all.len(), 100, "{}", page.body);
    for told in [
        ">Dataset</th>",
        ">Share of records</th>",
        "Kinds of faults: 1 to 100 of 111",
        &format!(r#"<a href="/app/datasets/{things}/faults">Things</a>"#),
        &format!(r#"<a href="/app/datasets/{towns}/faults">Europe</a>"#),
        // two of three records, and the one there is
        "<span>66.7%</span>",
        "<span>100%</span>",
    ] {
        assert!(page.body.contains(told), "{told}: {}", page.body);
    }
    let rest = browser.get("/app/faults?part=1").is(200);
    let rest = fields_of(&rest.body);
    assert_eq!(rest.len(), 11, "{rest:?}");
    assert_eq!((rest[0], rest[10]), ("Size 99", "Size 109"));
    // and by the name of a field, of a dataset or of what is wrong
    for (sought, found) in [("size+10", 11), ("europe", 1), ("WHOLE", 100)] {
        let page = browser.get(&format!("/app/faults?find={sought}")).is(200);
        assert_eq!(fields_of(&page.body).len(), found, "{sought}");
    }
    let none = browser.get("/app/faults?find=nowhere").is(200);
    assert!(fields_of(&none.body).is_empty());
    assert!(!none.body.contains("Every record meets every rule"));
    assert!(!none.body.contains("Kinds of faults:"), "{}", none.body);
    let german = browser.in_german().get("/app/faults").is(200);
    assert!(german.body.contains("Arten von Fehlern: 1 bis 100 von 111"));
}

#[test]
fn where_home_shows_all_faults_it_says_of_no_others() {
    let server = AdminServer::start();
    cities(&server);
    let browser = Browser::signed_in(&server);
    let part = browser.part("/app/faults").is(200);
    assert_eq!(fields_of(&part.body), ["People"]);
    assert!(!part.body.contains("most frequent of"), "{}", part.body);
    let page = browser.get("/app/faults").is(200);
    assert!(!page.body.contains(r#"name="find""#), "{}", page.body);
}

#[test]
fn a_fault_is_shown_with_the_value_that_has_it_and_the_record_beside_it() {
    let server = AdminServer::start();
    let (dataset, _) = cities(&server);
    let mut name = field("f-name", "Name", "string", false);
    name["isRequired"] = true.into();
    let fields = vec![
        name,
        field("f-size", "Size", "integer", false),
        field("f-year", "Year", "date-year", false),
        field("f-mail", "Mail", "email", false),
    ];
    let records = [
        json!({"Code": "T1", "Name": "n", "Size": "large"}),
        json!({"Code": "T2", "Name": "n", "Year": [1, "two"]}),
        json!({"Code": "T3"}),
        json!({"Code": "T4", "Name": "n", "Mail": "x".repeat(600)}),
    ];
    let things = things(&server, &dataset, fields, &records);
    let browser = Browser::signed_in(&server);
    let page = browser.get(&format!("/app/datasets/{things}/faults"));
    let page = page.is(200).body;
    let told = |value: &str, key: &str| {
        let row = page.split("</tr>").find(|row| row.contains(value));
        let row = row.unwrap_or_else(|| panic!("{value}: {page}"));
        assert!(row.contains(&format!(">{key}</a>")), "{key}: {row}");
    };
    told(r#"<span class="spaces">large</span>"#, "T1");
    told(r#"<span class="spaces">1, two</span>"#, "T2");
    told(r#"<span class="muted">no value</span>"#, "T3");
    // of a long one the beginning
    told("xxx …</span>", "T4");
    assert!(!page.contains(&"x".repeat(90)), "{page}");
}

#[test]
fn of_a_file_that_lacks_no_value_is_shown() {
    let server = AdminServer::start();
    let (dataset, _) = cities(&server);
    let mut papers = field("f-papers", "Papers", "document", false);
    papers["isRequired"] = true.into();
    let fields = vec![papers, field("f-size", "Size", "integer", false)];
    let records = [json!({"Code": "T1", "Size": "large"})];
    let things = things(&server, &dataset, fields, &records);
    let browser = Browser::signed_in(&server);
    let page = browser.get(&format!("/app/datasets/{things}/faults"));
    let page = page.is(200).body;
    let mut fields = fields_of(&page);
    fields.sort_unstable();
    assert_eq!(fields, ["Papers", "Size"], "{page}");
    assert!(page.contains(r#"<span class="spaces">large</span>"#));
    assert_eq!(page.matches(">T1</a>").count(), 2, "{page}");
    assert!(!page.contains(r#"<span class="muted">no value"#), "{page}");
}
