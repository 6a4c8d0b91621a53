//! What management is told of a webhook's deliveries, and what it gave up: listed, sent once more, and discarded.

use super::batch::{Batch, SPOILED, datasets_of};
use super::courier::Undelivered;
use crate::manage::{DeadLetterView, DeliveryView};
use crate::{Caller, PageRequest, Refusal, Service};
use std::collections::HashMap;
use std::sync::Arc;
use store::StoreError;
use store::catalog::{AuditAction, Catalog, Kind, Resource, Verb, Webhook};
use store::deliveries::{DeadLetter, Delivery, ReadDeadLetter, ReadDelivery};
use store::records::PageLimit;
use wire::Page;

const GONE: &str = "its changes are not kept any more";
/// What is told of a webhook of whose deliveries nothing is known any more.
pub const UNREADABLE: &str = "what is known of its deliveries can't be read, so nothing is sent; delete the webhook and make it anew";
const LETTER_UNREADABLE: &str =
    "what was kept of it can't be read, so it can't be sent; discard it";

/// A dead letter with its number; none of it where it can't be read.
type KeptLetter = (u64, Option<DeadLetter>);

/// How a webhook fares, as it is told; nothing is known of one that never tried.
fn view_of(known: Option<Result<Delivery, StoreError>>, hook: &Webhook) -> DeliveryView {
    let delivery = known.unwrap_or_else(|| Ok(Delivery::default()));
    let delivery = delivery.unwrap_or_else(|error| {
        tracing::error!(
            webhook = hook.id,
            error = &error as &dyn std::error::Error,
            "what is known of the deliveries of a webhook can't be read"
        );
        Delivery {
            error: Some(UNREADABLE.to_owned()),
            ..Delivery::default()
        }
    });
    DeliveryView {
        delivered_at: delivery.delivered_at,
        failing_since: delivery.failing_since,
        tries: delivery.tries,
        next_try_at: delivery.next_try(hook),
        error: delivery.error,
    }
}

impl Service {
    /// How a webhook fares.
    ///
    /// # Errors
    /// No such webhook, missing rights.
    pub async fn webhook_delivery(&self, by: &Caller, id: &str) -> Result<DeliveryView, Refusal> {
        let hook = self.webhooks().get(by, id)?;
        let known = self.known_deliveries(vec![hook.id.clone()]).await?;
        let known = known.into_iter().next();
        Ok(view_of(known.map(|(_, known)| known), &hook))
    }

    async fn known_deliveries(&self, ids: Vec<String>) -> Result<Vec<ReadDelivery>, StoreError> {
        match self.webhooks_at_work.get() {
            Some(at_work) => at_work.deliveries.deliveries_of(ids).await,
            None => Ok(Vec::new()),
        }
    }

    /// How several webhooks fare, by their ids; nothing of those that are not there any more.
    ///
    /// # Errors
    /// Missing rights; the store's.
    pub async fn webhook_deliveries(
        &self,
        by: &Caller,
        ids: Vec<String>,
    ) -> Result<HashMap<String, DeliveryView>, Refusal> {
        let mut hooks = Vec::new();
        for id in &ids {
            match self.webhooks().get(by, id) {
                Err(Refusal::NotFound(_)) => {}
                found => hooks.push(found?),
            }
        }
        let known = self.known_deliveries(ids).await?;
        let mut known: HashMap<_, _> = known.into_iter().collect();
        let views = hooks
            .iter()
            .map(|hook| (hook.id.clone(), view_of(known.remove(&hook.id), hook)));
        Ok(views.collect())
    }

