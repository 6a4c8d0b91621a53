//! Rows out of a file, whatever it is: its packing, encoding, format and delimiter are found, or said. Nothing is
//! held but the row. It never judges a row's values.

use crate::array::Array;
use crate::cells::{CellReader, Cells};
use crate::encoding::{Encoding, SAMPLE_BYTES, decode};
use crate::format::Format;
use crate::found::Found;
use crate::lines;
use crate::looks::{format_of, is_header, separator_line, signs_of, text_of};
use crate::pack::Packing;
use crate::row::{Content, Row};
#[cfg(feature = "xlsx")]
use crate::sheet::{SheetReader, spool};
use crate::unpack::{Source, unpack, window_bytes_max, within};
use crate::window::Window;
use std::fs::File;
use std::io::{self, Cursor, Read, Seek as _};

/// What is known of a file; what is not said is found.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options<'o> {
    /// How rows stand in it.
    pub format: Option<Format>,
    /// How its text is encoded.
    pub encoding: Option<Encoding>,
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
    packing: Packing,
    header: Option<bool>,
    has_separator_line: bool,
    /// A row that was looked at and is to come again.
    peeked: Option<Found>,
    /// How much of what is at hand belongs to the row before.
    passed: usize,
}

impl Reader {
    /// Opens a file: looks at its beginning, at most 64 KiB of text. An Excel file goes to a temporary file first, since
    /// it can't be read from its beginning to its end; [`open_file`](Self::open_file) knows better.
    ///
    /// # Errors
    /// What the source says, that it is packed in a way it only seems to be, or that it is an Excel file that can't be
    /// read or has no such sheet.
    pub fn open(source: impl Read + Send + 'static, options: Options<'_>) -> io::Result<Self> {
        Self::open_within(source, options, u64::MAX)
    }

    /// The same of a file that may unpack to so many bytes: its text, or a sheet of an Excel file. Where it is packed with zstd,
    /// its window may have a quarter of that, and never more than 32 MiB.
    ///
    /// # Errors
    /// As for [`open`](Self::open); with one that unpacks to more, here or where its rows are read.
    pub fn open_within(
        source: impl Read + Send + 'static,
        options: Options<'_>,
        bytes_max: u64,
    ) -> io::Result<Self> {
        let window = window_bytes_max(bytes_max);
        let (source, packing) = unpack(Box::new(source), window)?;
        let mut source = within(source, bytes_max);
        let mut head = Vec::new();
        source.by_ref().take(4).read_to_end(&mut head)?;
        let is_sheet = is_sheet(&head, options)?;
        let whole: Source = Box::new(Cursor::new(head).chain(source));
        let reader = if is_sheet {
            Self::open_sheet(|| spool(whole), options, bytes_max)
        } else {
            Self::open_text(whole, options)
        };
        reader.map(|reader| Reader { packing, ..reader })
    }

    /// Opens a file that is one.
    ///
    /// # Errors
    /// As for [`open`](Self::open).
    pub fn open_file(mut file: File, options: Options<'_>) -> io::Result<Self> {
        let mut head = Vec::new();
        // a pipe has no place to go back to
        let begin = file.stream_position();
        let Ok(begin) = begin else {
            return Self::open(file, options);
        };
        file.by_ref().take(4).read_to_end(&mut head)?;
        file.seek(io::SeekFrom::Start(begin))?;
        if begin == 0 && is_sheet(&head, options)? {
            return Self::open_sheet(|| Ok(file), options, u64::MAX);
        }
        Self::open(file, options)
    }

    fn open_text(source: Source, options: Options<'_>) -> io::Result<Self> {
        let (source, encoding) = decode(source, options.encoding)?;
        let mut window = Window::new(source);
        window.hold(SAMPLE_BYTES)?;
        let sample = |window: &Window| window.held().len().min(SAMPLE_BYTES);
        let format = format_of(&window.held()[..sample(&window)]);
        let format = options.format.unwrap_or(format);
        let mut delimiter = options.delimiter;
        let mut has_separator_line = false;
        if matches!(format, Format::Csv | Format::Xlsx)
            && let Some((said, length)) = separator_line(&window.held()[..sample(&window)])
            && delimiter.is_none_or(|delimiter| delimiter == said)
        {
            window.pass(length);
            window.hold(SAMPLE_BYTES)?;
            (delimiter, has_separator_line) = (Some(said), true);
        }
        let sample = &window.held()[..sample(&window)];
        let kind = match format {
            Format::Ndjson => Kind::Lines,
            Format::JsonArray => Kind::Array(Array::Before),
            Format::Csv | Format::Xlsx => {
                let signs = signs_of(sample, delimiter, options.quote);
                Kind::Cells(Box::new(CellReader::new(signs)))
            }
        };
        let reader = Self::of(window, kind, Some(encoding), options);
        Ok(Reader {
            has_separator_line,
            ..reader
        })
    }

