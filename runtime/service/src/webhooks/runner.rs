//! The work itself: a task for each webhook that is switched on, and one that looks which there are.

use super::batch::{Batch, NextChanges, TOGETHER, datasets_of};
use super::courier::Courier;
use super::settings::{WebhookParts, WebhookSettings};
use crate::{Owner, Refusal, Service, body_bytes_max, ids};
use parking_lot::Mutex;
use std::collections::HashMap;
use std::future::poll_fn;
use std::sync::{Arc, Weak};
use std::task::Poll;
use std::time::{Duration, Instant};
use store::catalog::Webhook;
use store::deliveries::{DeadLetter, Deliveries, Delivery};
use store::records::LogEntry;
use store::{StoreError, StoreFuture};
use tokio::sync::watch;
use tokio::task::{AbortHandle, JoinHandle, JoinSet};

/// How long until the catalog is looked at again: for webhooks that came, changed or went.
const LOOK: Duration = Duration::from_secs(1);
/// How long to wait where the store fails.
const PAUSE_AFTER_ERROR: Duration = Duration::from_secs(10);
/// How long one server has a webhook's deliveries, longer than any letter takes: when it dies, another one goes on then.
const LEASE: Duration = Duration::from_secs(60);
/// Memory that most letters take: the changes that are read, and their text.
const LETTER_BYTES: usize = 2 * TOGETHER.bytes;
/// How long a service that ends tries to give its leases back.
const LET_GO_MAX: Duration = Duration::from_secs(2);

/// What webhooks are at work with.
pub(crate) struct AtWork {
    pub(super) deliveries: Arc<dyn Deliveries>,
    pub(super) courier: Arc<dyn Courier>,
    pub(super) settings: WebhookSettings,
    /// By which name other servers know whose deliveries are held.
    holder: String,
    stop: watch::Sender<bool>,
    task: Mutex<Option<JoinHandle<()>>>,
}

/// What a step came to.
enum Step {
    /// Something was done, and there may be more.
    More,
    /// Nothing is to be sent behind this position.
    Idle(u64),
    /// Something is to be tried again, but not yet.
    Later(Duration),
}

impl AtWork {
    /// How far a webhook has come; `None` of one that never tried.
    pub(crate) fn delivery(&self, webhook: &str) -> StoreFuture<'_, Option<Delivery>> {
        self.deliveries.delivery(webhook)
    }

    /// Notes how far a webhook has come next, and what it gave up by that; whether it did. A figure counts what was given up, where that
    /// was noted: a server that another one has overtaken gives nothing up.
    pub(super) async fn note_delivery(
        &self,
        hook: &Webhook,
        seen: Delivery,
        next: Delivery,
        dead: Option<DeadLetter>,
    ) -> Result<bool, StoreError> {
        let is_given_up = dead.is_some();
        let noted = self.deliveries.note_delivery(&hook.id, seen, next, dead);
        let is_noted = noted.await?;
        if is_noted && is_given_up {
            metrics::counter!("fieldstone_dead_letters_total").increment(1);
        }
        Ok(is_noted)
    }
}

impl Service {
    /// Puts webhooks to work. Needs a tokio runtime around it.
    pub fn use_webhooks(self: &Arc<Self>, parts: WebhookParts) {
        let stop = watch::Sender::new(false);
        let task = tokio::spawn(look_after(Arc::downgrade(self), stop.subscribe()));
        let at_work = AtWork {
            deliveries: parts.deliveries,
            courier: parts.courier,
            settings: parts.settings,
            holder: ids::new_id(self.now(), self.entropy()),
            stop,
            task: Mutex::new(Some(task)),
        };
        // a service that was made just now has no other
        let _ = self.webhooks_at_work.set(at_work);
    }

    /// Ends the work, and waits for that. What is under way is broken off and sent again the next time, under the same id.
    pub(crate) async fn stop_webhooks(&self) {
        let Some(at_work) = self.webhooks_at_work.get() else {
            return;
        };
        at_work.stop.send_replace(true);
        let task = at_work.task.lock().take();
        if let Some(task) = task {
            // one that panicked has ended, too
            let _ = task.await;
            let let_go = self.let_go_of_deliveries(at_work);
            // where the store is away, the leases run out by themselves
            let _ = tokio::time::timeout(LET_GO_MAX, let_go).await;
        }
    }