    /// What a webhook gave up to deliver, oldest first.
    ///
    /// # Errors
    /// No such webhook, missing rights, a bad page key.
    pub async fn dead_letters(
        &self,
        by: &Caller,
        id: &str,
        page: &PageRequest,
    ) -> Result<Page<DeadLetterView>, Refusal> {
        let hook = self.webhooks().get(by, id)?;
        let scope = format!("dead letters {id}");
        let size = self.page_size(page).map_err(Refusal::of_management)?;
        let after = self.page_position(&scope, page);
        let after = after.map_err(Refusal::of_management)?.unwrap_or(0);
        let owner = by.owner();
        let _room = self
            .memory()
            .reserve_short_page(owner, self.settings().page_bytes)?;
        let mut found = match self.webhooks_at_work.get() {
            Some(at_work) => {
                let found = at_work.deliveries.dead_letters(&hook.id, after, size + 1);
                found.await?
            }
            None => Vec::new(),
        };
        let has_more = found.len() > size;
        found.truncate(size);
        let last = found.last().map(|(number, _)| *number);
        let catalog = self.store().catalog();
        let items = found
            .into_iter()
            .map(|letter| shown(&catalog, kept(&hook, letter)));
        Ok(Page {
            items: items.collect(),
            next_page_key: last
                .filter(|_| has_more)
                .map(|last| self.ids.page_key(&scope, last)),
        })
    }

    /// Sends once more what a webhook gave up; what arrives is a dead letter no longer, and what waits follows at once.
    ///
    /// # Errors
    /// No such webhook or letter, missing rights; [`Refusal::Conflict`] where it does not arrive, its changes are not
    /// kept any more, its dataset is not sent any more, or webhooks are not at work.
    pub async fn resend(&self, by: &Caller, id: &str, number: &str) -> Result<(), Refusal> {
        let hook = self.editable(by, id)?;
        let none = || Refusal::Conflict("this service sends no webhooks".into());
        let at_work = self.webhooks_at_work.get().ok_or_else(none)?;
        let (number, letter) = self.dead_letter(&hook, number).await?;
        let unreadable = || Refusal::Conflict(LETTER_UNREADABLE.into());
        let letter = letter.ok_or_else(unreadable)?;
        let batch = self.batch_of(&hook, &letter).await?;
        let sent = self.letter(&hook, batch)?;
        match at_work.courier.deliver(sent).await {
            Ok(()) => {
                self.remember_letter(by, AuditAction::Resend, &hook, (number, Some(letter)))
                    .await?;
                let deliveries = &at_work.deliveries;
                deliveries.remove_dead_letter(&hook.id, number).await?;
                deliveries.note_arrival(&hook.id, self.now()).await?;
                Ok(())
            }
            Err(Undelivered::ForNow(error)) => Err(Refusal::Conflict(
                format!("it did not arrive: {error}").into(),
            )),
            Err(Undelivered::ForGood) => Err(Refusal::Conflict(
                "it did not arrive: it answered 410".into(),
            )),
        }
    }

    /// Discards what a webhook gave up: nothing of it is sent any more.
    ///
    /// # Errors
    /// No such webhook or letter, missing rights.
    pub async fn discard_letter(&self, by: &Caller, id: &str, number: &str) -> Result<(), Refusal> {
        let hook = self.editable(by, id)?;
        let (number, letter) = self.dead_letter(&hook, number).await?;
        // told before, since afterwards nothing is left that could be told
        self.remember_letter(by, AuditAction::Discard, &hook, (number, letter))
            .await?;
        let at_work = self.webhooks_at_work.get().ok_or_else(missing)?;
        let removed = at_work.deliveries.remove_dead_letter(&hook.id, number);
        if removed.await? {
            Ok(())
        } else {
            Err(missing())
        }
    }

    /// A webhook that the caller may change.
    fn editable(&self, by: &Caller, id: &str) -> Result<Arc<Webhook>, Refusal> {
        self.require_proof(by, Resource::Apps, Verb::Edit)?;
        let caller = self.newest(by)?;
        caller.sight().find::<Webhook>(id, Verb::Edit).cloned()
    }

