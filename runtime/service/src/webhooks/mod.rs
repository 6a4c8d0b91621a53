//! Webhooks at work: each follows the changes of its datasets from where it was, and sends them on, signed, in the order of
//! their commits. What can't be delivered is tried again, later each time; at last it is put aside, and a webhook at which
//! nothing arrives for days is switched off. How far each has come is kept with what it gave up. How bytes get to an
//! address, a courier knows. docs/webhooks.md.

mod addresses;
mod batch;
mod courier;
#[cfg(feature = "webhooks")]
mod http;
mod letters;
mod outcome;
mod runner;
mod settings;
mod signature;

pub use addresses::is_public;
pub(crate) use batch::datasets_of;
pub use courier::{Courier, Letter, Undelivered};
#[cfg(feature = "webhooks")]
pub use http::HttpCourier;
pub use letters::UNREADABLE;
pub(crate) use runner::AtWork;
pub use settings::{WebhookParts, WebhookSettings};
