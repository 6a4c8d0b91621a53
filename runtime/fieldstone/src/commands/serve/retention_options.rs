//! What an operator can set about what goes by its age.

use clap::Args;
use service::RetentionSettings;
use std::time::Duration;

/// Seconds of a day.
const DAY: u64 = 24 * 3600;

#[derive(Args)]
#[command(next_help_heading = "Settings of retention")]
pub(crate) struct RetentionOptions {
    /// Days for which changes of records are kept: their history, and what those who follow them can ask for; without
    /// it, for ever. With `--backup-dir`, nothing goes that no backup has
    #[arg(
        long = "keep-changes-days",
        id = "keep-changes-days",
        env = "FIELDSTONE_KEEP_CHANGES_DAYS",
        value_name = "DAYS",
        value_parser = clap::value_parser!(u32).range(1..)
    )]
    changes: Option<u32>,

    /// Days for which the audit trail is kept; without it, for ever
    #[arg(
        long = "keep-audit-days",
        id = "keep-audit-days",
        env = "FIELDSTONE_KEEP_AUDIT_DAYS",
        value_name = "DAYS",
        value_parser = clap::value_parser!(u32).range(1..)
    )]
    audit: Option<u32>,

    /// Days after which deleted records are purged; without it, never
    #[arg(
        long = "keep-deleted-days",
        id = "keep-deleted-days",
        env = "FIELDSTONE_KEEP_DELETED_DAYS",
        value_name = "DAYS",
        value_parser = clap::value_parser!(u32).range(1..)
    )]
    deleted: Option<u32>,
}

impl RetentionOptions {
    /// For how long things are kept, by a server that makes backups by itself or does not.
    pub(super) fn settings(&self, has_backups: bool) -> RetentionSettings {
        let days = |days: u32| Duration::from_secs(u64::from(days) * DAY);
        RetentionSettings {
            changes: self.changes.map(days),
            trail: self.audit.map(days),
            deleted: self.deleted.map(days),
            only_backed_up: has_backups,
        }
    }
}
