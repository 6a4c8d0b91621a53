//! What can be set about jobs, by an operator, and some of it by who embeds the service alone. docs/interface.md, "Limits".

use std::time::Duration;

/// The limits of jobs.
#[derive(Clone, Copy, Debug)]
pub struct JobSettings {
    /// Jobs that are worked on at a time, of all tenants together.
    pub workers: usize,
    /// Jobs of a tenant that are worked on at a time. Without it, all workers may work for the only tenant, and all but one for
    /// one of several.
    pub running_max: Option<u32>,
    /// Jobs of a tenant that wait.
    pub waiting_max: u32,
    /// Bytes of a file that is sent to be imported.
    pub upload_bytes_max: u64,
    /// How many times its own size a file that is imported may unpack to, and to how many bytes in any case.
    pub unpacked_times_max: u32,
    /// See `unpacked_times_max`.
    pub unpacked_bytes_min: u64,
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

impl JobSettings {
    /// Jobs of a tenant that are worked on at a time, where there are so many tenants.
    pub(super) fn running_max_among(&self, tenants: usize) -> u32 {
        self.running_max.unwrap_or_else(|| {
            let workers = u32::try_from(self.workers).unwrap_or(u32::MAX);
            let kept_for_others = u32::from(tenants > 1);
            workers.saturating_sub(kept_for_others).max(1)
        })
    }

    /// What a file of so many bytes may unpack to.
    pub(super) fn unpacked_bytes_max(&self, file_bytes: u64) -> u64 {
        let times = u64::from(self.unpacked_times_max);
        file_bytes
            .saturating_mul(times)
            .max(self.unpacked_bytes_min)
    }
}

impl Default for JobSettings {
    fn default() -> Self {
        const DAY: u64 = 24 * 3600;
        JobSettings {
            workers: 2,
            running_max: None,
            waiting_max: 20,
            upload_bytes_max: 4 << 30,
            unpacked_times_max: 100,
            unpacked_bytes_min: 512 << 20,
            repair_time_max: Duration::from_secs(10),
            revalidates: true,
            retries_max: 15,
            retry_pause: Duration::from_secs(1),
            files_kept: Duration::from_secs(7 * DAY),
            kept: Duration::from_secs(90 * DAY),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_of_several_tenants_leaves_a_worker_to_the_others() {
        let of = |workers, running_max, tenants| {
            let settings = JobSettings {
                workers,
                running_max,
                ..JobSettings::default()
            };
            settings.running_max_among(tenants)
        };
        assert_eq!([of(2, None, 1), of(2, None, 2), of(8, None, 3)], [2, 1, 7]);
        assert_eq!(of(1, None, 2), 1, "a tenant has a worker at least");
        assert_eq!(of(2, Some(5), 2), 5, "as the operator says");
    }
}
