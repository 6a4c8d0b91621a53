//! Values of another kind of JSON than their field takes, though their text is right, such as the number 5 in a field of
//! strings: whoever fills in the same text mends them, and who saves another field leaves them as they are.

use crate::admin_server::AdminServer;
use crate::browser::{Browser, between, field, form, give_ada, written};
use crate::jobs::{exported, server};
use crate::repairs::repaired;
use serde_json::{Value, json};

/// A dataset with two records whose number is a JSON number in a field of strings, and a size that is a string.
fn customers(server: &AdminServer) -> (String, Vec<String>) {
    let document = json!({"name": "Customer", "fields": [
        field("f-code", "Code", "string", true),
        field("f-no", "Customer No", "string", false),
        field("f-size", "Size", "integer", false),
    ]});
    let [area, _, dataset] = server.places(&document);
    give_ada(server, &area);
    let records = [
        json!({"Code": "C1", "Customer No": 12345, "Size": "7"}),
        json!({"Code": "C2", "Customer No": 12345}),
    ];
    let ids = written(server, &dataset, &records);
    (dataset, ids)
}

/// What is stored in a field, record by record.
fn stored(server: &AdminServer, dataset: &str, name: &str) -> Vec<Value> {
    let lines = exported(server, dataset, json!({"format": "ndjson"}));
    let records = lines.lines().map(|line| {
        let record: Value = serde_json::from_str(line).expect(line);
        record[name].clone()
    });
    records.collect()
}

#[test]
fn its_text_is_proposed_and_the_form_leaves_it_as_it_is_until_that_is_taken() {
    let server = server();
    let (dataset, ids) = customers(&server);
    let browser = Browser::signed_in(&server);
    let there = format!("/app/datasets/{dataset}");
    let list = browser.get(&there).is(200);
    // its text is the same, so the button says in words what it does, and what it makes of it
    let button =
        r#"value="12345"><span>Change to&#160;</span>12345<span>&#160;(text)</span></button>"#;
    assert!(list.body.contains(button), "{}", list.body);
    let path = format!("{there}/records/{}/cells/f-no/mend", ids[0]);
    let fields = [("was", "12345"), ("value", "12345")];
    browser.send(&list, &path, &fields).is(303);
    let now = stored(&server, &dataset, "Customer No");
    assert_eq!(now, [json!("12345"), json!(12345)]);
    // the form of the other one: another field is saved
    let path = format!("{there}/records/{}", ids[1]);
    let page = browser.get(&path).is(200);
    for told in ["Stored as another kind of value", "choose “Change to”"] {
        assert!(page.body.contains(told), "{told}: {}", page.body);
    }
    let mut fields = vec![
        ("version", "0"),
        ("w-f-code", "C2"),
        ("v-f-code", "C3"),
        ("w-f-no", "12345"),
        ("v-f-no", "12345"),
    ];
    browser.send(&page, &path, &fields).is(303);
    let now = stored(&server, &dataset, "Customer No");
    assert_eq!(now[1], json!(12345), "nobody touched it");
    fields[0].1 = "1";
    fields[1].1 = "C3";
    fields.push(("p-f-no", "12345"));
    browser.send(&page, &path, &fields).is(303);
    let now = stored(&server, &dataset, "Customer No");
    assert_eq!(now[1], json!("12345"));
    let page = browser.get(&path).is(200);
    assert!(
        !page.body.contains("Stored as another kind of value"),
        "{}",
        page.body
    );
}

#[test]
fn a_text_that_mends_nothing_is_not_proposed_and_stored_by_a_button_of_its_own() {
    let server = server();
    let mut number = field("f-no", "Customer No", "string", false);
    number["min"] = 6.into();
    let document = json!({"name": "Customer", "fields": [
        field("f-code", "Code", "string", true), number,
    ]});
    let [area, _, dataset] = server.places(&document);
    give_ada(&server, &area);
    let ids = written(
        &server,
        &dataset,
        &[json!({"Code": "C1", "Customer No": 4711})],
    );
    let browser = Browser::signed_in(&server);
    let path = format!("/app/datasets/{dataset}/records/{}", ids[0]);
    let page = browser.get(&path).is(200);
    assert!(!page.body.contains("Change to"), "{}", page.body);
    // in the list it is told from the text that it reads like
    let list = browser.get(&format!("/app/datasets/{dataset}")).is(200);
    let kind = r#"4711</span> <span class="kind muted small">(a number)</span>"#;
    assert!(list.body.contains(kind), "{}", list.body);
    assert!(!list.body.contains("Change to"), "{}", list.body);
    let button = r#"<button name="p-f-no" value="4711">Store it as this field takes it</button>"#;
    assert!(page.body.contains(button), "{}", page.body);
    let fields = [
        ("version", "0"),
        ("w-f-code", "C1"),
        ("v-f-code", "C1"),
        ("w-f-no", "4711"),
        ("v-f-no", "4711"),
        ("p-f-no", "4711"),
    ];
    browser.send(&page, &path, &fields).is(303);
    assert_eq!(stored(&server, &dataset, "Customer No"), [json!("4711")]);
    // it is too short still, and nothing else is wrong with it
    let page = browser.get(&path).is(200);
    assert!(
        page.body.contains("<b>1</b> faulty field<"),
        "{}",
        page.body
    );
    assert!(!page.body.contains("Stored as another kind"));
}

