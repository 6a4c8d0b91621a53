//! Files of a record in the application: added, seen, replaced and taken away, with what is wrong with them.

use crate::admin_server::{AdminServer, city};
use crate::at_once::at_once;
use crate::browser::{Browser, between, field, give_ada, written};
use crate::pages_read_only::{reader, without_form};
use crate::requests::Answer;
use runtime::service::files::{FileSettings, FileStorage};
use runtime::service::{Quotas, Settings};
use serde_json::{Value, json};

/// A picture of one pixel.
pub(crate) const PICTURE: &str = "GIF89a\u{1}\0\u{1}\0\0\0\0;";

/// The beginning of a film, and that of a sound.
const FILM: &str = "\0\0\0\u{18}ftypmp42\0\0\0\0mp42isom";
const SOUND: &str = "ID3\u{4}\0\0\0\0\0\0";

/// Bytes that a file may have.
pub(crate) const BYTES_MAX: usize = 1_000;

pub(crate) struct Halls {
    pub(crate) server: AdminServer,
    pub(crate) dataset: String,
    pub(crate) record: String,
}

/// Keeps files from now on, in the server's folder.
pub(crate) fn use_files(server: &AdminServer) {
    let folder = server.folder.path().join("files");
    let storage = FileStorage::folder(&folder).expect("a folder for files");
    let files = server.opened.files.clone();
    let settings = FileSettings {
        bytes_max: BYTES_MAX as u64,
        ..FileSettings::default()
    };
    server.service.use_files(files, storage, settings);
}

impl Halls {
    pub(crate) fn start() -> Self {
        Halls::on(AdminServer::start())
    }

    /// A hall with a picture and papers.
    pub(crate) fn on(server: AdminServer) -> Self {
        let mut picture = field("f-picture", "Picture", "image", false);
        picture["maxSize"] = json!(100);
        let mut papers = field("f-papers", "Papers", "document", false);
        papers["isMultivalue"] = json!(true);
        Halls::of(server, vec![picture, papers])
    }

    /// A hall whose record has these fields beside its key.
    fn with(fields: Vec<Value>) -> Self {
        Halls::of(AdminServer::start(), fields)
    }

