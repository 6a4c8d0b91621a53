//! What stands together under one entry of the main navigation.

use super::visit::Page;

impl Page {
    #[allow(clippy::unused_self, reason = "templates ask a page")]
    pub(super) fn is_tab(&self, path: &str, here: &str) -> bool {
        path == here
    }

    /// What stands together with access.
    pub(super) fn access_tabs(&self) -> [(&'static str, &'static str); 8] {
        [
            ("/keys", self.t.api_keys),
            ("/clients", self.t.access.clients),
            ("/users", self.t.access.users),
            ("/roles", self.t.roles),
            ("/webhooks", self.t.access.webhooks),
            ("/usage", self.t.access.usage),
            ("/settings", self.t.access.settings),
            ("/api", "API"),
        ]
    }

    /// What stands together with areas.
    pub(super) fn area_tabs(&self) -> [(&'static str, &'static str); 2] {
        [
            ("/areas", self.t.areas),
            ("/domains", self.t.access.domains),
        ]
    }
}
