//! A database with a hot standby that answers for each commit: when the one that takes writes is gone and the other is
//! promoted, servers find it by themselves, and nothing that was acknowledged is lost.

use crate::cities::cities;
use crate::crashes::{Told, names, write};
use crate::place::{Place, SETTINGS};
use crate::silence::becomes_ready;
use crate::support::{fieldstone, text};
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

const WRITERS: usize = 4;
/// How long writers write before and after.
const PAUSE: Duration = Duration::from_millis(800);

pub(crate) fn a_standby_that_is_promoted_has_all_that_was_acknowledged() {
    let place = Place::alone();
    let key = place.company();
    let standby = place.cluster.start_standby(SETTINGS).expect("a standby");
    let told = place.cluster.run(
        "ALTER SYSTEM SET synchronous_standby_names = '*';
ALTER SYSTEM SET synchronous_commit = 'remote_apply';
SELECT pg_reload_conf();
SELECT pg_sleep(1);
SHOW synchronous_commit;
SELECT sync_state FROM pg_stat_replication;",
    );
    let told = told.expect("settings");
    assert!(
        told.contains("remote_apply") && told.contains("sync\n"),
        "the standby answers for commits: {told}"
    );
    let address = place.address_with(&standby);
    let servers = [
        place.serve_at(&address, "one", &[]),
        place.serve_at(&address, "other", &[]),
    ];
    let records = cities(&servers[0], &key);
    let end = AtomicBool::new(false);
    let told: Vec<Told> = std::thread::scope(|scope| {
        let begun: Vec<_> = (0..WRITERS)
            .map(|writer| {
                let (server, asked) = (&servers[writer % 2], (&*key, &*records));
                let end = &end;
                scope.spawn(move || write(server, asked, writer, end))
            })
            .collect();
        std::thread::sleep(PAUSE);
        place.cluster.stop(true).expect("it stops");
        standby.promote().expect("it takes writes");
        for server in &servers {
            becomes_ready(server);
        }
        std::thread::sleep(PAUSE);
        end.store(true, Ordering::Relaxed);
        let joined = begun.into_iter().map(|it| it.join().expect("it wrote"));
        joined.collect()
    });
    let there = names(&servers[1], &key, &records);
    let of = |keys: fn(&Told) -> &Vec<String>| -> BTreeSet<String> {
        told.iter().flat_map(keys).cloned().collect()
    };
    let (created, refused) = (of(|told| &told.created), of(|told| &told.refused));
    let lost: Vec<_> = created.difference(&there).collect();
    assert!(lost.is_empty(), "acknowledged, and not there: {lost:?}");
    let done: Vec<_> = refused.intersection(&there).collect();
    assert!(done.is_empty(), "there, and told as not done: {done:?}");
    assert!(
        told.iter().all(|told| !told.created.is_empty()),
        "all of them wrote"
    );
    let mut check = fieldstone(place.path());
    check.env("FIELDSTONE_DATABASE", &address);
    let checked = check.args(["--data", "data", "check"]).output();
    let checked = checked.expect("it starts");
    assert!(checked.status.success(), "{}", text(&checked.stdout));
}
