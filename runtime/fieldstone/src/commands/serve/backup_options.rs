//! What an operator can set about the backups that a server makes by itself.

use crate::backup::Schedule;
use clap::Args;
use std::path::PathBuf;
use std::time::Duration;

#[derive(Args)]
#[command(next_help_heading = "Settings of backups")]
pub(crate) struct BackupOptions {
    /// A folder for backups that the server makes by itself, best on another disk; without it, it makes none
    #[arg(
        long = "backup-dir",
        id = "backup-dir",
        env = "FIELDSTONE_BACKUP_DIR",
        value_name = "DIR"
    )]
    folder: Option<PathBuf>,

    /// Hours from one backup to the next
    #[arg(
        long = "backup-every",
        id = "backup-every",
        env = "FIELDSTONE_BACKUP_EVERY",
        value_name = "HOURS",
        default_value_t = 24,
        value_parser = clap::value_parser!(u32).range(1..)
    )]
    every_hours: u32,

    /// How many backups are kept: with a new one, the oldest go; 0 for all
    #[arg(
        long = "backup-keep",
        id = "backup-keep",
        env = "FIELDSTONE_BACKUP_KEEP",
        value_name = "COUNT",
        default_value_t = 7
    )]
    keep: usize,
}

impl BackupOptions {
    /// When backups are made; `None` for never.
    pub(super) fn schedule(&self) -> Option<Schedule> {
        Some(Schedule {
            folder: self.folder.clone()?,
            every: Duration::from_secs(u64::from(self.every_hours) * 3600),
            keep: self.keep,
        })
    }
}
