//! Schemas that begin with a file in the application: a document that was saved elsewhere, or rows from which one is proposed.

use crate::admin_server::AdminServer;
use crate::browser::{Browser, cities};
use crate::pages_record_files::Halls;
use crate::requests::Answer;
use crate::schema_editor::{edited, held, places};
use serde_json::{Value, json};

/// The area of the dataset of cities, which it makes.
fn area(server: &AdminServer) -> String {
    let (dataset, _) = cities(server);
    let [area, _] = places(server, &dataset);
    area
}

/// Opens the page of a new schema in an area, and sends it a file: a `document` or a `sample`.
fn begun(browser: &Browser<'_>, area: &str, kind: &str, file: (&str, &str)) -> Answer {
    let place = format!("/app/areas/{area}/schemas");
    let page = browser.get(&format!("{place}/new")).is(200);
    browser.send_file(&page, &format!("{place}/{kind}"), &[], file)
}

#[test]
fn a_schema_begins_with_a_document_that_is_sent_as_a_file() {
    let server = AdminServer::start();
    let (dataset, _) = cities(&server);
    let [area, schema] = places(&server, &dataset);
    let browser = Browser::signed_in(&server);
    let send = |name: &str, content: &str| begun(&browser, &area, "document", (name, content));
    // as it is downloaded here, and as editors of other systems save it
    let own = format!("/app/schemas/{schema}/as/json");
    let downloaded = browser.get(&own).is(200).body;
    let fields = |document: &Value| -> Vec<Value> {
        let fields = document["fields"].as_array().expect("fields").iter();
        let told = ["name", "dataType", "isPrimaryKey", "isRequired", "max"];
        let told = |field: &Value| told.iter().map(|name| field[name].clone()).collect();
        fields.map(told).collect()
    };
    let meant = fields(&serde_json::from_str(&downloaded).expect("a document"));
    for content in [downloaded.clone(), format!("\u{feff}{downloaded}")] {
        let editor = send("city.json", &content).is(200);
        let held: Value = serde_json::from_str(&held(&editor, "document")).expect("a document");
        assert!(held["schemaId"].is_null(), "it is a new one");
        assert_eq!(fields(&held), meant);
    }
    // pasted with the mark that an editor began it with
    let new = format!("/app/areas/{area}/schemas/new");
    let page = browser.get(&new).is(200);
    let marked = format!("\u{feff}{downloaded}");
    let editor = browser.send(&page, &new, &[("document", &marked)]).is(200);
    let pasted: Value = serde_json::from_str(&held(&editor, "document")).expect("a document");
    assert_eq!(fields(&pasted), meant);
    let refused = send("city.json", "{\"name\": \"Quay\",").is(400);
    for told in [
        "The file city.json is not a schema document",
        "line 1",
        "Quay",
    ] {
        assert!(refused.body.contains(told), "{told}: {}", refused.body);
    }
    // other ways to begin are still there
    let by_hand = format!("/app/areas/{area}/schemas/new?from=hand");
    let way = format!(r#"href="{by_hand}""#);
    assert!(refused.body.contains(&way), "{way}: {}", refused.body);
    browser.get(&by_hand).is(200);
    let empty = send("", "").is(400);
    assert!(empty.body.contains("Choose a file first"), "{}", empty.body);
    let large = send("large.json", &" ".repeat((8 << 20) + 1)).is(400);
    assert!(large.body.contains("8 MiB"), "{}", large.body);
}

#[test]
fn a_schema_is_proposed_from_a_sample_with_its_evidence_and_what_it_makes_faulty() {
    let server = AdminServer::start();
    let area = area(&server);
    let browser = Browser::signed_in(&server);
    let rows: Vec<_> = (1..=40)
        .map(|n| {
            format!(
                "A{n},{},2026-01-{:02},{n}.50\n",
                ["red", "green"][n % 2],
                n % 28 + 1
            )
        })
        .collect();
    // with a row that was formatted, and holds nothing
    let file = format!("Code,Colour,Seen,Price\n{},,,\n", rows.concat());
    let editor = begun(&browser, &area, "sample", ("Lights.csv", &file)).is(200);
    for told in [
        "Rows: 40",
        "all values are different",
        "only 2 different texts",
        "No row of the file is faulty",
    ] {
        assert!(editor.body.contains(told), "{told}: {}", editor.body);
    }
    let document: Value = serde_json::from_str(&held(&editor, "document")).expect("a document");
    assert_eq!(document["name"], json!("Lights"));
    let types = document["fields"].as_array().expect("fields").iter();
    let types: Vec<_> = types
        .map(|it| it["dataType"].as_str().expect("a type"))
        .collect();
    assert_eq!(types, ["string", "picklist", "date", "currency"]);
    // the evidence stays while it is edited
    let opened = edited(
        &browser,
        &editor,
        &area,
        &[("do", "open-1"), ("evidence", "Kept\tline")],
    )
    .is(200);
    assert!(opened.body.contains("<b>Kept</b>"), "{}", opened.body);
    let file = ("Empty.csv", "Code,Colour\n");
    let empty = begun(&browser, &area, "sample", file).is(400);
    assert!(empty.body.contains("role=\"alert\""), "{}", empty.body);
    let mixed = "A,B\n1,[1]\n2,{\n3,\"x\"\"\n";
    begun(&browser, &area, "sample", ("Mixed.csv", mixed));
}

#[test]
fn a_column_that_nearly_has_a_type_is_told_with_the_rows_that_would_fail() {
    let server = AdminServer::start();
    let area = area(&server);
    let browser = Browser::signed_in(&server);
    let but = |nth: usize, text: &str, number: usize, value: String| {
        if number.is_multiple_of(nth) {
            text.to_owned()
        } else {
            value
        }
    };
    let rows = (1..=200).map(|n| {
        let mail = but(25, "none", n, format!("m{n}@example.org"));
        let day = format!("2026-{:02}-{:02}", n % 12 + 1, n % 28 + 1);
        let seen = but(20, "soon", n, day);
        let size = but(33, "a few", n, n.to_string());
        let half = but(2, "or not", n, n.to_string());
        format!("A{n},{mail},{seen},{size},{half}\n")
    });
    let file = format!(
        "Code,Mail,Seen,Size,Half\n{}",
        rows.collect::<Vec<_>>().concat()
    );
    let propose = |browser: &Browser<'_>| {
        let file = ("Posts.csv", &*file);
        begun(browser, &area, "sample", file).is(200)
    };
    let editor = propose(&browser);
    for told in [
        "look twice: 192 of 200 values fit the type “e-mail address”, not those of these lines: 26, 51, 76, 101, 126, …",
        "look twice: 190 of 200 values fit the type “date”, written YYYY-MM-DD, not those of these lines: 21, 41, ",
        "look twice: 194 of 200 values fit the type “whole number”, not those of these lines: 34, 67, 100, 133, 166, …",
        "No row of the file is faulty",
    ] {
        assert!(editor.body.contains(told), "{told}: {}", editor.body);
    }
    // once where it is read, and once where the form holds it; half of the values are no type
    assert_eq!(editor.body.matches("look twice").count(), 2 * 3);
    let german = browser.in_german();
    let told = "sehen Sie genau hin: 192 von 200 Werten passen zum Typ";
    let editor = propose(&german);
    assert!(editor.body.contains(told), "{}", editor.body);
}

