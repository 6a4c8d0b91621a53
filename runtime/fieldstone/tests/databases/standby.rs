//! A database with a hot standby that answers for each commit: when the one that takes writes is gone and the other is
//! promoted, servers find it by themselves, and nothing that was acknowledged is lost.

use crate::cities::cities;
use crate::crashes::{Told, names, told_while};
use crate::place::{Place, SETTINGS};
use crate::silence::becomes_ready;
use crate::support::{fieldstone, text};
use std::collections::BTreeSet;
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
    let told = told_while(&servers.each_ref(), (&key, &records), WRITERS, || {
        std::thread::sleep(PAUSE);
        place.cluster.stop(true).expect("it stops");
        standby.promote().expect("it takes writes");
        for server in &servers {
            becomes_ready(server);
        }
        std::thread::sleep(PAUSE);
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
