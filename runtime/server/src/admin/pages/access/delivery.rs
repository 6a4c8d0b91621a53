//! What became of the deliveries of a webhook, and what it gave up, as its page tells it.

use crate::admin::pages::numbers::{grouped, moment};
use crate::admin::pages::texts::{Texts, alone};
use service::manage::{DeadLetterView, DeliveryView};
use service::webhooks::UNREADABLE;

pub(super) struct Delivery {
    pub(super) status: &'static str,
    pub(super) delivered: String,
    pub(super) failing_since: Option<String>,
    pub(super) next_try: Option<String>,
    /// Why the last try failed.
    pub(super) error: Option<String>,
    /// What that means, and what to do about it; nothing where it can't be told.
    pub(super) told: Option<[&'static str; 2]>,
    /// Whether what waits is tried at once.
    pub(super) is_due: bool,
}

pub(super) struct Letter {
    pub(super) number: u64,
    /// What it is of, with how many changes it has.
    pub(super) about: String,
    /// What tells it from the others.
    pub(super) label: String,
    /// Whether it can be sent once more: of a damaged one nothing is known.
    pub(super) is_readable: bool,
    pub(super) error: String,
}

impl Letter {
    /// A dead letter of a dataset of this name.
    pub(super) fn of(view: &DeadLetterView, dataset: &str, texts: &Texts) -> Self {
        let own = &texts.access;
        let changes = grouped(view.changes, texts);
        let (about, label) = if let Some(at) = view.at.map(moment) {
            let counted = own.of_changes(&changes);
            (
                format!("{at} · {changes} {counted} · {dataset}"),
                format!("{at} · {dataset}"),
            )
        } else {
            let numbered = (own.letter_numbered)(view.number);
            (numbered.clone(), numbered)
        };
        Letter {
            number: view.number,
            about,
            label,
            is_readable: view.at.is_some(),
            error: texts.said(&view.error),
        }
    }
}

impl Delivery {
    pub(super) fn of(view: DeliveryView, is_active: bool, texts: &Texts) -> Self {
        let never = || texts.never.to_owned();
        let own = &texts.access;
        let is_failing = is_active && view.failing_since.is_some();
        let is_due = is_failing && view.next_try_at.is_none();
        let next_try = view.next_try_at.map(moment);
        Delivery {
            told: match &view.error {
                Some(_) if is_failing => Some(own.webhook_broken),
                Some(error) if !is_active && error != UNREADABLE => Some(own.webhook_ended),
                _ => None,
            },
            is_due,
            status: match (view.failing_since, &view.error) {
                _ if !is_active => texts.key_inactive,
                (None, None) => texts.key_active,
                _ => texts.access.webhook_fails,
            },
            delivered: view.delivered_at.map_or_else(never, moment),
            failing_since: view.failing_since.map(moment),
            next_try: next_try.or_else(|| is_due.then(|| own.webhook_next_now.to_owned())),
            error: view.error.map(|error| alone(&texts.said(&error))),
        }
    }
}
