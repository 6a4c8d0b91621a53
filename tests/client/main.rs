//! Typed handles against the real service: over HTTP on a real listener, in process, and the generator's
//! `fetch`. The store is a real one in a folder of its own.

mod changes;
mod embedded;
mod examples;
mod fetch;
mod fetch_cases;
mod files;
mod formats;
mod generator_program;
mod housekeeping;
mod keys;
mod patches;
mod records;
mod search;
mod tokens;
mod trouble;
mod watched_server;
mod webhook_actions;
mod webhook_clock;
mod webhook_datasets;
mod webhook_errors;
mod webhook_figures;
mod webhook_memory;
mod webhook_pauses;
mod webhook_receiver;
mod webhook_service;
mod webhook_turns;
mod webhooks;

#[allow(
    dead_code,
    unreachable_pub,
    missing_docs,
    reason = "generated for everyone, used in part here"
)]
#[path = "../../fixtures/generated/airport.rs"]
mod airport;