    /// A dead letter of a webhook, by its number.
    async fn dead_letter(&self, hook: &Webhook, number: &str) -> Result<KeptLetter, Refusal> {
        let at_work = self.webhooks_at_work.get().ok_or_else(missing)?;
        let number: u64 = number.parse().map_err(|_| missing())?;
        let before = number.checked_sub(1).ok_or_else(missing)?;
        let found = at_work.deliveries.dead_letters(&hook.id, before, 1).await?;
        let mut found = found.into_iter();
        let found = found.find(|(found, _)| *found == number);
        found.map(|letter| kept(hook, letter)).ok_or_else(missing)
    }

    /// Tells in the trail what was done to a dead letter.
    async fn remember_letter(
        &self,
        by: &Caller,
        action: AuditAction,
        hook: &Webhook,
        letter: KeptLetter,
    ) -> Result<(), Refusal> {
        let id = hook.id.clone();
        let remembered = self.change(by, move |change| {
            let told = serde_json::to_value(shown(change.catalog, letter.clone())).ok();
            change.note(action, Kind::Webhook, &id, [told, None]);
            Ok(())
        });
        remembered.await
    }

    /// The changes of a dead letter, as far as they are kept.
    async fn batch_of(&self, hook: &Webhook, letter: &DeadLetter) -> Result<Batch, Refusal> {
        let catalog = self.store().catalog();
        let mut all = datasets_of(&catalog, hook).into_iter();
        let found = all.find(|(dataset, _)| dataset.number == letter.dataset);
        let unsent = || Refusal::Conflict(why_unsent(&catalog, hook, letter).into());
        let (dataset, schema) = found.ok_or_else(unsent)?;
        let count = usize::try_from(letter.changes).unwrap_or(usize::MAX);
        let limit = PageLimit::of(count);
        let found = self.store().changes(letter.dataset, letter.after, limit);
        let found = match found.await {
            Err(StoreError::Rotten(_)) => return Err(Refusal::Conflict(SPOILED.into())),
            found => found?,
        };
        let is_own = |number: u64| number <= letter.last;
        let entries: Vec<_> = found
            .entries
            .into_iter()
            .filter(|it| is_own(it.number))
            .collect();
        if entries.is_empty() || letter.after < found.lost {
            return Err(Refusal::Conflict(GONE.into()));
        }
        Ok(Batch {
            dataset,
            schema,
            entries,
            after: letter.after,
        })
    }
}

/// A dead letter as it was read; that it can't be, the log says.
fn kept(hook: &Webhook, (number, letter): ReadDeadLetter) -> KeptLetter {
    let letter = letter.inspect_err(|error| {
        tracing::error!(
            webhook = hook.id,
            number,
            error = error as &dyn std::error::Error,
            "what a webhook gave up can't be read"
        );
    });
    (number, letter.ok())
}

/// A dead letter as management tells it.
fn shown(catalog: &Catalog, (number, letter): KeptLetter) -> DeadLetterView {
    let Some(letter) = letter else {
        return DeadLetterView {
            number,
            dataset: String::new(),
            changes: 0,
            at: None,
            error: LETTER_UNREADABLE.to_owned(),
        };
    };
    let dataset = catalog.datasets_by_number.get(&letter.dataset);
    DeadLetterView {
        number,
        dataset: dataset.map(|it| it.id.clone()).unwrap_or_default(),
        changes: letter.changes,
        at: Some(letter.at),
        error: letter.error,
    }
}

fn missing() -> Refusal {
    Refusal::no_such("dead letter")
}

/// Why nothing is sent of the dataset of a letter.
fn why_unsent(catalog: &Catalog, hook: &Webhook, letter: &DeadLetter) -> &'static str {
    match catalog.datasets_by_number.get(&letter.dataset) {
        Some(dataset) if hook.datasets.contains(&dataset.id) => {
            "its dataset, or what that is in, is deleted; restore it, or discard these changes"
        }
        Some(_) => {
            "its dataset is not one of the webhook any more; add it again, or discard these changes"
        }
        None => GONE,
    }
}
