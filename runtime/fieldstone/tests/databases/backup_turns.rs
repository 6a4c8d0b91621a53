//! Backups of several servers on one database: one of them makes each, and another one goes on when that one is killed.

use crate::place::{Hold, Place};
use crate::support::{Server, TIMEOUT};
use std::path::Path;
use std::time::{Duration, Instant};

/// What a server logs once it has looked.
const LOOKED: &str = "the next backup is looked for";

/// How many backups there are in the folder of a server.
fn made(place: &Place, name: &str) -> usize {
    let folder = place.path().join(format!("backups-{name}"));
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let is_backup = |path: &Path| path.extension().is_some_and(|ending| ending == "zst");
    entries.filter(|entry| is_backup(&entry.path())).count()
}

fn wait_until(is_so: impl Fn() -> bool, what: &str, server: &Server) {
    let began = Instant::now();
    while !is_so() {
        assert!(began.elapsed() < TIMEOUT, "{what}: {}", server.errors());
        std::thread::sleep(Duration::from_millis(100));
    }
}

/// A database of which no backup comes to its end for as long as this is there: only a copy of the store reads this table.
fn held_up(place: &Place) -> Hold<'_> {
    place.company();
    place.hold("LOCK TABLE dead_letters IN ACCESS EXCLUSIVE MODE")
}

/// Waits until a server is at a backup, and another one has looked whether it is to make it.
fn other_beside(place: &Place, one: &Server) -> Server {
    let is_at_it = || {
        let told = place.sql("SELECT 'there: ' || name FROM leases");
        told.contains("there: backups")
    };
    wait_until(is_at_it, "it makes none", one);
    let other = place.serve_with_backups("other");
    other.wait_for_error(LOOKED);
    other
}

pub(crate) fn several_servers_of_a_database_make_one_backup_in_a_turn() {
    let place = Place::new();
    let held = held_up(&place);
    let one = place.serve_with_backups("one");
    let other = other_beside(&place, &one);
    drop(held);
    one.wait_for_error(LOOKED);
    let both = [made(&place, "one"), made(&place, "other")];
    assert_eq!(both, [1, 0], "{}{}", one.errors(), other.errors());
    one.stop();
    other.stop();
}

pub(crate) fn a_backup_of_a_server_that_is_killed_is_made_by_another_one() {
    let place = Place::new();
    let held = held_up(&place);
    // a process, which is killed
    let one = place.serve("one", &["--backup-dir", "backups-one"]);
    let other = other_beside(&place, &one);
    let both = [made(&place, "one"), made(&place, "other")];
    assert_eq!(both, [0, 0], "one of them is at it: {}", other.errors());
    drop(one);
    place.sql("UPDATE leases SET held_until = 0 WHERE name = 'backups'");
    drop(held);
    wait_until(|| made(&place, "other") > 0, "it makes none", &other);
    assert_eq!(made(&place, "one"), 0);
    other.stop();
}