    fn of(server: AdminServer, mut fields: Vec<Value>) -> Self {
        use_files(&server);
        fields.insert(0, field("f-code", "Code", "string", true));
        let document = json!({"name": "Hall", "fields": fields});
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

    pub(crate) fn path(&self) -> String {
        format!("/app/datasets/{}/records/{}", self.dataset, self.record)
    }

    /// Sends a file for a field from a page that was seen.
    pub(crate) fn add(
        &self,
        browser: &Browser<'_>,
        page: &Answer,
        field: &str,
        file: (&str, &str),
    ) -> Answer {
        let path = format!("{}/files/{field}", self.path());
        let (version, was) = seen(page, &path);
        let fields = [("version", &*version), ("was", &*was)];
        browser.send_file(page, &path, &fields, file)
    }

    /// The record as management lists it.
    fn stored(&self) -> Value {
        let version = self.version();
        let record = format!("/datasets/{}/records/{}", self.dataset, self.record);
        self.server.get(&format!("{record}/versions/{version}"))
    }

    /// The record's version.
    pub(crate) fn version(&self) -> i64 {
        let record = format!("/datasets/{}/records/{}", self.dataset, self.record);
        let past = self.server.get(&format!("{record}/history"));
        past["items"][0]["version"].as_i64().expect("a version")
    }
}

/// What the form with this address says that was seen.
pub(crate) fn seen(page: &Answer, path: &str) -> (String, String) {
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
    // and is asked for the address that is copied, as of all files
    assert!(list.body.contains(" data-shortened>"), "{}", list.body);
    let asked = format!("{}/cells/f-picture?whole=true", halls.path());
    let whole = browser.part(&format!("{asked}&columns=f-picture")).is(200);
    let address = between(&whole.body, r#"data-filled=""#);
    assert!(address.contains("/v1/files/"), "{address}");
    // one that is too large is stored, and told
    let large = PICTURE.to_owned() + &"x".repeat(200);
    let sent = halls.add(&browser, &page, "f-picture", ("large.gif", &large));
    sent.is(303);
    let page = browser.get(&halls.path()).is(200);
    assert!(
        page.body.contains("<b>1</b> faulty field<"),
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
fn an_attachment_that_is_a_picture_is_seen() {
    let mut scans = field("f-scans", "Scans", "attachment", false);
    scans["isMultivalue"] = json!(true);
    let halls = Halls::with(vec![scans]);
    let browser = Browser::signed_in(&halls.server);
    // what it is, its content says, and one whose name says something else is no picture to any browser
    for file in [
        ("hall.gif", PICTURE),
        ("hall.txt", PICTURE),
        ("text.gif", "text"),
    ] {
        let page = browser.get(&halls.path()).is(200);
        halls.add(&browser, &page, "f-scans", file).is(303);
    }
    let catalog = halls.server.service.store().catalog();
    let area = catalog.datasets[&halls.dataset].area.clone();
    let reader = reader(&halls.server, &area);
    let page = browser.get(&halls.path()).is(200);
    let refused = halls.add(&browser, &page, "f-scans", ("", "")).is(400);
    let (newest, _) = seen(&page, &format!("{}/files/f-scans", halls.path()));
    let past = browser.get(&format!("{}/versions/{newest}", halls.path()));
    for page in [
        &page,
        &refused,
        &past.is(200),
        &reader.get(&halls.path()).is(200),
    ] {
        let has = |text: &str| page.body.matches(text).count();
        assert_eq!(has(r#"<img class="picture" src=""#), 1, "{}", page.body);
        for told in [
            "> hall.gif · 14 bytes</a>",
            ">hall.txt · 14 bytes</a>",
            ">text.gif · 4 bytes</a>",
        ] {
            assert_eq!(has(told), 1, "{told}: {}", page.body);
        }
        let link = between(&page.body, r#"<img class="picture" src=""#);
        let picture = browser.get(&link.replace("&#38;", "&")).is(200);
        assert_eq!(picture.header("content-type"), Some("image/gif"));
    }
}

#[test]
fn films_and_sounds_are_played_on_the_page_of_their_record_alone() {
    let mut takes = field("f-takes", "Takes", "attachment", false);
    takes["isMultivalue"] = json!(true);
    let halls = Halls::with(vec![takes, field("f-film", "Film", "video", false)]);
    let browser = Browser::signed_in(&halls.server);
    let plays = |page: &Answer| {
        let policy = page.header("content-security-policy").expect("a policy");
        policy.contains("; media-src 'self'")
    };
    assert!(!plays(&browser.get(&halls.path()).is(200)));
    for (field, file) in [
        ("f-takes", ("hall.mp4", FILM)),
        ("f-takes", ("hall.mp3", SOUND)),
        // its name says something else than its content
        ("f-takes", ("hall.txt", FILM)),
        ("f-takes", ("hall.pdf", "%PDF-1.7")),
        ("f-film", ("film.mp4", FILM)),
    ] {
        let page = browser.get(&halls.path()).is(200);
        halls.add(&browser, &page, field, file).is(303);
    }
    let page = browser.get(&halls.path()).is(200);
    let refused = halls.add(&browser, &page, "f-takes", ("", "")).is(400);
    let (newest, _) = seen(&page, &format!("{}/files/f-takes", halls.path()));
    let past = browser.get(&format!("{}/versions/{newest}", halls.path()));
    for page in [&page, &refused, &past.is(200)] {
        let has = |text: &str| page.body.matches(text).count();
        let shown = [has("<video "), has("<audio "), has(" bytes</a>")];
        assert_eq!(shown, [2, 1, 5], "{}", page.body);
        assert!(plays(page), "{}", page.head);
    }
    assert!(!plays(&browser.get("/app/").is(200)));
    // a player asks for parts
    let link = between(&page.body, r#"<video class="picture" src=""#).replace("&#38;", "&");
    let line = format!("GET {link}");
    let part = halls.server.send(&line, &[("Range", "bytes=4-7")], None);
    let part = part.is(206);
    assert_eq!(part.body, "ftyp");
    assert_eq!(part.header("content-type"), Some("video/mp4"));
    assert_eq!(part.header("content-range"), Some("bytes 4-7/24"));
}

#[test]
fn who_may_only_look_sees_files_and_fetches_them() {
    let halls = Halls::start();
    let browser = Browser::signed_in(&halls.server);
    for (field, file) in [
        ("f-picture", ("hall.gif", PICTURE)),
        ("f-papers", ("one.txt", "one")),
        ("f-papers", ("two.txt", "two")),
    ] {
        let page = browser.get(&halls.path()).is(200);
        halls.add(&browser, &page, field, file).is(303);
    }
    let catalog = halls.server.service.store().catalog();
    let area = catalog.datasets[&halls.dataset].area.clone();
    let reader = reader(&halls.server, &area);
    let page = reader.get(&halls.path()).is(200);
    let main = without_form(&page);
    let link = between(main, r#"<img class="picture" src=""#).replace("&#38;", "&");
    reader.get(&link).is(200);
    for told in [">one.txt · 3 bytes</a>", ">two.txt · 3 bytes</a>"] {
        assert!(main.contains(told), "{told}: {main}");
    }
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
fn many_that_add_files_at_once_each_to_another_field_are_all_written() {
    const AT_ONCE: usize = 12;
    let own = |at: usize| field(&format!("f-{at}"), &format!("Paper{at}"), "document", false);
    let halls = Halls::with((1..=AT_ONCE).map(own).collect());
    let browser = Browser::signed_in(&halls.server);
    let page = browser.get(&halls.path()).is(200);
    let add = |at: usize| {
        let file = ("paper.txt", "text");
        halls.add(&browser, &page, &format!("f-{at}"), file).status
    };
    assert_eq!(at_once(AT_ONCE, |at| add(at + 1)), [303; AT_ONCE]);
    let stored = halls.stored();
    for at in 1..=AT_ONCE {
        assert!(!stored[format!("Paper{at}")].is_null(), "{at}: {stored}");
    }
}

#[test]
fn management_takes_a_file_for_who_may_make_or_change_records() {
    let halls = Halls::start();
    let line = format!("POST /admin/api/v1/datasets/{}/files", halls.dataset);
    let form = |content: &str| {
        let disposition = "form-data; name=\"file\"; filename=\"a.txt\"";
        format!("--b\r\nContent-Disposition: {disposition}\r\n\r\n{content}\r\n--b--\r\n")
    };
    let send = |server: &AdminServer, line: &str, by: &str, content: &str| {
        let headers = [
            ("Authorization", by),
            ("Content-Type", "multipart/form-data; boundary=b"),
        ];
        server.send(line, &headers, Some(&form(content)))
    };
    let root = &halls.server.root;
    let made = send(&halls.server, &line, root, "text").is(201);
    assert_eq!(made.json()["name"], "a.txt");
    send(&halls.server, &line, root, "").is(400);
    send(&halls.server, &line, root, &"x".repeat(BYTES_MAX + 1)).is(413);
    let (_, member) = halls
        .server
        .key("member", &[&halls.server.role("MEMBER")], &[]);
    send(&halls.server, &line, &member, "text").is(403);
    // one that has no place for files says so
    let bare = AdminServer::start();
    let [_, _, dataset] = bare.places(&city());
    let line = format!("POST /admin/api/v1/datasets/{dataset}/files");
    send(&bare, &line, &bare.root, "text").is(503);
    // and what would pass a quota is no more taken here than at the data interface
    let quotas = Quotas {
        file_bytes: 3,
        ..Quotas::default()
    };
    let small = AdminServer::with_settings(Settings {
        quotas,
        ..Settings::default()
    });
    let storage = FileStorage::folder(&small.folder.path().join("files"));
    let files = small.opened.files.clone();
    let settings = FileSettings::default();
    small
        .service
        .use_files(files, storage.expect("a folder"), settings);
    let [_, _, dataset] = small.places(&city());
    let line = format!("POST /admin/api/v1/datasets/{dataset}/files");
    send(&small, &line, &small.root, "text").is(403);
}
