//! The palette leads to whatever a form of the pages does: each is found by its name and that of what it is about, in both languages,
//! where the form stands; or it is named here with the reason why it is not. Nobody is led to what it may not do.

use crate::admin_server::{AdminServer, RESOURCES_BUT_PERSONAL};
use crate::browser::{Browser, cities, form};
use crate::jobs::{sent_in_bulk, server};
use crate::pages_by_right::{Nouns, forms};
use crate::pages_record_files::Halls;
use crate::rights::role;
use crate::second_factor::enrolled;
use serde_json::json;
use std::collections::BTreeSet;

/// What the palette leads to, a line each: the address of a form, what finds it in English and in German, and where that leads. Of
/// things made for it, `{keys}` and the like stand for the id, `{-areas}` and the like for that of one that is deleted.
const GOALS: &str = include_str!("goals.tsv");

/// The lines of them.
fn goals() -> Vec<[&'static str; 4]> {
    let lines = GOALS.lines();
    let cells = lines.map(|line| line.split('\t').collect::<Vec<_>>());
    let goals = cells.map(|cells| <[&str; 4]>::try_from(cells).expect("four cells"));
    goals.collect()
}

/// Forms that are there in some states alone; each has a test below, or in `pages_webhooks.rs`.
const AT_TIMES: &[&str] = &[
    "/datasets/{id}/records/{record}/files/{field}",
    "/datasets/{id}/records/{record}/files/{field}/remove",
    "/jobs/{id}/files/delete",
    "/jobs/{id}/undo",
    "/profile/second-factor/remove",
    "/users/{id}/second-factor/remove",
    "/webhooks/{id}/letters/{letter}/discard",
    "/webhooks/{id}/letters/{letter}/resend",
];

const BEHIND: &str = "a step behind another form, to which the palette leads";
const MARKED: &str = "it is about what is marked in a grid";
const SWITCHED: &str = "it takes the place of the form that switches off";
const UNASKED: &str = "a page that one comes to before one has signed in, or when one is asked";

/// Forms that the palette does not lead to, and why not.
const NO_GOALS: &[(&str, &str)] = &[
    ("/areas/{id}/schemas", BEHIND),
    ("/clients/{id}/enable", SWITCHED),
    ("/datasets/{id}/domain-effects", BEHIND),
    ("/datasets/{id}/effects", BEHIND),
    ("/datasets/{id}/paste", MARKED),
    ("/datasets/{id}/paste/write", MARKED),
    ("/datasets/{id}/records/{record}/cells/{field}", MARKED),
    ("/datasets/{id}/records/{record}/cells/{field}/mend", MARKED),
    (
        "/datasets/{id}/records/{record}/purge",
        "the list of the deleted, which is found by this name, leads to each of them",
    ),
    ("/datasets/{id}/selected/delete", MARKED),
    ("/datasets/{id}/selected/look", MARKED),
    ("/datasets/{id}/selected/set", MARKED),
    ("/invitation", UNASKED),
    ("/keys/{id}/enable", SWITCHED),
    ("/profile/second-factor/confirm", BEHIND),
    ("/proof", UNASKED),
    ("/schemas/{id}/effects", BEHIND),
    ("/setup", UNASKED),
    ("/sign-in", UNASKED),
    ("/webhooks/{id}/enable", SWITCHED),
];

