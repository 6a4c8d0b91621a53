//! JSON shapes that both ends of the interface share. Plain data, no judgement.

mod field_error;

pub use field_error::FieldError;