#[test]
fn rows_of_a_sample_that_no_type_has_are_counted_and_the_first_are_told_by_their_lines() {
    let server = AdminServer::start();
    let area = area(&server);
    let browser = Browser::signed_in(&server);
    let places = [json!("Oslo"), json!(59), json!(60)];
    let rows = places.iter().enumerate();
    let rows =
        rows.map(|(n, place)| format!("{}\n", json!({"Code": format!("A{n}"), "Place": place})));
    let file = rows.collect::<Vec<_>>().concat();
    let file = ("Places.ndjson", &*file);
    let editor = begun(&browser, &area, "sample", file).is(200);
    for told in [
        "no type has all values: text, under which some are faulty",
        "Rows that would be faulty under this proposal: 2",
        "Line 2: Place must be text",
        "Line 3: Place must be text",
    ] {
        assert!(editor.body.contains(told), "{told}: {}", editor.body);
    }
    assert!(!editor.body.contains("No row of the file is faulty"));
    assert!(!editor.body.contains("Line 1: "), "{}", editor.body);
}

#[test]
fn a_sample_with_commas_before_decimals_is_proposed_as_numbers_and_judged_as_such() {
    let server = AdminServer::start();
    let area = area(&server);
    let browser = Browser::signed_in(&server).in_german();
    let propose = |file: &str| {
        let file = ("Posten.csv", file);
        begun(&browser, &area, "sample", file)
    };
    let editor = propose("Name;Summe;Menge\nA;3.100,10;1.000\nB;4.107,11;2.000\n").is(200);
    let document: Value = serde_json::from_str(&held(&editor, "document")).expect("a document");
    let types = document["fields"].as_array().expect("fields").iter();
    let types: Vec<_> = types.map(|it| &it["dataType"]).collect();
    assert_eq!(types, ["string", "currency", "integer"]);
    for told in [
        "vor den Nachkommastellen steht ein Komma",
        "Keine Zeile der Datei",
    ] {
        assert!(editor.body.contains(told), "{told}: {}", editor.body);
    }
    let doubled = propose("a,a,b\n1,2,3\n").is(400);
    assert!(
        doubled.body.contains("hier mit ihren Nummern") && !doubled.body.contains("(columns"),
        "{}",
        doubled.body
    );
}