    /// Leaves to other servers, and to the next start, what this one held: they need not wait until its leases run out.
    async fn let_go_of_deliveries(&self, at_work: &AtWork) {
        let catalog = self.store().catalog();
        for hook in catalog.webhooks.values().filter(|hook| hook.active) {
            let deliveries = &at_work.deliveries;
            let over = deliveries.hold_delivery(&hook.id, &at_work.holder, Duration::ZERO);
            if over.await.is_err() {
                return;
            }
        }
    }

    async fn step(&self, hook: &Webhook) -> Result<Step, Refusal> {
        let Some(at_work) = self.webhooks_at_work.get() else {
            return Ok(Step::Later(LOOK));
        };
        let known = at_work.deliveries.delivery(&hook.id).await?;
        let delivery = known.unwrap_or_else(|| Delivery {
            position: hook.begins_behind,
            ..Delivery::default()
        });
        let now = self.now();
        let wait = delivery
            .next_try(hook)
            .map_or(0, |at| at.millis() - now.millis());
        let wait = Duration::from_millis(u64::try_from(wait).unwrap_or_default());
        // one that is longer than any pause was begun by a clock that was ahead
        if !wait.is_zero() && wait <= at_work.settings.pause_max.saturating_mul(2) {
            return Ok(Step::Later(wait.min(LOOK)));
        }
        // letters of a tenant share the memory of one caller
        let owner = Owner::of(&hook.tenant, &hook.tenant);
        let bytes_max = body_bytes_max(self.settings().memory_budget_bytes);
        let first = LETTER_BYTES.min(bytes_max);
        let Ok(mut room) = self.memory().reserve(owner, first) else {
            return Ok(Step::Later(LOOK));
        };
        match self
            .next_batch(hook, delivery.position, delivery.batch_end)
            .await?
        {
            NextChanges::Nothing => Ok(Step::Idle(delivery.position)),
            NextChanges::Lost(gap) => {
                if let Some(other) = self.turn(at_work, hook, &delivery).await? {
                    return Ok(other);
                }
                let dead = DeadLetter {
                    dataset: gap.dataset.number,
                    after: gap.after,
                    last: gap.last,
                    changes: gap.changes,
                    at: now,
                    error: gap.error.to_owned(),
                };
                let next = Delivery {
                    position: gap.last,
                    batch_end: None,
                    ..delivery.clone()
                };
                let noted = at_work.note_delivery(hook, delivery, next, Some(dead));
                // also where another server went on meanwhile, what is next is looked for again
                noted.await?;
                Ok(Step::More)
            }
            NextChanges::Batches(mut batches) => {
                if room.grow_to(bytes_of(&batches).min(bytes_max)).is_err() {
                    batches.truncate(1);
                    if room.grow_to(bytes_of(&batches).min(bytes_max)).is_err() {
                        return Ok(Step::Later(LOOK));
                    }
                }
                self.send(at_work, hook, delivery, batches).await
            }
        }
    }

    /// Takes the turn of a webhook, which no other server has then; what is to be done where this one does not get it.
    async fn turn(
        &self,
        at_work: &AtWork,
        hook: &Webhook,
        delivery: &Delivery,
    ) -> Result<Option<Step>, Refusal> {
        let deliveries = &at_work.deliveries;
        let held = deliveries.hold_delivery(&hook.id, &at_work.holder, LEASE);
        if !held.await? {
            return Ok(Some(Step::Later(LOOK)));
        }
        let newest = deliveries.delivery(&hook.id).await?;
        // another server sent meanwhile, so what is next is looked for again
        let is_other = newest.is_some_and(|newest| newest != *delivery);
        Ok(is_other.then_some(Step::More))
    }

    /// Sends batches one after the other, unless another server does: as long as each arrives, and nothing else is known of the webhook.
    async fn send(
        &self,
        at_work: &AtWork,
        hook: &Webhook,
        delivery: Delivery,
        batches: Vec<Batch>,
    ) -> Result<Step, Refusal> {
        if let Some(other) = self.turn(at_work, hook, &delivery).await? {
            return Ok(other);
        }
        let read = Instant::now();
        let mut batches = batches.into_iter().peekable();
        let mut begun = match batches.peek() {
            Some(first) => self.begun(at_work, hook, delivery, first.last()).await?,
            None => None,
        };
        while let Some(delivery) = begun
            && let Some(batch) = batches.next()
        {
            let dead = DeadLetter {
                dataset: batch.dataset.number,
                after: batch.after,
                last: batch.last(),
                changes: batch.entries.len() as u64,
                at: self.now(),
                error: String::new(),
            };
            let letter = self.letter(hook, batch)?;
            let ended = at_work.courier.deliver(letter).await;
            // what was read a while ago may be another dataset's turn by now, or nobody's
            let goes_on = read.elapsed() < LOOK && self.is_unchanged(hook);
            let following = batches.peek().filter(|_| goes_on).map(Batch::last);
            let noted = self.note(at_work, hook, delivery, (dead, ended), following);
            begun = noted.await?;
        }
        Ok(Step::More)
    }

