//! How rows become records, and why a file has none that can be read.

use crate::cell_words::CellWords;
use crate::date_reading::DateReading;
use crate::decimal_mark::DecimalMark;
use crate::guard;
use crate::mapping::{Mapping, WrongMapping};
use engine::validate::Lookups;
use schema::Problems;
use std::fmt;
use std::io;

/// How rows become records; what is not said is found.
#[derive(Clone, Copy, Default)]
pub struct Settings<'s> {
    /// Fields of columns, or of members of JSON, that don't have the field's name.
    pub mappings: &'s [Mapping],
    /// What parts the values of a multivalue's cell, beside JSON arrays.
    pub split: Option<char>,
    /// What stands before the decimals of numbers that are text. Without it a point does, and
    /// `12.000` is no whole number and no money.
    pub decimal_mark: Option<DecimalMark>,
    /// How days and times are written that are text, where that is not as their fields have them.
    pub date_reading: Option<DateReading>,
    /// Words for truth and for no value.
    pub words: Option<&'s CellWords>,
    /// Whether texts that a spreadsheet would take for a formula have a `'` before them, which is none of theirs.
    pub for_spreadsheets: bool,
    /// The codes of data domains, and files. Without them, their rules are not judged.
    pub lookups: Option<&'s dyn Lookups>,
}

impl Settings<'_> {
    /// A column's name without the mark that spreadsheets need.
    pub(crate) fn name<'n>(&self, name: &'n str) -> &'n str {
        if self.for_spreadsheets {
            guard::without(name)
        } else {
            name
        }
    }
}

/// Why no record can be read.
#[derive(Debug)]
pub enum OpenError {
    /// The schema contradicts itself.
    Schema(Problems),
    /// A mapping names what is not there.
    Mapping(WrongMapping),
    /// The source could not be read.
    Read(io::Error),
}

impl fmt::Display for OpenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OpenError::Schema(_) => f.write_str("the schema contradicts itself"),
            OpenError::Mapping(_) => f.write_str("a column can't be mapped"),
            OpenError::Read(_) => f.write_str("the file can't be read"),
        }
    }
}

impl std::error::Error for OpenError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            OpenError::Schema(problems) => Some(problems),
            OpenError::Mapping(wrong) => Some(wrong),
            OpenError::Read(error) => Some(error),
        }
    }
}
