//! Who calls and what they may do. A credential becomes a [`Caller`], a caller's roles and areas are its
//! [`Rights`], and a caller with a path of the data interface becomes a permit. Every door and every change
//! of the catalog comes through here; nothing else reads roles or grants to decide.

mod access;
mod administrators;
mod authenticate;
mod by_actor;
mod caller;
mod holders;
mod lifetime;
mod makers;
mod operator;
mod permit;
mod usable;

pub use access::Rights;
pub use authenticate::IssuedToken;
pub use caller::Caller;
pub use operator::Operator;
pub use permit::{AreaPermit, DatasetPermit, Permit, SchemaPermit};

pub(crate) use access::not_in_area;
pub(crate) use administrators::{Replacement, keep_an_administrator};
pub(crate) use caller::{Principal, is_factor_required};
pub(crate) use holders::check_access;
pub(crate) use lifetime::Lifetime;
