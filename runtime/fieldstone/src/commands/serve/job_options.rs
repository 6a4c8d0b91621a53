//! What an operator can set about jobs: imports and exports.

use crate::time_bounds::CENTURY_DAYS;
use clap::Args;
use service::JobSettings;
use std::time::Duration;

/// Seconds of a day.
const DAY: u64 = 24 * 3600;

#[derive(Args)]
#[command(next_help_heading = "Settings of jobs")]
pub(crate) struct JobOptions {
    /// Jobs that are worked on at a time, of all tenants together
    #[arg(long = "job-workers", env = "FIELDSTONE_JOB_WORKERS", value_name = "COUNT", default_value_t = 2, value_parser = clap::value_parser!(u16).range(1..=64))]
    workers: u16,

    /// Jobs of a tenant that are worked on at a time. Where it is not set, one of several tenants has all of --job-workers but
    /// one, and the only tenant has all
    #[arg(long = "job-running-max", env = "FIELDSTONE_JOB_RUNNING_MAX", value_name = "COUNT", value_parser = clap::value_parser!(u32).range(1..))]
    running_max: Option<u32>,

    /// Jobs of a tenant that may wait for their turn
    #[arg(long = "job-waiting-max", env = "FIELDSTONE_JOB_WAITING_MAX", value_name = "COUNT", default_value_t = JobSettings::default().waiting_max, value_parser = clap::value_parser!(u32).range(1..))]
    waiting_max: u32,

    /// Bytes that a file sent for import may have, as it is sent
    #[arg(long = "import-bytes-max", env = "FIELDSTONE_IMPORT_BYTES_MAX", value_name = "BYTES", default_value_t = JobSettings::default().upload_bytes_max)]
    upload_bytes_max: u64,

    /// How many times its own size a packed file or a workbook may unpack to when it is imported, and to 512 MiB in any case
    #[arg(long = "import-unpacked-times", env = "FIELDSTONE_IMPORT_UNPACKED_TIMES", value_name = "COUNT", default_value_t = JobSettings::default().unpacked_times_max, value_parser = clap::value_parser!(u32).range(1..))]
    unpacked_times_max: u32,

    /// Leave the faults (`_errors`) of records as they are when their schema or a data domain changes, until each
    /// record is written again
    #[arg(long = "no-revalidation", env = "FIELDSTONE_NO_REVALIDATION")]
    no_revalidation: bool,

    /// Days for which exports and rejected rows can be downloaded, 36,500 at most
    #[arg(long = "job-files-days", env = "FIELDSTONE_JOB_FILES_DAYS", value_name = "DAYS", default_value_t = 7, value_parser = clap::value_parser!(u32).range(1..=CENTURY_DAYS))]
    files_days: u32,
}

impl JobOptions {
    pub(super) fn settings(&self) -> JobSettings {
        JobSettings {
            workers: usize::from(self.workers),
            running_max: self.running_max,
            waiting_max: self.waiting_max,
            upload_bytes_max: self.upload_bytes_max,
            unpacked_times_max: self.unpacked_times_max,
            revalidates: !self.no_revalidation,
            files_kept: Duration::from_secs(u64::from(self.files_days) * DAY),
            ..JobSettings::default()
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
        options: JobOptions,
    }

    #[test]
    fn how_many_are_worked_on_is_what_the_flags_say() {
        let flags = ["serve", "--job-workers=3", "--job-running-max=4"];
        let settings = Command::parse_from(flags).options.settings();
        assert_eq!((settings.workers, settings.running_max), (3, Some(4)));
    }
}
