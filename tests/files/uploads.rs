//! What an upload takes and tells.

use crate::setup::{FileSetup, film, png, walk, with_disposition, with_form};
use crate::test_server::only;
use runtime::service::Quotas;
use runtime::service::files::FileSettings;
use runtime::store::catalog::{Resource, Verb, Verbs};

#[test]
fn an_upload_tells_what_the_content_is_not_what_was_announced() {
    let setup = FileSetup::start();
    let item = setup.upload("holiday.exe", &png(31, 17, 500));
    assert_eq!(item["name"], "holiday.exe");
    assert_eq!(item["mediaType"], "image/png");
    assert_eq!(
        (item["width"].as_u64(), item["height"].as_u64()),
        (Some(31), Some(17))
    );
    assert_eq!(item["size"], 500);
    assert_eq!(item["sha256"].as_str().unwrap().len(), 64);
    let text = setup.upload("x.png", b"abc");
    assert_eq!(text["mediaType"], "text/plain");
    assert!(text.get("width").is_none());
    assert_eq!(
        text["sha256"],
        "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    );
    assert_eq!(setup.upload("x", &film())["mediaType"], "video/mp4");
    assert_eq!(
        setup.upload("x", b"\0\x01\x02")["mediaType"],
        "application/octet-stream"
    );
}

#[test]
fn a_large_file_comes_back_as_it_was() {
    let setup = FileSetup::start();
    let content: Vec<u8> = (0..12_000_000_u32)
        .map(|n| n.wrapping_mul(2_654_435_761).to_be_bytes()[0])
        .collect();
    let item = setup.upload("big", &content);
    assert_eq!(item["size"], content.len());
    let answer = setup.follow(item["url"].as_str().unwrap()).is(200);
    assert!(answer.body == content);
}

#[test]
fn a_file_over_the_limit_is_a_413_and_leaves_nothing() {
    let setup = FileSetup::with_settings(FileSettings {
        bytes_max: 1000,
        ..FileSettings::default()
    });
    setup.upload("fits", &[1; 1000]);
    setup
        .upload_request("too large", &[1; 1001])
        .send()
        .plain_error(413);
    setup
        .upload_request("far too large", &vec![1; 200_000])
        .send()
        .plain_error(413);
    let contents = walk(setup.folder.path());
    assert_eq!(contents, 1, "only the file that fits is there");
}

#[test]
fn a_body_that_is_no_such_form_is_refused_and_leaves_nothing() {
    let setup = FileSetup::start();
    let path = setup.files_path(&setup.dataset);
    let request = || setup.server.request("POST", &path);
    request().json("{}").send().plain_error(415);
    request().body("x").send().plain_error(415);
    request()
        .header("Content-Type", "multipart/form-data")
        .body("x")
        .send()
        .plain_error(415);
    request()
        .header("Content-Type", "multipart/form-data; boundary=\"\"")
        .body("----")
        .send()
        .plain_error(415);
    let twice = request().header("Content-Type", "application/json");
    with_form(twice, &[("file", Some("x"), b"x")])
        .send()
        .plain_error(415);
    let packed = request().header("Content-Encoding", "gzip");
    with_form(packed, &[("file", Some("x"), b"x")])
        .send()
        .plain_error(415);
    with_form(request(), &[]).send().plain_error(400);
    with_form(request(), &[("other", Some("x"), b"x")])
        .send()
        .plain_error(400);
    with_form(
        request(),
        &[("file", Some("x"), b"x"), ("file", Some("y"), b"y")],
    )
    .send()
    .plain_error(400);
    with_form(request(), &[("file", Some("x"), b"")])
        .send()
        .plain_error(400);
    let broken = request().header("Content-Type", "multipart/form-data; boundary=frame");
    broken
        .body("--frame\r\nContent-Disposition: form-data; name=\"file\"\r\n\r\nabc")
        .send()
        .plain_error(400);
    assert_eq!(walk(setup.folder.path()), 0);
}

#[test]
fn role_area_and_path_are_judged_before_the_body() {
    let setup = FileSetup::start();
    let names = setup.server.names.clone();
    let path = setup.files_path(&setup.dataset);
    let send = |key: &str, path: &str| {
        setup
            .server
            .anonymous("POST", path)
            .credential(key)
            .json("{}")
            .send()
    };
    setup
        .server
        .anonymous("POST", &path)
        .json("{}")
        .send()
        .is(401);
    let viewer = setup.server.key(
        &[(Verbs::ALL, &names.area)],
        &only(Resource::Records, Verb::View),
    );
    send(&viewer, &path).plain_error(403);
    let elsewhere = setup.server.key(
        &[(Verbs::ALL, &names.ungranted_area)],
        &only(Resource::Records, Verb::Add),
    );
    send(&elsewhere, &path).plain_error(403);
    for verb in [Verb::Add, Verb::Edit] {
        let key = setup
            .server
            .key(&[(Verbs::ALL, &names.area)], &only(Resource::Records, verb));
        send(&key, &path).plain_error(415);
        send(&key, &setup.files_path("nowhere")).plain_error(404);
        send(&key, &setup.files_path(&names.dataset)).plain_error(404);
    }
    setup.server.request("GET", &path).send().plain_error(405);
}

#[test]
fn names_lose_folders_and_control_characters() {
    let setup = FileSetup::start();
    assert_eq!(setup.upload("../../x.txt", b"abc")["name"], "x.txt");
    assert_eq!(setup.upload("Grüße.txt", b"abc")["name"], "Grüße.txt");
    assert_eq!(setup.upload("", b"abc")["name"], "file");
    assert_eq!(setup.upload("x\u{202E}gpj.exe", b"abc")["name"], "xgpj.exe");
}

#[test]
fn a_name_is_the_extended_one_that_can_be_read_or_as_browsers_write_it() {
    let setup = FileSetup::start();
    let path = setup.files_path(&setup.dataset);
    for (parameters, name) in [
        (
            r#"filename="x.txt"; filename*=UTF-8''Gr%C3%BC%C3%9Fe.txt"#,
            "Grüße.txt",
        ),
        ("filename*=utf-8''%E2%82%AC.txt", "€.txt"),
        (r#"filename*=UTF-8''%FF; filename="x.txt""#, "x.txt"),
        (r#"filename="a %22b%22%0D%0A.txt""#, r#"a "b".txt"#),
        (
            r#"filename="=?utf-8?Q?Gr=C3=B6?=.txt""#,
            "=?utf-8?Q?Gr=C3=B6?=.txt",
        ),
        // folders are lost however they are written
        ("filename*=UTF-8''..%2F..%2Fx.txt", "x.txt"),
    ] {
        let request = setup.server.request("POST", &path);
        let item = with_disposition(request, parameters).send().is(201).json();
        assert_eq!(item["name"], name, "{parameters}");
    }
}

#[test]
fn a_file_that_is_more_than_the_tenant_may_have_is_a_403_and_leaves_nothing() {
    let setup = FileSetup::with_quotas(Quotas {
        file_bytes: 1000,
        ..Quotas::default()
    });
    setup.upload("first", &[1; 400]);
    let kept = walk(setup.folder.path());
    let refused = setup.upload_request("second", &[1; 601]).send().is(403);
    assert!(String::from_utf8_lossy(&refused.body).contains("QUOTA_EXCEEDED"));
    assert_eq!(walk(setup.folder.path()), kept);
    setup.upload("third", &[1; 600]);
    setup.upload_request("last", &[1]).send().is(403);
}
