//! Rows out of a file, whatever it is: its packing, encoding, format and delimiter are found, or said. Nothing is
//! held but the row. It never judges a row's values.

use crate::array::Array;
use crate::cells::{CellReader, Cells};
use crate::encoding::{Encoding, SAMPLE_BYTES, decode};
use crate::lines;
use crate::looks::{delimiter_of, format_of, is_header};
use crate::place::Place;
use crate::unpack::unpack;
use crate::window::Window;
use std::fmt;
use std::io::{self, Read};

/// The longest row, in bytes (16 MiB). A longer one is told of and left out.
pub const ROW_BYTES_MAX: usize = 16 << 20;

/// How rows stand in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// CSV: cells with a delimiter between them, in quotes where they hold one.
    Csv,
    /// JSON, an object on each line.
    Ndjson,
    /// JSON, one array of objects.
    JsonArray,
}

impl Format {
    /// All formats.
    pub const ALL: [Self; 3] = [Format::Csv, Format::Ndjson, Format::JsonArray];

    /// Its name, such as `ndjson`.
    pub fn name(self) -> &'static str {
        match self {
            Format::Csv => "csv",
            Format::Ndjson => "ndjson",
            Format::JsonArray => "json",
        }
    }

    /// The format with this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|it| it.name() == name)
    }
}

/// What is known of a file; what is not said is found.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// How rows stand in it.
    pub format: Option<Format>,
    /// How its text is encoded.
    pub encoding: Option<Encoding>,
    /// What parts its cells: any ASCII character but a quote or the end of a line.
    pub delimiter: Option<u8>,
    /// Whether its first row has the names of its columns.
    pub header: Option<bool>,
}

/// Why a row can't be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowFault {
    /// It has more than [`ROW_BYTES_MAX`] bytes.
    TooLong,
    /// It is not UTF-8, or not in the encoding that the file has.
    NotUtf8,
    /// A quote is opened and never closed.
    OpenQuote,
    /// It has more or fewer cells than the first row.
    CellCount {
        /// How many it has.
        found: usize,
        /// How many the first row has.
        expected: usize,
    },
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
    /// The fault's code: stable, for programs.
    pub fn code(self) -> &'static str {
        match self {
            RowFault::TooLong => "row_too_long",
            RowFault::NotUtf8 => "row_encoding",
            RowFault::OpenQuote => "open_quote",
            RowFault::CellCount { .. } => "cell_count",
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
            RowFault::NotUtf8 => {
                f.write_str("the text is not in the file's encoding; name the one it is in")
            }
            RowFault::OpenQuote => f.write_str("the quote that opens here is never closed"),
            RowFault::CellCount { found, expected } => {
                write!(
                    f,
                    "the row has {found} cells where the first has {expected}"
                )
            }
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
    place: Place,
    /// Where it ends, in what is at hand, without what ends its line.
    end: usize,
    /// How much is left behind with it.
    pass: usize,
    fault: Option<(RowFault, Place)>,
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

/// A row.
#[derive(Debug)]
pub struct Row<'r> {
    /// Where it begins.
    pub place: Place,
    /// The row as it stands, in UTF-8 unless that is its fault. Empty where it is too long.
    pub raw: &'r [u8],
    /// What it holds, or why it can't be read, and where the fault is.
    pub content: Result<Content<'r>, (RowFault, Place)>,
}

/// What a row holds.
#[derive(Debug)]
pub enum Content<'r> {
    /// What should be a JSON object, as it stands.
    Json,
    /// Cells, as many as the first row has.
    Cells(&'r Cells),
}

impl Row<'_> {
    /// The place of a byte of the row as it stands.
    pub(crate) fn at(&self, offset: usize) -> Place {
        self.place.after(&self.raw[..offset.min(self.raw.len())])
    }
}

enum Kind {
    Cells(Box<CellReader>),
    Lines,
    Array(Array),
}

/// Reads rows.
pub struct Reader {
    window: Window,
    kind: Kind,
    header: Option<bool>,
    /// A row that was looked at and is to come again.
    peeked: Option<Found>,
    /// How much of what is at hand belongs to the row before.
    passed: usize,
}

impl Reader {
    /// Opens a file: looks at its beginning, at most 64 KiB of text.
    ///
    /// # Errors
    /// What the source says, or that it is packed in a way it only seems to be.
    pub fn open(source: impl Read + Send + 'static, options: Options) -> io::Result<Self> {
        let source = decode(unpack(Box::new(source))?, options.encoding)?;
        let mut window = Window::new(source);
        window.hold(SAMPLE_BYTES)?;
        let sample = &window.held()[..window.held().len().min(SAMPLE_BYTES)];
        let kind = match options.format.unwrap_or_else(|| format_of(sample)) {
            Format::Ndjson => Kind::Lines,
            Format::JsonArray => Kind::Array(Array::Before),
            Format::Csv => {
                let delimiter = options.delimiter.unwrap_or_else(|| delimiter_of(sample));
                Kind::Cells(Box::new(CellReader::new(delimiter)))
            }
        };
        Ok(Reader {
            window,
            kind,
            header: options.header,
            peeked: None,
            passed: 0,
        })
    }

    /// What parts the cells; `None` where rows are JSON.
    pub fn delimiter(&self) -> Option<u8> {
        match &self.kind {
            Kind::Cells(cells) => Some(cells.delimiter()),
            Kind::Lines | Kind::Array(_) => None,
        }
    }

    /// The names of the columns, where the first row has them: because it was said, because one of them
    /// `is_known`, or because they look like names. To be asked before the first row is read. `None` where rows are
    /// JSON, and where the first row is one like the others.
    ///
    /// # Errors
    /// What the source says.
    pub fn header(&mut self, is_known: impl Fn(&str) -> bool) -> io::Result<Option<Vec<String>>> {
        let Kind::Cells(cells) = &mut self.kind else {
            return Ok(None);
        };
        if self.header == Some(false) {
            return Ok(None);
        }
        let Some(found) = cells.next(&mut self.window)? else {
            return Ok(None);
        };
        let row = cells.row();
        let names: Vec<String> = (0..row.count())
            .map(|index| row.get(index).unwrap_or_default().to_owned())
            .collect();
        let is_said = self.header == Some(true);
        if found.fault.is_none() && (is_said || is_header(&names, is_known)) {
            self.passed = found.pass;
            return Ok(Some(names));
        }
        self.peeked = Some(found);
        Ok(None)
    }

    /// The next row; `None` at the end.
    ///
    /// # Errors
    /// What the source says. A row that can't be read is no error.
    #[expect(
        clippy::should_implement_trait,
        reason = "a row is borrowed from its reader"
    )]
    pub fn next(&mut self) -> io::Result<Option<Row<'_>>> {
        let found = if let Some(found) = self.peeked.take() {
            Some(found)
        } else {
            self.window.pass(std::mem::take(&mut self.passed));
            match &mut self.kind {
                Kind::Cells(cells) => cells.next(&mut self.window)?,
                Kind::Lines => lines::next(&mut self.window)?,
                Kind::Array(array) => array.next(&mut self.window)?,
            }
        };
        let Some(Found {
            place,
            end,
            pass,
            fault,
        }) = found
        else {
            return Ok(None);
        };
        self.passed = pass;
        let content = match (&self.kind, fault) {
            (_, Some(fault)) => Err(fault),
            (Kind::Cells(cells), None) => Ok(Content::Cells(cells.row())),
            (Kind::Lines | Kind::Array(_), None) => Ok(Content::Json),
        };
        Ok(Some(Row {
            place,
            raw: &self.window.held()[..end],
            content,
        }))
    }
}
