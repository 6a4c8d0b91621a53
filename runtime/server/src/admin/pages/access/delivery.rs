//! What became of the deliveries of a webhook, as its page tells it.

use crate::admin::pages::numbers::moment;
use crate::admin::pages::texts::Texts;
use service::manage::DeliveryView;

pub(super) struct Delivery {
    pub(super) status: &'static str,
    pub(super) delivered: String,
    pub(super) failing_since: Option<String>,
    pub(super) next_try: Option<String>,
    pub(super) error: Option<String>,
}

impl Delivery {
    pub(super) fn of(view: DeliveryView, is_active: bool, texts: &Texts) -> Self {
        let never = || texts.never.to_owned();
        Delivery {
            status: match view.failing_since {
                _ if !is_active => texts.key_inactive,
                Some(_) => texts.access.webhook_fails,
                None => texts.key_active,
            },
            delivered: view.delivered_at.map_or_else(never, moment),
            failing_since: view.failing_since.map(moment),
            next_try: view.next_try_at.map(moment),
            error: view.error.map(|error| texts.said(&error)),
        }
    }
}
