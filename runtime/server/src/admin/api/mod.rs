//! Management's handlers, a file for each noun, and the table of its routes.

mod account;
mod api_keys;
mod apps;
mod audit;
mod bulk;
mod datasets;
mod domains;
mod faults;
mod files;
mod imports;
mod invitations;
mod jobs;
mod noun;
mod nouns;
mod operations;
mod records;
mod saved_views;
mod schemas;
mod sessions;
mod set_up;
mod table;
mod tenants;
mod users;
mod webhooks;

#[cfg(feature = "pages")]
pub(super) use jobs::sent as sent_job_file;
pub(super) use table::routes;
