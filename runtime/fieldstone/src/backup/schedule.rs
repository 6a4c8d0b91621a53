//! Backups that a server makes by itself: into a folder or a bucket, every so often, the newest of them kept. Only files that are
//! named as its own are ever removed, and none before a newer one is whole. Of several servers on a database one makes them, by a lease.

use super::Source;
use super::bucket::to_bucket_with_mark;
use super::keeping::{Incoming, to_file};
use super::names::{Backups, begun_at, is_of_wrong_clock, mark_of, name};
use crate::folder_entries::names_in;
use crate::io::first_backup_delay;
use crate::metrics;
use anyhow::Context as _;
use service::files::FileStorage;
use service::{Clock as _, SystemClock};
use std::convert::Infallible;
use std::path::{Path, PathBuf};
use std::time::Duration;
use std::{fs, io};
use wire::Timestamp;

/// How long after the start the first backup is made, where one is due: a server that can't stay up makes none.
const FIRST: Duration = Duration::from_secs(10);
/// How long after a failure it is tried again.
const AGAIN: Duration = Duration::from_secs(10 * 60);
/// After how long it is looked at the latest what is due: so often the other servers of a database are told that backups are
/// made here.
const LOOK: Duration = Duration::from_secs(12 * 3600);
/// How long one server of a database makes backups for all, unless it says so again: so long behind a backup that it did not
/// make, or did not end, another one makes it.
const LEASE_TIME: Duration = Duration::from_secs(60);

/// When backups are made, and how many are kept.
#[derive(Clone, Debug)]
pub(crate) struct Schedule {
    /// Where they go.
    pub(crate) place: Place,
    /// How long after one backup the next one is.
    pub(crate) every: Duration,
    /// How many stay; all, where it is 0.
    pub(crate) keep: usize,
    /// How long they stay; without it, however old they are. The newest stays in any case.
    pub(crate) keep_for: Option<Duration>,
}

/// Where backups are kept.
#[derive(Clone, Debug)]
pub(crate) enum Place {
    /// A folder, made where there is none.
    Folder(PathBuf),
    /// A bucket, and what the names in it begin with.
    Bucket(FileStorage),
}

impl Place {
    /// The backups there that are this program's own.
    async fn own(&self) -> anyhow::Result<Backups> {
        Ok(match self {
            Place::Folder(folder) => {
                let names = names_in(folder)?.collect::<io::Result<Vec<_>>>()?;
                // what is no text has no name of ours
                let names = names.into_iter().filter_map(|name| name.into_string().ok());
                Backups::in_folder(names.collect())
            }
            Place::Bucket(storage) => Backups::in_bucket(storage.object_names().await?),
        })
    }

    async fn remove(&self, name: &str) -> anyhow::Result<()> {
        match self {
            Place::Folder(folder) => {
                let old = folder.join(name);
                fs::remove_file(&old).with_context(|| format!("can't remove {}", old.display()))
            }
            Place::Bucket(storage) => {
                // the mark first: what has none is no backup, and goes another time
                storage.remove_object(&mark_of(name)).await?;
                Ok(storage.remove_object(name).await?)
            }
        }
    }
}

/// Makes backups until it is dropped.
pub(crate) async fn keep(source: Source, schedule: Schedule) {
    if let Some(begun) = newest(&schedule).await {
        // a server that is new here tells of it, too: who watches waits for the next one otherwise
        source.note_backup(begun);
    }
    // also of none: what goes by its age waits for the first one, at every server
    source.tell_backups().await;
    let first = first_backup_delay().unwrap_or(FIRST);
    tokio::time::sleep(first.min(schedule.every)).await;
    loop {
        let pause = match due_in(&source, &schedule).await {
            Duration::ZERO => take_turn(&source, &schedule).await,
            left => left,
        };
        source.tell_backups().await;
        tokio::time::sleep(pause.min(LOOK)).await;
    }
}

/// Makes the backup that is due, unless another server of the store sees to it; how long nothing is to be done then.
async fn take_turn(source: &Source, schedule: &Schedule) -> Duration {
    match back_up_in_turn(source, schedule).await {
        Ok(Some(name)) => {
            if let Some(begun) = begun_at(&name) {
                source.note_backup(begun);
            }
            tracing::info!(name, "backed up");
            schedule.every
        }
        Ok(None) => (LEASE_TIME / 3).min(schedule.every),
        Err(error) => {
            metrics::note_failed_backup();
            tracing::error!(
                error = format!("{error:#}"),
                "the store was not backed up; it is tried again"
            );
            AGAIN.min(schedule.every)
        }
    }
}

