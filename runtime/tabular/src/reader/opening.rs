//! Files are opened: by their beginning it is found how they are packed, encoded and written, where that was not said.

use super::{Kind, Options, Reader};
use crate::array::Array;
use crate::bracket::format_of;
use crate::cells::CellReader;
use crate::decode::{Decoded, decode};
use crate::encoding::Encoding;
use crate::foreign::{self, HEAD_BYTES};
use crate::format::Format;
use crate::looks::{separator_line, signs_of, text_of};
#[cfg(feature = "xlsx")]
use crate::sheet::{SheetReader, spool};
use crate::survey::{SAMPLE_BYTES, survey};
use crate::unpack::{Source, unpack, window_bytes_max, within};
use crate::window::Window;
use std::fs::File;
use std::io::{self, Cursor, Read, Seek as _};

/// The byte-order mark, in UTF-8.
const MARK: &str = "\u{feff}";

impl Options<'_> {
    /// The same options with the encoding that the whole of a file speaks for, which goes through it once. Where an encoding is given,
    /// where the file begins with a mark or is no CSV, its beginning is enough.
    ///
    /// # Errors
    /// [`FileTooLarge`](io::ErrorKind::FileTooLarge) for a file that unpacks to more than so many bytes.
    pub fn surveyed(self, file: impl Read + Send + 'static, bytes_max: u64) -> io::Result<Self> {
        if self.encoding.is_some() || self.format.is_some_and(|it| it != Format::Csv) {
            return Ok(self);
        }
        Ok(Options {
            surveyed_encoding: survey(Box::new(file), self.format, bytes_max)?,
            ..self
        })
    }
}

impl Reader {
    /// Opens a file: looks at its beginning, at most 64 KiB of text. An Excel file goes to a temporary file first, since
    /// it can't be read from its beginning to its end; [`open_file`](Self::open_file) knows better.
    ///
    /// # Errors
    /// What the source says, that it is packed in a way it only seems to be, that it is an Excel file that can't be
    /// read or has no such sheet, or that it is no file of rows, such as a picture.
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
        source.by_ref().take(HEAD_BYTES).read_to_end(&mut head)?;
        let is_sheet = is_sheet(&head[..head.len().min(4)], options)?;
        if !is_sheet && options.format.is_none() {
            foreign::refuse(&head)?;
        }
        let whole: Source = Box::new(Cursor::new(head).chain(source));
        let reader = if is_sheet {
            Self::open_sheet(|| spool(whole), options, bytes_max)
        } else {
            Self::open_text(whole, options)
        };
        reader.map(|reader| Reader { packing, ..reader })
    }

    /// Opens a file that is one. Where it can be read twice, the whole of its text shows how it is encoded.
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
        let options = options.surveyed(file.try_clone()?, u64::MAX)?;
        file.seek(io::SeekFrom::Start(begin))?;
        Self::open(file, options)
    }

    fn open_text(source: Source, options: Options<'_>) -> io::Result<Self> {
        let Decoded {
            source,
            encoding,
            has_mark,
            is_guessed,
        } = decode(source, options.encoding, options.surveyed_encoding)?;
        let mut window = Window::new(source);
        window.hold(SAMPLE_BYTES)?;
        let sample = |window: &Window| window.held().len().min(SAMPLE_BYTES);
        let is_doubtful = is_guessed && !encoding.is_unicode();
        foreign::require_text(&window.held()[..sample(&window)], is_doubtful)?;
        let says_cells = options.delimiter.is_some() || options.header.is_some();
        let format = format_of(&window.held()[..sample(&window)], says_cells);
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
            Format::Ndjson => {
                foreign::require_object_a_line(sample)?;
                Kind::Lines
            }
            Format::JsonArray => Kind::Array(Array::Before),
            Format::Csv | Format::Xlsx => {
                let signs = signs_of(sample, delimiter, options.quote);
                Kind::Cells(Box::new(CellReader::new(signs)))
            }
        };
        // who sends a copy says again of it what was said of the file
        let is_said = options.encoding.is_some_and(|it| it != Encoding::UTF_8);
        // a spreadsheet, as may have written it, takes a text for UTF-8 by its mark alone
        let is_of_spreadsheet =
            matches!(kind, Kind::Cells(_)) && (has_mark || encoding != Encoding::UTF_8);
        let is_marked = is_said || is_of_spreadsheet;
        let reader = Self::of(window, kind, Some(encoding), options);
        Ok(Reader {
            has_separator_line,
            is_encoding_guessed: is_guessed && encoding != Encoding::UTF_8,
            copy_mark: if is_marked { MARK } else { "" },
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
        let reader = Self::of(window, kind, None, options);
        Ok(Reader {
            copy_mark: MARK,
            ..reader
        })
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
