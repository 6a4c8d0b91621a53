//! What webhooks need to be at work, and what can be set about them.

use super::courier::Courier;
use std::sync::Arc;
use std::time::Duration;
use store::deliveries::Deliveries;

/// What webhooks need to be at work.
pub struct WebhookParts {
    /// How far each has come.
    pub deliveries: Arc<dyn Deliveries>,
    /// Who brings things to their addresses.
    pub courier: Arc<dyn Courier>,
    /// What can be set.
    pub settings: WebhookSettings,
}

impl std::fmt::Debug for WebhookParts {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("WebhookParts")
            .field("settings", &self.settings)
            .finish_non_exhaustive()
    }
}

/// What can be set about webhooks.
#[derive(Clone, Copy, Debug)]
pub struct WebhookSettings {
    /// How long after the first failure something is tried again; each time after, twice as long.
    pub first_pause: Duration,
    /// How long at most.
    pub pause_max: Duration,
    /// How often something is tried before it is put aside.
    pub tries_max: u32,
    /// For how long nothing arrives before a webhook is switched off, when the next letter had all its tries.
    pub dead_after: Duration,
}

impl Default for WebhookSettings {
    /// From 5 seconds to an hour, 12 times: some three hours in all; off after five days.
    fn default() -> Self {
        WebhookSettings {
            first_pause: Duration::from_secs(5),
            pause_max: Duration::from_secs(3600),
            tries_max: 12,
            dead_after: Duration::from_secs(5 * 24 * 3600),
        }
    }
}

impl WebhookSettings {
    /// How long to wait behind so many tries, with a quarter more or less by chance, so that many don't come back at once.
    pub(super) fn pause(self, tries: u32, chance: u8) -> Duration {
        let doubled = 1_u32 << tries.saturating_sub(1).min(20);
        let pause = self.first_pause.saturating_mul(doubled).min(self.pause_max);
        // from three quarters to five of them
        pause.mul_f64(0.75 + f64::from(chance) / 512.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_double_up_to_an_hour_and_differ_by_a_quarter() {
        let settings = WebhookSettings::default();
        let seconds = |tries, chance| settings.pause(tries, chance).as_secs_f64();
        assert!((seconds(1, 128) - 5.0).abs() < 0.01);
        assert!((seconds(3, 128) - 20.0).abs() < 0.1);
        assert!((seconds(1, 0) - 3.75).abs() < 0.01 && seconds(1, 255) < 6.25);
        assert!((seconds(40, 128) - 3600.0).abs() < 1.0);
    }
}
