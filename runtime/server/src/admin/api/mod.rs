//! Management's handlers, a file for each noun, and the table of its routes.

mod api_keys;
mod apps;
mod areas;
mod audit;
mod datasets;
mod domains;
mod noun;
mod records;
mod roles;
mod schemas;
mod sessions;
mod table;
mod tenants;
mod users;

pub(super) use table::routes;
