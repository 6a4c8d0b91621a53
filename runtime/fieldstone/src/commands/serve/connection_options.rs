//! What an operator can set about connections: how many there may be, and how slowly a client may take its
//! answers.

use crate::connection_limits::{self, ConnectionLimits};
use crate::memory_limit;
use crate::slow_reader::ReadingPace;
use crate::time_bounds::YEAR_SECONDS;
use clap::{Args, value_parser};
use std::time::Duration;

#[derive(Args)]
pub(crate) struct ConnectionOptions {
    /// Connections at a time; further ones are answered with 503 and closed. Never more than the limit of open files
    /// allows. By default as many as that and the memory allow, 4096 at most
    #[arg(
        long,
        env = "FIELDSTONE_CONNECTIONS_MAX",
        value_name = "COUNT",
        value_parser = value_parser!(u32).range(1..)
    )]
    connections_max: Option<u32>,

    /// Connections at a time from one address (of IPv6, one network of 64 bits); further ones are answered with 503
    /// and closed. By default a quarter of all. Behind a proxy all clients have its address
    #[arg(
        long,
        env = "FIELDSTONE_CONNECTIONS_PER_ADDRESS_MAX",
        value_name = "COUNT",
        value_parser = value_parser!(u32).range(1..)
    )]
    connections_per_address_max: Option<u32>,

    /// Seconds that a client may take nothing of its answer before the connection is cut, a year at most
    #[arg(
        long,
        env = "FIELDSTONE_ANSWER_SECONDS",
        value_name = "SECONDS",
        default_value_t = 30,
        value_parser = value_parser!(u64).range(1..=YEAR_SECONDS)
    )]
    answer_seconds: u64,

    /// Bytes of its answer that a client has to take per second, in the long run
    #[arg(
        long,
        env = "FIELDSTONE_ANSWER_BYTES_PER_SECOND_MIN",
        value_name = "BYTES",
        default_value_t = 16 << 10,
        value_parser = value_parser!(u32).range(1..)
    )]
    answer_bytes_per_second_min: u32,
}

fn count(count: u32) -> usize {
    usize::try_from(count).unwrap_or(usize::MAX)
}

impl ConnectionOptions {
    /// Refuses to begin with too few open files, or too few addresses.
    pub(super) fn check(&self) -> anyhow::Result<()> {
        memory_limit::check()?;
        connection_limits::check_open_files(self.connections_max.map(count))
    }

    pub(super) fn limits(&self) -> ConnectionLimits {
        ConnectionLimits::new(
            self.connections_max.map(count),
            self.connections_per_address_max.map(count),
        )
    }

    pub(super) fn reading_pace(&self) -> ReadingPace {
        ReadingPace {
            pause_max: Duration::from_secs(self.answer_seconds),
            bytes_per_second_min: self.answer_bytes_per_second_min,
        }
    }
}
