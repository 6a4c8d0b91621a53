//! A manifest: what a store is to hold, from tenants down to records, as people write it. Names are
//! what binds it to the store, so that applying it again changes nothing. Beside it stand the other operations
//! that commands ask for. Nothing here speaks HTTP or SQL, and nothing here prints.
//!
//! [`operations`] is the door: a request, who asks for it ([`By`]), and what came of it. What goes on meanwhile
//! (how far a file is, which records were refused) is told as [`events`].
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
mod bindings;
mod by;
pub mod credentials;
mod datasets;
mod document_form;
mod domains;
pub mod events;
mod export;
pub mod failure;
mod fields;
mod in_flight;
#[cfg(feature = "schema")]
mod json_schema;
mod merge;
mod model;
mod model_access;
mod model_forms;
mod moment;
pub mod operations;
#[cfg(feature = "files")]
pub mod read;
mod record_diff;
mod record_file;
mod record_plan;
mod records;
mod report;
mod roles;
mod schemas;
mod siblings;
mod spec;
pub mod tenants;
mod unknown_properties;
mod users;
mod webhooks;
#[cfg(feature = "files")]
pub mod write;

pub use apply::apply;
pub use by::{By, operator_of};
pub use export::ExportRequest;
#[cfg(feature = "schema")]
pub use json_schema::json_schema;
pub use model::{
    AllAreas, ApiKey, Area, Areas, Client, Codes, CodesFrom, Dataset, Document, Domain, DomainMode,
    Manifest, RecordMode, Records, ResourceName, Role, Schema, Secret, Tenant, Text, User, Webhook,
};
pub use moment::moment;
pub use report::{
    ApplyMode, ApplyReport, CodeChanges, CodeList, FieldAction, FieldChange, FileReport,
    PropertyChange, StepAction, StepReport,
};
