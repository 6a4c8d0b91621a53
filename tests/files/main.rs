//! Uploaded files over real HTTP, with a real store and a folder for their content.

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

#[path = "../support/s3.rs"]
#[allow(dead_code, reason = "made for the stories of backups too")]
mod storage;

mod setup;

mod cleaning;
mod downloads;
mod framing;
mod open_uploads;
mod records;
mod s3;
mod signing;
mod uploads;