/// The name of the backup that was made; `None` where another server makes one, or made it just before.
async fn back_up_in_turn(source: &Source, schedule: &Schedule) -> anyhow::Result<Option<String>> {
    let longest = longest_lease(schedule);
    if !source.hold_backups(LEASE_TIME, longest).await? || !due_in(source, schedule).await.is_zero()
    {
        return Ok(None);
    }
    let made = tokio::select! {
        made = back_up(source, schedule) => made,
        never = hold_on(source, schedule) => match never {},
    };
    if made.is_ok() {
        // the next ones are this server's, too, as long as it lives
        prolong(source, schedule, longest).await;
    } else {
        // another one may have more luck
        source.let_go_of_backups().await;
    }
    made.map(Some)
}

/// Prolongs the lease again and again: a backup takes as long as it takes.
async fn hold_on(source: &Source, schedule: &Schedule) -> Infallible {
    loop {
        tokio::time::sleep(LEASE_TIME / 3).await;
        prolong(source, schedule, LEASE_TIME).await;
    }
}

/// For how long one server of a database makes the backups at the most: until a minute behind its next one.
fn longest_lease(schedule: &Schedule) -> Duration {
    schedule.every.saturating_add(LEASE_TIME)
}

async fn prolong(source: &Source, schedule: &Schedule, time: Duration) {
    let held = source.hold_backups(time, longest_lease(schedule));
    if let Err(error) = held.await {
        tracing::warn!(
            error = &error as &dyn std::error::Error,
            "the other servers of the database are not told that this one makes the backups"
        );
    }
}

/// How long until the next one is due, by the newest that there is, here or by another server.
async fn due_in(source: &Source, schedule: &Schedule) -> Duration {
    let newest = newest(schedule).await.max(source.newest_of_others().await);
    due_after(newest, schedule)
}

/// The same by when the newest one was begun.
fn due_after(newest: Option<Timestamp>, schedule: &Schedule) -> Duration {
    let age = newest.map(age_of);
    age.map_or(Duration::ZERO, |age| schedule.every.saturating_sub(age))
}

/// When the newest backup that there is was begun.
async fn newest(schedule: &Schedule) -> Option<Timestamp> {
    let own = schedule.place.own().await.unwrap_or_default();
    let newest = own.whole.iter().rev().find(|name| !is_of_wrong_clock(name));
    newest.and_then(|name| begun_at(name))
}

/// How long ago a moment was; nothing of one that is to come.
fn age_of(moment: Timestamp) -> Duration {
    let millis = SystemClock.now().millis() - moment.millis();
    Duration::from_millis(u64::try_from(millis).unwrap_or_default())
}

async fn back_up(source: &Source, schedule: &Schedule) -> anyhow::Result<String> {
    let name = name(&SystemClock.now().to_string());
    let kept = match &schedule.place {
        Place::Folder(folder) => {
            make(folder)?;
            let incoming = Incoming::Own(source.begin().await?);
            to_file(incoming, &folder.join(&name)).await?
        }
        Place::Bucket(storage) => {
            let incoming = Incoming::Own(source.begin().await?);
            to_bucket_with_mark(incoming, storage, &name).await?
        }
    };
    for problem in &kept.contents.problems {
        tracing::error!("the backup lacks something: {problem}");
    }
    if let Err(error) = clear_away(schedule).await {
        tracing::warn!(
            error = format!("{error:#}"),
            "old backups are not removed, because they can't be listed"
        );
    }
    Ok(name)
}

/// Removes those that are too many. What stays for now does no harm to the one that was made.
async fn clear_away(schedule: &Schedule) -> anyhow::Result<()> {
    for old in too_many(schedule.place.own().await?, schedule) {
        if let Err(error) = schedule.place.remove(&old).await {
            tracing::warn!(
                error = format!("{error:#}"),
                name = old,
                "an old backup can't be removed; the next one tries again"
            );
        }
    }
    Ok(())
}

fn make(folder: &Path) -> anyhow::Result<()> {
    let made = store::folders::make_folder(folder);
    made.with_context(|| format!("can't make {}", folder.display()))
}

