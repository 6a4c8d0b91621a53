//! Backups that a server makes by itself: into a folder, every so often, the newest of them kept. Only files that are
//! named as its own are ever removed, and none before a newer one is whole.

use super::keeping::{Incoming, to_file};
use super::{ENDING, Source};
use crate::metrics;
use anyhow::Context as _;
use service::{Clock as _, SystemClock};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// How the names of its files begin.
const BEGINNING: &str = "fieldstone-";
/// How long after the start the first backup is made, where one is due: a server that can't stay up makes none.
const FIRST: Duration = Duration::from_secs(10);
/// How long after a failure it is tried again.
const AGAIN: Duration = Duration::from_secs(10 * 60);

/// When backups are made, and how many are kept.
#[derive(Clone, Debug)]
pub(crate) struct Schedule {
    /// Where they go.
    pub(crate) folder: PathBuf,
    /// How long after one backup the next one is.
    pub(crate) every: Duration,
    /// How many stay; all, where it is 0.
    pub(crate) keep: usize,
}

/// Makes backups until it is dropped.
pub(crate) async fn keep(source: Source, schedule: Schedule) {
    tokio::time::sleep(FIRST.min(schedule.every)).await;
    loop {
        let pause = match due_in(&schedule) {
            Duration::ZERO => match back_up(&source, &schedule).await {
                Ok(path) => {
                    metrics::note_backup();
                    tracing::info!(path = %path.display(), "backed up");
                    schedule.every
                }
                Err(error) => {
                    metrics::note_failed_backup();
                    tracing::error!(
                        error = format!("{error:#}"),
                        "the store was not backed up; it is tried again"
                    );
                    AGAIN.min(schedule.every)
                }
            },
            left => left,
        };
        tokio::time::sleep(pause).await;
    }
}

/// How long until the next one is due, by the newest that there is.
fn due_in(schedule: &Schedule) -> Duration {
    let newest = own(&schedule.folder).unwrap_or_default().pop();
    let made = newest.and_then(|path| fs::metadata(path).ok()?.modified().ok());
    let age = made.and_then(|made| SystemTime::now().duration_since(made).ok());
    age.map_or(Duration::ZERO, |age| schedule.every.saturating_sub(age))
}

async fn back_up(source: &Source, schedule: &Schedule) -> anyhow::Result<PathBuf> {
    let folder = &schedule.folder;
    let mut builder = fs::DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    let made = builder.recursive(true).create(folder);
    made.with_context(|| format!("can't make {}", folder.display()))?;
    let path = folder.join(name(&SystemClock.now().to_string()));
    let incoming = Incoming::Own(source.begin().await?);
    let kept = to_file(incoming, &path).await?;
    for problem in &kept.contents.problems {
        tracing::error!("the backup lacks something: {problem}");
    }
    let all = own(folder)?;
    let too_many = match schedule.keep {
        0 => 0,
        keep => all.len().saturating_sub(keep),
    };
    for old in &all[..too_many] {
        fs::remove_file(old).with_context(|| format!("can't remove {}", old.display()))?;
    }
    Ok(path)
}

/// The name of a backup of a moment, such as `2026-11-22T04:30:00.000Z`: names stand in the order of their moments.
fn name(moment: &str) -> String {
    let moment: String = moment.chars().filter(char::is_ascii_alphanumeric).collect();
    format!("{BEGINNING}{moment}{ENDING}")
}

/// The backups of a folder that are this program's own, oldest first.
fn own(folder: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name();
        let moment = name
            .to_str()
            .and_then(|name| name.strip_prefix(BEGINNING)?.strip_suffix(ENDING));
        let is_moment = |text: &str| {
            text.len() == 19
                && text.ends_with('Z')
                && text.starts_with(|c: char| c.is_ascii_digit())
        };
        if moment.is_some_and(is_moment) {
            found.push(entry.path());
        }
    }
    found.sort();
    Ok(found)
}
