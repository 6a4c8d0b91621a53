//! Management over real HTTP: the life of every noun, rights that change under a caller, sessions,
//! guessed passwords, the audit trail, races, and a hunt for secrets.

mod admin_server;
mod audit;
mod browser;
mod bulk;
mod compression;
#[path = "../support/openapi_contract.rs"]
#[allow(dead_code, reason = "it holds the data interface too")]
mod contract;
mod cookies;
mod deleted;
mod door;
mod effects;
mod faults;
mod first_store;
mod guessing;
mod history;
mod identity;
mod identity_schemas;
mod incidents;
mod invitations;
mod job_files;
mod job_limits;
mod jobs;
mod judged_again;
mod large_pages;
mod lifetimes;
mod limits;
mod lives;
mod next_request;
mod openapi;
mod operations;
mod own_account;
mod pages;
mod pages_access;
mod pages_clients;
mod pages_files;
mod pages_people;
mod passwords;
mod proofs;
mod quotas;
mod races;
mod raising;
mod records;
mod refusals;
mod repairs;
mod retention;
mod rights;
mod schemas;
mod second_factor;
mod secrets;
mod sessions;
mod tenants;
mod tokens;
mod webhooks;
