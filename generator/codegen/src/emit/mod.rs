//! The plan as code, one file for each construct, each with an example of what it emits at its head. Nothing
//! is decided here, neither names and types nor where lines break, and every text of a schema passes through
//! `literal` or `markdown`, so that none can be read as code.

mod attributes;
mod docs;
mod field;
mod field_settings;
mod files;
mod header;
mod literal;
mod module;
mod moved;
mod picklist;
mod record;
mod settings;

pub(crate) use files::emit;
pub(crate) use schema::export::{facts, markdown};
