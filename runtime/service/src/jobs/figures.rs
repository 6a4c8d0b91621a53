//! What is told of jobs in figures.

use store::jobs::JobState;

/// Counts a job that ended.
pub(super) fn count_end(state: JobState) {
    metrics::counter!("fieldstone_ended_jobs_total", "state" => state.as_str()).increment(1);
}
