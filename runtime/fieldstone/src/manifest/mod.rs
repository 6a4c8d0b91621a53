//! A manifest: what a store is to hold, from tenants down to records, as people write it. Names are
//! what binds it to the store, so that applying it again changes nothing.
//!
//! `read` makes a `model` of text and the files it names, `merge` makes one of several, `apply` walks it and
//! hands each noun to the `applier`, which compares it with the store, writes what differs and reports the
//! step. A noun's file is its `spec`: what it is to be, what makes it the same, and how it is written.

mod access;
mod api_keys;
mod applier;
mod apply;
mod apps;
mod areas;
pub(crate) mod credentials;
mod datasets;
mod domains;
mod merge;
mod model;
pub(crate) mod read;
mod record_diff;
mod records;
mod report;
mod roles;
mod schemas;
mod spec;
pub(crate) mod tenants;
mod users;

pub(crate) use apply::apply;
pub(crate) use model::{AllAreas, ApiKey, Areas, Client, Manifest, Tenant, User};
pub(crate) use report::{ApplyMode, ApplyReport, StepAction};
