//! What an operator can set about uploaded files: their limits, and where they go.

use crate::bucket_options::BucketOptions;
use crate::time_bounds::YEAR_SECONDS_SMALL;
use clap::Args;
use service::files::FileSettings;

/// What an operator can set about files.
#[derive(Args)]
#[command(next_help_heading = "Settings of uploaded files")]
pub(crate) struct FileOptions {
    /// Bytes that a file may have
    #[arg(
        long,
        env = "FIELDSTONE_FILE_BYTES_MAX",
        value_name = "BYTES",
        default_value_t = 100 << 20
    )]
    file_bytes_max: u64,

    /// Seconds that a download link works, a year at most
    #[arg(
        long,
        env = "FIELDSTONE_LINK_SECONDS",
        value_name = "SECONDS",
        default_value_t = 900,
        value_parser = clap::value_parser!(u32).range(..=YEAR_SECONDS_SMALL)
    )]
    link_seconds: u32,

    /// Seconds that a file is kept which no record refers to, a year at most
    #[arg(
        long,
        env = "FIELDSTONE_ORPHAN_SECONDS",
        value_name = "SECONDS",
        default_value_t = 86_400,
        value_parser = clap::value_parser!(u32).range(..=YEAR_SECONDS_SMALL)
    )]
    orphan_seconds: u32,

    #[command(flatten)]
    pub(crate) storage: BucketOptions,
}

impl FileOptions {
    /// The limits.
    pub(crate) fn settings(&self) -> FileSettings {
        FileSettings {
            bytes_max: self.file_bytes_max,
            link_seconds: self.link_seconds.into(),
            grace_seconds: self.orphan_seconds.into(),
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
        options: FileOptions,
    }

    #[test]
    fn a_file_that_no_record_names_stays_for_the_seconds_of_the_flag() {
        let command = Command::parse_from(["serve", "--orphan-seconds=7"]);
        assert_eq!(command.options.settings().grace_seconds, 7);
    }
}
