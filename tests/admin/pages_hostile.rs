//! Pages that one comes to by a form, with text in them that would like to be markup. Those with an address of their own are
//! in `pages.rs`; what answers each form that is filled in so, in `pages_hostile_forms.rs`.

use crate::admin_server::{AdminServer, PASSWORD};
use crate::browser::{Browser, HOSTILE, between, form, give_ada_called, posted};
use crate::hostile::{hostile_places, is_text};
use crate::jobs::{ended, import, server};
use crate::pages_record_files::Halls;
use crate::pages_webhooks::given_up;
use crate::requests::Answer;
use crate::schema_editor::edited;
use runtime::service::manage::TenantContent;
use runtime::store::deliveries::Delivery;
use runtime::value::Timestamp;
use serde_json::json;

/// What the name of a file may be of it: a browser says no quotes in one, and what stands before a slash is none of it.
pub(crate) const HOSTILE_FILE: &str =
    "<img src=x onerror=alert(2)><script>alert(1)<-script>#file.csv";

/// A browser in which ada has signed in, whose name is hostile, and her tenant's; a job of hers has tried a file that is called so.
pub(crate) fn hostile_visitor<'s>(
    server: &'s AdminServer,
    area: &str,
    dataset: &str,
) -> Browser<'s> {
    let named = TenantContent {
        name: HOSTILE.to_owned(),
    };
    let service = &server.service;
    let renamed = service.rename_tenant(&server.operator, &server.tenant, named);
    server.tokio.block_on(renamed).expect("another name");
    give_ada_called(server, area, HOSTILE);
    let browser = Browser::signed_in(server);
    let fields = [("try", "true"), ("mode", "create")];
    let file = (HOSTILE_FILE, "People\n1\n");
    browser.ended_job(browser.import(dataset, &fields, file));
    browser
}

/// A cell of CSV.
pub(crate) fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('"', "\"\""))
}

