//! The lock: which identifier each module, type, field and variant got, by the ids that never change. What it names
//! keeps its identifier, whatever becomes of display names and neighbours, also while it is gone for a while. It makes
//! up no identifier: `plan` asks here first, and tells what it decided.

mod model;
mod read;
mod relock;
mod write;

pub use model::Lock;
pub(crate) use model::{FieldLock, SchemaLock};
