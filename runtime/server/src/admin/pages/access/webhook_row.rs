//! A webhook in the list of all: whether it delivers, and why not.

use super::delivery::Delivery;
use super::parts::in_line;
use crate::admin::pages::texts::Texts;
use service::manage::WebhookView;

/// A webhook on its line.
pub(super) struct WebhookRow {
    pub(super) id: String,
    pub(super) name: String,
    pub(super) url: String,
    /// Whether it is delivered, as its own page says.
    pub(super) state: String,
    pub(super) is_failing: bool,
    /// Why nothing could be delivered, and when it is tried again.
    pub(super) why: String,
    pub(super) next_try: String,
}

impl WebhookRow {
    pub(super) fn of(hook: WebhookView, delivery: Delivery, texts: &Texts) -> Self {
        let since = delivery.failing_since.filter(|_| hook.active);
        let is_failing = hook.active && (since.is_some() || delivery.error.is_some());
        let while_failing = |told: Option<String>| told.filter(|_| is_failing).unwrap_or_default();
        WebhookRow {
            is_failing,
            why: while_failing(delivery.error),
            next_try: while_failing(delivery.next_try),
            state: match since {
                Some(since) => format!("{} {since}", texts.access.webhook_failing),
                None => delivery.status.to_owned(),
            },
            id: hook.webhook_id,
            name: hook.name,
            url: in_line(&hook.url, texts),
        }
    }
}
