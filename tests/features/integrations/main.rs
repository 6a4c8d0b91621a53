//! Generated types as types of other libraries: in the columns of a real SQLite, and in the documents that `schemars` and
//! `utoipa` write. What `sqlx` makes of them is only compiled here, since a program links SQLite once.

#[allow(dead_code, missing_docs, unreachable_pub, reason = "a crate of its own is where it belongs")]
#[rustfmt::skip] // the generator lays it out
#[path = "../../../fixtures/generated/mod.rs"]
mod generated;

mod documents;
mod sqlite;
