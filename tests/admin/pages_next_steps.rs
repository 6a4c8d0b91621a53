//! What a page says of what it shows, of what its buttons do, and of what can be done next.

use crate::admin_server::AdminServer;
use crate::browser::{Browser, between, cities};
use crate::jobs::server;
use crate::pages_paste::{filled_in, pasted};
use crate::pages_read_only::reader;
use crate::schema_editor::{bounded, places, published};

/// That a page says all of this.
#[track_caller]
fn says(browser: &Browser<'_>, path: &str, told: &[&str]) {
    let page = browser.get(path).is(200);
    for told in told {
        assert!(page.body.contains(told), "{told}: {}", page.body);
    }
}

#[test]
fn a_file_that_was_tried_stands_beside_what_came_of_it_and_its_button_says_what_it_does() {
    let server = server();
    let (dataset, _) = cities(&server);
    let browser = Browser::signed_in(&server);
    let fields = [("try", "true"), ("mode", "create")];
    let file = ("towns.csv", "Code;People\r\nB1;7\r\nB2;few\r\n");
    let sent = browser.import(&dataset, &fields, file);
    let job = sent.header("location").expect("a job").to_owned();
    let tried = browser.ended_job(sent);
    let again = between(&tried.body, r#"class="button primary" href=""#).replace("&#38;", "&");
    let link = format!(r#"<a href="{job}">The whole result of the trial</a>"#);
    let told = [
        "<strong>towns.csv</strong> was tried, and nothing was written",
        "<dt>Would create</dt><dd>2</dd>",
        r#"<div class="bad"><dt>Would be faulty</dt><dd>1</dd>"#,
        &link,
        r#"<span class="to-store">Import this file</span><span class="to-try">Try this file again</span>"#,
    ];
    says(&browser, &again, &told);
    let first = browser.get(&format!("/app/datasets/{dataset}/import"));
    let first = first.is(200);
    assert!(
        !first.body.contains("<dt>Would create</dt>"),
        "{}",
        first.body
    );
    let told = [
        r#"<span class="to-store">Import this file</span><span class="to-try">Try this file</span>"#,
        ">Keep them; add new records</option>",
        r#"<p class="muted small of-create">A row whose key a record has already is rejected."#,
    ];
    for told in told {
        assert!(first.body.contains(told), "{told}: {}", first.body);
    }
}

#[test]
fn a_trial_with_rows_at_fault_leads_first_to_the_file_that_is_corrected() {
    let server = server();
    let (dataset, _) = cities(&server);
    let browser = Browser::signed_in(&server);
    let fields = [("try", "true"), ("mode", "upsert")];
    let correct = ">Correct it and try again</a>";
    let none = "No row would be stored without a fault.";
    let tried = |rows: &str| {
        let file = ("towns.csv", rows);
        let tried = browser.ended_job(browser.import(&dataset, &fields, file));
        let first = between(&tried.body, r#"class="button primary" href=""#);
        (tried.body, first.replace("&#38;", "&"))
    };
    // a faulty row, and one without its key
    let (page, first) = tried("Code;People\r\nB1;few\r\n;7\r\n");
    for told in [
        correct,
        none,
        ">What is wrong</th>",
        "A row with several faults is counted at each of them.",
        "These rows would not be stored. Correct them in the file",
        ">Import this file</a>",
    ] {
        assert!(page.contains(told), "{told}: {page}");
    }
    // there it is tried again, with all that was said of it
    assert!(first.ends_with("&try=true"), "{first}");
    let form = browser.get(&first).is(200).body;
    for told in [
        none,
        r#"value="true" checked> Try it first"#,
        r#"<option value="upsert" selected>"#,
        r#"<button class="primary"><span class="to-store">"#,
    ] {
        assert!(form.contains(told), "{told}: {form}");
    }
    // whoever imports it all the same is told as much
    let form = browser.get(first.trim_end_matches("&try=true")).is(200);
    let stores = r#"<button><span class="to-store">"#;
    assert!(form.body.contains(none) && form.body.contains(stores));
    // where others are clean, it is imported by the second step, or one that can be read
    let second = r#"<a class="button" href="/app/datasets/"#;
    for rows in ["Code;People\r\nB1;few\r\nB2;7\r\n", "Town\r\nUlm\r\n"] {
        let (page, first) = tried(rows);
        assert!(page.contains(correct) && !page.contains(none), "{page}");
        assert!(first.ends_with("&try=true"), "{first}");
        let (_, behind) = page.split_once(second).expect("the import");
        let (way, _) = behind.split_once('<').expect("its end");
        assert!(way.ends_with(">Import this file"), "{way}");
        let form = browser.get(first.trim_end_matches("&try=true")).is(200);
        let form = form.body;
        assert!(!form.contains(none) && !form.contains(stores), "{form}");
    }
    let (page, first) = tried("Code;People\r\nB2;7\r\n");
    assert!(!page.contains(correct) && !page.contains(none), "{page}");
    let form = browser.get(&first).is(200).body;
    assert!(!form.contains(none) && !form.contains(stores), "{form}");
}

#[test]
fn who_is_told_to_take_the_rows_that_were_rejected_has_their_file() {
    let server = server();
    let (dataset, _) = cities(&server);
    let browser = Browser::signed_in(&server);
    let fields = [("try", "false"), ("mode", "create")];
    let sent = browser.import(&dataset, &fields, ("towns.csv", "Code;People\r\n;7\r\n"));
    let place = sent.header("location").expect("a job").to_owned();
    let done = browser.ended_job(sent);
    let (were, how) = ("These rows were not stored.", "Download them, correct them");
    assert!(done.body.contains(were) && done.body.contains(how) && done.body.contains("/rejects"));
    let delete = format!("{place}/files/delete");
    browser.send(&done, &delete, &[]).is(303);
    let done = browser.get(&place).is(200);
    for gone in [how, "/rejects"] {
        assert!(!done.body.contains(gone), "{gone}: {}", done.body);
    }
    assert!(done.body.contains(were), "{}", done.body);
}

#[test]
fn who_may_change_values_is_told_how_above_the_list_and_whose_schema_it_is() {
    let server = AdminServer::start();
    let (dataset, _) = cities(&server);
    let [area, _] = places(&server, &dataset);
    let there = format!("/app/datasets/{dataset}");
    let how = "To change a value, double-click it";
    let schema = "<span>Schema: City</span></nav>";
    let by_finger = "To change a value, tap it twice, or open its record.";
    says(
        &Browser::signed_in(&server),
        &there,
        &[how, by_finger, schema],
    );
    let page = reader(&server, &area).get(&there).is(200);
    assert!(!page.body.contains(how), "{}", page.body);
    assert!(page.body.contains(schema), "{}", page.body);
}

#[test]
fn a_version_that_breaks_something_leads_to_what_one_does_about_it() {
    let server = server();
    let (dataset, _) = cities(&server);
    let [area, schema] = places(&server, &dataset);
    let browser = Browser::signed_in(&server);
    let own = format!("/app/schemas/{schema}");
    let back = format!(r#"<a href="{own}">Back to the schema</a>"#);
    says(&browser, &format!("{own}/versions"), &[&back]);
    let review = bounded(&browser, &schema, &area);
    let told =
        r#"<p class="notice warn" role="status">Breaking: what works today may stop working."#;
    assert!(review.body.contains(told), "{}", review.body);
    published(&browser, &review, &schema).is(303);
    let downloads = format!(r#"<a href="{own}#downloads">Download</a>"#);
    let told = [
        "Breaking: what worked with the earlier version may not work",
        &downloads,
        r#"<a href="/app/keys">API keys</a>"#,
    ];
    says(&browser, &format!("{own}/versions?from=1&to=2"), &told);
    says(&browser, &own, &[r#"id="downloads""#]);
}

#[test]
fn a_client_without_an_area_is_told_to_reach_nothing_when_its_secret_is_shown() {
    let server = AdminServer::start();
    let _ = cities(&server);
    let browser = Browser::signed_in(&server);
    let page = browser.get("/app/clients/new").is(200);
    let role = between(&page.body, r#"name="role" value=""#);
    let grant = between(&page.body, r#"name="grant" value=""#);
    let told = "It reaches no records. It needs a role";
    for (name, has_both) in [("Bare", false), ("Depot", true)] {
        let mut fields = vec![("name", name), ("token-seconds", "60"), ("role", &*role)];
        fields.extend(has_both.then_some(("grant", &*grant)));
        let made = browser.send(&page, "/app/clients", &fields).is(200);
        assert_eq!(made.body.contains(told), !has_both, "{}", made.body);
    }
}

#[test]
fn a_row_of_faults_says_what_its_links_lead_to() {
    let server = AdminServer::start();
    let (dataset, _) = cities(&server);
    let told = [
        r#" title="Show faulty records">"#,
        r#" <span class="small">· Show</span></a>"#,
        r#">Repair this one<span class="sr">: People, "#,
    ];
    let faults = format!("/app/datasets/{dataset}/faults");
    says(&Browser::signed_in(&server), &faults, &told);
}

#[test]
fn the_trail_has_a_column_of_areas_where_there_are_any() {
    let server = AdminServer::start();
    let _ = cities(&server);
    let browser = Browser::signed_in(&server);
    let column = ">Area</th>";
    let told = [
        "Who signed in, who viewed personal data, what was refused, and who changed areas",
        ">Details</th>",
        column,
    ];
    says(&browser, "/app/audit?noun=dataset", &told);
    let users = browser.get("/app/audit?noun=user").is(200);
    assert!(users.body.contains("<tbody"), "{}", users.body);
    assert!(!users.body.contains(column), "{}", users.body);
}

#[test]
fn a_key_is_deleted_from_its_own_page_too() {
    let server = AdminServer::start();
    let (key, _) = server.key("Report", &[], &[]);
    let browser = Browser::signed_in(&server);
    let path = format!("/app/keys/{key}");
    let page = browser.get(&path).is(200);
    let delete = format!("{path}/delete");
    let form = format!(r#"action="{delete}" data-operation="deleteApiKey""#);
    assert!(page.body.contains(&form), "{}", page.body);
    // what each button does is told before it is pressed
    for told in [
        r#"<span class="muted about">The old secret works for one more day.</span>"#,
        r#"<span class="muted about">What is sent with it is refused while it is switched off.</span>"#,
        "<summary>Delete the key</summary>",
    ] {
        assert!(page.body.contains(told), "{told}: {}", page.body);
    }
    // and is called so in the list, too
    let list = browser.get("/app/keys").is(200);
    let way = r#"aria-label="Delete the key: Report">Delete the key</summary>"#;
    assert!(list.body.contains(way), "{}", list.body);
    browser.send(&page, &delete, &[]).is(303);
    browser.get(&path).is(404);
}

#[test]
fn where_one_may_be_at_a_loss_a_word_says_what_is_meant() {
    let server = AdminServer::start();
    let (dataset, _) = cities(&server);
    let browser = Browser::signed_in(&server);
    let back = format!(r#"<a href="/app/datasets/{dataset}">Show all records</a>"#);
    for (path, told) in [
        ("/app/profile", ">Current password"),
        ("/app/profile", "To confirm that it is you"),
        ("/app/domains", "such as countries (DE\u{a0}=\u{a0}Germany)"),
        ("/app/domains/new", "as in DE\u{a0}=\u{a0}Germany."),
        ("/app/search", "opens the “Go to” box on every page"),
        (&*format!("/app/datasets/{dataset}/deleted"), &*back),
        (
            &*format!("/app/datasets/{dataset}"),
            "<button>Next: what to look for</button>",
        ),
        (
            &*format!("/app/datasets/{dataset}?by="),
            "<button>Use another field</button>",
        ),
    ] {
        says(&browser, path, &[told]);
    }
}

#[test]
fn from_pasted_cells_one_goes_back_to_the_list_that_was_filtered() {
    let server = AdminServer::start();
    let (dataset, ids) = cities(&server);
    let browser = Browser::signed_in(&server);
    let there = format!("/app/datasets/{dataset}");
    let grid = browser.get(&format!("{there}?q=Code%3AA1")).is(200);
    let list = between(&grid.body, r#"name="list" value=""#);
    assert_eq!(list, "Code:A1");
    let mut fields = pasted(&["f-people"], &ids[..1], r#"[["7"]]"#);
    fields.push(("list", &list));
    let page = browser.send(&grid, &format!("{there}/paste"), &fields);
    let page = page.is(200);
    let back = format!(r#"href="{there}?q=Code%3AA1">Back to the list</a>"#);
    assert!(page.body.contains(&back), "{}", page.body);
    // what writes it takes it along, for a page that says what was refused
    let written = filled_in(&page.body);
    assert!(written.contains(&("list".to_owned(), list)), "{written:?}");
}

#[test]
fn from_ticked_records_one_goes_back_to_the_list_that_was_filtered() {
    let server = AdminServer::start();
    let (dataset, ids) = cities(&server);
    let browser = Browser::signed_in(&server);
    let there = format!("/app/datasets/{dataset}");
    let back = format!(r#"<a href="{there}?q=Code%3AA1">Back to the list</a>"#);
    let page = browser.get(&format!("{there}/selected?record={}&q=Code%3AA1", ids[0]));
    let page = page.is(200);
    assert!(page.body.contains(&back), "{}", page.body);
    let list = between(&page.body, r#"name="list" value=""#);
    let fields = [
        ("record", &*ids[0]),
        ("list", &*list),
        ("field", "f-people"),
        ("v-f-people", "7"),
        ("show", "true"),
    ];
    let looked = browser.send(&page, &format!("{there}/selected/look"), &fields);
    let looked = looked.is(200);
    assert!(looked.body.contains("12</del>"), "{}", looked.body);
    assert!(looked.body.contains(&back), "{}", looked.body);
    // what sets and what deletes them takes it along, for a page that says what was refused
    for path in ["/selected/set\"", "/selected/delete\""] {
        let (_, form) = looked.body.split_once(path).expect(path);
        let (form, _) = form.split_once("</form>").expect("its end");
        assert_eq!(between(form, r#"name="list" value=""#), list, "{path}");
    }
    let overtaken = format!("{}:99", ids[0]);
    let fields = [
        ("record", &*overtaken),
        ("list", &*list),
        ("field", "f-people"),
        ("value", "7"),
    ];
    let refused = browser.send(&looked, &format!("{there}/selected/set"), &fields);
    let refused = refused.is(409);
    assert!(refused.body.contains(&back), "{}", refused.body);
    // of the whole list, back to the whole
    let page = browser.get(&format!("{there}/selected?record={}", ids[0]));
    let back = format!(r#"<a href="{there}">Back to the list</a>"#);
    assert!(page.body.contains(&back), "{}", page.body);
}