#[test]
fn its_cell_of_the_grid_is_saved_with_the_same_text() {
    let server = server();
    let (dataset, ids) = customers(&server);
    let browser = Browser::signed_in(&server);
    let of_record = format!("/app/datasets/{dataset}/records/{}/cells", ids[0]);
    for (version, name, text) in [("0", "f-no", "12345"), ("1", "f-size", "7")] {
        let path = format!("{of_record}/{name}");
        let columns = "f-code f-no f-size";
        let editor = browser.part(&format!("{path}?columns=f-code%20{name}"));
        let editor = editor.is(200);
        let said = format!("o-{name}");
        let mark = format!(r#"name="{said}" value="true""#);
        assert!(editor.body.contains(&mark), "{}", editor.body);
        let (was, now) = (format!("w-{name}"), format!("v-{name}"));
        let fields = [
            ("version", version),
            ("columns", columns),
            (&*said, "true"),
            (&*was, text),
            (&*now, text),
        ];
        browser.send_part(&editor, &path, &fields).is(200);
        let editor = browser.part(&format!("{path}?columns=f-code%20{name}"));
        let editor = editor.is(200);
        assert!(!editor.body.contains(&mark), "{}", editor.body);
    }
    let numbers = stored(&server, &dataset, "Customer No");
    assert_eq!(numbers, [json!("12345"), json!(12345)]);
    assert_eq!(stored(&server, &dataset, "Size")[0], json!(7));
}

#[test]
fn the_same_text_pasted_over_it_or_set_in_it_changes_it() {
    let server = server();
    let (dataset, ids) = customers(&server);
    let browser = Browser::signed_in(&server);
    let there = format!("/app/datasets/{dataset}");
    let asked = [
        ("record", &*ids[0]),
        ("field", "f-no"),
        ("value", "12345"),
        ("show", "true"),
    ];
    let preview = browser.get(&format!("{there}/selected?{}", form(&asked)));
    let preview = preview.is(200);
    assert!(preview.body.contains(">12345</ins>"), "{}", preview.body);
    let grid = browser.get(&there).is(200);
    let records = [0, 1].map(|at| format!("{}:0", ids[at]));
    // the second row is short, and leaves its number as it is
    let fields = [
        ("field", "f-code"),
        ("field", "f-no"),
        ("record", &*records[0]),
        ("record", &*records[1]),
        ("cells", r#"[["C1","12345"],["C9"]]"#),
    ];
    let page = browser.send(&grid, &format!("{there}/paste"), &fields);
    let page = page.is(200);
    let changing = "<dt>Would change</dt><dd>2</dd>";
    assert!(page.body.contains(changing), "{}", page.body);
    let cells = between(&page.body, r#"name="cells" value=""#).replace("&#34;", "\"");
    assert_eq!(cells, r#"[["C1","12345"],["C9"]]"#);
    let path = format!("{there}/paste/write");
    browser.send(&page, &path, &fields).is(303);
    let now = stored(&server, &dataset, "Customer No");
    assert_eq!(now, [json!("12345"), json!(12345)]);
}

#[test]
fn a_repair_that_leaves_its_text_makes_the_kind_that_the_field_takes() {
    let server = server();
    let (dataset, _) = customers(&server);
    let regex = json!({"regex": {"pattern": "^([0-9]+)$", "with": "$1"}});
    for (name, action, changed) in [
        (
            "Customer No",
            json!({"replace": {"text": "x", "with": "y"}}),
            0,
        ),
        ("Customer No", regex, 2),
        ("Customer No", json!("trim"), 0),
        ("Size", json!("trim"), 1),
    ] {
        let job = repaired(&server, &dataset, json!({"field": name, "action": action}));
        assert_eq!(job["revisionResult"]["changed"], changed, "{name}: {job}");
    }
    let numbers = stored(&server, &dataset, "Customer No");
    assert_eq!(numbers, [json!("12345"), json!("12345")]);
    assert_eq!(stored(&server, &dataset, "Size")[0], json!(7));
}
