//! The catalogue's nouns: areas, schemas, datasets, domains, roles, and whoever may call. [`Noun`] says what
//! one is, [`Nouns`] is the one engine that makes, changes, deletes, restores, lists and reads them, and each
//! has a file. Every change is decided inside the store's writer against the newest catalog (names, rights
//! and the last administrator included) and leaves an entry in the trail. No secret is shown twice.

mod api_keys;
mod apps;
mod areas;
mod change;
mod content;
mod datasets;
mod difference;
mod domains;
mod engine;
mod find;
mod first_tenant;
mod invitations;
mod many;
mod mark;
mod noun;
mod profile;
mod read_schema;
mod roles;
mod saved_views;
mod schema_versions;
mod schemas;
mod secret;
mod sight;
mod tenants;
mod trail;
mod users;
mod version_authors;
mod views;
mod webhooks;

pub use change::is_by_itself;
pub use engine::Nouns;
pub use first_tenant::FirstTenant;
pub(crate) use first_tenant::NOT_OFFERED;
pub use invitations::NewInvitation;
pub use many::DATASETS_AT_ONCE;
pub use mark::mark;
pub use noun::{Content, Noun, Restorable, Switchable};
pub use read_schema::SchemaContent;
pub use schema_versions::judge_names;
pub use secret::NewSecret;
pub use tenants::{ADMINISTRATOR, MEMBER, tenant_view};
pub use version_authors::VersionAuthor;
pub use webhooks::{WebhookWithSecret, is_on_this_machine};

pub(crate) use change::{Change, area_of};
pub(crate) use datasets::UnderDataset;
pub(crate) use domains::is_judged_by;
pub(crate) use engine::replace;
pub(crate) use schema_versions::read as read_document;
pub(crate) use sight::Sight;
pub(crate) use users::require_optional_factor;
pub use views::MASK;
pub(crate) use views::masked;
pub(crate) use webhooks::SECRET_PREFIX as WEBHOOK_SECRET_PREFIX;

use crate::Service;
use store::catalog::{ApiKey, App, Area, Dataset, Domain, Role, SchemaEntry, User, Webhook};

/// The nouns by name.
impl Service {
    /// The business areas.
    pub fn areas(&self) -> Nouns<'_, Area> {
        self.nouns()
    }

    /// The schemas.
    pub fn schemas(&self) -> Nouns<'_, SchemaEntry> {
        self.nouns()
    }

    /// The datasets.
    pub fn datasets(&self) -> Nouns<'_, Dataset> {
        self.nouns()
    }

    /// The data domains.
    pub fn domains(&self) -> Nouns<'_, Domain> {
        self.nouns()
    }

    /// The roles.
    pub fn roles(&self) -> Nouns<'_, Role> {
        self.nouns()
    }

    /// The users.
    pub fn users(&self) -> Nouns<'_, User> {
        self.nouns()
    }

    /// The API keys.
    pub fn api_keys(&self) -> Nouns<'_, ApiKey> {
        self.nouns()
    }

    /// The application clients.
    pub fn apps(&self) -> Nouns<'_, App> {
        self.nouns()
    }

    /// The webhooks.
    pub fn webhooks(&self) -> Nouns<'_, Webhook> {
        self.nouns()
    }
}
