//! The signing secret of several servers on one database: a new one signs at all of them.

use crate::moves::{hall, link, museum};
use crate::place::Place;
use crate::support::{self, Server};
use serde_json::json;
use std::time::{Duration, Instant};

/// Puts in a record with an uploaded file.
fn add_paper(server: &Server, key: &str) {
    let hall = hall(server, key);
    let kind = "Content-Type: multipart/form-data; boundary=f";
    let form = "--f\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.txt\"\r\n\r\na paper\r\n--f--\r\n";
    let sent = server.send_as("POST", key, &format!("{hall}/files"), kind, form);
    assert_eq!(sent.status, 201, "{}", sent.body);
    let body = json!({"No": "1", "Paper": sent.json()["fileId"]}).to_string();
    let made = server.send("POST", key, &format!("{hall}/dataobjects"), &body);
    assert_eq!(made.status, 201, "{}", made.body);
}

fn is_followed(server: &Server, link: &str) {
    let answer = server.get("", link);
    assert_eq!(answer.status, 200, "{link}: {}", answer.body);
    assert_eq!(answer.body, "a paper");
}

/// Asks for a new secret; how links say that they are signed with it.
fn rotated(place: &Place, more: &[&str]) -> String {
    let told = place.json(&[&["secret", "rotate"], more].concat());
    format!("&key={}&", told["id"].as_str().expect("an id"))
}

pub(crate) fn a_new_secret_in_the_database_signs_at_all_servers_with_their_next_request() {
    let place = Place::new();
    let key = museum(place.path(), |arguments| place.json(arguments));
    let (one, other) = (place.serve("files", &[]), place.serve("files", &[]));
    add_paper(&one, &key);
    let old = link(&one, &key);
    for _ in 0..3 {
        let signed = rotated(&place, &[]);
        for (signed_by, followed_at) in [(&one, &other), (&other, &one)] {
            let new = link(signed_by, &key);
            assert!(new.contains(&signed), "{new}: {signed}");
            is_followed(followed_at, &new);
            is_followed(followed_at, &old);
        }
    }
    one.stop();
    other.stop();

    // a file takes over what the database kept, and is to be named from then on
    let file = ["--signing-secret-file", "the.secret"];
    let third = place.serve("files", &file);
    is_followed(&third, &old);
    let told = place.fail(&["secret", "rotate"]);
    assert!(told.contains("name that (--signing-secret-file)"), "{told}");
    let signed = rotated(&place, &file);
    let began = Instant::now();
    // the command is another process: the server looks at its file by itself
    while !link(&third, &key).contains(&signed) {
        assert!(began.elapsed() < support::TIMEOUT, "{}", third.errors());
        std::thread::sleep(Duration::from_millis(100));
    }
    is_followed(&third, &old);
}