#[test]
fn a_sample_whose_column_can_be_no_field_is_told_which_one_and_why() {
    let server = AdminServer::start();
    let area = area(&server);
    let browser = Browser::signed_in(&server);
    let file = format!("Code,{}\nA,1\n", "x".repeat(5000));
    let refused = begun(&browser, &area, "sample", ("Long.csv", &file)).is(400);
    assert!(refused.body.contains("Field 2: "), "{}", refused.body);
    assert!(!refused.body.contains("the schema contradicts itself"));
}

#[test]
fn a_german_page_tells_in_german_where_a_document_is_no_json() {
    let server = AdminServer::start();
    let area = area(&server);
    let browser = Browser::signed_in(&server).in_german();
    let path = format!("/app/areas/{area}/schemas/new");
    let page = browser.get(&path).is(200);
    let refused = browser.send(&page, &path, &[("document", "{a")]).is(400);
    assert!(
        refused.body.contains("Zeile 1, Spalte 2: „"),
        "{}",
        refused.body
    );
    let list = browser.send(&page, &path, &[("document", "[]")]).is(400);
    assert!(
        list.body.contains("der Text ist JSON, aber kein Objekt")
            && !list.body.contains("invalid type"),
        "{}",
        list.body
    );
    // so do the roles that every tenant has
    let roles = browser.get("/app/roles").is(200);
    assert!(roles.body.contains("darf alles"), "{}", roles.body);
    assert!(!roles.body.contains("works with data"), "{}", roles.body);
}

#[test]
fn wherever_a_file_is_chosen_one_is_told_that_it_may_be_dragged_there() {
    let halls = Halls::start();
    let browser = Browser::signed_in(&halls.server);
    let there = format!("/app/datasets/{}/import", halls.dataset);
    let catalog = halls.server.service.store().catalog();
    let area = &catalog.datasets[&halls.dataset].area;
    let new = format!("/app/areas/{area}/schemas/new");
    let onto = [
        "drag a file onto the field above",
        "auf das Feld darüber ziehen",
    ];
    let anywhere = [
        "drop it anywhere on this page",
        "irgendwo auf dieser Seite ablegen",
    ];
    for (path, told, times) in [
        (&halls.path(), onto, 1),
        (&new, onto, 2),
        (&there, anywhere, 1),
    ] {
        for (language, told) in ["en", "de"].into_iter().zip(told) {
            let own = Browser {
                server: browser.server,
                cookie: browser.cookie.clone(),
                language,
            };
            let page = own.get(path).is(200).body;
            assert_eq!(page.matches(told).count(), times, "{path}: {page}");
        }
    }
}
