//! Search over real HTTP, with a real store and a real index in folders of their own.

#[path = "../api/raw.rs"]
#[allow(
    dead_code,
    reason = "a client made for the interface's other endpoints too"
)]
mod raw;
#[path = "../api/world.rs"]
#[allow(
    dead_code,
    reason = "a world made for the interface's other endpoints too"
)]
mod world;

mod desk;

mod index;
mod language;
mod paging;
mod rights;
mod schema_changes;
