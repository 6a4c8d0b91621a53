//! Files that the application makes: written as their form says, and read again as they were.

use crate::browser::{Browser, between, cities, field, give_ada, written};
use crate::jobs::server;
use serde_json::json;

#[test]
fn a_file_is_written_as_its_form_says_and_a_form_that_is_refused_keeps_all_of_it() {
    let server = server();
    let mut tags = field("f-tags", "Tags", "string", false);
    tags["isMultivalue"] = json!(true);
    let fields = [field("f-code", "Code", "string", true), tags];
    let [area, _, dataset] = server.places(&json!({"name": "Quay", "fields": fields}));
    give_ada(&server, &area);
    written(
        &server,
        &dataset,
        &[json!({"Code": "Q,1", "Tags": ["a", "b"]})],
    );
    let browser = Browser::signed_in(&server);
    let path = format!("/app/datasets/{dataset}/export");
    let page = browser.get(&path).is(200);
    for (delimiter, split, rows) in [
        ("", "", "Code,Tags\n\"Q,1\",\"[\"\"a\"\",\"\"b\"\"]\"\n"),
        (";", "|", "Code;Tags\nQ,1;a|b\n"),
        ("tab", " ", "Code\tTags\nQ,1\ta b\n"),
        ("\\t", " ", "Code\tTags\nQ,1\ta b\n"),
    ] {
        let fields = [
            ("format", "csv"),
            ("delimiter", delimiter),
            ("split", split),
        ];
        let file = browser.exported(browser.send(&page, &path, &fields));
        assert_eq!(file.body, rows);
    }
    let wrong = [
        ("format", "csv"),
        ("packing", "zstd"),
        ("delimiter", "ab"),
        ("split", "|"),
        ("guarded", "true"),
        ("q", "Code:*"),
        ("field", "Tags"),
    ];
    let refused = browser.send(&page, &path, &wrong).is(400);
    for kept in [
        "role=\"alert\">Delimiter: One character, or the word tab<",
        r#"<option value="csv" selected>"#,
        r#"<option value="zstd" selected>"#,
        r#"name="delimiter" value="ab""#,
        r#"name="split" value="|""#,
        r#"name="guarded" value="true" checked"#,
        r#"name="q" value="Code:*""#,
        r#"name="field" value="Tags" checked"#,
    ] {
        assert!(refused.body.contains(kept), "{kept}: {}", refused.body);
    }
}

#[test]
fn what_was_guarded_for_spreadsheets_comes_back_and_what_the_file_lacks_goes_where_that_is_ticked()
{
    let server = server();
    let (dataset, _) = cities(&server);
    written(&server, &dataset, &[json!({"Code": "=1+1", "People": 5})]);
    let browser = Browser::signed_in(&server);
    let there = format!("/app/datasets/{dataset}");
    let path = format!("{there}/export");
    let page = browser.get(&path).is(200);
    let fields = [("format", "csv"), ("guarded", "true"), ("q", "People:5")];
    let file = browser.exported(browser.send(&page, &path, &fields)).body;
    assert_eq!(file, "\u{feff}Code,People\n\"'=1+1\",5\n");
    let file = file.replace(",5", ",6");
    let path = format!("{there}/import");
    let page = browser.get(&path).is(200);
    let fields = [
        ("try", "true"),
        ("mode", "replace"),
        ("forSpreadsheets", "true"),
        ("deleteMissing", "true"),
    ];
    let sent = browser.send_file(&page, &path, &fields, ("cities.csv", &file));
    let tried = browser.ended_job(sent);
    let counted = |body: &str, names: [&str; 3]| {
        let figures = names.map(|name| {
            let (_, own) = body.split_once(&format!("{name}</dt><dd>")).expect(name);
            own.split('<').next().expect("its end").to_owned()
        });
        assert_eq!(figures, ["1", "2", "0"], "{body}");
    };
    counted(
        &tried.body,
        ["Would change", "Would delete", "Would reject"],
    );
    // what was said of the trial is ticked, and is done then
    let again = between(&tried.body, r#"class="button primary" href=""#);
    let page = browser.get(&again.replace("&#38;", "&")).is(200);
    for name in ["forSpreadsheets", "deleteMissing"] {
        let ticked = format!(r#"name="{name}" value="true" checked"#);
        assert!(page.body.contains(&ticked), "{name}: {}", page.body);
    }
    let file_of = between(&page.body, r#"name="fileOf" value=""#);
    let own = [("try", "false"), ("fileOf", &*file_of)];
    // without the guard its cells are others, which nobody saw: that is tried first
    let bare = [("mode", "replace"), ("deleteMissing", "true")];
    let sent = browser.send_file(&page, &path, &[&bare[..], &own].concat(), ("", ""));
    let bare = browser.ended_job(sent);
    assert!(bare.body.contains("only a trial"), "{}", bare.body);
    let fields = [&fields[1..], &own].concat();
    let sent = browser.send_file(&page, &path, &fields, ("", ""));
    let done = browser.ended_job(sent);
    counted(&done.body, ["Changed", "Deleted", "Rejected"]);
    let list = browser.get(&there).is(200);
    assert!(list.body.contains(">=1+1<") && list.body.contains(">6<"));
    assert!(!list.body.contains(">A1<") && list.body.contains("<b>1</b> record"));
}

#[test]
fn what_a_file_lacks_goes_where_records_are_replaced_alone_whatever_was_ticked_before() {
    let server = server();
    let (dataset, _) = cities(&server);
    let browser = Browser::signed_in(&server);
    let file = ("towns.csv", "Code\nB1\n");
    let there = format!("/app/datasets/{dataset}");
    for (mode, is_left) in [("upsert", true), ("replace", false)] {
        let fields = [("try", "false"), ("mode", mode), ("deleteMissing", "true")];
        browser.ended_job(browser.import(&dataset, &fields, file));
        let list = browser.get(&there).is(200);
        assert_eq!(list.body.contains(">A1<"), is_left, "{mode}: {}", list.body);
    }
    // the file is what one begins with, and the rest of the form stands before it
    let page = browser.get(&format!("{there}/import")).is(200);
    let (before, behind) = page
        .body
        .split_once(r#"<div class="field its-file"><label for="file">"#)
        .expect("the file");
    assert!(before.contains(r#"class="record import""#) && before.contains(r#"name="mode""#));
    assert!(!behind.contains("<select"), "{behind}");
}

#[test]
fn the_page_of_a_job_has_its_log_in_the_language_of_the_page() {
    let server = server();
    let (dataset, _) = cities(&server);
    let browser = Browser::signed_in(&server);
    let fields = [
        ("try", "false"),
        ("mode", "replace"),
        ("deleteMissing", "true"),
    ];
    let file = ("cities.csv", "Code,People\nA1,1\n,2\n");
    let done = browser.ended_job(browser.import(&dataset, &fields, file));
    let (_, log) = done.body.split_once(r#"<ol class="log">"#).expect("a log");
    let log = log.split("</ol>").next().expect("its end");
    assert!(log.contains("not every row"), "{log}");
    let job = server.get("/jobs")["items"][0]["jobId"].clone();
    let german = Browser::signed_in(&server).in_german();
    let job = format!("/app/jobs/{}", job.as_str().expect("an id"));
    let page = german.get(&job).is(200);
    let (_, log) = page.body.split_once(r#"<ol class="log">"#).expect("a log");
    let log = log.split("</ol>").next().expect("its end");
    assert!(log.contains("nicht jede Zeile"), "{log}");
    assert!(!log.contains("not every row"), "{log}");
}
