//! Why a schema can't be written as something else: what is written has limits that a schema does not have.

use std::fmt;

/// Why a schema, or several, can't be a table.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ExportError {
    /// It has more active fields than a table may have columns.
    Columns {
        /// The schema's name.
        schema: String,
        /// Whose table it is.
        database: &'static str,
        /// How many active fields it has.
        count: usize,
        /// How many columns a table may have.
        max: usize,
    },
    /// The database keeps such names for itself.
    Reserved {
        /// The schema's name.
        schema: String,
        /// Whose table it is.
        database: &'static str,
        /// How such names begin.
        prefix: &'static str,
    },
    /// Two schemas would be one table.
    SameTable {
        /// The names of both.
        schemas: [String; 2],
        /// Whose table it is.
        database: &'static str,
    },
}

impl ExportError {
    /// What to do about it.
    pub fn help(&self) -> &'static str {
        match self {
            ExportError::Columns { .. } => "split the schema, or export it as JSON Schema",
            ExportError::Reserved { .. } => "give the schema another name",
            ExportError::SameTable { .. } => {
                "export them one by one, for databases of their own, or give one another name"
            }
        }
    }
}

impl fmt::Display for ExportError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ExportError::Columns {
                schema,
                database,
                count,
                max,
            } => write!(
                f,
                "{schema:?} has {count} active fields, and a table of {database} has {max} columns at most"
            ),
            ExportError::Reserved {
                schema,
                database,
                prefix,
            } => write!(
                f,
                "{schema:?} can't be the name of a table: {database} keeps names that begin with {prefix:?} for itself"
            ),
            ExportError::SameTable {
                schemas: [one, other],
                database,
            } => write!(
                f,
                "the schemas {one:?} and {other:?} would be one table of {database}"
            ),
        }
    }
}

impl std::error::Error for ExportError {}
