//! Why no schema is proposed, in words.

use crate::ROW_CELLS_MAX;
use std::fmt;
use std::io;

/// Why no schema is proposed.
#[derive(Debug)]
pub enum NoProposal {
    /// The header gives several columns one name: each with its columns.
    Doubled(Vec<String>),
    /// There is no row.
    NoRow {
        /// Rows that can't be read.
        unread: u64,
    },
    /// Its rows name more columns than a row may have cells.
    TooManyColumns,
    /// To look through all of it takes more than it may.
    TooMuch,
    /// The file can't be read.
    Read(io::Error),
}

impl fmt::Display for NoProposal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NoProposal::Doubled(names) => write!(
                f,
                "the first row gives several columns one name, here with their numbers: {}; give each its own",
                names.join(", ")
            ),
            NoProposal::NoRow { .. } => f.write_str("there is no row to infer a schema from"),
            NoProposal::TooManyColumns => {
                write!(f, "its rows have more than {ROW_CELLS_MAX} columns together")
            }
            NoProposal::TooMuch => f.write_str(
                "it has too many values, or too many columns in too many rows; a part of its rows is enough",
            ),
            NoProposal::Read(error) => write!(f, "the file can't be read: {error}"),
        }
    }
}

impl std::error::Error for NoProposal {}

impl From<io::Error> for NoProposal {
    fn from(error: io::Error) -> Self {
        NoProposal::Read(error)
    }
}
