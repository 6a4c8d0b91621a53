//! Who may come and what it may do: areas and what is below them, roles, users and their invitations, keys, clients,
//! webhooks, what a tenant is and uses, and what everybody changes of itself.

pub(super) mod area;
mod area_datasets;
pub(super) mod areas;
mod browser_name;
pub(super) mod clients;
mod code_picture;
mod datasets;
mod delivery;
mod domain_codes;
pub(super) mod domains;
mod failed_tries;
pub(super) mod first_steps;
pub(super) mod invitation;
pub(super) mod key;
pub(super) mod keys;
pub(super) mod nouns;
mod parts;
pub(super) mod profile;
mod reach;
pub(super) mod roles;
pub(super) mod set_up;
pub(super) mod settings;
mod small_form;
mod stale;
mod ticks;
mod told;
pub(super) mod usage;
pub(super) mod user;
mod user_status;
pub(super) mod users;
pub(super) mod verbs;
mod webhook_datasets;
mod webhook_row;
pub(super) mod webhooks;
