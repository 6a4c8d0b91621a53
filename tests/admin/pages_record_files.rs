//! Files of a record in the application: added, seen, replaced and taken away, with what is wrong with them.

use crate::admin_server::{AdminServer, Answer};
use crate::browser::{Browser, between, field, give_ada, written};
use runtime::service::files::{FileSettings, FileStorage};
use serde_json::{Value, json};

/// A picture of one pixel.
const PICTURE: &str = "GIF89a\u{1}\0\u{1}\0\0\0\0;";

struct Halls {
    server: AdminServer,
    dataset: String,
    record: String,
}

impl Halls {
    fn start() -> Self {
        let server = AdminServer::start();
        let folder = server.folder.path().join("files");
        let storage = FileStorage::folder(&folder).expect("a folder for files");
        let files = server.opened.files.clone();
        server
            .service
            .use_files(files, storage, FileSettings::default());
        let mut picture = field("f-picture", "Picture", "image", false);
        picture["maxSize"] = json!(100);
        let mut papers = field("f-papers", "Papers", "document", false);
        papers["isMultivalue"] = json!(true);
        let code = field("f-code", "Code", "string", true);
        let document = json!({"name": "Hall", "fields": [code, picture, papers]});
        let [area, _, dataset] = server.places(&document);
        give_ada(&server, &area);
        let [record] =
            <[String; 1]>::try_from(written(&server, &dataset, &[json!({"Code": "H1"})]))
                .expect("a record");
        Halls {
            server,
            dataset,
            record,
        }
    }

    fn path(&self) -> String {
        format!("/app/datasets/{}/records/{}", self.dataset, self.record)
    }

    /// Sends a file for a field from a page that was seen.
    fn add(&self, browser: &Browser<'_>, page: &Answer, field: &str, file: (&str, &str)) -> Answer {
        let path = format!("{}/files/{field}", self.path());
        let (version, was) = seen(page, &path);
        let fields = [("version", &*version), ("was", &*was)];
        browser.send_file(page, &path, &fields, file)
    }

    /// The record as management lists it.
    fn stored(&self) -> Value {
        let path = format!(
            "/datasets/{}/records/{}/versions",
            self.dataset, self.record
        );
        let past = self
            .server
            .get(&format!("{}/history", path.trim_end_matches("/versions")));
        let newest = past["items"][0]["version"].as_i64().expect("a version");
        self.server.get(&format!("{path}/{newest}"))
    }
}

/// What the form with this address says that was seen.
fn seen(page: &Answer, path: &str) -> (String, String) {
    let form = page.body.split(&format!(r#"action="{path}""#)).nth(1);
    let form = form.unwrap_or_else(|| panic!("no form {path} in {}", page.body));
    (
        between(form, r#"name="version" value=""#),
        between(form, r#"name="was" value=""#),
    )
}

#[test]
fn a_picture_is_added_seen_replaced_and_taken_away() {
    let halls = Halls::start();
    let browser = Browser::signed_in(&halls.server);
    let page = browser.get(&halls.path()).is(200);
    let sent = halls.add(&browser, &page, "f-picture", ("hall.gif", PICTURE));
    sent.is(303);
    let page = browser.get(&format!("{}?saved", halls.path())).is(200);
    let link = between(&page.body, r#"<img class="picture" src=""#).replace("&#38;", "&");
    assert!(link.starts_with("/v1/files/"), "of this very host: {link}");
    let picture = browser.get(&link).is(200);
    assert_eq!(picture.header("content-type"), Some("image/gif"));
    // the grid leads to it, too
    let list = browser.get(&format!("/app/datasets/{}", halls.dataset));
    assert!(
        list.body.contains(r#"<a href="/v1/files/"#),
        "{}",
        list.body
    );
    // one that is too large is stored, and told
    let large = PICTURE.to_owned() + &"x".repeat(200);
    let sent = halls.add(&browser, &page, "f-picture", ("large.gif", &large));
    sent.is(303);
    let page = browser.get(&halls.path()).is(200);
    assert!(
        page.body.contains("Faulty fields <b>1</b>"),
        "{}",
        page.body
    );
    assert!(
        page.body.contains(r#"<p class="why" id="e-f-picture">"#),
        "{}",
        page.body
    );
    let path = format!("{}/files/f-picture/remove", halls.path());
    let (version, was) = seen(&page, &path);
    let fields = [("version", &*version), ("was", &*was), ("at", "0")];
    browser.send(&page, &path, &fields).is(303);
    let page = browser.get(&halls.path()).is(200);
    assert!(!page.body.contains("<img"), "{}", page.body);
}

#[test]
fn papers_are_added_one_by_one_and_no_one_loses_those_of_another() {
    let halls = Halls::start();
    let browser = Browser::signed_in(&halls.server);
    let papers = || halls.stored()["Papers"].as_array().map_or(0, Vec::len);
    let page = browser.get(&halls.path()).is(200);
    halls
        .add(&browser, &page, "f-papers", ("one.txt", "one"))
        .is(303);
    let page = browser.get(&halls.path()).is(200);
    halls
        .add(&browser, &page, "f-papers", ("two.txt", "two"))
        .is(303);
    assert_eq!(papers(), 2);
    // who still sees one of them is told, and nothing is written
    let late = halls.add(&browser, &page, "f-papers", ("late.txt", "late"));
    let late = late.is(409);
    assert!(
        late.body.contains("Someone else has changed these files"),
        "{}",
        late.body
    );
    assert_eq!(papers(), 2);
    // what was changed in another field meanwhile is no reason
    let page = browser.get(&halls.path()).is(200);
    halls
        .add(&browser, &page, "f-picture", ("hall.gif", PICTURE))
        .is(303);
    halls
        .add(&browser, &page, "f-papers", ("three.txt", "three"))
        .is(303);
    assert_eq!(papers(), 3);
    let page = browser.get(&halls.path()).is(200);
    let none = halls.add(&browser, &page, "f-papers", ("", "")).is(400);
    assert!(none.body.contains("Choose a file"), "{}", none.body);
    let path = format!("{}/files/f-papers/remove", halls.path());
    let (version, was) = seen(&page, &path);
    let fields = [("version", &*version), ("was", &*was), ("at", "1")];
    browser.send(&page, &path, &fields).is(303);
    assert_eq!(papers(), 2);
}

#[test]
fn management_takes_a_file_for_who_may_make_or_change_records() {
    let halls = Halls::start();
    let body = "--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.txt\"\r\n\r\ntext\r\n--b--\r\n";
    let line = format!("POST /admin/api/v1/datasets/{}/files", halls.dataset);
    let send = |by: &str| {
        let headers = [
            ("Authorization", by),
            ("Content-Type", "multipart/form-data; boundary=b"),
        ];
        halls.server.send(&line, &headers, Some(body))
    };
    let made = send(&halls.server.root).is(201);
    assert_eq!(made.json()["name"], "a.txt");
    let (_, member) = halls
        .server
        .key("member", &[&halls.server.role("MEMBER")], &[]);
    send(&member).is(403);
}
