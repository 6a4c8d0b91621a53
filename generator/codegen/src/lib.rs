//! Fieldstone schemas to typed Rust.
//!
//! The way of a schema through this package, one room after the other: `load` reads and checks it,
//! `plan` makes every decision (`name` the identifiers, `rust_type` the types), `emit` says it as
//! code (a tree of `syntax`), `render` lays the code out, `write` puts the files where they belong.
//! A `lock` keeps the identifiers of one run for the next. [`generate()`] is the pure core, [`Config::generate`] is for
//! build scripts. The package `generator` re-exports all of this and adds the program; this one has no features, so the
//! program and its tests compile it once.
//!
//! The generated structs carry what the schema says in attributes; the derive in `macros` has the
//! machinery. Nothing here knows how a record is validated.
//!
//! ```
//! # use codegen as generator;
//! # let text = r#"{"schemaId": "s1", "name": "City", "businessAreaId": "a1", "businessAreaName": "Places",
//! #   "createdDate": "2026-01-01T00:00:00.000Z", "fields": [{"fieldId": "f1", "name": "Population",
//! #   "active": true, "dataType": "integer", "isPrimaryKey": false, "isSortKey": false, "isRequired": true}]}"#;
//! let inputs = [generator::Input::new("city.json", text)];
//! let files = generator::generate(&inputs, &generator::Config::new())?;
//! assert_eq!(files[0].path, "city.rs");
//! assert!(files[0].text.contains("pub population: i64,"));
//! # Ok::<(), generator::Error>(())
//! ```

mod advice;
#[doc(hidden)]
pub mod atomic_write;
mod build_script;
mod coded_report;
mod config;
mod device_names;
mod emit;
mod error;
mod export;
mod field_names;
mod file;
mod generate;
mod input;
mod load;
mod lock;
mod locked_write;
mod message;
mod name;
mod note;
mod plan;
mod read_back;
mod render;
mod report;
mod rust_type;
mod syntax;
mod told;
mod types_diff;
mod unknown;
mod write;

pub use advice::{ADVICE, advise};
pub use coded_report::Advice;
pub use config::{Config, Layout};
pub use device_names::is_device;
pub use error::{Error, Mistake};
pub use export::{ExportError, Target, export, export_all};
pub use field_names::{FieldName, field_names};
pub use file::File;
pub use generate::{Locked, generate, generate_locked};
pub use input::{Input, is_document, read, schema_files};
pub use load::read_schema;
pub use lock::Lock;
pub use locked_write::{LockedChanges, compare_locked, read_lock, write_locked};
pub use message::Palette;
pub use name::Cause;
pub use note::{Note, rendered_notes};
pub use read_back::read_generated;
pub use report::{Group, Report, grouped};
pub use told::is_told;
pub use types_diff::judge_types;
pub use write::{Change, compare, write};
