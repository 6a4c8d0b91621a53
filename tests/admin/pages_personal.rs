//! Pages and personal values: none is shown to who may not see it, and what a form does not show stays as it was.

use crate::admin_server::PASSWORD;
use crate::browser::{Browser, between, field, give_ada, written};
use crate::jobs::server;
use crate::pages_home::edit;
use crate::personal_dataset::{MARKER, People, hides, key_that_sees_none};
use serde_json::json;
use std::collections::{BTreeSet, VecDeque};

fn eve(people: &People) -> Browser<'_> {
    let verbs = json!(["view", "add", "edit", "delete"]);
    let body = json!({"username": "eve", "fullName": "Eve", "email": "eve@example.org", "active": true,
        "password": PASSWORD, "roles": [people.role], "grants": [{"area": people.area, "verbs": verbs}]});
    people.server.make("/users", body);
    Browser::entered(&people.server, "eve", PASSWORD)
}

#[test]
fn no_page_shows_them_to_who_may_not_see_them() {
    let people = People::start();
    let browser = eve(&people);
    let dataset = &people.dataset;
    let mut queue = VecDeque::from([
        "/app/".to_owned(),
        format!("/app/datasets/{dataset}?q=ulm"),
        format!("/app/datasets/{dataset}?q=is%3Afaulty"),
        "/app/search?q=ulm".to_owned(),
        format!("/app/go?q={}", people.ids[0]),
    ]);
    let mut seen: BTreeSet<String> = queue.iter().cloned().collect();
    let (mut pages, mut masks) = (0, 0);
    while let Some(path) = queue.pop_front() {
        let page = browser.get(&path);
        hides(&page, &path);
        pages += 1;
        masks += usize::from(page.body.contains("***"));
        let first = [r#"class="primary"#, r#"class="button primary"#];
        let first = first.map(|it| page.body.matches(it).count());
        assert!(first[0] + first[1] <= 1, "{path} is for one thing first");
        for link in page.body.split("href=\"").skip(1) {
            let link = link
                .split('"')
                .next()
                .expect("a quote")
                .replace("&amp;", "&");
            let link = link.split('#').next().unwrap_or_default().to_owned();
            let is_page = link.starts_with("/app/")
                && !link.contains("/assets/")
                && !link.contains("/downloads/");
            if is_page && seen.len() < 400 && seen.insert(link.clone()) {
                queue.push_back(link);
            }
        }
    }
    assert!(
        pages > 60 && masks >= 4,
        "{pages} pages, {masks} of them with a mask"
    );
}

#[test]
fn a_mask_says_what_it_stands_for_and_the_page_says_it_once_below() {
    let people = People::start();
    let english = eve(&people);
    let german = english.in_german();
    let there = format!("/app/datasets/{}", people.dataset);
    let record = format!("{there}/records/{}", people.ids[0]);
    for (browser, told) in [
        (&english, "you need the right to see personal data"),
        (&german, "mit dem Recht, persönliche Daten zu sehen"),
    ] {
        for path in [
            there.clone(),
            format!("{there}/deleted"),
            format!("{there}/faults"),
            format!("{record}/history"),
            record.clone(),
            "/app/search?q=ulm".to_owned(),
        ] {
            let page = browser.get(&path).is(200);
            let (main, legend) = page
                .body
                .split_once(r#"<p class="legend"#)
                .expect("a legend");
            assert!(legend.contains(told), "{path}: {legend}");
            // the sheet shows the legend where one of these is
            let masks = main.split("***").map(|before| before.rsplit('<').next());
            let mut tags = masks.flatten().take(main.matches("***").count());
            // what a form sends of before is not seen
            let tag = tags.find(|tag| !tag.contains("type=\"hidden\""));
            let tag = tag.expect("a tag");
            let is_marked = tag.contains("masked\"") || tag.contains("title=");
            assert!(is_marked && main.contains("masked\""), "{path}: {tag}");
            assert!(main.contains(told), "{path}: {main}");
        }
    }
    let sheet = english.get("/app/").is(200);
    assert!(sheet.body.contains("pages-"), "both sheets are loaded");
}

#[test]
fn what_was_stored_of_a_fault_in_other_words_is_told_by_its_rule_and_never_by_those_words() {
    let people = People::start();
    let told = format!("replace(errors, 'must be an e-mail address', '{MARKER} is none')");
    // of no rule, for what is wrong by now is not looked for where the value is not shown
    let spoil = format!("UPDATE records SET errors = {told} WHERE primary_key = 'P2'");
    let folder = people.server.folder.path();
    people.server.opened.forge(folder, &spoil);
    let english = eve(&people);
    let german = english.in_german();
    let there = format!("/app/datasets/{}", people.dataset);
    let record = format!("{there}/records/{}", people.ids[1]);
    for (browser, told) in [
        (&english, "breaks a rule that is not told"),
        (&german, "verletzt eine Regel, die nur erfährt"),
    ] {
        for path in [&there, &record] {
            let page = browser.get(path).is(200);
            hides(&page, path);
            assert!(page.body.contains(told), "{path}: {}", page.body);
        }
        for path in [
            &*format!("{record}/versions/0"),
            "/app/search?q=is%3Afaulty",
        ] {
            hides(&browser.get(path).is(200), path);
        }
    }
    // nor do the faulty rows that are taken along say more
    let path = format!("{there}/export");
    let page = english.get(&path).is(200);
    let fields = [
        ("format", "ndjson"),
        ("packing", "none"),
        ("withErrors", "true"),
    ];
    let file = english.exported(english.send(&page, &path, &fields));
    hides(&file, "the file");
    assert!(file.body.contains("Mail: ***"), "{}", file.body);
}

#[test]
fn what_is_wrong_with_a_value_that_was_personal_once_is_told_by_no_judgement_of_its_mask() {
    let people = People::start();
    let (server, id) = (&people.server, &people.ids[1]);
    // what is wrong with it stands in the past alone, so that nothing judges it anew
    let update = json!({"_dataObjectId": id, "_version": 0, "Mail": "two@example.org"});
    edit(server, &people.dataset, &[json!({ "update": update })]);
    let line = format!("/schemas/{}", people.schema);
    let mut document = server.get(&line)["document"].clone();
    let fields = document["fields"].as_array_mut().expect("fields");
    let mail = fields.iter_mut().find(|field| field["fieldId"] == "f-mail");
    mail.expect("Mail")["isPII"] = false.into();
    let line = format!("PUT {line}");
    server
        .root(&line, Some(json!({"document": document})))
        .is(200);
    // as another release told it
    let spoil = format!(
        "UPDATE change_log SET errors = replace(errors, 'must be an e-mail address', '{MARKER} is none')
         WHERE errors LIKE '%must be an e-mail address%'"
    );
    server.opened.forge(server.folder.path(), &spoil);
    let path = format!("/app/datasets/{}/records/{id}/versions/0", people.dataset);
    let page = eve(&people).get(&path).is(200);
    hides(&page, &path);
    let told = "breaks a rule that is not told";
    assert!(page.body.contains(told), "{}", page.body);
    let of_the_value = "must be an e-mail address";
    assert!(!page.body.contains(of_the_value), "{}", page.body);
    // who sees the value is told what is wrong with it by now
    let page = Browser::signed_in(server).get(&path).is(200);
    assert!(page.body.contains(of_the_value), "{}", page.body);
}

#[test]
fn a_form_keeps_what_it_does_not_show() {
    let people = People::start();
    let browser = eve(&people);
    let before = people.mails();
    let path = format!("/app/datasets/{}/records/{}", people.dataset, people.ids[0]);
    let page = browser.get(&path).is(200);
    assert!(page.body.contains("***") && page.body.contains("the right to see personal data"));
    let fields = [
        ("version", "1"),
        ("w-f-town", "Ulm"),
        ("v-f-town", "Neu-Ulm"),
    ];
    browser.send(&page, &path, &fields).is(303);
    assert_eq!(people.mails(), before);
    assert!(browser.get(&path).is(200).body.contains("Neu-Ulm"));
    let cell = format!("{path}/cells/f-mail");
    browser.part(&cell).is(404);
    // what is new is filled in by whoever knows it
    let new = format!("/app/datasets/{}/new", people.dataset);
    let page = browser.get(&new).is(200);
    assert!(page.body.contains("name=\"v-f-mail\""));
}

#[test]
fn nobody_sorts_a_list_by_what_it_may_not_see() {
    let people = People::start();
    let (ada, eve) = (Browser::signed_in(&people.server), eve(&people));
    let there = format!("/app/datasets/{}", people.dataset);
    let link = format!(r#"<a href="{there}?sort=Mail">Mail</a>"#);
    let completion = r#"data-text="sort=Mail ""#;
    for (browser, sees) in [(&ada, true), (&eve, false)] {
        let list = browser.get(&there).is(200).body;
        assert_eq!(list.contains(&link), sees, "{list}");
        // a column of it is there for both
        assert!(list.contains("Mail") && list.contains("?sort=Code"));
        let path = format!("{there}/completions?q=sort%3D");
        let offered = browser.part(&path).is(200).body;
        assert_eq!(offered.contains(completion), sees, "{offered}");
        assert!(offered.contains(r#"data-text="sort=Code ""#), "{offered}");
        // nor by an address that it writes itself
        for asked in [
            "sort=Mail",
            "sort=-Mail",
            "q=ulm&sort=Mail",
            "q=sort%3DMail",
        ] {
            let path = format!("{there}?{asked}");
            let answer = browser.get(&path).is(if sees { 200 } else { 403 });
            if !sees {
                hides(&answer, &path);
            }
        }
    }
}

#[test]
fn the_trail_names_the_records_that_someone_looked_at_by_their_keys() {
    let people = People::start();
    let browser = Browser::signed_in(&people.server);
    let record = format!("/app/datasets/{}/records/{}", people.dataset, people.ids[0]);
    browser.get(&format!("{record}/history")).is(200);
    let trail = browser.get("/app/audit?noun=record").is(200);
    let named = format!(
        r#"<a href="{record}"><b>P1</b></a>: personal data viewed<span class="muted small block">Id <code>{}"#,
        people.ids[0]
    );
    assert!(trail.body.contains(&named), "{named}: {}", trail.body);
}

#[test]
fn examples_of_faults_and_records_that_an_undo_left_are_named_by_their_keys_or_a_mask() {
    let server = server();
    let mut name = field("f-name", "Name", "string", true);
    name["isPII"] = true.into();
    let people = field("f-people", "People", "integer", false);
    let document = json!({"name": "Household", "fields": [name, people]});
    let [area, _, dataset] = server.places(&document);
    give_ada(&server, &area);
    let records = [json!({"Name": MARKER, "People": "many"})];
    let id = written(&server, &dataset, &records).remove(0);
    let (role, _) = key_that_sees_none(&server, &area);
    let all = json!([{"area": area, "verbs": ["view", "add", "edit", "delete"]}]);
    let ada = Browser::signed_in(&server);
    let eve = Browser::of_user(&server, "eve", &role, &all);
    let link = format!(r#"<a href="/app/datasets/{dataset}/records/{id}">"#);
    let (key, mask) = (
        format!("{link}{MARKER}</a>"),
        format!(
            r#"{link}<span class="masked" title="Personal data: to see it, you need the right to see personal data.">***<span class="sr"> Personal data:"#
        ),
    );
    let faults = format!("/app/datasets/{dataset}/faults");
    let page = ada.get(&faults).is(200);
    assert!(page.body.contains(&key), "{key}: {}", page.body);
    let page = eve.get(&faults).is(200);
    hides(&page, &faults);
    assert!(page.body.contains(&mask), "{mask}: {}", page.body);
    // each sets the field, someone writes it since, and the job is undone
    for (browser, version, named) in [(&ada, 1, &key), (&eve, 3, &mask)] {
        let there = format!("/app/datasets/{dataset}/mend");
        let page = browser.get(&format!("{there}?field=People")).is(200);
        let fields = [("field", "People"), ("action", "set"), ("with", "7")];
        let tried = browser.ended_job(browser.send(&page, &there, &fields));
        let trial = between(&tried.body, r#"name="trial" value=""#);
        let done = browser.ended_job(browser.send(&tried, &there, &[("trial", &trial)]));
        let line = json!({"update": {"_dataObjectId": id, "_version": version, "People": "few"}});
        edit(&server, &dataset, &[line]);
        let job = between(&done.body, r#"action="/app/jobs/"#);
        let undone = browser.send(&done, &format!("/app/jobs/{job}"), &[]);
        let page = browser.ended_job(undone);
        assert!(page.body.contains(named), "{named}: {}", page.body);
    }
}

#[test]
fn a_version_that_differs_in_what_one_does_not_see_is_not_taken_for_the_one_that_came_back() {
    let people = People::start();
    let browser = eve(&people);
    let record = format!("/app/datasets/{}/records/{}", people.dataset, people.ids[0]);
    let page = browser.get(&format!("{record}/history")).is(200);
    // both differ in an address that is masked, and in nothing else
    let path = |version: i64| format!("{record}/versions/{version}/restore");
    let now = [("version", "1")];
    browser.send(&page, &path(0), &now).is(303);
    browser.send(&page, &path(1), &now).is(409);
}
