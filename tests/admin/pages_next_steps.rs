//! What a page says of what it shows, of what its buttons do, and of what can be done next.

use crate::admin_server::AdminServer;
use crate::browser::{Browser, between, cities};
use crate::jobs::server;
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
        "<strong>towns.csv</strong> was tried and nothing was written",
        "<dt>Would create</dt><dd>2</dd>",
        r#"<div class="bad"><dt>Would be faulty</dt><dd>1</dd>"#,
        &link,
        r#"<span class="to-store">Import this file</span><span class="to-try">Try this file again</span>"#,
    ];
    says(&browser, &again, &told);
    let first = browser.get(&format!("/app/datasets/{dataset}/import"));
    let first = first.is(200);
    for other in ["<dt>Would create</dt>", "to-store"] {
        assert!(!first.body.contains(other), "{other}: {}", first.body);
    }
}

#[test]
fn who_may_change_values_is_told_how_above_the_list_and_whose_schema_it_is() {
    let server = AdminServer::start();
    let (dataset, _) = cities(&server);
    let [area, _] = places(&server, &dataset);
    let there = format!("/app/datasets/{dataset}");
    let how = "To change a value, double-click it";
    let schema = "<span>Schema: City</span></nav>";
    says(&Browser::signed_in(&server), &there, &[how, schema]);
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
    let told = "Breaking: someone has to change something";
    assert!(review.body.contains(told), "{}", review.body);
    published(&browser, &review, &schema).is(303);
    let downloads = format!(r#"<a href="{own}#downloads">Download</a>"#);
    let told = [
        "someone had to change something, or still has to",
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
    let told = ["Who signed in, and who changed areas", column];
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
        ("/app/profile", "It shows that it is you"),
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
