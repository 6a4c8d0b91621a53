//! Long texts: lists show as much of them as has room and tell how much more there is, so that their pages are small; and
//! nothing is lost by it: what is edited, copied, proposed and pasted is the whole.

use crate::admin_server::AdminServer;
use crate::browser::{Browser, between, field, form, give_ada, written};
use crate::jobs::{ended, exported, server};
use crate::pages_home::edit;
use crate::pages_size::{assert_small, text};
use crate::requests::Answer;
use serde_json::{Value, json};

/// Records of a list.
const ROWS: usize = 30;
/// Characters of a long text.
const CHARS: usize = 20_000;
/// What is told where a list shows 500 of them.
const MORE: &str = "19,500 more characters";

/// A long text that repeats little; a search finds it by its first word.
fn long(number: usize) -> String {
    let parts = (0..32).map(|part| text(number * 100 + part));
    let parts: Vec<_> = parts.collect();
    let mut text = format!("harbour {}", parts.join(" "));
    text.truncate(CHARS - "the-end".len());
    text + "the-end"
}

/// A dataset of visits with notes and tags, and its records.
fn visits(server: &AdminServer, records: &[Value]) -> (String, Vec<String>) {
    let mut note = field("f-note", "Note", "string", false);
    note["max"] = json!(CHARS);
    let mut tags = field("f-tags", "Tags", "string", false);
    tags["isMultivalue"] = json!(true);
    let fields = [field("f-code", "Code", "string", true), note, tags];
    let [area, _, dataset] = server.places(&json!({"name": "Visit", "fields": fields}));
    give_ada(server, &area);
    let parts = records.chunks(10);
    let ids = parts.flat_map(|part| written(server, &dataset, part));
    let ids = ids.collect();
    (dataset, ids)
}

/// As many as a list has, each with a long text.
fn long_visits() -> Vec<Value> {
    let visit = |row: usize| json!({"Code": format!("V{row:04}"), "Note": long(row)});
    (0..ROWS).map(visit).collect()
}

/// That a list is small, and says of so many values that there is more of them.
#[track_caller]
fn assert_cut(page: &Answer, values: usize, what: &str) {
    let told = page.body.matches(" more characters</").count();
    assert!(told >= values, "{what}: {told} of {values}: {}", page.body);
    assert!(!page.body.contains("the-end"), "{what}: {}", page.body);
    assert_small(page, what);
}

/// A record as it is stored, by its place among all.
fn stored(server: &AdminServer, dataset: &str, at: usize) -> Value {
    let lines = exported(server, dataset, json!({"format": "ndjson"}));
    let line = lines.lines().nth(at).expect("a record");
    serde_json::from_str(line).expect(line)
}

