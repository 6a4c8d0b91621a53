//! Fieldstone schemas to typed Rust.
//!
//! The way of a schema through this package, one room after the other: `load` reads and checks it,
//! `plan` makes every decision (`name` the identifiers, `rust_type` the types), `emit` says it as
//! code, `render` lays the code out, `write` puts the files where they belong. [`generate()`] is
//! the pure core, [`Config::generate`] is for build scripts, `main` is the program.
//!
//! The generated structs carry what the schema says in attributes; the derive in `macros` has the
//! machinery. Nothing here knows how a record is validated.
//!
//! ```
//! # let text = r#"{"schemaId": "s1", "name": "City", "businessAreaId": "a1", "businessAreaName": "Places",
//! #   "createdDate": "2026-01-01T00:00:00.000Z", "fields": [{"fieldId": "f1", "name": "Population",
//! #   "active": true, "dataType": "integer", "isPrimaryKey": false, "isSortKey": false, "isRequired": true}]}"#;
//! let inputs = [generator::Input::new("city.json", text)];
//! let files = generator::generate(&inputs, &generator::Config::new())?;
//! assert_eq!(files[0].path, "city.rs");
//! assert!(files[0].text.contains("pub population: i64,"));
//! # Ok::<(), generator::Error>(())
//! ```

mod config;
mod emit;
mod error;
mod load;
mod name;
mod plan;
mod put;
mod render;
mod rust_type;
mod write;

pub use config::{Config, Layout, read, schema_files};
pub use error::{Error, Mistake, Note, Palette, Report};
pub use load::Input;
pub use name::Cause;
pub use write::{Change, compare, write};

/// One generated file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct File {
    /// Its name; generated files stand in one directory.
    pub path: String,
    /// What it holds.
    pub text: String,
    /// The names in it that had to be adjusted, and why.
    pub notes: Vec<Note>,
    /// What looks wrong in its schema but does no harm.
    pub warnings: Vec<Report>,
}

/// Generates the code of all schemas: the same inputs give the same bytes, in whatever order they
/// are named. It reads and writes nothing.
pub fn generate(inputs: &[Input], config: &Config) -> Result<Vec<File>, Error> {
    let loaded = load::load(inputs)?;
    let plan = plan::plan(&loaded, config)?;
    Ok(render::render(plan))
}
