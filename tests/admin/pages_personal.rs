//! Pages and personal values: none is shown to who may not see it, and what a form does not show stays as it was.

use crate::admin_server::PASSWORD;
use crate::browser::{Browser, form, posted};
use crate::personal_dataset::{People, hides};
use serde_json::json;
use std::collections::{BTreeSet, VecDeque};

fn eve(people: &People) -> Browser<'_> {
    let verbs = json!(["view", "add", "edit", "delete"]);
    let body = json!({"username": "eve", "fullName": "Eve", "email": "eve@example.org", "active": true,
        "password": PASSWORD, "roles": [people.role], "grants": [{"area": people.area, "verbs": verbs}]});
    people.server.make("/users", body);
    let body = form(&[("username", "eve"), ("password", PASSWORD)]);
    let answer = posted(&people.server, "/app/sign-in", "", &body).is(303);
    Browser::of(&people.server, &answer)
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
fn a_form_keeps_what_it_does_not_show() {
    let people = People::start();
    let browser = eve(&people);
    let before = people.mails();
    let path = format!("/app/datasets/{}/records/{}", people.dataset, people.ids[0]);
    let page = browser.get(&path).is(200);
    assert!(page.body.contains("***") && page.body.contains("PERSONAL DATA"));
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