    /// Whether a webhook is as it was when its changes were read.
    fn is_unchanged(&self, hook: &Webhook) -> bool {
        let catalog = self.store().catalog();
        let newest = catalog.webhooks.get(&hook.id);
        newest.is_some_and(|newest| newest.stamp.updated_at == hook.stamp.updated_at)
    }

    /// Notes where a letter ends before it is sent first: whoever goes on behind a stop, a crash or a lease that ran out sends the
    /// same one, and its receiver knows it by its id. `None` where another server went on meanwhile.
    async fn begun(
        &self,
        at_work: &AtWork,
        hook: &Webhook,
        delivery: Delivery,
        last: u64,
    ) -> Result<Option<Delivery>, Refusal> {
        if delivery.batch_end.is_some() {
            return Ok(Some(delivery));
        }
        let begun = Delivery {
            batch_end: Some(last),
            ..delivery.clone()
        };
        let noted = at_work.note_delivery(hook, delivery, begun.clone(), None);
        Ok(noted.await?.then_some(begun))
    }
}

/// Memory of batches of which one after the other is sent: their changes, and the longest text.
fn bytes_of(batches: &[Batch]) -> usize {
    let bytes = |batch: &Batch| batch.entries.iter().map(LogEntry::bytes).sum::<usize>();
    let all = batches.iter().map(bytes);
    all.clone().sum::<usize>() + all.max().unwrap_or(0)
}

/// Keeps a task for each webhook that is switched on, until it is told to stop.
async fn look_after(service: Weak<Service>, mut stop: watch::Receiver<bool>) {
    let mut tasks = JoinSet::new();
    let mut at_work = HashMap::<String, AbortHandle>::new();
    while let Some(service) = service.upgrade() {
        let catalog = service.store().catalog();
        while tasks.try_join_next().is_some() {}
        at_work.retain(|_, task| !task.is_finished());
        for hook in catalog.webhooks.values().filter(|hook| hook.active) {
            if !at_work.contains_key(&hook.id) {
                let task = tasks.spawn(follow(Arc::downgrade(&service), hook.id.clone()));
                at_work.insert(hook.id.clone(), task);
            }
        }
        drop((service, catalog));
        tokio::select! {
            () = tokio::time::sleep(LOOK) => {}
            // a sender that is gone means the end as well
            _ = stop.wait_for(|is_stopping| *is_stopping) => break,
        }
    }
    tasks.shutdown().await;
}

/// Sends what a webhook is to be sent, as long as it is switched on.
async fn follow(weak: Weak<Service>, id: String) {
    while let Some(service) = weak.upgrade() {
        let catalog = service.store().catalog();
        let Some(hook) = catalog.webhooks.get(&id).cloned() else {
            if let Some(at_work) = service.webhooks_at_work.get() {
                // what is left of one that is gone harms nobody
                let _ = at_work.deliveries.forget_delivery(&id).await;
            }
            return;
        };
        if !hook.active {
            return;
        }
        let wait = match service.step(&hook).await {
            Ok(Step::More) => continue,
            Ok(Step::Later(wait)) => wait,
            Ok(Step::Idle(position)) => {
                let datasets = datasets_of(&catalog, &hook);
                let store = service.store();
                let next = datasets.iter().map(|(it, _)| {
                    let behind = position.max(hook.begins_behind(&it.id));
                    store.next_change(it.number, behind)
                });
                let changed = any_of(next.collect());
                // whoever changed the webhook is waited for no longer than this
                let _ = tokio::time::timeout(LOOK, changed).await;
                continue;
            }
            Err(error) => {
                tracing::error!(
                    webhook = id,
                    error = &error as &dyn std::error::Error,
                    "a webhook can't go on"
                );
                PAUSE_AFTER_ERROR
            }
        };
        drop((service, catalog));
        tokio::time::sleep(wait).await;
    }
}

/// Waits for the first of these; where there are none, for ever.
async fn any_of(mut all: Vec<StoreFuture<'_, ()>>) {
    poll_fn(|context| {
        let mut is_ready = false;
        for one in &mut all {
            is_ready |= one.as_mut().poll(context).is_ready();
        }
        if is_ready {
            Poll::Ready(())
        } else {
            Poll::Pending
        }
    })
    .await;
}
