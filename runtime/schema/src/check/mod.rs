//! The check of a schema: every contradiction at once, each with its JSON path, what is wrong and
//! what to do. docs/rules.md, "Accepted schemas". It never changes a schema.

mod contradiction;
mod field;
mod findings;
mod problem;
mod schema;

pub use contradiction::Contradiction;
pub use findings::Origin;
pub use problem::{Path, Problem, Problems, Severity, Step};
pub use schema::{NAME_LENGTH_MAX, check};
