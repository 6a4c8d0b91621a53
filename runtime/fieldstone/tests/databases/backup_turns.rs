//! Backups of several servers on one database: one of them makes each, and another one goes on when that one is killed.

use crate::place::Place;
use crate::support::{Server, TIMEOUT};
use std::path::Path;
use std::time::{Duration, Instant};

/// Longer than a server waits at its start before it makes a backup that is due.
const FIRST_LOOK: Duration = Duration::from_secs(15);

/// A server with a folder for backups of its own, named as its data folder.
fn serve(place: &Place, name: &str) -> Server {
    place.serve(name, &["--backup-dir", &format!("backups-{name}")])
}

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

pub(crate) fn several_servers_of_a_database_make_one_backup_in_a_turn() {
    let place = Place::new();
    place.company();
    let (one, other) = (serve(&place, "one"), serve(&place, "other"));
    let all = || made(&place, "one") + made(&place, "other");
    wait_until(|| all() > 0, "none makes one", &one);
    std::thread::sleep(FIRST_LOOK);
    assert_eq!(all(), 1, "{}{}", one.errors(), other.errors());
    one.stop();
    other.stop();
}

pub(crate) fn a_backup_of_a_server_that_is_killed_is_made_by_another_one() {
    let place = Place::new();
    place.company();
    let database = place.database();
    // nobody reads this table but who copies the store, so a backup does not come to its end meanwhile
    let hold = format!(
        "\\connect {database}\nBEGIN;\nLOCK TABLE dead_letters IN ACCESS EXCLUSIVE MODE;\nSELECT pg_sleep(300);"
    );
    let cluster = place.cluster.clone();
    let held = std::thread::spawn(move || cluster.run(&hold));
    let one = serve(&place, "one");
    let look = format!("\\connect {database}\nSELECT 'there: ' || name FROM leases;");
    let is_at_it = || {
        let told = place.cluster.run(&look).expect("it is asked");
        told.contains("there: backups")
    };
    wait_until(is_at_it, "it makes none", &one);
    let other = serve(&place, "other");
    std::thread::sleep(FIRST_LOOK);
    let both = [made(&place, "one"), made(&place, "other")];
    assert_eq!(both, [0, 0], "one of them is at it: {}", other.errors());
    one.signal("-KILL");
    let end = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE query LIKE '%pg_sleep(300)%' AND pid <> pg_backend_pid();";
    place.cluster.run(end).expect("it is told");
    let held = held.join().expect("a session");
    assert!(held.is_err(), "its session was ended: {held:?}");
    wait_until(|| made(&place, "other") > 0, "it makes none", &other);
    assert_eq!(made(&place, "one"), 0);
    other.stop();
}
