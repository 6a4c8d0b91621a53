//! What an operator can set about webhooks: where they may be sent to, and how long one may be dead.

use crate::time_bounds::CENTURY_DAYS;
use clap::Args;
use service::webhooks::{HttpCourier, WebhookParts, WebhookSettings};
use std::sync::Arc;
use std::time::Duration;
use store::StoreError;
use store::deliveries::Deliveries;

#[derive(Args)]
#[command(next_help_heading = "Settings of webhooks")]
pub(crate) struct WebhookOptions {
    /// Also send webhooks to addresses of this machine and of private networks; whoever may make a webhook can then
    /// reach them
    #[arg(
        long = "webhooks-to-private-addresses",
        env = "FIELDSTONE_WEBHOOKS_TO_PRIVATE_ADDRESSES"
    )]
    to_private_addresses: bool,

    /// Days after which a webhook is switched off when nothing that it sends arrives, 36,500 at most
    #[arg(
        long = "webhook-dead-days",
        env = "FIELDSTONE_WEBHOOK_DEAD_DAYS",
        value_name = "DAYS",
        default_value_t = 5,
        value_parser = clap::value_parser!(u32).range(1..=CENTURY_DAYS)
    )]
    dead_days: u32,
}

impl WebhookOptions {
    /// Webhooks of a store.
    pub(crate) fn parts(
        &self,
        deliveries: Arc<dyn Deliveries>,
    ) -> Result<WebhookParts, StoreError> {
        Ok(WebhookParts {
            deliveries,
            courier: Arc::new(HttpCourier::new(self.to_private_addresses)?),
            settings: self.settings(),
        })
    }

    fn settings(&self) -> WebhookSettings {
        WebhookSettings {
            dead_after: Duration::from_secs(u64::from(self.dead_days) * 24 * 3600),
            ..WebhookSettings::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[derive(Parser)]
    struct Command {
        #[command(flatten)]
        options: WebhookOptions,
    }

    #[test]
    fn a_webhook_is_dead_after_the_days_of_the_flag() {
        let command = Command::parse_from(["serve", "--webhook-dead-days=2"]);
        let dead_after = command.options.settings().dead_after;
        assert_eq!(dead_after, Duration::from_secs(2 * 24 * 3600));
    }
}
