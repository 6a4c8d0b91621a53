//! A file that was tried is to be imported as it is read otherwise: it is tried again first, which its page tells, and what was
//! chosen for its columns holds.

use crate::admin_server::AdminServer;
use crate::browser::{Browser, between, field, give_ada};
use crate::jobs::{exported, server};
use crate::requests::Answer;
use serde_json::json;

const TRIED_AGAIN: &str = "The file was tried again, not imported";
const KEPT: &str = "What you chose for its columns is kept.";

/// A dataset of suppliers.
fn suppliers(server: &AdminServer) -> String {
    let document = json!({"name": "Supplier", "fields": [
        field("f-name", "Name", "string", true),
        field("f-place", "Ort", "string", false),
        field("f-sales", "Umsatz", "currency", false),
    ]});
    let [area, _, dataset] = server.places(&document);
    give_ada(server, &area);
    dataset
}

/// The page to which that of a trial leads, and the job that tried the file.
fn behind(browser: &Browser<'_>, tried: &Answer) -> (Answer, String) {
    let way = between(&tried.body, r#"class="button primary" href=""#);
    let page = browser.get(&way.replace("&#38;", "&")).is(200);
    let file_of = between(&page.body, r#"name="fileOf" value=""#);
    (page, file_of)
}

/// The page of the job that comes of a form with the file of a trial.
fn sent(browser: &Browser<'_>, page: &Answer, dataset: &str, fields: &[(&str, &str)]) -> Answer {
    let path = format!("/app/datasets/{dataset}/import");
    browser.ended_job(browser.send_file(page, &path, fields, ("", "")))
}

#[test]
fn columns_stay_as_they_were_chosen_where_a_comma_stands_before_decimals() {
    let server = server();
    let dataset = suppliers(&server);
    let browser = Browser::signed_in(&server);
    let fields = [("try", "true"), ("mode", "create")];
    let file = ("suppliers.csv", "Name;Ort;Umsatz\nMuster;Ulm;1.234,50\n");
    let tried = browser.ended_job(browser.import(&dataset, &fields, file));
    let (page, file_of) = behind(&browser, &tried);
    // the button says what it does: the comma that the page proposes is another reading
    for told in [
        r#"<details class="more tried""#,
        r#"<option value="" data-as-tried>not said</option>"#,
        r#"<option value="comma" selected>"#,
        r#"<p class="muted small tried-first">"#,
    ] {
        assert!(page.body.contains(told), "{told}: {}", page.body);
    }
    let fields = [
        ("try", "false"),
        ("mode", "create"),
        ("decimalMark", "comma"),
        ("column-1", ""),
        ("fileOf", &*file_of),
    ];
    let again = sent(&browser, &page, &dataset, &fields);
    for told in [TRIED_AGAIN, KEPT, "<dt>Would create</dt><dd>1</dd>"] {
        assert!(again.body.contains(told), "{told}: {}", again.body);
    }
    assert_eq!(exported(&server, &dataset, json!({})), "");
    let (page, file_of) = behind(&browser, &again);
    let comma = r#"<option value="comma" selected data-as-tried>"#;
    assert!(page.body.contains(comma), "{}", page.body);
    let said = page.body.split(r#"<textarea id="map""#).nth(1);
    let said = said.and_then(|it| it.split_once('>')?.1.split("</textarea>").next());
    let said = said.expect("what is said of columns").trim().to_owned();
    assert_eq!(said, "Ort=");
    let fields = [
        ("try", "false"),
        ("mode", "create"),
        ("decimalMark", "comma"),
        ("map", &*said),
        ("column-1", ""),
        ("fileOf", &*file_of),
    ];
    let done = sent(&browser, &page, &dataset, &fields);
    assert!(!done.body.contains(TRIED_AGAIN), "{}", done.body);
    assert_eq!(
        exported(&server, &dataset, json!({"format": "csv"})),
        "Name,Ort,Umsatz\nMuster,,1234.5\n"
    );
}

#[test]
fn columns_of_other_names_stay_as_they_were_chosen_where_apostrophes_are_taken_away() {
    let server = server();
    let dataset = suppliers(&server);
    let browser = Browser::signed_in(&server);
    let fields = [("try", "true"), ("mode", "create")];
    let file = ("suppliers.csv", "Kunde,Strasse-1\nMuster,'=Weg\n");
    let tried = browser.ended_job(browser.import(&dataset, &fields, file));
    let told = "no column of the file has the name of a field";
    assert!(tried.body.contains(told), "{}", tried.body);
    let (page, file_of) = behind(&browser, &tried);
    let mut fields = vec![
        ("try", "false"),
        ("mode", "create"),
        ("forSpreadsheets", "true"),
        ("column-0", "Name"),
        ("column-1", "Ort"),
        ("fileOf", &*file_of),
    ];
    let again = sent(&browser, &page, &dataset, &fields);
    for told in [TRIED_AGAIN, KEPT, "<dt>Would create</dt><dd>1</dd>"] {
        assert!(again.body.contains(told), "{told}: {}", again.body);
    }
    // who asks for a trial is told nothing of the kind
    fields[0].1 = "true";
    let again = sent(&browser, &page, &dataset, &fields);
    assert!(!again.body.contains(TRIED_AGAIN), "{}", again.body);
    let (page, file_of) = behind(&browser, &again);
    let fields = [
        ("try", "false"),
        ("mode", "create"),
        ("forSpreadsheets", "true"),
        ("column-0", "Name"),
        ("column-1", "Ort"),
        ("map", "Kunde=Name\nStrasse-1=Ort"),
        ("fileOf", &*file_of),
    ];
    sent(&browser, &page, &dataset, &fields);
    assert_eq!(
        exported(&server, &dataset, json!({"format": "csv"})),
        "Name,Ort,Umsatz\nMuster,=Weg,\n"
    );
}

#[test]
fn that_columns_were_found_anew_is_told_in_the_language_of_the_page() {
    let server = server();
    let dataset = suppliers(&server);
    let browser = Browser::signed_in(&server).in_german();
    let fields = [("try", "true"), ("mode", "create")];
    let file = ("suppliers.csv", "Name,Ort\nMuster,Ulm\n");
    let tried = browser.ended_job(browser.import(&dataset, &fields, file));
    let (page, file_of) = behind(&browser, &tried);
    let fields = [
        ("try", "false"),
        ("mode", "create"),
        ("header", "false"),
        ("column-1", "Umsatz"),
        ("fileOf", &*file_of),
    ];
    let again = sent(&browser, &page, &dataset, &fields);
    let told = "ihre Spalten wurden also neu erkannt";
    assert!(again.body.contains(told), "{}", again.body);
    // of the columns that were found before, nothing is said
    let (page, _) = behind(&browser, &again);
    assert!(!page.body.contains("Ort=Umsatz"), "{}", page.body);
}

#[test]
fn a_form_that_reads_a_file_otherwise_than_it_was_tried_asks_for_a_trial() {
    let server = server();
    let dataset = suppliers(&server);
    let browser = Browser::signed_in(&server);
    let fields = [("try", "true"), ("mode", "create")];
    let file = ("suppliers.csv", "Name;Ort\nMuster;Ulm\n");
    let tried = browser.ended_job(browser.import(&dataset, &fields, file));
    let (_, file_of) = behind(&browser, &tried);
    let there = format!("/app/datasets/{dataset}/import?fileOf={file_of}&kept=1");
    for (said, is_trial) in [
        ("", false),
        ("&delimiter=%3B", false),
        ("&delimiter=%2C", true),
        ("&header=false", true),
        ("&decimalMark=comma", true),
        ("&forSpreadsheets=true", true),
        // who chose it has chosen it
        ("&delimiter=%2C&try=false", false),
    ] {
        let page = browser.get(&format!("{there}{said}")).is(200);
        let is_ticked = |value: &str| {
            let tick = format!(r#"name="try" value="{value}" checked>"#);
            page.body.contains(&tick)
        };
        let ticked = [is_ticked("true"), is_ticked("false")];
        assert_eq!(ticked, [is_trial, !is_trial], "{said}: {}", page.body);
    }
}
