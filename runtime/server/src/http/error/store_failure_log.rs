//! Why requests are refused for the sake of the database, in the log: once for each cause and minute, however many requests meet
//! it. Each of these requests has a line of its own, with its status, in any case.

use parking_lot::Mutex;
use std::collections::HashMap;
use std::error::Error as _;
use std::time::{Duration, Instant};
use store::{StoreError, chain};

/// How long a cause that was logged is only counted.
const INTERVAL: Duration = Duration::from_secs(60);

/// Of how many causes it is known that they were logged.
const CAUSES_MAX: usize = 64;

static LOGGED: Mutex<Option<Logged>> = Mutex::new(None);

/// When each cause was logged, and how often it was met since.
type Logged = HashMap<String, (Instant, u64)>;

/// Logs why the database could not do its work, unless that was logged within the last minute.
pub(super) fn note(error: &StoreError) {
    let mut logged = LOGGED.lock();
    let logged = logged.get_or_insert_default();
    if let Some(more) = is_due(logged, &chain(error), Instant::now()) {
        let cause = error.source();
        let more = (more > 0).then_some(more);
        tracing::error!(error = cause, more, "{error}");
    }
}

/// Whether a cause is to be logged now; how often it was met since it last was.
fn is_due(logged: &mut Logged, cause: &str, now: Instant) -> Option<u64> {
    // processes, ports and times differ each time
    let cause: String = cause.chars().filter(|it| !it.is_ascii_digit()).collect();
    if let Some((since, more)) = logged.get_mut(&cause)
        && now.duration_since(*since) < INTERVAL
    {
        *more += 1;
        return None;
    }
    if logged.len() >= CAUSES_MAX {
        logged.retain(|_, (since, _)| now.duration_since(*since) < INTERVAL);
    }
    let before = logged.remove(&cause);
    if logged.len() < CAUSES_MAX {
        logged.insert(cause, (now, 0));
    }
    Some(before.map_or(0, |(_, more)| more))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cause_is_due_once_a_minute_and_each_by_itself() {
        let (mut logged, now) = (Logged::new(), Instant::now());
        let mut at = |seconds, cause: &str| {
            let now = now + Duration::from_secs(seconds);
            is_due(&mut logged, cause, now)
        };
        assert_eq!(at(0, "the node one is away"), Some(0));
        assert_eq!(at(1, "the node one is away"), None);
        assert_eq!(at(2, "process 12 waits"), Some(0));
        assert_eq!(at(59, "the node one is away"), None);
        assert_eq!(at(60, "process 345 waits"), None);
        assert_eq!(at(60, "the node one is away"), Some(2));
        assert_eq!(at(61, "the node one is away"), None);
        for number in 0..2 * CAUSES_MAX {
            at(61, &"x".repeat(number + 1));
        }
        assert!(logged.len() <= CAUSES_MAX);
    }
}
