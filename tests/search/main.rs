//! Search over real HTTP, with a real store and a real index in folders of their own.

#[path = "../support/openapi_contract.rs"]
#[allow(
    dead_code,
    reason = "a contract that the interface's other suites look into, too"
)]
mod contract;
#[path = "../support/raw.rs"]
#[allow(
    dead_code,
    reason = "a client made for the interface's other endpoints too"
)]
mod raw;
#[path = "../support/refusals.rs"]
mod refusals;
#[path = "../support/test_server/mod.rs"]
#[allow(
    dead_code,
    unused_imports,
    reason = "a server made for the interface's other endpoints too"
)]
mod test_server;

mod setup;

mod bounds;
mod damaged;
mod exact;
mod faulty;
mod index;
mod language;
mod made_anew;
mod names;
mod paging;
mod phones;
mod rights;
mod schema_changes;
mod updates;
