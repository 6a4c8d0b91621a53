//! What a link gives, for how long, and to whom.

use crate::setup::{FileSetup, png, target};
use runtime::service::files::FileSettings;

fn link(setup: &FileSetup, name: &str, content: &[u8]) -> String {
    setup.upload(name, content)["url"]
        .as_str()
        .expect("a link")
        .to_owned()
}

#[test]
fn a_link_gives_the_content_and_what_browsers_need_to_be_careful() {
    let setup = FileSetup::start();
    let content = png(3, 2, 200);
    let answer = setup.follow(&link(&setup, "Grüße.png", &content)).is(200);
    assert_eq!(answer.body, content);
    assert_eq!(answer.header("content-type"), Some("image/png"));
    assert_eq!(answer.header("content-length"), Some("200"));
    assert_eq!(answer.header("x-content-type-options"), Some("nosniff"));
    assert_eq!(
        answer.header("content-disposition"),
        Some("inline; filename=\"Gr__e.png\"; filename*=UTF-8''Gr%C3%BC%C3%9Fe.png")
    );
    assert!(
        answer
            .header("content-security-policy")
            .is_some_and(|policy| policy.contains("sandbox"))
    );
    assert!(
        answer
            .header("cache-control")
            .is_some_and(|control| control.starts_with("private"))
    );
    assert!(answer.header("etag").is_some());
    let page = setup
        .follow(&link(
            &setup,
            "x.html",
            b"<html><script>alert(1)</script></html>",
        ))
        .is(200);
    assert!(
        page.header("content-disposition")
            .is_some_and(|value| value.starts_with("attachment"))
    );
}

#[test]
fn a_file_whose_name_and_content_disagree_is_bytes_to_keep() {
    let setup = FileSetup::start();
    let gif = b"GIF89a\x03\x00\x02\x00\x00\x00\x00;";
    let answer = setup.follow(&link(&setup, "p.html", gif)).is(200);
    assert_eq!(answer.body, gif);
    assert_eq!(
        answer.header("content-type"),
        Some("application/octet-stream")
    );
    let disposition = answer.header("content-disposition").expect("one");
    assert!(disposition.starts_with("attachment; "), "{disposition}");
    let answer = setup.follow(&link(&setup, "p.gif", gif)).is(200);
    assert_eq!(answer.header("content-type"), Some("image/gif"));
    let page = b"<html><script>alert(1)</script></html>";
    for (name, content, media_type) in [
        ("x.html", &page[..], "text/html; charset=utf-8"),
        (
            "x.xml",
            b"<?xml version=\"1.0\"?><a/>",
            "text/xml; charset=utf-8",
        ),
        ("x.txt", b"hello", "text/plain; charset=utf-8"),
    ] {
        let answer = setup.follow(&link(&setup, name, content)).is(200);
        assert_eq!(answer.header("content-type"), Some(media_type));
    }
}

#[test]
fn a_link_works_until_its_time_is_over() {
    let setup = FileSetup::with_settings(FileSettings {
        link_seconds: 900,
        ..FileSettings::default()
    });
    let link = link(&setup, "x", b"abc");
    let expires = link.split("expires=").nth(1).unwrap();
    let expires: i64 = expires.split('&').next().unwrap().parse().unwrap();
    let left = || expires * 1000 - setup.server.service.now().millis();
    assert!((899_000..=900_000).contains(&left()));
    setup.follow(&link).is(200);
    // each look at the server's clock takes a millisecond: the last whole second, and the first after it
    setup.server.clock.forward(left() / 1000 - 1);
    setup.follow(&link).is(200);
    setup.server.clock.forward(1);
    assert!((1..1000).contains(&left()), "{}", left());
    setup.follow(&link).is(200);
    setup.server.clock.forward(1);
    assert!(left() <= 0);
    setup.follow(&link).plain_error(403);
}

#[test]
fn an_expired_link_and_a_tampered_one_get_the_same_answer() {
    let setup = FileSetup::start();
    let link = link(&setup, "x", b"abc");
    let other = setup.upload("y", b"def")["fileId"]
        .as_str()
        .unwrap()
        .to_owned();
    let id = target(&link)["/v1/files/".len()..]
        .split('?')
        .next()
        .unwrap()
        .to_owned();
    let expires = link
        .split("expires=")
        .nth(1)
        .unwrap()
        .split('&')
        .next()
        .unwrap()
        .to_owned();
    let later = (expires.parse::<u64>().unwrap() + 1).to_string();
    let tampered = [
        link.replace(&id, &other),
        link.replace(&format!("expires={expires}"), &format!("expires={later}")),
        link.replace(
            &format!("dataset={}", setup.dataset),
            &format!("dataset={}", setup.other_dataset),
        ),
        link[..link.len() - 1].to_owned(),
        format!("{link}A"),
        link.split('?').next().unwrap().to_owned(),
        format!("{link}&expires={later}"),
        link.replace(&id, "nothing"),
        link.replace(&id, "%00"),
    ];
    let refusals: Vec<_> = tampered
        .iter()
        .map(|link| setup.follow(link).plain_error(403).body)
        .collect();
    setup.follow(&link).is(200);
    setup.server.clock.forward(3600);
    let expired = setup.follow(&link).plain_error(403).body;
    for (link, refusal) in tampered.iter().zip(refusals) {
        assert_eq!(refusal, expired, "{link}");
    }
    // a credential opens no link
    setup.server.get(target(&link)).plain_error(403);
}

