//! What an operator can set about what goes by its age.

use crate::time_bounds::CENTURY_DAYS;
use clap::Args;
use service::RetentionSettings;
use std::time::Duration;

/// Seconds of a day.
const DAY: u64 = 24 * 3600;

#[derive(Args)]
#[command(next_help_heading = "Settings of retention")]
pub(crate) struct RetentionOptions {
    /// Days for which changes of records are kept: their history, and what programs that follow changes can ask for;
    /// 36,500 at most. Without it, they are kept for ever. With `--backup-dir`, a change is removed only once a
    /// backup has it
    #[arg(
        long = "keep-changes-days",
        id = "keep-changes-days",
        env = "FIELDSTONE_KEEP_CHANGES_DAYS",
        value_name = "DAYS",
        value_parser = clap::value_parser!(u32).range(1..=CENTURY_DAYS)
    )]
    changes: Option<u32>,

    /// Days for which the audit trail is kept, 36,500 at most; without it, it is kept for ever
    #[arg(
        long = "keep-audit-days",
        id = "keep-audit-days",
        env = "FIELDSTONE_KEEP_AUDIT_DAYS",
        value_name = "DAYS",
        value_parser = clap::value_parser!(u32).range(1..=CENTURY_DAYS)
    )]
    audit: Option<u32>,

    /// Days after which deleted records are removed for good, 36,500 at most; without it, they stay
    #[arg(
        long = "keep-deleted-days",
        id = "keep-deleted-days",
        env = "FIELDSTONE_KEEP_DELETED_DAYS",
        value_name = "DAYS",
        value_parser = clap::value_parser!(u32).range(1..=CENTURY_DAYS)
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

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[derive(Parser)]
    struct Command {
        #[command(flatten)]
        options: RetentionOptions,
    }

    fn settings(flags: &[&str], has_backups: bool) -> RetentionSettings {
        let all = std::iter::once("serve").chain(flags.iter().copied());
        Command::parse_from(all).options.settings(has_backups)
    }

    #[test]
    fn each_flag_keeps_its_own_for_its_days() {
        let flags = [
            "--keep-changes-days=1",
            "--keep-audit-days=2",
            "--keep-deleted-days=3",
        ];
        let kept = settings(&flags, true);
        let days = [kept.changes, kept.trail, kept.deleted];
        let expected = [1, 2, 3].map(|days| Some(Duration::from_secs(days * DAY)));
        assert_eq!(days, expected);
        assert!(kept.only_backed_up);
    }

    #[test]
    fn without_a_flag_all_is_kept_for_ever() {
        let kept = settings(&[], false);
        assert_eq!([kept.changes, kept.trail, kept.deleted], [None; 3]);
        assert!(!kept.only_backed_up);
    }
}
