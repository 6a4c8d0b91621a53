//! What is derived on, turned into a schema: a struct (`record`, and `field` for each of its fields) or an enum
//! (`picklist`), with the Rust types of its fields (`rust_type`). It reads Rust items and writes no code.

pub(crate) mod data_type;
mod field;
mod order;
pub(crate) mod picklist;
pub(crate) mod record;
pub(crate) mod rust_type;
