//! Rows out of a file, whatever it is: its packing, encoding, format and delimiter are found, or said. Nothing is
//! held but the row. It never judges a row's values.

mod opening;

use crate::array::Array;
use crate::cells::{CellReader, Cells};
use crate::encoding::Encoding;
use crate::format::Format;
use crate::found::Found;
use crate::lines;
use crate::looks::is_header;
use crate::pack::Packing;
use crate::row::{Content, Row};
#[cfg(feature = "xlsx")]
use crate::sheet::SheetReader;
use crate::window::Window;
use std::io;

/// What is known of a file; what is not said is found.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options<'o> {
    /// How rows stand in it.
    pub format: Option<Format>,
    /// How its text is encoded.
    pub encoding: Option<Encoding>,
    /// The encoding that the whole file speaks for, where that was looked at: [`surveyed`](Options::surveyed).
    pub surveyed_encoding: Option<Encoding>,
    /// What parts its cells: any ASCII character but a quote or the end of a line.
    pub delimiter: Option<u8>,
    /// What stands around a cell that holds a delimiter or the end of a line: `"` or `'`.
    pub quote: Option<u8>,
    /// Whether its first row has the names of its columns.
    pub header: Option<bool>,
    /// The sheet of an Excel file, by its name; the first that is not hidden, where none is named.
    pub sheet: Option<&'o str>,
}

enum Kind {
    Cells(Box<CellReader>),
    Lines,
    Array(Array),
    #[cfg(feature = "xlsx")]
    Sheet(Box<SheetReader>),
}

/// Reads rows.
pub struct Reader {
    window: Window,
    kind: Kind,
    /// What its text is in; a sheet has none of its own.
    encoding: Option<Encoding>,
    is_encoding_guessed: bool,
    packing: Packing,
    header: Option<bool>,
    has_separator_line: bool,
    /// What a copy of its rows begins with.
    copy_mark: &'static str,
    /// A row that was looked at and is to come again.
    peeked: Option<Found>,
    /// How much of what is at hand belongs to the row before.
    passed: usize,
}

impl Reader {
    fn of(window: Window, kind: Kind, encoding: Option<Encoding>, options: Options<'_>) -> Self {
        Reader {
            window,
            kind,
            encoding,
            is_encoding_guessed: false,
            packing: Packing::None,
            header: options.header,
            has_separator_line: false,
            copy_mark: "",
            peeked: None,
            passed: 0,
        }
    }

    /// The name of the sheet that is read, where the file is an Excel file.
    pub fn sheet(&self) -> Option<&str> {
        match &self.kind {
            #[cfg(feature = "xlsx")]
            Kind::Sheet(sheet) => Some(sheet.name()),
            _ => None,
        }
    }

    /// How many sheets the file has, where it is an Excel file.
    pub fn sheet_count(&self) -> Option<usize> {
        match &self.kind {
            #[cfg(feature = "xlsx")]
            Kind::Sheet(sheet) => Some(sheet.count()),
            _ => None,
        }
    }

    /// How the file's text is encoded; `None` where it is an Excel file.
    pub fn encoding(&self) -> Option<Encoding> {
        self.encoding
    }

    /// Whether nothing but the looks of its text speaks for its encoding, which is not UTF-8.
    pub fn is_encoding_guessed(&self) -> bool {
        self.is_encoding_guessed
    }

    /// How the file is packed, as its first bytes say.
    pub fn packing(&self) -> Packing {
        self.packing
    }

    /// How rows stand in the file.
    pub fn format(&self) -> Format {
        match &self.kind {
            Kind::Cells(_) => Format::Csv,
            Kind::Lines => Format::Ndjson,
            Kind::Array(_) => Format::JsonArray,
            #[cfg(feature = "xlsx")]
            Kind::Sheet(_) => Format::Xlsx,
        }
    }

    /// What parts the cells; `None` where rows are JSON. Rows of a sheet are told as CSV with commas.
    pub fn delimiter(&self) -> Option<u8> {
        match &self.kind {
            Kind::Cells(cells) => Some(cells.delimiter()),
            Kind::Lines | Kind::Array(_) => None,
            #[cfg(feature = "xlsx")]
            Kind::Sheet(_) => Some(b','),
        }
    }

    /// Whether the file begins with a line that says what parts its cells, as spreadsheets write it: `sep=;`. It is no row.
    pub fn has_separator_line(&self) -> bool {
        self.has_separator_line
    }

