//! Uploads that come in a way nobody should send them: heads without end, bytes one by one, and senders that
//! go away. None of it is held, and none of it stays.

use crate::setup::{FileSetup, Sending, until, walk};
use runtime::service::files::FileSettings;
use std::time::{Duration, Instant};

#[test]
fn what_stands_before_a_file_is_short() {
    let setup = FileSetup::start();
    for begin in [
        // no boundary, and none to come
        "preamble".to_owned(),
        "--frame\r\nContent-Disposition: form-data; name=\"file\"\r\nX-Long: ".to_owned(),
        // the head of a second part
        "--frame\r\nContent-Disposition: form-data; name=\"file\"\r\n\r\nabc\r\n--frame\r\nX-Long: "
            .to_owned(),
    ] {
        let mut sending = Sending::begin(&setup);
        sending.chunk(begin.as_bytes());
        let sent = (0..64).take_while(|_| sending.chunk(&vec![b'x'; 64 << 10])).count();
        assert_eq!(sending.status(), 400, "{begin}: {sent}");
    }
    assert_eq!(walk(setup.folder.path()), 0);
}

#[test]
fn a_head_of_ordinary_length_may_come_in_any_pieces() {
    let setup = FileSetup::start();
    let head = format!(
        "--frame\r\nX-Padding: {}\r\nContent-Disposition: form-data; name=\"file\"\r\n\r\n",
        "x".repeat(4000)
    );
    for size in [1, 7, 1000, usize::MAX] {
        let mut sending = Sending::begin(&setup);
        for piece in head.as_bytes().chunks(size.min(head.len())) {
            sending.chunk(piece);
        }
        for piece in vec![b'y'; 300_000].chunks(100_000) {
            sending.chunk(piece);
        }
        assert_eq!(sending.finish(b"end"), 201, "{size}");
    }
    // and the content may come with it
    let mut sending = Sending::begin(&setup);
    sending.chunk(&[head.as_bytes(), &vec![b'y'; 300_000]].concat());
    assert_eq!(sending.finish(b""), 201);
}

#[test]
fn who_stops_or_sends_just_enough_to_be_kept_is_cut() {
    let patience = Duration::from_secs(1);
    let setup = FileSetup::with_body_time(FileSettings::default(), patience);
    let start = Instant::now();
    let mut stopped = setup.begin_upload(b"abc");
    assert_eq!(stopped.status(), 408);
    let mut trickle = setup.begin_upload(b"abc");
    while !trickle.is_answered() {
        assert!(start.elapsed() < 30 * patience, "it is kept");
        trickle.chunk(b"x");
        std::thread::sleep(patience / 5);
    }
    assert_eq!(trickle.status(), 408);
    until(|| (walk(setup.folder.path()) == 0).then_some(()));
}

#[test]
fn an_upload_that_goes_on_may_take_longer_than_a_body() {
    let patience = Duration::from_secs(1);
    let setup = FileSetup::with_body_time(FileSettings::default(), patience);
    let mut sending = setup.begin_upload(b"abc");
    for _ in 0..8 {
        assert!(sending.chunk(&[b'x'; 16 << 10]));
        std::thread::sleep(patience / 4);
    }
    assert_eq!(sending.finish(b""), 201);
}

#[test]
fn a_sender_that_goes_away_leaves_nothing() {
    let setup = FileSetup::start();
    for size in [3, 6 << 20] {
        let sending = setup.begin_upload(&vec![1; size]);
        if size > 3 {
            until(|| (walk(setup.folder.path()) > 0).then_some(()));
        }
        drop(sending);
        until(|| (walk(setup.folder.path()) == 0).then_some(()));
    }
}

#[test]
fn storage_that_fails_is_told_and_works_again_when_it_is_mended() {
    let setup = FileSetup::start();
    let folder = setup.folder.path().join(&setup.dataset);
    // a file where the folder should be: nothing can be written there
    std::fs::write(&folder, b"in the way").unwrap();
    for size in [3, 6 << 20, 12 << 20] {
        setup
            .upload_request("x", &vec![1; size])
            .send()
            .plain_error(500);
    }
    std::fs::remove_file(&folder).unwrap();
    assert_eq!(walk(setup.folder.path()), 0);
    let item = setup.upload("x", b"abc");
    setup.follow(item["url"].as_str().unwrap()).is(200);
    // content that was lost is no empty file
    std::fs::remove_dir_all(&folder).unwrap();
    // of servers that share a database, another one may have it
    let status = if tests::engine::is_database() {
        404
    } else {
        500
    };
    setup
        .follow(item["url"].as_str().unwrap())
        .plain_error(status);
}