#[test]
fn a_list_of_long_texts_is_small_and_leads_to_each_whole() {
    let server = server();
    let (dataset, ids) = visits(&server, &long_visits());
    let browser = Browser::signed_in(&server);
    let there = format!("/app/datasets/{dataset}");
    for path in [
        there.clone(),
        format!("{there}?q=harbour"),
        "/app/search?q=harbour".to_owned(),
    ] {
        let page = browser.get(&path).is(200);
        assert_cut(&page, ROWS, &path);
        assert!(page.body.contains(MORE), "{path}: {}", page.body);
        let way = format!(r#"href="{there}/records/{}"#, ids[0]);
        assert!(page.body.contains(&way), "{path}: {}", page.body);
    }
    // without a script, the form has the whole
    let form = browser.get(&format!("{there}/records/{}", ids[7])).is(200);
    assert!(form.body.contains(&long(7)) && !form.body.contains("more characters"));
    let lines = ids
        .iter()
        .map(|id| json!({"delete": {"_dataObjectId": id}}));
    edit(&server, &dataset, &lines.collect::<Vec<_>>());
    let page = browser.get(&format!("{there}/deleted")).is(200);
    assert_cut(&page, ROWS, "deleted records");
    let way = format!(r#"href="{there}/records/{}/history">{MORE}</a>"#, ids[0]);
    assert!(page.body.contains(&way), "{}", page.body);
    let german = browser.in_german();
    let page = german.get(&format!("{there}/deleted")).is(200);
    assert!(page.body.contains("19.500 weitere Zeichen"));
}

#[test]
fn a_list_of_many_long_texts_a_record_shows_less_of_each_and_is_small() {
    const TEXTS: usize = 11;
    const LISTED: usize = 50;
    let server = server();
    let own = |at: usize| field(&format!("f-{at}"), &format!("Text {at}"), "string", false);
    let key = field("f-code", "Code", "string", true);
    let fields: Vec<_> = std::iter::once(key).chain((0..TEXTS).map(own)).collect();
    let [area, _, dataset] = server.places(&json!({"name": "Report", "fields": fields}));
    give_ada(&server, &area);
    let record = |row: usize| {
        let mut record = json!({"Code": format!("R{row:04}")});
        for at in 0..TEXTS {
            let text = [text(row * TEXTS + at), text(row + at), "the-end".to_owned()];
            record[format!("Text {at}")] = json!(text.join(" "));
        }
        record
    };
    let records: Vec<_> = (0..LISTED).map(record).collect();
    for part in records.chunks(10) {
        written(&server, &dataset, part);
    }
    let browser = Browser::signed_in(&server);
    for (path, texts) in [
        (format!("/app/datasets/{dataset}"), TEXTS),
        ("/app/search?q=%2A".to_owned(), 5),
    ] {
        let page = browser.get(&path).is(200);
        assert_cut(&page, texts * LISTED, &path);
    }
}

#[test]
fn a_list_of_long_values_that_are_faulty_in_many_columns_is_small() {
    const COLUMNS: usize = 20;
    const LISTED: usize = 50;
    /// Characters of a value, without the space behind them that is one too many.
    const LENGTH: usize = 600;
    /// Values of a row that are shown in part and have proposals.
    const PROPOSED: usize = 2;
    let server = server();
    let own = |at: usize| {
        let mut own = field(&format!("f-{at}"), &format!("Text {at}"), "string", false);
        own["max"] = json!(LENGTH);
        own
    };
    let key = field("f-code", "Code", "string", true);
    let fields: Vec<_> = std::iter::once(key).chain((0..COLUMNS).map(own)).collect();
    let [area, _, dataset] = server.places(&json!({"name": "Report", "fields": fields}));
    give_ada(&server, &area);
    let record = |row: usize| {
        let mut record = json!({"Code": format!("R{row:04}")});
        for at in 0..COLUMNS {
            let value = text(row * COLUMNS + at);
            record[format!("Text {at}")] = json!(format!("{} ", &value[..LENGTH]));
        }
        record
    };
    let records: Vec<_> = (0..LISTED).map(record).collect();
    for part in records.chunks(10) {
        written(&server, &dataset, part);
    }
    let browser = Browser::signed_in(&server);
    let columns: Vec<_> = (0..COLUMNS).map(|at| format!("f-{at}")).collect();
    let path = format!("/app/datasets/{dataset}?columns={}", columns.join("+"));
    let page = browser.get(&path).is(200);
    assert_cut(&page, COLUMNS * LISTED, &path);
    let has = |text: &str| page.body.matches(text).count();
    assert_eq!(has(r#"class="why""#), COLUMNS * LISTED);
    assert_eq!(has(r#"class="proposals""#), PROPOSED * LISTED);
}

#[test]
fn a_long_new_value_of_very_many_ticked_records_is_shown_in_less_room() {
    const TICKED: usize = 200;
    let server = server();
    let visit = |row: usize| {
        let note = [text(row), text(TICKED + row)].join(" ");
        json!({"Code": format!("V{row:04}"), "Note": note})
    };
    let records: Vec<_> = (0..TICKED).map(visit).collect();
    let (dataset, ids) = visits(&server, &records);
    let value = format!("{}x", &long(TICKED)[..1999]);
    let fields = [("field", "f-note"), ("value", &*value), ("show", "true")];
    let records: Vec<_> = ids.iter().map(|id| format!("record={id}")).collect();
    let asked = format!("{}&{}", records.join("&"), form(&fields));
    let browser = Browser::signed_in(&server);
    let page = browser.get(&format!("/app/datasets/{dataset}/selected?{asked}"));
    let page = page.is(200);
    assert_cut(&page, 2 * TICKED, "very many ticked records");
    let told = page.body.matches("1,750 more characters</").count();
    assert_eq!(told, TICKED, "{}", page.body);
}

#[test]
fn the_history_of_a_long_text_is_small_and_leads_to_each_version_whole() {
    const EDITS: usize = 12;
    let server = server();
    let (dataset, ids) = visits(&server, &long_visits()[..1]);
    for version in 0..EDITS {
        let update =
            json!({"_dataObjectId": ids[0], "_version": version, "Note": long(version + 1)});
        edit(&server, &dataset, &[json!({"update": update})]);
    }
    let browser = Browser::signed_in(&server);
    let record = format!("/app/datasets/{dataset}/records/{}", ids[0]);
    let page = browser.get(&format!("{record}/history")).is(200);
    assert_cut(&page, 2 * EDITS, "a history");
    for version in 0..=EDITS {
        let path = format!("{record}/versions/{version}");
        let way = format!(r#"href="{path}">{MORE}</a>"#);
        assert!(page.body.contains(&way), "{way}: {}", page.body);
        let whole = browser.get(&path).is(200);
        assert!(whole.body.contains(&long(version)), "{path}");
    }
}

#[test]
fn what_is_pasted_set_and_repaired_is_shown_in_part_where_it_differs_and_written_whole() {
    let server = server();
    let (dataset, ids) = visits(&server, &long_visits());
    let browser = Browser::signed_in(&server);
    let there = format!("/app/datasets/{dataset}");
    let grid = browser.get(&there).is(200);
    let ticked = [("field", "f-note"), ("value", "short"), ("show", "true")];
    let records = ids.iter().map(|id| ("record", &**id));
    let ticked: Vec<_> = records.chain(ticked).collect();
    let page = browser.get(&format!("{there}/selected?{}", form(&ticked)));
    assert_cut(&page.is(200), ROWS, "ticked records");
    let paste = |cells: &str, count: usize| {
        let cells = [("field", "f-note"), ("cells", cells)];
        let records = ids[..count].iter().map(|id| ("record", &**id));
        let fields: Vec<_> = records.chain(cells).collect();
        browser.send(&grid, &format!("{there}/paste"), &fields)
    };
    let short = serde_json::to_string(&[["short"]; ROWS]).expect("a text");
    assert_cut(
        &paste(&short, ROWS).is(200),
        ROWS,
        "short texts over long ones",
    );
    // what is sent on is whole, and what is shown is where both differ
    let changed = |at: usize| long(at).replace("the-end", "no-end");
    let cells = json!([[changed(0)], [changed(1)]]).to_string();
    let page = paste(&cells, 2).is(200);
    let sent = between(&page.body, r#"name="cells" value=""#).replace("&#34;", "\"");
    assert_eq!(sent, cells);
    let (shown, _) = page.body.split_once(r#"id="pasted""#).expect("a form");
    for part in ["the-end</del>", "no-end <span", "more characters</a>"] {
        assert_eq!(shown.matches(part).count(), 2, "{part}: {shown}");
    }
    assert!(shown.len() < CHARS, "{} bytes", shown.len());
    let fields: Vec<_> = [("field", "f-note"), ("cells", &*sent)].into();
    let versions: Vec<_> = ids[..2].iter().map(|id| format!("{id}:0")).collect();
    let versions = versions.iter().map(|own| ("record", &**own));
    let fields: Vec<_> = fields.into_iter().chain(versions).collect();
    let written = browser.send(&page, &format!("{there}/paste/write"), &fields);
    written.is(303);
    assert_eq!(stored(&server, &dataset, 1)["Note"], changed(1));
    let repair = json!({"field": "Note", "dryRun": true,
        "action": {"replace": {"text": "harbour", "with": "haven"}}});
    let job = server.make(&format!("/datasets/{dataset}/repairs"), repair);
    let job = job.text("jobId");
    assert_eq!(ended(&server, &job)["state"], "done");
    let page = browser.get(&format!("/app/jobs/{job}")).is(200);
    assert_cut(&page, 10, "a repair that was tried");
}

#[test]
fn an_edit_that_begins_from_a_cell_that_shows_a_part_saves_the_whole() {
    let server = server();
    let (dataset, ids) = visits(&server, &long_visits()[..2]);
    let browser = Browser::signed_in(&server);
    let there = format!("/app/datasets/{dataset}");
    let grid = browser.get(&there).is(200);
    assert_eq!(grid.body.matches(" data-shortened>").count(), 2);
    assert!(!grid.body.contains("data-filled"), "{}", grid.body);
    let cell = format!("{there}/records/{}/cells/f-note", ids[1]);
    let columns = "f-code f-note";
    let editor = browser.part(&format!("{cell}?columns=f-code%20f-note"));
    let editor = editor.is(200);
    let was = long(1);
    assert!(editor.body.contains(r#"name="m-f-note" value=""#));
    assert_eq!(editor.body.matches(&was).count(), 1);
    assert!(editor.body.contains(&format!("\n{was}</textarea>")));
    let now = was.replace("the-end", "my-end");
    let fields = [
        ("version", "0"),
        ("columns", columns),
        ("w-f-note", &*was),
        ("v-f-note", &*now),
    ];
    let row = browser.send_part(&editor, &cell, &fields).is(200);
    assert!(row.body.contains(" data-shortened>") && !row.body.contains("my-end"));
    assert_eq!(stored(&server, &dataset, 1)["Note"], now);
    // who began from what was there before is asked, is shown where both differ, and loses nothing
    let mine = was.replace("the-end", "her-end");
    let fields = [("v-f-note", &*mine), fields[0], fields[1], fields[2]];
    let asked = browser.send_part(&editor, &cell, &fields).is(200);
    let record = format!("{there}/records/{}", ids[1]);
    for part in [
        format!(r#"the-end</b> <a class="left-out" href="{record}/history">"#),
        format!(r#"my-end</b> <a class="left-out" href="{record}">"#),
        format!("\n{mine}</textarea>"),
        format!(r#"name="b-f-note" value="{was}""#),
    ] {
        assert!(asked.body.contains(&part), "{part}: {}", asked.body);
    }
    assert_eq!(stored(&server, &dataset, 1)["Note"], now);
}

#[test]
fn whole_values_are_given_out_to_be_copied_and_of_very_many_values_a_list_shows_the_first() {
    let server = server();
    let mut visit = long_visits().remove(0);
    let tags: Vec<_> = (0..5000).map(|tag| format!("tag {tag}")).collect();
    visit["Tags"] = json!(tags);
    let (dataset, ids) = visits(&server, &[visit]);
    let browser = Browser::signed_in(&server);
    let there = format!("/app/datasets/{dataset}");
    let grid = browser.get(&there).is(200);
    assert_eq!(grid.body.matches(" data-shortened>").count(), 2);
    assert!(grid.body.contains("tag 1, tag 2, ") && !grid.body.contains("tag 4999"));
    assert!(grid.body.len() < 2 * CHARS, "{} bytes", grid.body.len());
    let cell = format!("{there}/records/{}/cells/f-note", ids[0]);
    let columns = "columns=f-note%20f-tags&whole=true";
    let whole = browser.part(&format!("{cell}?{columns}")).is(200);
    let of = |id: &str| between(&whole.body, &format!(r#"data-field="{id}" data-filled=""#));
    assert_eq!(of("f-note"), long(0));
    assert_eq!(of("f-tags"), tags.join("\n"));
    // one that is named very often is given out once, and stands once in a row
    let often = "+f-note".repeat(1000);
    let asked = format!("{cell}?whole=true&columns=f-tags{often}+f-tags+f-none");
    let whole = browser.part(&asked).is(200);
    let fields = whole.body.split(r#"data-field=""#).skip(1);
    let fields: Vec<_> = fields.map(|rest| rest.split('"').next()).collect();
    assert_eq!(fields, [Some("f-tags"), Some("f-note")]);
    let note = long(0);
    let sent = [
        ("version", "0"),
        ("columns", "f-code f-note f-note f-note"),
        ("w-f-note", &*note),
        ("v-f-note", "short"),
    ];
    let row = browser.send_part(&grid, &cell, &sent).is(200);
    let count = row.body.matches(r#"data-field="f-note""#).count();
    assert_eq!(count, 1, "{}", row.body);
    // to whoever else asks, it is the form of the record
    let page = browser.get(&format!("{cell}?{columns}")).is(303);
    let form = format!("{there}/records/{}#f-f-note", ids[0]);
    assert_eq!(page.header("location"), Some(&*form));
}

#[test]
fn a_proposal_beside_a_long_text_mends_the_whole_and_none_that_it_was_not_made_for() {
    let server = server();
    let visit = |row: usize| json!({"Code": format!("V{row}"), "Note": format!("{} ", long(row))});
    let (dataset, ids) = visits(&server, &[visit(0), visit(1)]);
    let browser = Browser::signed_in(&server);
    let there = format!("/app/datasets/{dataset}");
    let grid = browser.get(&format!("{there}?q=is%3Afaulty")).is(200);
    assert!(grid.body.len() < 2 * CHARS, "{} bytes", grid.body.len());
    let (_, first) = grid.body.split_once(&*ids[0]).expect("a row");
    let mark = between(first, r#"name="of" value=""#);
    let take = between(first, r#"<button name="take" value=""#);
    let mend = |id: &str| {
        let fields = [
            ("of", &*mark),
            ("take", &*take),
            ("columns", "f-code f-note"),
        ];
        let path = format!("{there}/records/{id}/cells/f-note/mend");
        browser.send_part(&grid, &path, &fields).is(200)
    };
    let row = mend(&ids[0]);
    assert!(!row.body.contains("fault"), "{}", row.body);
    assert_eq!(stored(&server, &dataset, 0)["Note"], long(0));
    // another one's value stays
    mend(&ids[1]);
    assert_eq!(stored(&server, &dataset, 1)["Note"], visit(1)["Note"]);
}
