//! How often work is tried that was overtaken, or whose connection was lost, and how long each try waits. It knows no
//! connection.

use crate::error::Failure;
use std::time::{Duration, Instant};

/// Work that was tried again, for who gathers figures.
pub(crate) const RETRIES: &str = "fieldstone_database_retries_total";

/// How often work is tried that was overtaken, or whose connection was lost before it was committed.
const TRIES_MAX: u32 = 8;
/// How often where no answer came, each of which is waited for, and where no writes are taken, which another session tells.
const FEW_TRIES_MAX: u32 = 2;
/// How long a try takes at least that ended for lack of an answer, though the system says that no connection could be made: a host
/// that is there refuses it sooner. One that was lost after so long may have been at work.
const ANSWER_LACKS: Duration = Duration::from_secs(1);
/// How long the second try waits; each one after it twice as long.
const TRY_WAIT: Duration = Duration::from_millis(5);

/// How often work was tried.
pub(crate) struct Tries {
    done: u32,
    /// When the last one began.
    began: Instant,
}

impl Default for Tries {
    fn default() -> Self {
        Tries {
            done: 0,
            began: Instant::now(),
        }
    }
}

impl Tries {
    /// Whether it is worth another try after this; waits before it says yes.
    pub(crate) async fn has_another(&mut self, failure: &Failure) -> bool {
        self.has_another_where(failure, |_| false).await
    }

    /// The same for work that is repeated after other failures too.
    pub(crate) async fn has_another_where(
        &mut self,
        failure: &Failure,
        is_also_worth_it: fn(&Failure) -> bool,
    ) -> bool {
        let is_worth_it = failure.is_of_a_race()
            || failure.leaves_a_commit_unknown()
            || failure.is_of_a_read_only_session()
            || is_also_worth_it(failure);
        let has_no_answer =
            failure.is_of_making_a_connection() && self.began.elapsed() >= ANSWER_LACKS;
        let is_silent = has_no_answer || matches!(failure, Failure::Silent(_));
        let tries_max = if is_silent || failure.is_of_a_read_only_session() {
            FEW_TRIES_MAX
        } else {
            TRIES_MAX
        };
        if !is_worth_it || self.done + 1 >= tries_max {
            return false;
        }
        tokio::time::sleep(TRY_WAIT * (1 << self.done)).await;
        metrics::counter!(RETRIES).increment(1);
        self.done += 1;
        self.began = Instant::now();
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use deadpool_postgres::PoolError;

    /// How often work is tried that fails so, each time after so long.
    async fn tries_of(failure: &Failure, took: Duration) -> u32 {
        let mut tries = Tries::default();
        loop {
            let began = Instant::now().checked_sub(took);
            tries.began = began.expect("a machine that runs for longer");
            if !tries.has_another(failure).await {
                return tries.done + 1;
            }
        }
    }

    #[tokio::test]
    async fn what_fails_for_lack_of_an_answer_is_tried_once_more_and_what_is_refused_or_lost_often()
    {
        let error = || {
            let error = "no address".parse::<tokio_postgres::Config>();
            error.expect_err("it is none")
        };
        let unmade = Failure::Pool(PoolError::Backend(error()));
        assert_eq!(tries_of(&unmade, Duration::ZERO).await, TRIES_MAX);
        assert_eq!(tries_of(&unmade, ANSWER_LACKS).await, FEW_TRIES_MAX);
        // a server that was stopped after a second of work
        let lost = Failure::from(error());
        assert!(lost.is_of_the_connection());
        assert_eq!(tries_of(&lost, ANSWER_LACKS).await, TRIES_MAX);
        let silent = Failure::Silent(ANSWER_LACKS);
        assert_eq!(tries_of(&silent, Duration::ZERO).await, FEW_TRIES_MAX);
    }
}
