//! What an operator can set about the backups that a server makes by itself.

use crate::backup::{Place, Schedule, bucket_of};
use crate::bucket_options::BucketOptions;
use crate::outside::require_outside;
use crate::plain_links::PlainLinks;
use crate::time_bounds::{CENTURY_DAYS, CENTURY_HOURS};
use clap::Args;
use std::path::{Path, PathBuf};
use std::time::Duration;

#[derive(Args)]
#[command(next_help_heading = "Settings of backups")]
pub(crate) struct BackupOptions {
    /// A folder in which the server makes backups by itself, best on another disk, or `s3://BUCKET/PREFIX` in
    /// S3-compatible storage, with the same settings as files; without it, the server makes none
    #[arg(
        long = "backup-dir",
        id = "backup-dir",
        env = "FIELDSTONE_BACKUP_DIR",
        value_name = "DIR"
    )]
    folder: Option<PathBuf>,

    /// Hours from one backup to the next, 876,000 at most
    #[arg(
        long = "backup-every",
        id = "backup-every",
        env = "FIELDSTONE_BACKUP_EVERY",
        value_name = "HOURS",
        default_value_t = 24,
        value_parser = clap::value_parser!(u32).range(1..=CENTURY_HOURS)
    )]
    every_hours: u32,

    /// How many backups are kept: a new one removes the oldest; 0 for all
    #[arg(
        long = "backup-keep",
        id = "backup-keep",
        env = "FIELDSTONE_BACKUP_KEEP",
        value_name = "COUNT",
        default_value_t = 7
    )]
    keep: usize,

    /// Days after which backups are removed, the newest excepted, 36,500 at most; without it, only those are removed
    /// that are too many
    #[arg(
        long = "backup-keep-days",
        id = "backup-keep-days",
        env = "FIELDSTONE_BACKUP_KEEP_DAYS",
        value_name = "DAYS",
        value_parser = clap::value_parser!(u32).range(1..=CENTURY_DAYS)
    )]
    keep_days: Option<u32>,
}

impl BackupOptions {
    /// Whether backups are made.
    pub(super) fn is_on(&self) -> bool {
        self.folder.is_some()
    }

    /// Refuses a folder for them in the data folder.
    pub(super) fn require_outside(&self, data: &Path) -> anyhow::Result<()> {
        match &self.folder {
            Some(folder) if !self.is_in_bucket() => {
                require_outside(Some("--backup-dir"), folder, data)
            }
            _ => Ok(()),
        }
    }

    /// Whether they go to a bucket.
    pub(super) fn is_in_bucket(&self) -> bool {
        self.folder.as_deref().and_then(bucket_of).is_some()
    }

    /// When backups are made, and where they go; `None` for never. A bucket is opened by the settings of that of files.
    pub(super) async fn schedule(
        &self,
        files: &BucketOptions,
        links: PlainLinks,
    ) -> anyhow::Result<Option<Schedule>> {
        let Some(folder) = &self.folder else {
            return Ok(None);
        };
        let place = match bucket_of(folder) {
            Some((bucket, prefix)) => {
                Place::Bucket(files.bucket_for_backups(bucket, prefix, links).await?)
            }
            None => Place::Folder(folder.clone()),
        };
        let seconds = |hours: u32| Duration::from_secs(u64::from(hours) * 3600);
        Ok(Some(Schedule {
            place,
            every: seconds(self.every_hours),
            keep: self.keep,
            keep_for: self.keep_days.map(|days| seconds(1) * 24 * days),
        }))
    }
}
