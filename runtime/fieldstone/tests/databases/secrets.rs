//! The signing secret of several servers on one database: a new one signs at all of them.

use crate::moves::{exhibit, moved};
use crate::museum::{add_paper, link};
use crate::place::Place;
use crate::support::{self, Server, text};
use std::time::{Duration, Instant};

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
    let key = place.museum();
    let (one, other) = (place.serve("files", &[]), place.serve("files", &[]));
    add_paper(&one, &key, "a paper");
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

pub(crate) fn a_link_of_a_secret_that_was_retired_in_a_folder_is_followed_in_the_database() {
    let place = Place::new();
    let keeper = exhibit(place.path());
    let server = Server::start(place.path(), &[]);
    let old = link(&server, &keeper);
    server.stop();
    let told = support::json(place.path(), &["secret", "rotate"]);
    moved(&place, "data", &place.address());
    let server = place.serve("files-of-database", &[]);
    let answer = server.get("", &old);
    assert_eq!(
        (answer.status, &*answer.body),
        (200, "in a folder"),
        "{told}"
    );
    let new = link(&server, &keeper);
    let id = told["id"].as_str().expect("an id");
    assert!(new.contains(&format!("&key={id}&")), "{new}");
}

pub(crate) fn secrets_that_are_in_a_file_are_looked_for_where_it_is_named_and_missed_elsewhere() {
    let place = Place::new();
    place.company();
    let check = |more: &[&str]| {
        let output = place.run(&[&["check"], more].concat());
        let (found, said) = (text(&output.stdout), text(&output.stderr));
        (output.status.success(), found, said)
    };
    let (is_sound, found, said) = check(&[]);
    assert!(is_sound && !said.contains("note:"), "{found}{said}");
    let named = ["--signing-secret-file", "the.secret"];
    place.serve("files", &named).stop();
    let (is_sound, found, said) = check(&[]);
    // who looks may be on another machine than the file
    assert!(
        is_sound && said.contains("note: the signing secrets: "),
        "{found}{said}"
    );
    assert!(said.contains("name that (--signing-secret-file)"), "{said}");
    let (is_sound, found, said) = check(&named);
    assert!(is_sound && !said.contains("note:"), "{found}{said}");
    let told = place.fail(&["backup", "without.tar.zst"]);
    assert!(told.contains("whole but for the signing secrets"), "{told}");
    place.json(&[&["backup", "with.tar.zst"], &named[..]].concat());

    let file = place.path().join("the.secret");
    std::fs::write(&file, "").expect("emptied");
    let (is_sound, found, said) = check(&named);
    assert!(
        !is_sound && found.contains("it holds no secret"),
        "{found}{said}"
    );
    std::fs::remove_file(&file).expect("removed");
    let (is_sound, found, said) = check(&named);
    assert!(
        !is_sound && found.contains("the.secret is not there"),
        "{found}{said}"
    );
    let log = place.serve("files", &[]).stop();
    assert!(log.contains("so a new one was made in it"), "{log}");
    let log = place.serve("files", &[]).stop();
    assert!(!log.contains("so a new one was made"), "{log}");
}
