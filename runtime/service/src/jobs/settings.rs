//! What can be set about jobs, by an operator, and some of it by who embeds the service alone. docs/interface.md, "Limits".

use std::time::Duration;

/// The limits of jobs.
#[derive(Clone, Copy, Debug)]
pub struct JobSettings {
    /// Jobs that are worked on at a time, of all tenants together.
    pub workers: usize,
    /// Jobs of a tenant that are worked on at a time.
    pub running_max: u32,
    /// Jobs of a tenant that wait.
    pub waiting_max: u32,
    /// Bytes of a file that is sent to be imported.
    pub upload_bytes_max: u64,
    /// How long a regular expression may take on the values of a record that it repairs.
    pub repair_time_max: Duration,
    /// Whether records are judged anew, as a job, when their schema or a data domain changed.
    pub revalidates: bool,
    /// How often a job is tried again that gets no further because of what may be over soon: with the pauses between, for some
    /// four minutes in all.
    pub retries_max: u32,
    /// How long to wait before a job is tried again for the first time; twice as long each time, up to 20 seconds.
    pub retry_pause: Duration,
    /// How long what a job made can be downloaded after its end.
    pub files_kept: Duration,
    /// How long a job is remembered after its end.
    pub kept: Duration,
}

impl Default for JobSettings {
    fn default() -> Self {
        const DAY: u64 = 24 * 3600;
        JobSettings {
            workers: 2,
            running_max: 2,
            waiting_max: 20,
            upload_bytes_max: 4 << 30,
            repair_time_max: Duration::from_secs(10),
            revalidates: true,
            retries_max: 15,
            retry_pause: Duration::from_secs(1),
            files_kept: Duration::from_secs(7 * DAY),
            kept: Duration::from_secs(90 * DAY),
        }
    }
}
