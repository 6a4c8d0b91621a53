//! Files in records: what is judged, what is stored, what is shown.

use crate::setup::{FileSetup, faults, film, png, target, with_form};
use serde_json::Value;

fn text(value: &Value) -> String {
    value.as_str().expect("a text").to_owned()
}

#[test]
fn an_id_is_stored_and_every_reading_gives_a_fresh_link() {
    let setup = FileSetup::start();
    let id = setup.uploaded(&png(10, 10, 100));
    let made = setup.create(&format!(r#"{{"No":"1","Photo":"{id}"}}"#));
    assert_eq!(made["_errors"], serde_json::json!([]));
    let first = text(&made["Photo"]);
    assert!(target(&first).starts_with(&format!("/v1/files/{id}?")));
    setup.follow(&first).is(200);
    setup.server.clock.forward(3600);
    setup.follow(&first).plain_error(403);
    let later = text(&setup.read("1")["Photo"]);
    setup.follow(&later).is(200);
    let listed = setup.server.get(&setup.records()).is(200).json();
    setup
        .follow(listed["items"][0]["Photo"].as_str().unwrap())
        .is(200);
}

#[test]
fn a_record_can_be_read_changed_and_written_back_with_its_links_expired_or_not() {
    let setup = FileSetup::start();
    let (photo, paper) = (setup.uploaded(&png(10, 10, 100)), setup.uploaded(b"a text"));
    setup.create(&format!(
        r#"{{"No":"1","Photo":"{photo}","Papers":["{paper}","{paper}"]}}"#
    ));
    for version in 0..2 {
        let record = setup.read("1");
        assert_eq!(record["_version"], version);
        setup.server.clock.forward(7200);
        setup.update(&record, &record.to_string());
        let again = setup.read("1");
        assert_eq!(again["_errors"], serde_json::json!([]));
        assert!(text(&again["Papers"][1]).contains(&paper));
        assert_ne!(again["Photo"], record["Photo"], "a fresh link");
    }
}

#[test]
fn content_size_and_pixels_are_judged() {
    let setup = FileSetup::start();
    let cases = [
        (png(40, 30, 2000), "Photo", None),
        (
            png(41, 30, 100),
            "Photo",
            Some("must be at most 40 pixels wide"),
        ),
        (
            png(40, 31, 100),
            "Photo",
            Some("must be at most 30 pixels high"),
        ),
        (
            png(50, 50, 2001),
            "Photo",
            Some(
                "must be at most 2000 bytes; must be at most 40 pixels wide; must be at most 30 pixels high",
            ),
        ),
        (
            b"\x89PNG\r\n\x1a\n".to_vec(),
            "Photo",
            Some("must be an image whose size can be measured"),
        ),
        (b"a text".to_vec(), "Photo", Some("must be an image")),
        (film(), "Photo", Some("must be an image")),
        (film(), "Film", None),
        (png(1, 1, 50), "Film", Some("must be a video")),
        (b"a text".to_vec(), "Papers", None),
        (b"a text".to_vec(), "More", None),
        (
            png(41, 1, 50),
            "More",
            Some("must be at most 40 pixels wide"),
        ),
    ];
    for (number, (content, field, fault)) in cases.iter().enumerate() {
        let id = setup.uploaded(content);
        let record = setup.create(&format!(r#"{{"No":"{number}","{field}":"{id}"}}"#));
        let expected: Vec<_> = fault
            .map(|fault| ((*field).to_owned(), fault.to_owned()))
            .into_iter()
            .collect();
        assert_eq!(faults(&record), expected, "{number}");
    }
}

#[test]
fn what_is_no_file_of_the_dataset_is_a_fault_and_gives_no_link_to_it() {
    let setup = FileSetup::start();
    let request = setup
        .server
        .request("POST", &setup.files_path(&setup.other_dataset));
    let foreign = with_form(request, &[("file", Some("x"), b"secret")])
        .send()
        .is(201)
        .json();
    let (id, link) = (text(&foreign["fileId"]), text(&foreign["url"]));
    let unknown = "0190a5b4-0000-7000-8000-000000000001";
    for (number, reference) in [
        id.as_str(),
        &link,
        unknown,
        "x",
        "https://data.example/v1/files/x",
    ]
    .into_iter()
    .enumerate()
    {
        let record = setup.create(&format!(r#"{{"No":"{number}","More":"{reference}"}}"#));
        let expected = "must be the id of a file uploaded to this dataset".to_owned();
        assert_eq!(
            faults(&record),
            [("More".to_owned(), expected)],
            "{reference}"
        );
        assert_eq!(record["More"], reference, "it is shown as it was sent");
        assert_eq!(setup.read(&number.to_string())["More"], reference);
    }
    setup.follow(&link).is(200);
}

#[test]
fn of_several_references_those_to_files_are_links_and_the_others_as_they_were_sent() {
    let setup = FileSetup::start();
    let paper = setup.uploaded(b"a text");
    let unknown = "0190a5b4-0000-7000-8000-000000000001";
    let made = setup.create(&format!(
        r#"{{"No":"1","Papers":["{unknown}","{paper}","x","{unknown}"]}}"#
    ));
    for record in [made, setup.read("1")] {
        let papers = record["Papers"].as_array().expect("several");
        assert_eq!(papers[0], unknown);
        setup.follow(papers[1].as_str().expect("a link")).is(200);
        assert_eq!((&papers[2], &papers[3]), (&"x".into(), &unknown.into()));
    }
    // a file that is refused for another reason is one all the same
    let large = setup.uploaded(&png(41, 30, 100));
    let record = setup.create(&format!(r#"{{"No":"2","Photo":"{large}"}}"#));
    assert_eq!(faults(&record).len(), 1);
    setup.follow(&text(&record["Photo"])).is(200);
}

#[test]
fn a_link_that_this_service_did_not_issue_is_a_fault() {
    let setup = FileSetup::start();
    let item = setup.upload("x", b"abc");
    let link = text(&item["url"]);
    let forged = link.replace("expires=", "expires=9");
    let record = setup.create(&format!(r#"{{"No":"1","More":"{forged}"}}"#));
    assert_eq!(faults(&record).len(), 1);
    assert_eq!(record["More"], Value::String(forged));
    let record = setup.create(&format!(r#"{{"No":"2","More":"{link}"}}"#));
    assert_eq!(faults(&record).len(), 0);
}
