//! Identifiers for display names: total (every text gets one), one to one (no two in a scope are
//! equal) and independent of any order, because a name that collides gets a suffix from the stable
//! id of what it names. It decides letters only; what is named, and in which scope, is `plan`'s.

mod cause;
mod collide;
mod kind;
mod reserved;
#[cfg(test)]
mod tests;
mod words;

pub use cause::Cause;
pub(crate) use collide::{Identifier, IdentifierRequest, ReservedNames, assign};
pub(crate) use kind::{IdentifierKind, ident, is_usable, refuse};
pub(crate) use words::{camel, snake, words};
