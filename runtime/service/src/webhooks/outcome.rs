//! What becomes of a letter that was sent: it arrived, is tried again or given up, or its webhook is switched off. It sends nothing.

use super::courier::Undelivered;
use super::runner::AtWork;
use crate::manage::Operator;
use crate::{Refusal, Service};
use std::time::Duration;
use store::catalog::Webhook;
use store::deliveries::{DeadLetter, Delivery};
use wire::Timestamp;

/// By which name the trail remembers who switched a webhook off.
const ACTOR: &str = "webhooks";

impl Service {
    /// Notes what became of a letter, which would be this one if it is given up. A server that stood still for longer than its turn
    /// takes back nothing of what another one did meanwhile, and a try that failed nothing of what somebody resent meanwhile. Where it
    /// arrived and another one follows, which ends at an entry, that one is begun, and how far that is, is given.
    pub(super) async fn note(
        &self,
        at_work: &AtWork,
        hook: &Webhook,
        delivery: Delivery,
        (mut letter, ended): (DeadLetter, Result<(), Undelivered>),
        following: Option<u64>,
    ) -> Result<Option<Delivery>, Refusal> {
        let now = self.now();
        let is_refused = matches!(ended, Err(Undelivered::ForGood));
        let error = match ended {
            Ok(()) => {
                let next = Delivery {
                    position: letter.last,
                    batch_end: following,
                    delivered_at: Some(now),
                    ..Delivery::default()
                };
                let noted = at_work.note_delivery(hook, delivery, next.clone(), None);
                let goes_on = noted.await? && following.is_some();
                return Ok(goes_on.then_some(next));
            }
            Err(Undelivered::ForNow(error)) => error,
            Err(Undelivered::ForGood) => "it answered 410: it wants no more".to_owned(),
        };
        let tries = delivery.tries + 1;
        let mut chance = [0];
        self.entropy().fill(&mut chance);
        let pause = at_work.settings.pause(tries, chance[0]);
        // a clock that was ahead does not put off when it is given up
        let since = delivery.failing_since.unwrap_or(now).min(now);
        let mut next = Delivery {
            batch_end: Some(letter.last),
            tries,
            next_try_at: Some(later(now, pause)),
            webhook_changed_at: Some(hook.stamp.updated_at),
            failing_since: Some(since),
            error: Some(error.clone()),
            ..delivery.clone()
        };
        let is_given_up = tries >= at_work.settings.tries_max;
        // each letter gets all its tries first: days in which nothing was sent are no sign of death
        let is_dead = is_given_up && later(since, at_work.settings.dead_after) <= now;
        let is_over = is_dead || is_refused;
        if is_given_up && !is_over {
            // what failed was this letter: the next one is not put off
            next.position = letter.last;
            (next.tries, next.next_try_at, next.batch_end) = (0, None, None);
        }
        letter.error = error;
        let dead = (is_given_up && !is_over).then_some(letter);
        let noted = at_work.note_delivery(hook, delivery, next.clone(), dead);
        if noted.await? && is_over {
            // where that fails or is broken off, the next try finds it as long dead as this one
            self.switch_off(hook).await?;
            // it begins anew when it is switched on again
            let anew = Delivery {
                tries: 0,
                next_try_at: None,
                failing_since: None,
                ..next.clone()
            };
            let noted = at_work.note_delivery(hook, next, anew, None);
            noted.await?;
        }
        Ok(None)
    }

    /// Switches a webhook off at which nothing arrives, unless it was changed or deleted meanwhile: what was tried is not what it
    /// is by now. The trail tells of it, and so does a figure.
    async fn switch_off(&self, hook: &Webhook) -> Result<(), Refusal> {
        let catalog = self.store().current_catalog().await?;
        let newest = catalog.webhooks.get(&hook.id);
        if newest.is_none_or(|newest| newest.stamp.updated_at != hook.stamp.updated_at) {
            return Ok(());
        }
        tracing::warn!(
            webhook = hook.id,
            name = hook.name,
            "a webhook is switched off: nothing arrives there"
        );
        let operator = Operator::of_this_machine(ACTOR);
        if let Some(by) = self.operator(&operator, &hook.tenant) {
            self.webhooks().set_active(&by, &hook.id, false).await?;
            metrics::counter!("fieldstone_switched_off_webhooks_total").increment(1);
        }
        Ok(())
    }
}

fn later(at: Timestamp, by: Duration) -> Timestamp {
    let millis = i64::try_from(by.as_millis()).unwrap_or(i64::MAX);
    Timestamp::from_millis(at.millis().saturating_add(millis))
}
