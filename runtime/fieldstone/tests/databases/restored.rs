//! What a restore into a database, or a move of a backup, does not bring back, and who learns of that.

use crate::follower::Follower;
use crate::job_files::{assert_no_files, exported};
use crate::moves::{command, moved, refused};
use crate::museum::add_paper;
use crate::place::{Place, serve_folder};
use crate::receiver::{PRIVATE, Receiver};
use crate::support::text;

pub(crate) fn nothing_of_a_database_is_taken_for_something_else_once_it_was_restored() {
    let place = Place::new();
    let key = place.company();
    let receiver = Receiver::start();
    std::fs::write(place.path().join("hooks.yaml"), receiver.manifest()).expect("written");
    place.json(&["apply", "hooks.yaml"]);
    let server = place.serve("one", &PRIVATE);
    let mut follower = Follower::of(&server, &key, receiver);
    follower.follow(&server, "Kept");
    let made = place.run(&["backup", "b.tar.zst"]);
    assert!(made.status.success(), "{}", text(&made.stderr));
    follower.follow(&server, "Before");
    server.stop();
    let backup = place.path().join("b.tar.zst").display().to_string();

    let other = Place::new();
    let restored = other.run(&["restore", &backup]);
    assert!(restored.status.success(), "{}", text(&restored.stderr));
    let server = other.serve("data", &PRIVATE);
    follower.meets_restored(&server, "After");
    server.stop();
    // so is a backup that is moved
    let third = Place::new();
    moved(&third, &backup, &third.address());
    let server = third.serve("data", &PRIVATE);
    follower.meets_restored(&server, "Later");
    server.stop();
    // what is moved as it is, is the same store
    moved(&third, &third.address(), "folder");
    let server = serve_folder(&third, "folder");
    follower.meets_again(&server);
    server.stop();
}

pub(crate) fn jobs_of_a_database_that_was_restored_tell_of_no_files() {
    let place = Place::new();
    let keeper = place.museum();
    let server = place.serve("data", &[]);
    let export = exported(&server, &keeper);
    server.stop();
    let made = place.run(&["backup", "b.tar.zst"]);
    assert!(made.status.success(), "{}", text(&made.stderr));
    let other = Place::new();
    let backup = place.path().join("b.tar.zst").display().to_string();
    let restored = other.run(&["restore", &backup]);
    assert!(restored.status.success(), "{}", text(&restored.stderr));
    let server = other.serve("data", &[]);
    assert_no_files(&server, &keeper, &export);
    server.stop();
}

pub(crate) fn a_move_of_a_backup_that_came_to_no_end_goes_on_though_that_is_unpacked_anew() {
    let place = Place::new();
    let keeper = place.museum();
    let server = place.serve("data", &[]);
    add_paper(&server, &keeper, "to be lost");
    server.stop();
    std::fs::remove_dir_all(place.path().join("data/files")).expect("removed");
    let made = place.run(&["backup", "kept/"]);
    assert_eq!(made.status.code(), Some(1), "{}", text(&made.stderr));
    let other = Place::new();
    let kept = place.path().join("kept").display().to_string();
    let told = refused(&other, &kept, &other.address());
    assert!(told.contains("contents of 1 of 1 files"), "{told}");
    let mut again = command(&other, &kept, &other.address());
    let output = again.arg("--without-missing-files").output();
    let output = output.expect("it starts");
    assert!(output.status.success(), "{}", text(&output.stderr));
    let server = other.serve("data", &[]);
    assert_eq!(server.get(&keeper, "/v1/my/businessareas").status, 200);
    server.stop();
}
