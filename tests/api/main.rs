//! The data interface over real HTTP: a real listener, a real store in a folder of its own. Every row of
//! `rows.tsv` names the test that holds it.

#[path = "../support/openapi_contract.rs"]
mod contract;
#[path = "../support/raw.rs"]
mod raw;
#[path = "../support/refusals.rs"]
mod refusals;
#[path = "../support/test_server/mod.rs"]
mod test_server;
mod tricks;

mod access;
mod bodies;
mod by_key;
mod changes;
mod changes_of_others;
mod compression;
mod create;
mod credentials;
mod delete;
mod described;
mod door;
mod events;
mod failures;
mod heads;
mod kept_pages;
mod large_pages;
mod lists;
mod model;
mod openapi;
mod overtaken;
mod pages;
mod paths;
mod positions;
mod primary_keys;
mod races;
mod request_log;
mod rows;
mod schema_change;
mod tokens;
mod update;
mod webhooks;
mod wire;