    #[cfg(feature = "xlsx")]
    fn open_sheet(
        file: impl FnOnce() -> io::Result<File>,
        options: Options<'_>,
        bytes_max: u64,
    ) -> io::Result<Self> {
        let sheet = SheetReader::open(file()?, options.sheet, bytes_max)?;
        let window = Window::new(Box::new(io::empty()));
        let kind = Kind::Sheet(Box::new(sheet));
        Ok(Self::of(window, kind, None, options))
    }

    #[cfg(not(feature = "xlsx"))]
    fn open_sheet(
        _file: impl FnOnce() -> io::Result<File>,
        _options: Options<'_>,
        _bytes_max: u64,
    ) -> io::Result<Self> {
        Err(io::Error::new(
            io::ErrorKind::Unsupported,
            "Excel files are not read here; export the sheet as CSV",
        ))
    }

    fn of(window: Window, kind: Kind, encoding: Option<Encoding>, options: Options<'_>) -> Self {
        Reader {
            window,
            kind,
            encoding,
            packing: Packing::None,
            header: options.header,
            has_separator_line: false,
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
    /// JSON, and where the first row is one like the others.
    ///
    /// # Errors
    /// What the source says; a first row that can't be read, unless it was said to have no names.
    pub fn header(&mut self, is_known: impl Fn(&str) -> bool) -> io::Result<Option<Vec<String>>> {
        if matches!(self.kind, Kind::Lines | Kind::Array(_)) {
            return Ok(None);
        }
        let Some(found) = self.find()? else {
            return Ok(None);
        };
        if let (Some((fault, _)), None | Some(true)) = (found.fault, self.header) {
            // by the order of fields alone, values might go anywhere
            let text = format!(
                "the first row may have the names of the columns and can't be read: {fault}; mend it, or say that it has none"
            );
            return Err(io::Error::new(io::ErrorKind::InvalidData, text));
        }
        if let (Some(row), None) = (self.cells(), found.fault) {
            let names = (0..row.count()).map(|index| row.get(index).unwrap_or_default().to_owned());
            let names: Vec<String> = names.collect();
            if self.header.unwrap_or_else(|| is_header(&names, is_known)) {
                self.passed = found.pass;
                return Ok(Some(names));
            }
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
        let raw = match &self.kind {
            #[cfg(feature = "xlsx")]
            Kind::Sheet(sheet) => sheet.raw(),
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

/// Whether a file that begins like this is an Excel file.
fn is_sheet(head: &[u8], options: Options<'_>) -> io::Result<bool> {
    // what Excel 97 wrote, and what any Excel writes under a password
    if options.format.is_none_or(|format| format == Format::Xlsx) && head == b"\xD0\xCF\x11\xE0" {
        return Err(io::Error::new(
            io::ErrorKind::InvalidData,
            "the Excel file is of the old kind (.xls), or has a password; save it as .xlsx without one",
        ));
    }
    if options.format.is_none() && head == b"PAR1" {
        return Err(io::Error::new(
            io::ErrorKind::InvalidData,
            "a Parquet file is written, not read; make it CSV, NDJSON or Excel",
        ));
    }
    if options.format == Some(Format::Xlsx)
        && let Some(text) = text_of(head)
    {
        let what = format!("it is none but {text}; leave its format out");
        return Err(io::Error::new(
            io::ErrorKind::InvalidData,
            format!("the Excel file: {what}"),
        ));
    }
    Ok(match options.format {
        Some(format) => format == Format::Xlsx,
        None => head == b"PK\x03\x04",
    })
}

/// Without Excel files, none needs to be one on disk.
#[cfg(not(feature = "xlsx"))]
fn spool(_source: Source) -> io::Result<File> {
    Err(io::ErrorKind::Unsupported.into())
}
