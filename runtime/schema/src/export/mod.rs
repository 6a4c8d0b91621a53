//! A schema for readers of other kinds: JSON Schema 2020-12, patterns of dates and times, and a field's settings in words
//! (feature `export`). It judges nothing, and what it writes is never stricter than the schema.

pub mod facts;
pub mod json_schema;
pub mod markdown;
pub mod pattern;

mod readable;

pub use readable::is_readable;
