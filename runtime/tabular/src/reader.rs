//! Rows out of a file, whatever it is: its packing, encoding, format and delimiter are found, or said. Nothing is
//! held but the row. It never judges a row's values.

use crate::array::Array;
use crate::cells::{CellReader, Cells};
use crate::encoding::{Encoding, SAMPLE_BYTES, decode};
use crate::format::Format;
use crate::found::{Found, RowFault};
use crate::lines;
use crate::looks::{delimiter_of, format_of, is_header};
use crate::place::Place;
use crate::unpack::unpack;
use crate::window::Window;
use std::io::{self, Read};

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

    /// How rows stand in the file.
    pub fn format(&self) -> Format {
        match &self.kind {
            Kind::Cells(_) => Format::Csv,
            Kind::Lines => Format::Ndjson,
            Kind::Array(_) => Format::JsonArray,
        }
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
