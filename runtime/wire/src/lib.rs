//! The JSON shapes that cross the interfaces: those of the data interface, which both of its ends share,
//! and those of management. Plain data: it judges nothing and decides nothing.

pub mod manage;
#[cfg(feature = "schemars")]
pub mod shapes;

mod catalog;
mod day;
mod error_body;
mod files;
mod page;
mod raw_json;
mod timestamp;
mod token;

pub use catalog::{AreaItem, DatasetItem, SchemaItem};
pub use day::Day;
pub use engine::FieldError;
pub use error_body::{CodedError, ErrorCode, PlainError, TokenError, TokenErrorCode};
pub use files::FileItem;
pub use page::Page;
pub use raw_json::RawJson;
pub use timestamp::Timestamp;
pub use token::TokenAnswer;
