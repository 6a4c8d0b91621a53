//! Cells of a spreadsheet that are pasted into the grid.

use crate::browser::{Browser, between, cities, field, give_ada, written};
use crate::jobs::{exported, server};
use serde_json::{Value, json};

/// What the grid sends of a paste.
pub(crate) fn pasted<'p>(
    fields: &[&'p str],
    records: &'p [String],
    cells: &'p str,
) -> Vec<(&'p str, &'p str)> {
    let fields = fields.iter().map(|it| ("field", *it));
    let records = records.iter().map(|it| ("record", it.as_str()));
    fields.chain(records).chain([("cells", cells)]).collect()
}

/// What the form on a page would send but its token.
pub(crate) fn filled_in(page: &str) -> Vec<(String, String)> {
    let (_, form) = page.split_once("/paste/write").expect("a form to write it");
    let (form, _) = form.split_once("</form>").expect("its end");
    let inputs = form.split(r#"<input type="hidden" name=""#).skip(1);
    let inputs = inputs.filter_map(|rest| {
        let (name, rest) = rest.split_once(r#"" value=""#)?;
        let (value, _) = rest.split_once('"')?;
        let value = value.replace("&#34;", "\"").replace("&#38;", "&");
        (name != "token").then(|| (name.to_owned(), value))
    });
    inputs.collect()
}

pub(crate) fn pairs(inputs: &[(String, String)]) -> Vec<(&str, &str)> {
    inputs
        .iter()
        .map(|(name, value)| (&**name, &**value))
        .collect()
}

#[test]
fn pasted_cells_are_seen_before_and_after_with_their_faults_then_written_as_one_and_undone() {
    let server = server();
    let (dataset, ids) = cities(&server);
    let browser = Browser::signed_in(&server);
    let there = format!("/app/datasets/{dataset}");
    let grid = browser.get(&there).is(200);
    let fields = pasted(
        &["f-code", "f-people"],
        &ids,
        r#"[["B1","few"],["A2","7"]]"#,
    );
    let page = browser
        .send(&grid, &format!("{there}/paste"), &fields)
        .is(200);
    for part in [
        ">A1</del>",
        ">B1</ins>",
        ">12</del>",
        ">few</ins>",
        "must be a whole number",
        ">many</del>",
        ">7</ins>",
        "<dt>Would change</dt><dd>2</dd>",
        "<dt>Faulty before the change</dt><dd>1</dd>",
        "<dt>Faulty after the change</dt><dd>1</dd>",
        r#">A1</del> → <ins class="spaces">B1<"#,
    ] {
        assert!(page.body.contains(part), "{part}: {}", page.body);
    }
    // what would be faulty is one step away
    let row = format!("row-{}", ids[0]);
    for part in [
        format!(r##"<a href="#{row}">Go to the first one</a>"##),
        format!(r#"<tr id="{row}""#),
    ] {
        assert!(page.body.contains(&part), "{part}: {}", page.body);
    }
    let read = |id: &str| browser.get(&format!("{there}/records/{id}")).is(200).body;
    assert!(
        read(&ids[0]).contains(r#"value="12""#),
        "nothing is written yet"
    );
    let inputs = filled_in(&page.body);
    let sent = browser
        .send(&page, &format!("{there}/paste/write"), &pairs(&inputs))
        .is(303);
    let job = sent.header("location").expect("the job").to_owned();
    assert!(job.contains("/jobs/"), "{job}");
    assert!(read(&ids[0]).contains(r#"value="few""#) && read(&ids[1]).contains(r#"value="7""#));
    let shown = browser.get(&job).is(200);
    browser.ended_job(browser.send(&shown, &format!("{job}/undo"), &[]));
    assert!(read(&ids[0]).contains(r#"value="12""#) && read(&ids[0]).contains("A1"));
}

#[test]
fn a_fault_of_a_value_that_stays_is_shown_beside_it() {
    let server = server();
    let (dataset, ids) = cities(&server);
    let browser = Browser::signed_in(&server);
    let there = format!("/app/datasets/{dataset}");
    let grid = browser.get(&there).is(200);
    let cells = r#"[["A1","12"],["B2","many"]]"#;
    let fields = pasted(&["f-code", "f-people"], &ids, cells);
    let page = browser
        .send(&grid, &format!("{there}/paste"), &fields)
        .is(200);
    let stays = r#"<td class="num fault" data-label="People" role="cell"><span class="muted spaces">many</span><span class="why">"#;
    assert!(page.body.contains(stays), "{}", page.body);
    let head = [
        r#"<th scope="col" class="of-field" role="columnheader">Code</th>"#,
        r#"<th scope="col" class="of-field num" role="columnheader">People</th>"#,
    ];
    for told in head {
        assert!(page.body.contains(told), "{told}: {}", page.body);
    }
    assert_eq!(page.body.matches("class=\"why\"").count(), 1);
}

#[test]
fn records_that_hold_already_what_was_pasted_are_a_number_and_no_rows() {
    let server = server();
    let (dataset, ids) = cities(&server);
    let browser = Browser::signed_in(&server);
    let there = format!("/app/datasets/{dataset}");
    let grid = browser.get(&there).is(200);
    let page_of = |cells: &str| {
        let fields = pasted(&["f-code", "f-people"], &ids, cells);
        browser
            .send(&grid, &format!("{there}/paste"), &fields)
            .is(200)
            .body
    };
    // the second is faulty and stays so: it is no figure of what changes
    let page = page_of(r#"[["A1","13"],["A2","many"]]"#);
    for part in [
        "<dt>Would change</dt><dd>1</dd>",
        "<dt>Already the same</dt><dd>1</dd>",
        "<dt>Faulty before the change</dt><dd>0</dd>",
        "<dt>Faulty after the change</dt><dd>0</dd>",
        ">13</ins>",
    ] {
        assert!(page.contains(part), "{part}: {page}");
    }
    assert!(!page.contains("many"), "{page}");
    let page = page_of(r#"[["A1","12"],["A2","many"]]"#);
    assert!(page.contains("Every cell already holds"), "{page}");
    for part in ["Faulty before the change", "Would change", "<table", "many"] {
        assert!(!page.contains(part), "{part}: {page}");
    }
}

#[test]
fn a_refused_row_comes_back_with_its_reason_and_what_was_pasted() {
    let server = server();
    let (dataset, ids) = cities(&server);
    let browser = Browser::signed_in(&server);
    let there = format!("/app/datasets/{dataset}");
    let grid = browser.get(&there).is(200);
    let fields = pasted(&["f-people"], &ids, r#"[["13"],["7"]]"#);
    let page = browser
        .send(&grid, &format!("{there}/paste"), &fields)
        .is(200);
    let inputs = filled_in(&page.body);
    // meanwhile someone changes the first
    let change = [("version", "0"), ("w-f-people", "12"), ("v-f-people", "40")];
    let record = format!("{there}/records/{}", ids[0]);
    browser.send(&grid, &record, &change).is(303);
    let half = browser
        .send(&page, &format!("{there}/paste/write"), &pairs(&inputs))
        .is(409);
    for part in [
        "Someone else has changed this record",
        ">40</del>",
        ">13</ins>",
        "rows were not written",
    ] {
        assert!(half.body.contains(part), "{part}: {}", half.body);
    }
    assert!(!half.body.contains(">7</ins>"), "the other was written");
    assert!(
        browser
            .get(&format!("{there}/records/{}", ids[1]))
            .is(200)
            .body
            .contains(r#"value="7""#)
    );
    assert!(
        !half.body.contains("choose for each field"),
        "nothing is chosen here"
    );
    // sent again as it is, it is not written over what someone else wrote
    let inputs = filled_in(&half.body);
    let again = browser.send(&half, &format!("{there}/paste/write"), &pairs(&inputs));
    assert!(again.is(409).body.contains(">40</del>"));
    let stored = || browser.get(&record).is(200).body;
    assert!(stored().contains(r#"value="40""#));
    // what is ticked is, on the version that is shown
    assert!(half.body.contains("Write over what is stored by now"));
    let over = between(&half.body, r#"form="pasted" name="over" value=""#);
    let ticked = [pairs(&inputs), vec![("over", &*over)]].concat();
    let change = [("version", "1"), ("w-f-people", "40"), ("v-f-people", "41")];
    browser.send(&grid, &record, &change).is(303);
    let late = browser.send(&half, &format!("{there}/paste/write"), &ticked);
    let late = late.is(409);
    let over = between(&late.body, r#"form="pasted" name="over" value=""#);
    let ticked = [pairs(&inputs), vec![("over", &*over)]].concat();
    browser
        .send(&late, &format!("{there}/paste/write"), &ticked)
        .is(303);
    assert!(stored().contains(r#"value="13""#));
}

#[test]
fn what_has_no_place_and_keys_that_are_taken_are_told_before_anything_is_written() {
    let server = server();
    let (dataset, ids) = cities(&server);
    let browser = Browser::signed_in(&server);
    let there = format!("/app/datasets/{dataset}");
    let grid = browser.get(&there).is(200);
    let cells = r#"[["A2","1","off the\nedge"],["A2","2",""],["A9","3",""]]"#;
    let fields = pasted(&["f-code", "f-people"], &ids, cells);
    let page = browser
        .send(&grid, &format!("{there}/paste"), &fields)
        .is(200);
    for part in [
        "Another record has this key",
        "These did not fit",
        "off the\nedge",
        "A9\t3",
    ] {
        assert!(page.body.contains(part), "{part}: {}", page.body);
    }
    // above all rows, with how much it is and why
    let (above, _) = page.body.split_once("<table").expect("rows");
    for part in [
        r##"<a href="#beyond">These did not fit</a>"##,
        "<li>Rows that reach past the last record of this page: 1. If there is a next page, paste them there.</li>",
        "<li>Columns that reach past the last one of the list: 1.</li>",
    ] {
        assert!(above.contains(part), "{part}: {above}");
    }
    // a record that is deleted meanwhile keeps what was pasted into it on the page
    let more = written(&server, &dataset, &[json!({"Code": "A3"})]);
    let grid = browser.get(&there).is(200);
    browser
        .send(
            &grid,
            &format!("{there}/records/{}/delete", more[0]),
            &[("version", "0")],
        )
        .is(303);
    let fields = pasted(&["f-people"], &more, r#"[["77"]]"#);
    let page = browser
        .send(&grid, &format!("{there}/paste"), &fields)
        .is(200);
    assert!(
        page.body.contains("deleted in the meantime") && page.body.contains("77"),
        "{}",
        page.body
    );
    for untrue in ["Every cell already holds", "All of it will be one change"] {
        assert!(!page.body.contains(untrue), "{untrue}: {}", page.body);
    }
    let sent = browser.send(&grid, &format!("{there}/paste/write"), &fields);
    let sent = sent.is(409);
    assert!(sent.body.contains("None of the rows was written"));
    assert!(!sent.body.contains("Every cell already holds"));
    let odd = browser
        .send(&grid, &format!("{there}/paste"), &[("cells", "[1]")])
        .is(400);
    assert!(odd.body.contains("array of rows"), "{}", odd.body);
}

#[test]
fn rows_that_would_be_refused_change_nothing_and_where_all_are_none_is_written() {
    let server = server();
    let (dataset, ids) = cities(&server);
    let browser = Browser::signed_in(&server);
    let there = format!("/app/datasets/{dataset}");
    let grid = browser.get(&there).is(200);
    // each key is the other's
    let fields = pasted(&["f-code"], &ids, r#"[["A2"],["A1"]]"#);
    let page = browser
        .send(&grid, &format!("{there}/paste"), &fields)
        .is(200);
    let inputs = filled_in(&page.body);
    let write = |cells: &str| {
        let mut inputs = inputs.clone();
        let own = inputs.iter_mut().find(|(name, _)| name == "cells");
        cells.clone_into(&mut own.expect("cells").1);
        let sent = browser.send(&page, &format!("{there}/paste/write"), &pairs(&inputs));
        sent.is(409).body
    };
    let none = write(r#"[["A2"],["A1"]]"#);
    for body in [&page.body, &none] {
        assert_eq!(body.matches("Another record has this key").count(), 2);
        for part in [
            "<dt>Would change</dt><dd>0</dd>",
            "<dt>Would reject</dt><dd>2</dd>",
            "<dt>Faulty before the change</dt><dd>0</dd>",
            "<dt>Faulty after the change</dt><dd>0</dd>",
        ] {
            assert!(body.contains(part), "{part}: {body}");
        }
        assert!(!body.contains("See what was written"), "{body}");
    }
    assert!(none.contains("None of the rows was written"), "{none}");
    assert!(!none.contains("Some rows"), "{none}");
    // where one of two was, that is told
    let some = write(r#"[["B1"],["B1"]]"#);
    assert!(some.contains("Some rows were not written"), "{some}");
    assert!(!some.contains("None of the rows"), "{some}");
}

#[test]
fn what_was_copied_and_pasted_unchanged_changes_nothing_whatever_ends_its_lines() {
    let server = server();
    let fields = [
        field("f-code", "Code", "string", true),
        field("f-note", "Note", "string", false),
    ];
    let [area, _, dataset] = server.places(&json!({"name": "Visit", "fields": fields}));
    give_ada(&server, &area);
    let notes = ["one\r\ntwo", "one\rtwo"];
    let record = |(at, note): (usize, &&str)| json!({"Code": format!("V{at}"), "Note": note});
    let records: Vec<_> = notes.iter().enumerate().map(record).collect();
    let ids = written(&server, &dataset, &records);
    let browser = Browser::signed_in(&server);
    let there = format!("/app/datasets/{dataset}");
    let grid = browser.get(&there).is(200);
    let paste = |cells: &str| {
        let fields = pasted(&["f-code", "f-note"], &ids, cells);
        browser
            .send(&grid, &format!("{there}/paste"), &fields)
            .is(200)
    };
    let page = paste(r#"[["V0","one\r\ntwo"],["V1","one\ntwo"]]"#);
    assert!(
        page.body.contains("Every cell already holds"),
        "{}",
        page.body
    );
    // beside what changes, it stays as it is
    let page = paste(r#"[["W0","one\ntwo"],["W1","one\r\ntwo"]]"#);
    assert_eq!(page.body.matches("</ins>").count(), 2, "{}", page.body);
    let inputs = filled_in(&page.body);
    browser
        .send(&page, &format!("{there}/paste/write"), &pairs(&inputs))
        .is(303);
    let stored = exported(&server, &dataset, json!({"format": "ndjson"}));
    let stored = stored.lines().map(|line| {
        let record: Value = serde_json::from_str(line).expect(line);
        [record["Code"].clone(), record["Note"].clone()]
    });
    let stored: Vec<_> = stored.collect();
    let expected = [
        [json!("W0"), json!(notes[0])],
        [json!("W1"), json!(notes[1])],
    ];
    assert_eq!(stored, expected);
}

#[test]
fn a_character_that_cannot_be_stored_is_told_in_the_language_of_the_page() {
    let server = server();
    let (dataset, ids) = cities(&server);
    let browser = Browser::signed_in(&server).in_german();
    let there = format!("/app/datasets/{dataset}");
    let grid = browser.get(&there).is(200);
    let fields = pasted(&["f-code"], &ids[..1], r#"[["B\u0000"]]"#);
    let page = browser
        .send(&grid, &format!("{there}/paste"), &fields)
        .is(200);
    assert!(
        page.body
            .contains("Das Zeichen U+0000 lässt sich nicht speichern")
            && !page.body.contains("at byte"),
        "{}",
        page.body
    );
}