#[test]
fn a_job_of_a_hostile_file_shows_it_as_text() {
    let server = server();
    let [_, _, dataset, _] = hostile_places(&server);
    let browser = Browser::signed_in(&server);
    let cell = quoted(HOSTILE);
    let rows = format!(
        "{cell},People,{}\n{cell},{cell},x\n",
        quoted(&format!("{HOSTILE}!"))
    );
    let fields = [("try", "true"), ("mode", "create"), ("delimiter", ",")];
    let tried = browser.ended_job(browser.import(&dataset, &fields, (HOSTILE_FILE, &rows)));
    is_text(&tried);
    let again = between(&tried.body, r#"class="button primary" href=""#);
    is_text(&browser.get(&again.replace("&#38;", "&")).is(200));
    let jobs = browser.get("/app/jobs").is(200);
    is_text(&jobs);
    assert!(jobs.body.contains("#file.csv"), "{}", jobs.body);
}

#[test]
fn why_a_job_failed_is_text_where_it_tells_what_was_sent() {
    let server = server();
    let [_, _, dataset, _] = hostile_places(&server);
    let browser = Browser::signed_in(&server);
    let lost = format!("{HOSTILE}#lost=People");
    let query = format!("?map{}", form(&[("", &*lost)]));
    let made = import(&server, &server.root, &dataset, &query, "People\n1\n").is(201);
    let id = made.text("jobId");
    let job = ended(&server, &id);
    let failure = job["failure"].as_str().expect("a reason");
    assert!(failure.contains("#lost"), "{job}");
    for language in ["en", "de"] {
        let browser = Browser {
            language,
            cookie: browser.cookie.clone(),
            ..browser
        };
        let page = browser.get(&format!("/app/jobs/{id}")).is(200);
        is_text(&page);
        assert!(page.body.contains("amp;#lost"), "{}", page.body);
    }
}

#[test]
fn why_nothing_arrived_at_a_webhook_is_text() {
    let server = AdminServer::start();
    let place = given_up(&server, &format!("{HOSTILE}#letter"));
    let id = place.rsplit('/').next().expect("an id");
    let failing = Delivery {
        failing_since: Some(Timestamp::from_millis(0)),
        error: Some(format!("{HOSTILE}#now")),
        ..Delivery::default()
    };
    server.note_delivery(id, failing, None);
    let page = Browser::signed_in(&server).get(&place).is(200);
    is_text(&page);
    for told in ["amp;#letter", "amp;#now"] {
        assert!(page.body.contains(told), "{told}: {}", page.body);
    }
}

#[test]
fn the_name_of_an_uploaded_file_is_text_wherever_its_record_is_seen() {
    let halls = Halls::start();
    let browser = Browser::signed_in(&halls.server);
    let there = halls.path();
    let page = browser.get(&there).is(200);
    let sent = halls.add(&browser, &page, "f-papers", (HOSTILE_FILE, "%PDF-1.7"));
    sent.is(303);
    let past = format!("{there}/versions/{}", halls.version());
    for place in [&there, &past] {
        let page = browser.get(place).is(200);
        is_text(&page);
        assert!(page.body.contains("#file.csv"), "{place}: {}", page.body);
    }
}

#[test]
fn the_name_of_a_tag_is_text_where_its_field_is_shown_and_changed() {
    let server = AdminServer::start();
    let [_, schema, _, _] = hostile_places(&server);
    let browser = Browser::signed_in(&server);
    for place in ["", "/edit?field=0"] {
        let page = browser.get(&format!("/app/schemas/{schema}{place}"));
        let page = page.is(200);
        is_text(&page);
        assert!(page.body.contains("amp;#tag"), "{place}: {}", page.body);
    }
}

#[test]
fn a_hostile_schema_is_text_where_its_change_is_looked_at() {
    let server = server();
    let [area, schema, dataset, _] = hostile_places(&server);
    let browser = Browser::signed_in(&server);
    let page = browser.get(&format!("/app/schemas/{schema}/edit")).is(200);
    let page = edited(&browser, &page, &area, &[("do", "open-2")]).is(200);
    is_text(&page);
    let beside = [("shown", "max"), ("f-max", "5"), ("do", "review")];
    let review = edited(&browser, &page, &area, &beside).is(200);
    is_text(&review);
    let document = crate::schema_editor::held(&review, "document");
    let fields = [("document", &*document)];
    let path = format!("/app/schemas/{schema}/effects");
    is_text(&browser.send(&review, &path, &fields).is(200));
    let path = format!("/app/datasets/{dataset}/effects");
    is_text(&browser.ended_job(browser.send(&review, &path, &fields)));
}

#[test]
fn hostile_values_are_text_where_they_are_pasted_mended_and_in_conflict() {
    let server = server();
    let [_, _, dataset, id] = hostile_places(&server);
    let browser = Browser::signed_in(&server);
    let there = format!("/app/datasets/{dataset}");
    let grid = browser.get(&there).is(200);
    let more = format!("{HOSTILE}!");
    let cells = json!([[more, more, more]]).to_string();
    let fields = [
        ("field", "f-1"),
        ("field", "f-3"),
        ("record", &*id),
        ("cells", &*cells),
    ];
    let pasted = browser.send(&grid, &format!("{there}/paste"), &fields);
    is_text(&pasted.is(200));

    let path = format!("{there}/mend");
    let page = browser.get(&path).is(200);
    let fields = [
        ("field", "Choice"),
        ("action", "replace"),
        ("find", "alert(1)"),
        ("with", "alert(1)</ins><script>alert(1)"),
        ("try", "true"),
    ];
    is_text(&browser.ended_job(browser.send(&page, &path, &fields)));

    let path = format!("{there}/records/{id}");
    let page = browser.get(&path).is(200);
    let change = |people: &str| {
        let fields = [("version", "0"), ("w-f-3", HOSTILE), ("v-f-3", people)];
        browser.send(&page, &path, &fields)
    };
    change(&more).is(303);
    is_text(&change(&format!("{HOSTILE}?")).is(409));
}

#[test]
fn views_under_hostile_names_are_text_and_so_are_those_that_are_refused() {
    let server = AdminServer::start();
    let [_, _, dataset, _] = hostile_places(&server);
    let browser = Browser::signed_in(&server);
    let there = format!("/app/datasets/{dataset}");
    let grid = browser.get(&there).is(200);
    let path = format!("{there}/views");
    let fields = [("name", HOSTILE), ("q", "is:faulty")];
    let saved = browser.send(&grid, &path, &fields).is(303);
    let place = saved.header("location").expect("a view").to_owned();
    is_text(&browser.get(&place).is(200));
    let fields = [("name", HOSTILE), ("q", "People:none")];
    is_text(&browser.send(&grid, &path, &fields).is(409));
    is_text(&browser.get("/app/go").is(200));
}

#[test]
fn a_hostile_form_is_text_while_it_is_held_up() {
    let server = AdminServer::start();
    let _ = hostile_places(&server);
    let browser = Browser::signed_in(&server);
    let page = browser.get("/app/roles/new").is(200);
    server.clock.forward(3600);
    let fields = [("name", HOSTILE), ("description", HOSTILE)];
    let asked = browser.send(&page, "/app/roles", &fields).is(403);
    assert!(
        asked.body.contains("Confirm that it is you"),
        "{}",
        asked.body
    );
    let own = |page: &Answer, name: &str| {
        let text = between(&page.body, &format!(r#"name="{name}" value=""#));
        text.replace("&#38;", "&").replace("&#39;", "'")
    };
    let (to, kept) = (own(&asked, "kept-to"), own(&asked, "kept"));
    let prove = |password: &str| {
        let fields = [("password", password), ("kept-to", &*to), ("kept", &*kept)];
        browser.send(&asked, "/app/proof", &fields)
    };
    prove("wrong").is(400);
    let go_on = prove(PASSWORD).is(200);
    is_text(&go_on);

    server.clock.forward(3 * 3600);
    let asked = browser.send(&go_on, "/app/roles", &fields).is(401);
    let names = ["kept-to", "kept", "kept-token"];
    let carried = names.map(|name| (name, own(&asked, name)));
    let mut all = vec![("username", "ada"), ("password", PASSWORD)];
    all.extend(carried.iter().map(|(name, value)| (*name, &**value)));
    let entered = posted(&server, "/app/sign-in", &browser.cookie, &form(&all));
    is_text(&entered.is(200));
    for held_up in [&asked, &go_on] {
        for markup in ["<script>alert", "<img"] {
            assert!(!held_up.body.contains(markup), "{}", held_up.body);
        }
    }
}