#[test]
fn a_link_to_what_is_gone_is_a_404() {
    let setup = FileSetup::start();
    let link = link(&setup, "x", b"abc");
    let catalog = setup.server.service.store().catalog();
    // each alone hides what is beneath it
    let mut dataset = (*catalog.datasets[&setup.dataset]).clone();
    dataset.deleted = true;
    setup.server.put(dataset);
    setup.follow(&link).plain_error(404);
    setup
        .server
        .put((*catalog.datasets[&setup.dataset]).clone());
    setup.follow(&link).is(200);
    let mut schema = (*catalog.schemas[&setup.schema]).clone();
    schema.deleted = true;
    setup.server.put(schema);
    setup.follow(&link).plain_error(404);
    setup.server.put((*catalog.schemas[&setup.schema]).clone());
    setup.follow(&link).is(200);
    let mut area = (*catalog.areas[&setup.server.names.area]).clone();
    area.deleted = true;
    setup.server.put(area);
    setup.follow(&link).plain_error(404);
}

#[test]
fn a_link_outlives_its_record_only_until_its_time_is_over() {
    let setup = FileSetup::start();
    let id = setup.uploaded(b"abc");
    let record = setup.create(&format!(r#"{{"No":"1","More":"{id}"}}"#));
    let link = record["More"].as_str().unwrap();
    let address = record["_dataObjectId"].as_str().unwrap();
    let address = format!("{}/{address}", setup.records());
    setup.server.request("DELETE", &address).send().is(204);
    setup.follow(link).is(200);
    setup.server.clock.forward(900);
    setup.follow(link).plain_error(403);
}

#[test]
fn a_range_gives_a_part() {
    let setup = FileSetup::start();
    let link = link(&setup, "x", b"0123456789");
    let part = |range: &str| {
        setup
            .server
            .anonymous("GET", target(&link))
            .header("Range", range)
            .send()
    };
    let answer = part("bytes=2-4").is(206);
    assert_eq!(answer.body, b"234");
    assert_eq!(answer.header("content-range"), Some("bytes 2-4/10"));
    assert_eq!(part("bytes=-2").is(206).body, b"89");
    // a part may be all of it: who asks for ranges reads by the head where it stands
    for range in [
        "bytes=0-",
        "bytes=0-9",
        "bytes=0-18",
        "bytes=-19",
        "Bytes=0-",
    ] {
        let answer = part(range).is(206);
        assert_eq!(answer.body, b"0123456789", "{range}");
        assert_eq!(answer.header("content-range"), Some("bytes 0-9/10"));
    }
    for range in ["bytes=10-", "bytes=10-20", "bytes=-0", "bytes=50-"] {
        let answer = part(range).plain_error(416);
        assert_eq!(answer.header("content-range"), Some("bytes */10"));
    }
    for range in ["bytes=4-2", "bytes=0-1,3-4", "rows=0-1"] {
        assert_eq!(part(range).is(200).body, b"0123456789", "{range}");
    }
    // who has the beginning of another content must not get the end of this one
    let etag = answer.header("etag").unwrap();
    for (has, status) in [(etag, 206), ("\"another\"", 200)] {
        let request = setup.server.anonymous("GET", target(&link));
        let request = request.header("Range", "bytes=2-4").header("If-Range", has);
        request.send().is(status);
    }
    let behind = setup.server.anonymous("GET", target(&link));
    let behind = behind.header("Range", "bytes=10-");
    behind.header("If-Range", "\"another\"").send().is(200);
}

#[test]
fn a_content_is_sent_once_to_who_names_it_by_its_tag() {
    let setup = FileSetup::start();
    let link = link(&setup, "x", b"0123456789");
    let ask = |method: &str, header: &str, tag: &str| {
        let request = setup.server.anonymous(method, target(&link));
        request.header(header, tag).send()
    };
    let first = setup.follow(&link).is(200);
    let etag = first.header("etag").expect("a tag");
    let (weak, listed) = (format!("W/{etag}"), format!("\"other\", {etag}"));
    for tag in [etag, &*weak, &*listed, "*"] {
        for method in ["GET", "HEAD"] {
            let same = ask(method, "If-None-Match", tag).is(304);
            assert!(same.body.is_empty(), "{method} {tag}");
            assert_eq!(same.header("etag"), Some(etag));
            let control = same.header("cache-control").expect("one");
            assert!(control.starts_with("private, max-age="), "{control}");
        }
    }
    for tag in ["\"other\"", "", "other"] {
        assert_eq!(ask("GET", "If-None-Match", tag).is(200).body, first.body);
        ask("GET", "If-Match", tag).plain_error(412);
    }
    ask("GET", "If-Match", &weak).plain_error(412);
    for tag in [etag, &*listed, "*"] {
        assert_eq!(ask("GET", "If-Match", tag).is(200).body, first.body);
    }
    // what the asker has comes before the part that it asks for
    let part = setup.server.anonymous("GET", target(&link));
    let part = part.header("Range", "bytes=2-4");
    part.header("If-None-Match", etag).send().is(304);
    // and a link that does not work tells nothing
    setup.server.clock.forward(3600);
    ask("GET", "If-None-Match", etag).plain_error(403);
}

#[test]
fn head_tells_the_same_without_the_content() {
    let setup = FileSetup::start();
    let link = link(&setup, "x", b"0123456789");
    let answer = setup.server.anonymous("HEAD", target(&link)).send().is(200);
    assert_eq!(answer.header("content-length"), Some("10"));
    assert!(answer.body.is_empty());
}