    /// What a copy of its rows as text begins with, so that it is read in UTF-8 as they are in theirs: the mark of that where the
    /// file was said to be in another encoding, and where it has cells and one that a spreadsheet knows it by. Else nothing.
    pub fn copy_mark(&self) -> &'static str {
        self.copy_mark
    }

    /// What stands around cells that need it; `None` where rows are JSON. Rows of a sheet are told with `"`.
    pub fn quote(&self) -> Option<u8> {
        match &self.kind {
            Kind::Cells(cells) => Some(cells.quote()),
            Kind::Lines | Kind::Array(_) => None,
            #[cfg(feature = "xlsx")]
            Kind::Sheet(_) => Some(b'"'),
        }
    }

    /// The names of the columns, where the first row has them: because it was said, because one of them
    /// `is_known`, or because they look like names. To be asked before the first row is read. `None` where rows are
    /// JSON, and where the first row is one like the others. The first row is the first that has a value: those of empty cells
    /// before it, as spreadsheets save rows that were formatted, are passed over.
    ///
    /// # Errors
    /// What the source says; a first row that can't be read, unless it was said to have no names.
    pub fn header(&mut self, is_known: impl Fn(&str) -> bool) -> io::Result<Option<Vec<String>>> {
        self.header_by(|first| is_header(&texts(first), is_known))
    }

    /// The same, where `has_names` tells of the cells of the first row whether they are names; asked unless it was said.
    ///
    /// # Errors
    /// As for [`header`](Self::header).
    pub(crate) fn header_by(
        &mut self,
        has_names: impl FnOnce(&Cells) -> bool,
    ) -> io::Result<Option<Vec<String>>> {
        if matches!(self.kind, Kind::Lines | Kind::Array(_)) {
            return Ok(None);
        }
        let Some(found) = self.find_first()? else {
            return Ok(None);
        };
        if let (Some((fault, _)), None | Some(true)) = (found.fault, self.header) {
            // by the order of fields alone, values might go anywhere
            let text = format!(
                "the first row may have the names of the columns and can't be read: {fault}; mend it, or say that it has none"
            );
            return Err(io::Error::new(io::ErrorKind::InvalidData, text));
        }
        if let (Some(first), None) = (self.cells(), found.fault)
            && self.header.unwrap_or_else(|| has_names(first))
        {
            let names = texts(first);
            self.passed = found.pass;
            return Ok(Some(names));
        }
        self.peeked = Some(found);
        Ok(None)
    }

    /// How many cells the first row has, once [`header`](Self::header) found no names in it; 0 where rows have none.
    pub(crate) fn width(&self) -> usize {
        let is_read = self.peeked.as_ref().is_some_and(|it| it.fault.is_none());
        let cells = self.cells().filter(|_| is_read);
        cells.map_or(0, Cells::count)
    }

    /// Passes over what is wrong with cells of a sheet in columns that are for nothing, as this says of each.
    #[cfg(feature = "xlsx")]
    pub(crate) fn read_only(&mut self, is_read: Vec<bool>) {
        if let Kind::Sheet(sheet) = &mut self.kind {
            sheet.read_only(is_read);
        }
    }

    /// Whether a cell of the rows since this was asked last begins with a blank and a quote: the quote is a part of its text then.
    pub fn take_quote_after_blank(&mut self) -> bool {
        match &mut self.kind {
            Kind::Cells(cells) => cells.take_quote_after_blank(),
            _ => false,
        }
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
        let found = match self.peeked.take() {
            Some(found) => Some(found),
            None => self.find()?,
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
        let content = match (self.cells(), fault) {
            (_, Some(fault)) => Err(fault),
            (Some(cells), None) => Ok(Content::Cells(cells)),
            (None, None) => Ok(Content::Json),
        };
        let raw: &[u8] = match &self.kind {
            #[cfg(feature = "xlsx")]
            Kind::Sheet(_) => &[],
            _ => &self.window.held()[..end],
        };
        Ok(Some(Row {
            place,
            raw,
            content,
            #[cfg(feature = "xlsx")]
            sheet: match &self.kind {
                Kind::Sheet(sheet) => Some(sheet),
                _ => None,
            },
        }))
    }

    /// Finds the first row that has a value, or can't be read. Those before it say nothing of how many columns there are.
    fn find_first(&mut self) -> io::Result<Option<Found>> {
        loop {
            let found = self.find()?;
            let Some(Found {
                pass, fault: None, ..
            }) = found
            else {
                return Ok(found);
            };
            if !self.cells().is_some_and(|cells| cells.is_blank_from(0)) {
                return Ok(found);
            }
            self.passed = pass;
            match &mut self.kind {
                Kind::Cells(cells) => cells.forget_width(),
                Kind::Lines | Kind::Array(_) => {}
                #[cfg(feature = "xlsx")]
                Kind::Sheet(sheet) => sheet.forget_width(),
            }
        }
    }

    /// Finds the next row behind the one before.
    fn find(&mut self) -> io::Result<Option<Found>> {
        self.window.pass(std::mem::take(&mut self.passed));
        match &mut self.kind {
            Kind::Cells(cells) => cells.next(&mut self.window),
            Kind::Lines => lines::next(&mut self.window),
            Kind::Array(array) => array.next(&mut self.window),
            #[cfg(feature = "xlsx")]
            Kind::Sheet(sheet) => sheet.next(),
        }
    }

    /// The cells of the row that was found last, where rows have cells.
    fn cells(&self) -> Option<&Cells> {
        match &self.kind {
            Kind::Cells(cells) => Some(cells.row()),
            #[cfg(feature = "xlsx")]
            Kind::Sheet(sheet) => Some(sheet.row()),
            Kind::Lines | Kind::Array(_) => None,
        }
    }
}

/// The texts of a first row's cells.
fn texts(cells: &Cells) -> Vec<String> {
    let texts = (0..cells.count()).map(|index| cells.get(index).unwrap_or_default());
    texts.map(str::to_owned).collect()
}
