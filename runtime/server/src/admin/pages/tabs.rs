//! What stands together under one entry of the main navigation, and what of it a visitor may see at all: to all else
//! there is no way, which would end at a refusal.

use super::seen::{ASKED, USAGE};
use super::visit::Page;

/// A page with what it is called.
type Tab = (&'static str, &'static str);

/// What everyone sees who has signed in.
const OPEN: [&str; 2] = ["/settings", "/api"];

impl Page {
    #[allow(clippy::unused_self, reason = "templates ask a page")]
    pub(super) fn is_tab(&self, path: &str, here: &str) -> bool {
        path == here
    }

    /// Whether the visitor may see one of the pages that not everyone may see.
    pub(super) fn sees(&self, path: &str) -> bool {
        self.seen.contains(&path)
    }

    /// The same of every page that stands for itself.
    pub(super) fn is_open(&self, path: &str) -> bool {
        self.sees(path) || ASKED.iter().all(|(asked, _)| *asked != path)
    }

    fn seen_of(&self, tabs: impl IntoIterator<Item = Tab>) -> Vec<Tab> {
        let tabs = tabs.into_iter();
        tabs.filter(|(path, _)| self.sees(path) || OPEN.contains(path))
            .collect()
    }

    /// What stands together with access.
    pub(super) fn access_tabs(&self) -> Vec<Tab> {
        self.seen_of([
            ("/keys", self.t.api_keys),
            ("/clients", self.t.access.clients),
            ("/users", self.t.access.users),
            ("/roles", self.t.roles),
            ("/webhooks", self.t.access.webhooks),
            (USAGE, self.t.access.usage),
            (OPEN[0], self.t.access.settings),
            (OPEN[1], "API"),
        ])
    }

    /// What stands together with areas.
    pub(super) fn area_tabs(&self) -> Vec<Tab> {
        self.seen_of([
            ("/areas", self.t.areas),
            ("/domains", self.t.access.domains),
        ])
    }

    /// The entries of the main navigation: the section of each, where it leads to, and what it is called.
    pub(super) fn entries(&self) -> Vec<(&'static str, &'static str, &'static str)> {
        let t = self.t;
        let of = |section, tabs: Vec<Tab>, name| {
            let first = tabs.first();
            first.map(|(path, _)| (section, *path, name))
        };
        let own = |section, path, name| self.sees(path).then_some((section, path, name));
        let entries = [
            Some(("home", "/", t.data)),
            of("areas", self.area_tabs(), t.areas),
            own("schemas", "/schemas", t.schemas.title),
            of("access", self.access_tabs(), t.access.access),
            own("audit", "/audit", t.audit),
            Some(("jobs", "/jobs", t.jobs)),
        ];
        entries.into_iter().flatten().collect()
    }
}
