//! How often work is tried that was overtaken, or whose connection was lost, and how long each try waits. It knows no
//! connection.

use crate::error::Failure;
use std::time::Duration;

/// How often work is tried that was overtaken, or whose connection was lost before it was committed.
const TRIES_MAX: u32 = 8;
/// How often where no answer came, each of which is waited for, and where no writes are taken, which another session tells.
const FEW_TRIES_MAX: u32 = 2;
/// How long the second try waits; each one after it twice as long.
const TRY_WAIT: Duration = Duration::from_millis(5);

/// How often work was tried.
#[derive(Default)]
pub(crate) struct Tries(u32);

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
        let is_silent = matches!(failure, Failure::Silent(_));
        let tries_max = if is_silent || failure.is_of_a_read_only_session() {
            FEW_TRIES_MAX
        } else {
            TRIES_MAX
        };
        if !is_worth_it || self.0 + 1 >= tries_max {
            return false;
        }
        tokio::time::sleep(TRY_WAIT * (1 << self.0)).await;
        self.0 += 1;
        true
    }
}
