//! Reads a body once, from bytes to judged slots. Nothing is converted twice and nothing is dropped:
//! what the schema has no place for is a rejection.

mod body;
mod normal_form;
mod object;
mod reading;
mod system;
mod value;
mod write;

pub(super) use normal_form::text_form;
pub(super) use reading::BodyKind;
pub(crate) use reading::Reading;
pub use system::SystemProperty;
pub use value::is_blank;
