//! The program on a PostgreSQL that is started for it. Where a machine has none, these stories are counted as ignored and
//! say why, and where it should (`CI` is set) they fail. So they have a harness of their own, as those of `mounts` have.

mod addresses;
mod backup_turns;
mod backups;
#[path = "../program/cities.rs"]
mod cities;
#[path = "../program/closed_folder.rs"]
mod closed_folder;
#[path = "../../../../tests/support/cluster.rs"]
#[allow(dead_code, unreachable_pub, reason = "made for other stories too")]
mod cluster;
mod crashes;
mod dumps;
mod encrypted;
mod ended_sessions;
#[path = "../../../../tests/support/ends.rs"]
#[allow(unreachable_pub, reason = "made for the suites too")]
mod ends;
mod figures;
mod followed;
#[path = "../program/follower.rs"]
mod follower;
#[path = "../../../../tests/support/forged_rows.rs"]
mod forged_rows;
mod full_disk;
mod grounds;
#[path = "../program/in_process.rs"]
#[allow(dead_code, reason = "made for other tests too")]
mod in_process;
mod index_anew;
#[path = "../program/job_files.rs"]
mod job_files;
mod keepalive;
mod killed_contents;
mod killed_moves;
mod kills;
mod letters;
mod limits;
mod moved_backups;
mod moved_files;
mod moves;
#[path = "../program/museum.rs"]
mod museum;
mod newer_step;
mod no_writes;
mod old_primary;
mod own_folders;
mod passwords;
mod place;
mod pooler;
#[path = "../../../../tests/support/postgresql_programs.rs"]
mod postgresql_programs;
#[path = "../../../../tests/support/processes.rs"]
mod processes;
mod quotas;
#[path = "../program/receiver.rs"]
mod receiver;
#[path = "../../../../tests/support/replication.rs"]
mod replication;
mod restored;
#[path = "../program/scrape.rs"]
mod scrape;
mod secrets;
mod set_up;
mod settings;
mod several;
mod silence;
mod single;
mod standby;
mod still;
#[path = "../../../../tests/support/s3.rs"]
#[allow(dead_code, reason = "made for the stories of files too")]
mod storage;
mod stories;
mod stories_of_moves;
#[path = "../program/support.rs"]
#[allow(dead_code, reason = "made for other stories too")]
mod support;
mod ten_servers;
mod times_of_others;
#[path = "../program/transcript.rs"]
#[allow(dead_code, reason = "made for other tests too")]
mod transcript;
#[path = "../../../../tests/support/way.rs"]
#[allow(dead_code, reason = "made for proofs too")]
mod way;
mod woken;

use libtest_mimic::{Arguments, Failed, Trial};
use stories::{LARGE_STORIES, STORIES, STORIES_OF_DISKS, STORIES_OF_POOLERS, Story};
use stories_of_moves::STORIES_OF_MOVES;

/// A story, which is told where nothing is missing for it.
fn trial((name, story): Story, missing: Option<&str>, is_required: bool) -> Trial {
    let Some(missing) = missing else {
        return Trial::test(name, move || {
            story();
            Ok(())
        });
    };
    let reason = format!("this machine has no {missing}");
    let failed = format!("{reason}; where CI is set, each story must be run");
    let trial = Trial::test(name, move || Err(Failed::from(failed)));
    if is_required {
        return trial;
    }
    trial
        .with_kind(format!("ignored, because {reason}"))
        .with_ignored_flag(true)
}

/// How many stories run at once for each core: they wait for servers that are killed, and for what they are given.
const STORIES_A_CORE: usize = 6;

fn main() {
    let mut arguments = Arguments::from_args();
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    arguments.test_threads.get_or_insert(cores * STORIES_A_CORE);
    let is_required = postgresql_programs::is_ci();
    let no_database = cluster::programs().is_none().then_some("PostgreSQL");
    let no_pooler = pooler::program().is_none().then_some("PgBouncer");
    let stories = STORIES
        .iter()
        .chain(STORIES_OF_MOVES)
        .map(|story| trial(*story, no_database, is_required));
    let of_poolers = STORIES_OF_POOLERS
        .iter()
        .map(|story| trial(*story, no_database.or(no_pooler), is_required));
    let no_disk = full_disk::refusal_of_mounts();
    let of_disks = STORIES_OF_DISKS
        .iter()
        .map(|story| trial(*story, no_database.or(no_disk), is_required));
    let large = LARGE_STORIES.iter().map(|story| {
        let large = trial(*story, no_database, is_required);
        large
            .with_kind("ignored, because the full lane tells it")
            .with_ignored_flag(true)
    });
    // the longest ones first
    let trials = of_poolers.chain(of_disks).chain(stories).chain(large);
    libtest_mimic::run(&arguments, trials.collect()).exit();
}
