//! What is told of the files of a record in the application: which they are, what is none of them, and why one is not taken.

use crate::admin_server::AdminServer;
use crate::browser::{Browser, written};
use crate::pages_record_files::{BYTES_MAX, Halls, PICTURE};
use runtime::service::{Quotas, Settings};
use serde_json::json;

#[test]
fn files_of_a_field_are_told_apart_by_name_and_size_and_so_are_their_removals() {
    let halls = Halls::start();
    let browser = Browser::signed_in(&halls.server);
    for file in [("one.txt", "one"), ("two & three.txt", "two, three")] {
        let page = browser.get(&halls.path()).is(200);
        halls.add(&browser, &page, "f-papers", file).is(303);
    }
    let page = browser.get(&halls.path()).is(200);
    let papers = [
        (1, "one.txt", "3 bytes"),
        (2, "two &#38; three.txt", "10 bytes"),
    ];
    for (at, name, size) in papers {
        for told in [
            format!(">{name} · {size}</a>"),
            format!(r#"<summary aria-label="Remove: Papers {at}, {name}">"#),
            format!("<strong>{name}</strong> · {size}."),
            format!(r#"aria-label="Remove: Papers {at}, {name}">Remove</button>"#),
        ] {
            assert!(page.body.contains(&told), "{told}: {}", page.body);
        }
    }
}

#[test]
fn an_address_that_the_service_did_not_sign_is_read_and_no_link() {
    const ELSEWHERE: &str = "https://a.example//evil.example/v1/files/x?y=1";
    const UNSIGNED: &str =
        "https://a.example/v1/files/0190a5b4-0000-7000-8000-000000000001?signature=AAAA";
    let halls = Halls::start();
    let papers = [ELSEWHERE, UNSIGNED];
    let record = json!({"Code": "EVIL", "Picture": ELSEWHERE, "Papers": papers});
    let ids = written(&halls.server, &halls.dataset, &[record]);
    let browser = Browser::signed_in(&halls.server);
    let dataset = format!("/app/datasets/{}", halls.dataset);
    for path in [&dataset, &format!("{dataset}/records/{}", ids[0])] {
        let page = browser.get(path).is(200);
        for led in [
            r#"href="//"#,
            r#"src="//"#,
            r#"href="/v1/files/"#,
            ">Download</a>",
            "<img",
        ] {
            assert!(!page.body.contains(led), "{led}: {}", page.body);
        }
        for text in papers {
            assert!(page.body.contains(text), "{text}: {}", page.body);
        }
    }
}

#[test]
fn what_is_no_picture_to_a_browser_is_a_link_in_a_field_of_pictures_too() {
    let halls = Halls::start();
    let browser = Browser::signed_in(&halls.server);
    for (name, content, pictures) in [
        ("scan.tif", "II*\0\u{8}\0\0\0\0\0\0\0\0\0", 0),
        ("note.txt", "text", 0),
        ("hall.gif", PICTURE, 1),
    ] {
        let page = browser.get(&halls.path()).is(200);
        let added = halls.add(&browser, &page, "f-picture", (name, content));
        added.is(303);
        let page = browser.get(&halls.path()).is(200);
        let told = format!("{name} · {} bytes</a>", content.len());
        assert!(page.body.contains(&told), "{told}: {}", page.body);
        let shown = page.body.matches("<img").count();
        assert_eq!(shown, pictures, "{name}: {}", page.body);
    }
}

#[test]
fn a_file_that_is_refused_for_itself_leaves_one_at_its_record() {
    let halls = Halls::start();
    let browser = Browser::signed_in(&halls.server);
    let page = browser.get(&halls.path()).is(200);
    let too_long = "x".repeat(BYTES_MAX + 1);
    for (content, status, told) in [
        ("", 400, "The file is empty"),
        (&*too_long, 413, "The file is larger than 1000 bytes."),
    ] {
        let sent = halls.add(&browser, &page, "f-papers", ("paper.txt", content));
        let refused = sent.is(status);
        let form = format!(r#"action="{}/files/f-papers""#, halls.path());
        for part in [&*form, r#"role="alert""#, told] {
            assert!(refused.body.contains(part), "{part}: {}", refused.body);
        }
    }
    let quotas = Quotas {
        file_bytes: 3,
        ..Quotas::default()
    };
    let settings = Settings {
        quotas,
        ..Settings::default()
    };
    let halls = Halls::on(AdminServer::with_settings(settings));
    let browser = Browser::signed_in(&halls.server);
    let page = browser.get(&halls.path()).is(200);
    let file = ("paper.txt", "text");
    let refused = halls.add(&browser, &page, "f-papers", file).is(403);
    let form = format!(r#"action="{}/files/f-papers""#, halls.path());
    for part in [&*form, r#"role="alert""#] {
        assert!(refused.body.contains(part), "{part}: {}", refused.body);
    }
}
