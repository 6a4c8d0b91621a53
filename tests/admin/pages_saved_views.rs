//! Saved views on the page of a dataset's records: what it shows is given a name there, and the name leads back to it.

use crate::admin_server::{AdminServer, PASSWORD, city};
use crate::browser::{Browser, HOSTILE, between, cities, give_ada};
use crate::personal_dataset::{People, hides};
use crate::requests::Answer;
use crate::saved_views::save;
use serde_json::json;

/// What stands above the grid for its saved views.
#[track_caller]
fn views_of(page: &Answer) -> &str {
    let (_, rest) = page
        .body
        .split_once(r#"<div class="views">"#)
        .expect("views");
    let (rest, _) = rest.split_once("<section id=\"grid\"").expect("a grid");
    // the choice of columns stands behind them
    rest.split("<details class=\"columns\"")
        .next()
        .expect("views")
}

#[test]
fn what_a_page_shows_is_saved_under_a_name_and_is_a_link_above_the_grid() {
    let server = AdminServer::start();
    let (dataset, _) = cities(&server);
    let browser = Browser::signed_in(&server);
    let path = format!("/app/datasets/{dataset}");
    let page = browser.get(&path).is(200);
    assert!(
        !views_of(&page).contains("<form"),
        "there is nothing to save"
    );
    let state = "?q=is%3Afaulty&sort=-Code&columns=f-people";
    let page = browser.get(&format!("{path}{state}")).is(200);
    assert!(views_of(&page).contains("Save this view"), "{}", page.body);
    let views = format!("{path}/views");
    let state_of_form = [
        ("q", "is:faulty"),
        ("sort", "-Code"),
        ("columns", "f-people"),
    ];
    let name = [("name", "To mend <now>")];
    let saved = browser.send(&page, &views, &[&state_of_form[..], &name].concat());
    let place = saved
        .is(303)
        .header("location")
        .expect("a place")
        .to_owned();
    assert_eq!(place, format!("{path}{state}"));
    let page = browser.get(&place).is(200);
    let link = format!(
        r#"<a href="{}" aria-current="true">To mend &#60;now&#62;</a>"#,
        place.replace('&', "&#38;")
    );
    assert!(
        views_of(&page).contains(&link),
        "{link}\n{}",
        views_of(&page)
    );
    assert!(!views_of(&page).contains("Save this view"), "it is saved");
    // elsewhere it is a link that is not where one is
    let other = browser.get(&path).is(200);
    assert!(views_of(&other).contains("To mend") && !views_of(&other).contains("aria-current"));
    // the palette leads there
    let found = browser.part("/app/go?q=to+mend").is(200);
    assert!(
        found.body.contains(&place.replace('&', "&#38;")),
        "{}",
        found.body
    );
    // the same name once more is refused, with what was filled in
    let page = browser.get(&format!("{path}?q=Code%3AA1")).is(200);
    let again = browser.send(
        &page,
        &views,
        &[("q", "Code:A1"), ("name", "To mend <now>")],
    );
    let again = again.is(409);
    assert!(again.body.contains("choose another name"), "{}", again.body);
    assert!(
        again.body.contains(r#"value="To mend &#60;now&#62;""#),
        "{}",
        again.body
    );
    assert!(
        again.body.contains("<th scope=\"row\""),
        "the grid is there"
    );
    browser
        .send(&page, &views, &[("q", "Code:A1"), ("name", " ")])
        .is(400);
}

#[test]
fn a_saved_view_is_given_what_another_filter_shows_and_keeps_its_name() {
    let server = AdminServer::start();
    let (dataset, _) = cities(&server);
    let browser = Browser::signed_in(&server);
    let path = format!("/app/datasets/{dataset}");
    let views = format!("{path}/views");
    let page = browser.get(&format!("{path}?q=is%3Afaulty")).is(200);
    assert!(!page.body.contains("/views/replace"), "there is none yet");
    let saved = [("q", "is:faulty"), ("name", "To mend")];
    browser.send(&page, &views, &saved).is(303);
    let state = "?q=Code%3AA1&sort=-Code&columns=f-people";
    let page = browser.get(&format!("{path}{state}")).is(200);
    let id = between(views_of(&page), "<option value=\"");
    let replaced = [
        ("view", &*id),
        ("q", "Code:A1"),
        ("sort", "-Code"),
        ("columns", "f-people"),
    ];
    let over = format!("{views}/replace");
    let place = browser.send(&page, &over, &replaced).is(303);
    let place = place.header("location").expect("a place").to_owned();
    assert_eq!(place, format!("{path}{state}"));
    let page = browser.get(&place).is(200);
    let shown = views_of(&page);
    assert!(
        shown.contains(r#"aria-current="true">To mend</a>"#),
        "{shown}"
    );
    assert_eq!(shown.matches("</a>").count(), 1, "{shown}");
    browser.send(&page, &over, &[("view", "none")]).is(404);
    // what can't be kept is told above the grid, and the view is as it was
    let long = "x".repeat(2001);
    let refused = [("view", &*id), ("q", &*long)];
    let refused = browser.send(&page, &over, &refused).is(400);
    assert!(refused.body.contains("2000"), "{}", refused.body);
    assert!(views_of(&browser.get(&place).is(200)).contains("aria-current"));
}

#[test]
fn a_view_of_another_dataset_is_not_replaced_from_here() {
    let server = AdminServer::start();
    let [area, schema, dataset] = server.places(&city());
    give_ada(&server, &area);
    let other = json!({"name": "Others"});
    let other = server.make(&format!("/schemas/{schema}/datasets"), other);
    let other = other.text("dataSetId");
    let ada = server.session("ada", PASSWORD);
    let there = save(&server, &ada, &other, json!({"name": "There"})).is(201);
    let id = there.text("savedViewId");
    let browser = Browser::signed_in(&server);
    let path = format!("/app/datasets/{dataset}");
    let page = browser.get(&path).is(200);
    let fields = [("view", &*id), ("q", "is:faulty")];
    let over = format!("{path}/views/replace");
    browser.send(&page, &over, &fields).is(404);
    let line = format!("GET /my/saved-views/{id}");
    let kept = server.ask(&ada, &line, None).is(200).json();
    assert_eq!(kept["query"], json!(""));
}

#[test]
fn a_name_that_a_view_cannot_have_is_told_in_the_language_of_the_page() {
    let server = AdminServer::start();
    let (dataset, _) = cities(&server);
    let browser = Browser::signed_in(&server).in_german();
    let path = format!("/app/datasets/{dataset}");
    let page = browser.get(&format!("{path}?q=is%3Afaulty")).is(200);
    let views = format!("{path}/views");
    let saved = [("q", "is:faulty"), ("name", "Offen")];
    browser.send(&page, &views, &saved).is(303);
    let taken = [("q", "Code:A1"), ("name", "Offen")];
    let taken = browser.send(&page, &views, &taken).is(409);
    let own = "Sie haben hier schon eine Ansicht mit dem Namen &#34;Offen&#34;";
    assert!(taken.body.contains(own), "{}", taken.body);
    let empty = browser.send(&page, &views, &[("q", "Code:A1"), ("name", " ")]);
    let empty = empty.is(400);
    let told = between(views_of(&empty), r#"role="alert">"#);
    assert!(told.contains("Zeichen"), "{told}");
}

#[test]
fn a_saved_view_that_one_may_not_ask_for_any_more_is_renamed_and_deleted_all_the_same() {
    let people = People::start();
    let grants = json!([{"area": people.area, "verbs": ["view", "edit"]}]);
    let eve = Browser::of_user(&people.server, "eve", &people.role, &grants);
    let own = people.server.session("eve", PASSWORD);
    // as it was saved by who had the right to see personal values then
    let view = json!({"name": "Mails", "query": "Mail:none", "sort": "-Mail"});
    let id = save(&people.server, &own, &people.dataset, view).is(201);
    let id = id.text("savedViewId");
    let path = format!("/app/datasets/{}", people.dataset);
    let state = format!("{path}?q=Mail%3Anone&sort=-Mail");
    let page = eve.get(&state).is(403);
    hides(&page, &state);
    assert!(page.body.contains(r#"role="alert""#), "{}", page.body);
    let shown = views_of(&page);
    for told in [
        r#"aria-current="true">Mails</a>"#,
        r#"data-operation="updateSavedView""#,
        r#"data-operation="deleteSavedView""#,
    ] {
        assert!(shown.contains(told), "{told}: {shown}");
    }
    // what is put in the place of the grid alone says the same
    let part = eve.part(&state).is(200);
    assert!(part.body.contains(r#"role="alert""#), "{}", part.body);
    let there = format!("{path}/views/{id}");
    eve.send(&page, &there, &[("name", "Letters")]).is(303);
    eve.send(&page, &format!("{there}/delete"), &[]).is(303);
    let page = eve.get(&path).is(200);
    assert!(!views_of(&page).contains("Letters"), "{}", page.body);
}

#[test]
fn a_saved_view_is_renamed_and_deleted_where_it_is_shown() {
    let server = AdminServer::start();
    let (dataset, _) = cities(&server);
    let browser = Browser::signed_in(&server);
    let path = format!("/app/datasets/{dataset}");
    let page = browser.get(&format!("{path}?q=is%3Afaulty")).is(200);
    for (query, name) in [("is:faulty", "Faulty"), ("Code:A1", HOSTILE)] {
        let fields = [("q", query), ("name", name)];
        browser
            .send(&page, &format!("{path}/views"), &fields)
            .is(303);
    }
    let page = browser.get(&format!("{path}?q=is%3Afaulty")).is(200);
    let shown = views_of(&page);
    assert!(shown.contains("Rename or delete “Faulty”"), "{shown}");
    assert!(
        !shown.contains("<script>") && !shown.contains("<img"),
        "{shown}"
    );
    let one = between(shown, "action=\"");
    assert!(one.starts_with(&format!("{path}/views/")), "{one}");
    let refused = browser.send(&page, &one, &[("name", HOSTILE)]).is(409);
    assert!(
        views_of(&refused).contains("<details open>"),
        "{}",
        refused.body
    );
    let renamed = browser.send(&page, &one, &[("name", "To mend")]).is(303);
    let place = renamed.header("location").expect("a place").to_owned();
    assert_eq!(
        place,
        format!("{path}?q=is%3Afaulty"),
        "what it shows is as it was"
    );
    assert!(views_of(&browser.get(&place).is(200)).contains(">To mend</a>"));
    let deleted = browser.send(&page, &format!("{one}/delete"), &[]).is(303);
    assert_eq!(deleted.header("location"), Some(&*place));
    let page = browser.get(&place).is(200);
    assert!(!views_of(&page).contains("To mend") && views_of(&page).contains("Save this view"));
    browser.send(&page, &format!("{one}/delete"), &[]).is(404);
}

#[test]
fn a_view_without_columns_is_shown_whatever_they_are_and_another_may_be_saved() {
    let server = AdminServer::start();
    let (dataset, _) = cities(&server);
    let browser = Browser::signed_in(&server);
    let path = format!("/app/datasets/{dataset}");
    let faulty = format!("{path}?q=is%3Afaulty");
    let page = browser.get(&faulty).is(200);
    let named = [("q", "is:faulty"), ("name", "To mend")];
    browser
        .send(&page, &format!("{path}/views"), &named)
        .is(303);
    let page = browser.get(&format!("{faulty}&columns=f-code")).is(200);
    let views = views_of(&page);
    assert!(views.contains(r#"aria-current="true">To mend<"#), "{views}");
    assert!(
        views.contains("Delete") && views.contains("Save this view"),
        "{views}"
    );
}