/// Those that go, of all there are.
fn too_many(all: Backups, schedule: &Schedule) -> Vec<String> {
    let is_too_old = |name: &String| {
        let age = begun_at(name).map(age_of);
        schedule
            .keep_for
            .zip(age)
            .is_some_and(|(kept, age)| age > kept)
    };
    let Backups { whole, broken } = all;
    let newest = whole.len().saturating_sub(1);
    let more = match schedule.keep {
        0 => 0,
        keep => whole.len().saturating_sub(keep),
    };
    // what was made since is newer than one of a clock that was ahead
    let (ahead, others): (Vec<_>, Vec<_>) = whole.into_iter().partition(|it| is_of_wrong_clock(it));
    let numbered = ahead.into_iter().chain(others).enumerate();
    let (going, staying): (Vec<_>, Vec<_>) = numbered
        .partition(|(number, name)| *number < newest && (*number < more || is_too_old(name)));
    // what was not compared takes no place of a backup, and goes with those of its time
    let oldest = staying.into_iter().map(|(_, name)| name).min();
    let is_left_behind = |name: &String| oldest.as_ref().is_some_and(|oldest| name < oldest);
    let going = going.into_iter().map(|(_, name)| name);
    going
        .chain(broken.into_iter().filter(is_left_behind))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keeping(keep: usize, keep_for: Option<Duration>) -> Schedule {
        Schedule {
            place: Place::Folder(PathBuf::new()),
            every: Duration::ZERO,
            keep,
            keep_for,
        }
    }

    #[test]
    fn the_oldest_go_by_their_number_and_by_their_age_and_the_newest_never() {
        let moments = [
            "2020-01-01T00:00:00.000Z",
            "2020-01-02T00:00:00.000Z",
            "2020-01-03T00:00:00.000Z",
        ];
        let all = moments.map(name);
        let going = |keep: usize, keep_for: Option<u64>| {
            let schedule = keeping(keep, keep_for.map(Duration::from_secs));
            too_many(Backups::in_folder(all.to_vec()), &schedule).len()
        };
        assert_eq!([going(0, None), going(2, None), going(9, None)], [0, 1, 0]);
        assert_eq!(
            [going(0, Some(3600)), going(1, Some(u64::MAX / 2000))],
            [2, 2]
        );
    }

    #[test]
    fn one_of_a_clock_that_was_ahead_goes_before_those_that_were_made_since() {
        let ahead = SystemClock.now().plus_seconds(24 * 3600).to_string();
        let all = [
            "2020-01-01T00:00:00.000Z",
            "2020-01-02T00:00:00.000Z",
            &ahead,
        ]
        .map(name);
        let going = |keep: usize| {
            let schedule = keeping(keep, None);
            too_many(Backups::in_folder(all.to_vec()), &schedule)
        };
        assert_eq!(going(2), [all[2].clone()]);
        assert_eq!(going(1), [all[2].clone(), all[0].clone()]);
    }

    #[test]
    fn what_was_not_compared_takes_no_place_of_a_backup_and_goes_with_those_of_its_time() {
        let moments = [
            "2020-01-01T00:00:00.000Z",
            "2020-01-02T00:00:00.000Z",
            "2020-01-03T00:00:00.000Z",
            "2020-01-04T00:00:00.000Z",
        ];
        let [old, early, newest, late] = moments.map(name);
        let going = |keep: usize| {
            let schedule = keeping(keep, None);
            let all = Backups {
                whole: vec![old.clone(), newest.clone()],
                broken: vec![early.clone(), late.clone()],
            };
            too_many(all, &schedule)
        };
        assert_eq!(going(2), Vec::<String>::new());
        assert_eq!(going(1), [old.clone(), early.clone()]);
    }

    #[tokio::test]
    async fn the_next_one_is_due_by_the_age_of_the_newest_and_at_once_without_any() {
        let folder = tempfile::tempdir().expect("a folder");
        let hours = |hours: u64| Duration::from_secs(hours * 3600);
        let due = async |every: u64| {
            let schedule = Schedule {
                place: Place::Folder(folder.path().to_owned()),
                every: hours(every),
                keep: 0,
                keep_for: None,
            };
            due_after(newest(&schedule).await, &schedule)
        };
        assert_eq!(due(3).await, Duration::ZERO);
        for ago in [2, 50] {
            let begun = SystemClock.now().plus_seconds(-ago * 3600).to_string();
            fs::write(folder.path().join(name(&begun)), "x").expect("written");
        }
        // one that a clock named that was ahead is none that was made since
        let ahead = SystemClock.now().plus_seconds(24 * 3600).to_string();
        fs::write(folder.path().join(name(&ahead)), "x").expect("written");
        // what is nobody's backup says nothing of when one was made
        fs::write(folder.path().join("fieldstone-mine.tar.zst"), "x").expect("written");
        assert_eq!(due(1).await, Duration::ZERO);
        let left = due(3).await;
        let is_close = left <= hours(1) && left + Duration::from_secs(60) > hours(1);
        assert!(is_close, "{left:?}");
    }
}
