//! Personal values and exported files: a file of any format has none for who may not see them, neither those that are as
//! their field wants them nor those that are faulty, which stand apart in some.

use crate::browser::written;
use crate::jobs::ended;
use crate::pages_file_forms::{fetched, parquet_rows, sheet};
use crate::personal_dataset::{MARKER, People};
use serde_json::{Value, json};

/// Four people, of whom three have personal values that are faulty: one of them is of another type than its field.
fn people() -> People {
    let people = People::start();
    let old = json!({"Code": "P5", "Town": "Ulm", "Age": format!("{MARKER} old")});
    written(&people.server, &people.dataset, &[old]);
    people
}

/// The file of an export that is made for a key.
fn exported(people: &People, by: &str, options: Value) -> Vec<u8> {
    let server = &people.server;
    let line = format!("POST /datasets/{}/exports", people.dataset);
    let made = server.ask(by, &line, Some(options)).is(201);
    let id = made.text("jobId");
    let job = ended(server, &id);
    assert_eq!(job["state"], "done", "{job}");
    let path = format!("/admin/api/v1/jobs/{id}/export");
    let (_, bytes) = fetched(server.address, &path, &format!("Authorization: {by}"));
    bytes
}

#[test]
fn a_sheet_has_them_for_nobody_who_may_not_see_them() {
    let people = people();
    let of = |by: &str| sheet(exported(&people, by, json!({"format": "xlsx"})));
    let (names, rows) = of(&people.server.root);
    assert_eq!(names, ["Code", "Town", "Mail", "Age", "Colour"]);
    let age = format!("{MARKER} old");
    assert_eq!(rows[3], ["P5", "Ulm", "", &*age, ""], "{rows:?}");
    let (names, rows) = of(&people.key);
    assert_eq!(names, ["Code", "Town"]);
    let seen = [["P1", "Ulm"], ["P2", "Ulm"], ["P3", "Bonn"], ["P5", "Ulm"]];
    assert_eq!(rows, seen);
}

#[test]
fn a_file_of_parquet_has_them_for_nobody_who_may_not_see_them_nor_beside_its_columns() {
    let people = people();
    let of = |by: &str| parquet_rows(&exported(&people, by, json!({"format": "parquet"})));
    let rows = of(&people.server.root);
    assert_eq!(rows.len(), 4, "{rows:?}");
    // it stands beside, since a column of numbers holds no word
    let is_beside = rows[3].contains("Age: null") && rows[3].contains(MARKER);
    assert!(is_beside, "{rows:?}");
    let rows = of(&people.key);
    let seen = [("P1", "Ulm"), ("P2", "Ulm"), ("P3", "Bonn"), ("P5", "Ulm")];
    assert_eq!(rows.len(), seen.len(), "{rows:?}");
    for (row, (code, town)) in rows.iter().zip(seen) {
        let begin = format!(r#"{{Code: "{code}", Town: "{town}""#);
        assert!(row.starts_with(&begin), "{row}");
        for hidden in [MARKER, "Mail", "Age", "Colour", "example.org"] {
            assert!(!row.contains(hidden), "{hidden}: {row}");
        }
    }
}

#[test]
fn a_file_of_what_is_faulty_has_the_records_without_the_values_that_are() {
    let people = people();
    let options = json!({"format": "csv", "query": "is:faulty"});
    let of = |by: &str| {
        let bytes = exported(&people, by, options.clone());
        String::from_utf8(bytes).expect("a text")
    };
    let all = of(&people.server.root);
    for value in ["colour", "not ", "old"] {
        assert!(all.contains(value), "{value}: {all}");
    }
    assert_eq!(of(&people.key), "Code,Town\nP1,Ulm\nP2,Ulm\nP5,Ulm\n");
}