/// Whether someone who types this is led there.
fn is_led(browser: &Browser<'_>, typed: &str, place: &str) -> bool {
    let query = form(&[("q", typed)]);
    let found = browser.part(&format!("/app/go?{query}")).is(200).body;
    found.contains(&format!(r#"href="/app{place}""#))
}

/// The page of a place, which has what its mark names.
fn page_at(browser: &Browser<'_>, place: &str) -> String {
    let (path, mark) = place.split_once('#').unwrap_or((place, ""));
    let page = browser.get(&format!("/app{path}")).is(200).body;
    let is_there = mark.is_empty() || page.contains(&format!(r#"id="{mark}""#));
    assert!(is_there, "{place}: {page}");
    page
}

fn placed(nouns: &Nouns, place: &str) -> String {
    let mut place = place.replace("{record}", &nouns.record);
    for (noun, id) in &nouns.ids {
        place = place.replace(&format!("{{{noun}}}"), id);
    }
    for (noun, id) in &nouns.gone {
        place = place.replace(&format!("{{-{noun}}}"), id);
    }
    assert!(!place.contains('{'), "{place}");
    place
}

#[test]
fn each_form_is_found_by_its_name_in_each_language_or_is_no_goal_for_a_reason() {
    let server = AdminServer::start();
    let nouns = Nouns::of(&server);
    let update = json!({"_dataObjectId": nouns.record, "_version": 0, "People": 13});
    let lines = [json!({"update": update})];
    sent_in_bulk(&server, nouns.id("datasets"), &lines).is(200);
    let ada = Browser::signed_in(&server);
    let german = ada.in_german();
    let view: &[&str] = &["view"];
    let resources = RESOURCES_BUT_PERSONAL.map(|it| (it, view));
    let looks = role(&server, "Looks", &resources);
    let grants = json!([{"area": nouns.id("areas"), "verbs": ["view"]}]);
    let joe = Browser::of_user(&server, "joe", &looks, &grants);
    for [path, english, translated, place] in goals() {
        let own = forms().into_iter().find(|form| form.path == path);
        let operation = own.and_then(|form| form.operation).expect(path);
        let place = placed(&nouns, place);
        assert!(is_led(&ada, english, &place), "{english}: {place}");
        assert!(is_led(&german, translated, &place), "{translated}: {place}");
        let page = page_at(&ada, &place);
        let named = format!(r#"data-operation="{operation}""#);
        assert!(page.contains(&named), "{place} lacks {named}: {page}");
        let address = nouns.filled(path);
        let is_known = !address.contains("/x/");
        assert!(
            !is_known || page.contains(&format!(r#""{address}""#)),
            "{address}: {page}"
        );
        // to a form of someone else, nobody who only looks
        if place.contains('#')
            && !["/profile", "/datasets"]
                .iter()
                .any(|it| place.starts_with(it))
        {
            assert!(!is_led(&joe, english, &place), "{english}: {place}");
        }
    }
    assert!(!is_led(
        &joe,
        "delete a1",
        &placed(&nouns, "/datasets/{datasets}/records/{record}#delete")
    ));
    let goals = goals();
    let goals = goals.iter().map(|[path, ..]| *path);
    let named = NO_GOALS.iter().map(|(path, _)| *path);
    let told: BTreeSet<&str> = goals.chain(AT_TIMES.iter().copied()).collect();
    let left_out: BTreeSet<&str> = named.collect();
    let all = forms();
    let all: BTreeSet<&str> = all.iter().map(|form| form.path.as_str()).collect();
    let both: Vec<_> = told.intersection(&left_out).collect();
    assert!(both.is_empty(), "a goal, and none: {both:?}");
    let known: BTreeSet<&str> = told.union(&left_out).copied().collect();
    assert_eq!(known, all);
}

#[test]
fn one_finds_what_is_no_form_a_download_a_copy_the_export_of_the_trail_and_a_language() {
    let server = AdminServer::start();
    let nouns = Nouns::of(&server);
    let ada = Browser::signed_in(&server);
    let german = ada.in_german();
    for ([english, translated], place) in [
        (["rust city", "rust city"], "/schemas/{schemas}/as/rust"),
        (
            ["json schema city", "json schema city"],
            "/schemas/{schemas}/as/json-schema",
        ),
        (
            ["download city", "herunterladen city"],
            "/schemas/{schemas}/as/json",
        ),
        (
            ["clone city", "klonen city"],
            "/areas/{areas}/schemas/new?from={schemas}",
        ),
        (
            ["change fields europe", "ändern felder europe"],
            "/schemas/{schemas}/edit",
        ),
        (
            ["export audit", "exportieren protokollbuch"],
            "/audit/export",
        ),
        (["language", "sprache"], "/language/de"),
        (["deutsch", "deutsch"], "/language/de"),
        (["spare api keys", "spare api-schlüssel"], "/keys/{keys}"),
        (["spare clients", "spare anwendungen"], "/clients/{clients}"),
        (["spare users", "spare benutzer"], "/users/{users}"),
        (["spare roles", "spare rollen"], "/roles/{roles}"),
        (["hook", "hook"], "/webhooks/{webhooks}"),
        (["sizes", "sizes"], "/domains/{domains}"),
        (["import jobs", "import aufträge"], "/jobs/{jobs}"),
    ] {
        let place = placed(&nouns, place);
        assert!(is_led(&ada, english, &place), "{english}: {place}");
        assert!(is_led(&german, translated, &place), "{translated}: {place}");
    }
    // however many fit, the list stays short
    let all = ada.part("/app/go?q=e").is(200).body;
    let goals = all.matches("<li>").count();
    assert!((12..=18).contains(&goals), "{goals}: {all}");
}

#[test]
fn a_view_is_saved_as_the_page_is_from_which_the_palette_was_opened() {
    let server = AdminServer::start();
    let (dataset, _) = cities(&server);
    let ada = Browser::signed_in(&server);
    let there = format!("/app/datasets/{dataset}?q=is%3Afaulty");
    let found = |from: &str| {
        let headers = [("Cookie", &*ada.cookie), ("Referer", from)];
        let query = form(&[("q", "save view europe")]);
        server
            .send(&format!("GET /app/go?{query}"), &headers, None)
            .is(200)
            .body
    };
    let own = found(&format!("http://localhost{there}"));
    assert!(
        own.contains(&format!(r#"href="{there}#save-view""#)),
        "{own}"
    );
    assert!(ada.get(&there).is(200).body.contains(r#"id="save-view""#));
    // a later page of it is the same view
    let later = found(&format!("http://localhost{there}&pageKey=x"));
    assert!(
        later.contains(&format!(r#"href="{there}#save-view""#)),
        "{later}"
    );
    let first_columns = "?columns=f-code+f-people#save-view";
    let elsewhere = |from: &str| {
        let other = found(from);
        assert!(other.contains(first_columns), "{from}: {other}");
    };
    for from in [
        "http://localhost/app/areas?q=x",
        "http://localhost/elsewhere?q=x",
        "no address",
        &format!("http://localhost/app/datasets/{dataset}?saved=1"),
    ] {
        elsewhere(from);
    }
    // what is saved is no new view: its page has no such form
    let save = |name: &str, query: &str, columns: &str| {
        let page = ada.get(&format!("/app/datasets/{dataset}")).is(200);
        let fields = [("name", name), ("q", query), ("columns", columns)];
        let path = format!("/app/datasets/{dataset}/views");
        ada.send(&page, &path, &fields).is(303);
    };
    save("Faulty", "is:faulty", "");
    assert!(!ada.get(&there).is(200).body.contains(r#"id="save-view""#));
    elsewhere(&format!("http://localhost{there}"));
    elsewhere(&format!("http://localhost{there}&pageKey=x"));
    save("Both", "", "f-code f-people");
    let none = found("no address");
    assert!(!none.contains("#save-view"), "{none}");
}

#[test]
fn the_newest_jobs_are_found_with_what_may_be_done_to_them() {
    let server = server();
    let (dataset, _) = cities(&server);
    let ada = Browser::signed_in(&server);
    let fields = [("try", "false"), ("mode", "create")];
    let sent = ada
        .import(&dataset, &fields, ("towns.csv", "Code,People\nB1,3\n"))
        .is(303);
    let job = sent.header("location").expect("a job").to_owned();
    let job = job.trim_start_matches("/app").to_owned();
    let done = ada.ended_job(sent);
    assert!(is_led(&ada, "towns.csv", &job));
    assert!(!is_led(
        &ada,
        "cancel import europe",
        &format!("{job}#cancel")
    ));
    let undo = format!("{job}#undo");
    assert!(is_led(&ada, "undo import europe", &undo));
    assert!(is_led(&ada.in_german(), "rückgängig import", &undo));
    assert!(page_at(&ada, &undo).contains(r#"data-operation="undoJob""#));
    let undone = ada.send(&done, &format!("/app{job}/undo"), &[]).is(303);
    ada.ended_job(undone);
    assert!(!is_led(&ada, "undo towns.csv", &undo), "it was undone");
    let export = format!("/app/datasets/{dataset}/export");
    let page = ada.get(&export).is(200);
    let sent = ada.send(&page, &export, &[("format", "csv")]).is(303);
    let job = sent.header("location").expect("a job").to_owned();
    let job = job.trim_start_matches("/app").to_owned();
    ada.ended_job(sent);
    let files = format!("{job}#files");
    assert!(is_led(&ada, "delete files export", &files));
    assert!(is_led(&ada.in_german(), "dateien löschen export", &files));
    assert!(page_at(&ada, &files).contains(r#"data-operation="deleteJobFiles""#));
    assert!(is_led(
        &ada,
        "download export europe",
        &format!("{job}/export")
    ));
}

#[test]
fn the_files_of_a_record_are_found_by_its_name_where_it_may_have_some() {
    let halls = Halls::start();
    let ada = Browser::signed_in(&halls.server);
    let page = ada.get(&halls.path()).is(200);
    halls.add(&ada, &page, "f-papers", ("a.txt", "a")).is(303);
    let place = format!("{}#files", halls.path().trim_start_matches("/app"));
    assert!(is_led(&ada, "files h1", &place));
    assert!(is_led(&ada.in_german(), "dateien h1", &place));
    let page = page_at(&ada, &place);
    for address in ["/files/f-papers\"", "/files/f-papers/remove\""] {
        assert!(page.contains(address), "{address}: {page}");
    }
    let plain = AdminServer::start();
    let (dataset, [record, _]) = cities(&plain);
    let ada = Browser::signed_in(&plain);
    let place = format!("/datasets/{dataset}/records/{record}");
    assert!(is_led(&ada, "history a1", &format!("{place}/history")));
    assert!(!is_led(&ada, "files a1", &format!("{place}#files")));
}

#[test]
fn a_second_factor_that_is_set_up_is_found_to_be_removed() {
    let server = AdminServer::start();
    let before = Browser::signed_in(&server);
    let place = format!("/users/{}#factor", server.ada);
    assert!(!is_led(&before, "remove second factor ada", &place));
    let helps = role(&server, "Helps", &[("USERS", &["view", "edit"])]);
    let (session, ..) = enrolled(&server);
    assert!(!session.is_empty());
    let eve = Browser::of_user(&server, "eve", &helps, &json!([]));
    // who may do less than she changes nothing of hers
    assert!(!is_led(&eve, "remove second factor ada", &place));
    let admin = server.role("ACCOUNT ADMINISTRATOR");
    let bob = Browser::of_user(&server, "bob", &admin, &json!([]));
    assert!(is_led(&bob, "remove second factor ada", &place));
    assert!(is_led(&bob, "remove second factor", "/profile#factor"));
    assert!(is_led(
        &bob.in_german(),
        "zweiten faktor entfernen ada",
        &place
    ));
    assert!(page_at(&bob, &place).contains(r#"data-operation="removeSecondFactorOfUser""#));
}
