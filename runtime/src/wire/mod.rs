//! JSON shapes that both ends of the interface share. Plain data, no judgement.

#[cfg(feature = "wire")]
mod catalog;
#[cfg(feature = "wire")]
mod error_body;
mod field_error;
#[cfg(feature = "wire")]
mod files;
#[cfg(feature = "wire")]
mod page;
#[cfg(feature = "wire")]
mod token;

#[cfg(feature = "wire")]
pub use catalog::{AreaItem, DatasetItem, SchemaItem};
#[cfg(feature = "wire")]
pub use error_body::{CodedError, PlainError};
pub use field_error::FieldError;
#[cfg(feature = "wire")]
pub use files::FileItem;
#[cfg(feature = "wire")]
pub use page::Page;
#[cfg(feature = "wire")]
pub use token::TokenAnswer;
