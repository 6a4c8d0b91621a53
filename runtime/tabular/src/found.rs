//! What looking for a row gives: where it stands in what is at hand, or why it can't be read. It looks for none.

use crate::place::Place;
use std::fmt;

/// The longest row, in bytes (16 MiB). A longer one is told of and left out.
pub const ROW_BYTES_MAX: usize = 16 << 20;

/// The most cells of a row, as of a spreadsheet's. One that has more is told of and left out.
pub const ROW_CELLS_MAX: usize = 16_384;

/// The text of a cell that holds a formula of which no result is stored.
pub(crate) const NO_RESULT: &str = "#FORMULA!";

/// The text that stands in a rejected row for a number of which digits may be lost.
pub(crate) const LOST_DIGITS: &str = "#DIGITS!";

/// What stands in place of a value where a cell of a sheet has none that can be read, and its row is told as text.
const IN_PLACE: [&str; 10] = [
    "#DIV/0!",
    "#N/A",
    "#NAME?",
    "#NULL!",
    "#NUM!",
    "#REF!",
    "#VALUE!",
    "#DATA!",
    NO_RESULT,
    LOST_DIGITS,
];

/// Why a row can't be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowFault {
    /// It has more than [`ROW_BYTES_MAX`] bytes.
    TooLong,
    /// It has more than [`ROW_CELLS_MAX`] cells.
    TooManyCells,
    /// It is not UTF-8, or not in the encoding that the file has.
    NotUtf8,
    /// A quote is opened and never closed.
    OpenQuote,
    /// A quoted cell goes on behind the quote that closes it.
    BehindQuote,
    /// A cell without quotes has a carriage return, which ends no line of the file.
    CarriageReturn,
    /// It has more or fewer cells than the first row.
    CellCount {
        /// How many it has.
        found: usize,
        /// How many the first row has.
        expected: usize,
    },
    /// A cell of a sheet holds an error, such as `#N/A`, or stands in no order.
    CellError,
    /// A cell of a sheet holds a formula of which no result is stored, as programs write it that calculate nothing.
    NoResult,
    /// A cell of a sheet holds a number of 2^53 or more, which is read as a double: digits of it may be lost.
    LostDigits,
    /// A cell holds a day that is not written as was said, and that its field would read in another way.
    OtherReading,
    /// The text is no JSON array.
    NoArray,
    /// An element is missing before a comma or the end.
    NoElement,
    /// An element of the array has no end.
    OpenElement,
    /// The array has no end.
    OpenArray,
    /// Something stands behind the array.
    BehindArray,
}

impl RowFault {
    /// The fault of a cell that words tell of, if its text is still what stood in its place: the row was told as text, for
    /// which that would be a value.
    pub fn still(told: &str, texts: impl IntoIterator<Item = impl AsRef<str>>) -> Option<Self> {
        let faults = [
            RowFault::CellError,
            RowFault::NoResult,
            RowFault::LostDigits,
        ];
        let fault = faults.into_iter().find(|fault| fault.to_string() == told)?;
        let mut texts = texts.into_iter();
        let is_there = texts.any(|text| IN_PLACE.contains(&text.as_ref().trim()));
        is_there.then_some(fault)
    }

    /// The fault's code: stable, for programs.
    pub fn code(self) -> &'static str {
        match self {
            RowFault::TooLong => "row_too_long",
            RowFault::TooManyCells => "too_many_cells",
            RowFault::NotUtf8 => "row_encoding",
            RowFault::OpenQuote => "open_quote",
            RowFault::BehindQuote => "behind_quote",
            RowFault::CarriageReturn => "carriage_return",
            RowFault::CellCount { .. } => "cell_count",
            RowFault::CellError => "cell_error",
            RowFault::NoResult => "no_result",
            RowFault::LostDigits => "lost_digits",
            RowFault::OtherReading => "date_format",
            RowFault::NoArray => "no_array",
            RowFault::NoElement => "no_element",
            RowFault::OpenElement => "open_element",
            RowFault::OpenArray => "open_array",
            RowFault::BehindArray => "behind_array",
        }
    }
}

impl fmt::Display for RowFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RowFault::TooLong => write!(f, "the row has more than {ROW_BYTES_MAX} bytes"),
            RowFault::TooManyCells => write!(f, "the row has more than {ROW_CELLS_MAX} cells"),
            RowFault::NotUtf8 => {
                f.write_str("the text is not in the file's encoding; name the one it is in")
            }
            RowFault::OpenQuote => f.write_str("the quote that opens here is never closed"),
            RowFault::BehindQuote => f.write_str(
                "the cell that begins here goes on behind its closing quote; write each quote within it twice",
            ),
            RowFault::CarriageReturn => f.write_str(
                "a carriage return stands here within a cell, and no line of the file ends so; put the cell in quotes, or take it out",
            ),
            RowFault::CellCount { found, expected } => {
                write!(
                    f,
                    "the row has {found} cells where the first has {expected}"
                )
            }
            RowFault::CellError => {
                f.write_str("the cell holds an error of the spreadsheet, such as #N/A")
            }
            RowFault::NoResult => f.write_str(
                "the cell holds a formula without its result; open the file in a spreadsheet and save it",
            ),
            RowFault::LostDigits => f.write_str(
                "the cell holds a number of which digits may be lost; make the column one of texts, and write it anew",
            ),
            RowFault::OtherReading => f.write_str(
                "the cell holds a day that is not written as was said of the file (`dateFormat`); write it so, or as YYYY-MM-DD",
            ),
            RowFault::NoArray => f.write_str("a JSON array must begin with ["),
            RowFault::NoElement => f.write_str("an element of the array is missing here"),
            RowFault::OpenElement => f.write_str("the element that begins here has no end"),
            RowFault::OpenArray => f.write_str("the array has no end: ] is missing"),
            RowFault::BehindArray => f.write_str("something follows the array"),
        }
    }
}

/// A row as it was found at hand.
pub(crate) struct Found {
    pub(crate) place: Place,
    /// Where it ends, in what is at hand, without what ends its line.
    pub(crate) end: usize,
    /// How much is left behind with it.
    pub(crate) pass: usize,
    pub(crate) fault: Option<(RowFault, Place)>,
}

impl Found {
    pub(crate) fn row(place: Place, end: usize, pass: usize) -> Self {
        Found {
            place,
            end,
            pass,
            fault: None,
        }
    }

    /// A row that begins at `place`, of which `end` bytes are at hand, and has a fault at `at`.
    pub(crate) fn fault(place: Place, end: usize, fault: RowFault, at: Place) -> Self {
        Found {
            place,
            end,
            pass: end,
            fault: Some((fault, at)),
        }
    }

    pub(crate) fn passing(self, pass: usize) -> Self {
        Found { pass, ..self }
    }
}
