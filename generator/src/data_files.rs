//! What the commands that read data files share: how a file is said to be, how it is opened, and why a command could
//! not be done. It looks into no row.

use std::ffi::OsStr;
use std::fs::File;
use std::path::Path;
use tabular::{Encoding, Format, Options, Reader};

/// How a data file is; what is not said is found.
#[derive(clap::Args)]
pub(crate) struct FileOptions {
    /// How rows stand in the file, if not found by its first character
    #[arg(long, value_name = "FORMAT", value_parser = ["csv", "ndjson", "json"])]
    input_format: Option<String>,

    /// How its text is encoded, if not found by the whole file: a name of the Encoding Standard, such as utf-8, utf-16le,
    /// windows-1250, iso-8859-2, koi8-r or macintosh, or cp437 or cp850
    #[arg(long, value_name = "ENCODING", value_parser = encoding)]
    encoding: Option<Encoding>,

    /// What parts the cells of a CSV file, if not found; `tab` for a tab
    #[arg(long, value_name = "CHAR", value_parser = delimiter)]
    delimiter: Option<u8>,

    /// What stands around cells of a CSV file that hold a delimiter, if not found
    #[arg(long, value_name = "CHAR", value_parser = quote)]
    quote: Option<u8>,

    /// Whether the first row of a CSV file has the names of its columns, if not found
    #[arg(long, value_name = "YES|NO", value_parser = ["yes", "no"])]
    header: Option<String>,
}

impl FileOptions {
    /// Whether it is said whether the first row has names.
    pub(crate) fn says_header(&self) -> bool {
        self.header.is_some()
    }
}

fn encoding(name: &str) -> Result<Encoding, String> {
    let names = || Encoding::ALL.map(Encoding::name).join(", ");
    Encoding::named(name).ok_or_else(|| format!("must be one of {}", names()))
}

fn delimiter(text: &str) -> Result<u8, String> {
    match text.as_bytes() {
        _ if text == "tab" => Ok(b'\t'),
        [byte] if byte.is_ascii() && !b"\"\r\n".contains(byte) => Ok(*byte),
        _ => Err("one ASCII character that is no quote and no end of a line, or `tab`".to_owned()),
    }
}

fn quote(text: &str) -> Result<u8, String> {
    match text {
        "\"" => Ok(b'"'),
        "'" => Ok(b'\''),
        _ => Err("`\"` or `'`".to_owned()),
    }
}

/// Why a command could not be done to its end.
pub(crate) enum Failure {
    /// Something is to be told, and what to do about it.
    Told { message: String, help: String },
    /// Whoever read standard output has seen enough.
    NobodyReads,
}

impl Failure {
    pub(crate) fn new(message: impl Into<String>, help: impl Into<String>) -> Self {
        Failure::Told {
            message: message.into(),
            help: help.into(),
        }
    }

    /// Standard output that can't be written.
    pub(crate) fn output(error: &std::io::Error) -> Self {
        if error.kind() == std::io::ErrorKind::BrokenPipe {
            return Failure::NobodyReads;
        }
        let message = format!("can't write to standard output: {error}");
        Failure::new(message, "check where it leads")
    }

    /// A file that can't be read or written.
    pub(crate) fn file(action: &str, path: &Path, error: &std::io::Error) -> Self {
        let path = if is_standard_input(path) {
            Path::new("standard input")
        } else {
            path
        };
        Failure::new(
            format!("can't {action} {}: {error}", path.display()),
            generator::Error::help_with_file(error),
        )
    }
}

/// Schemas that can't be read.
impl From<generator::Error> for Failure {
    fn from(error: generator::Error) -> Self {
        match error {
            generator::Error::File {
                action,
                path,
                source,
            } => Failure::file(action, &path, &source),
            other => Failure::new(other.to_string(), "mend the schema first"),
        }
    }
}

pub(crate) fn is_standard_input(path: &Path) -> bool {
    path.as_os_str() == OsStr::new("-")
}

/// Opens a data file, or standard input.
pub(crate) fn open(path: &Path, said: &FileOptions) -> Result<Reader, Failure> {
    let options = Options {
        format: said.input_format.as_deref().and_then(Format::named),
        encoding: said.encoding,
        surveyed_encoding: None,
        delimiter: said.delimiter,
        quote: said.quote,
        header: said.header.as_deref().map(|word| word == "yes"),
        sheet: None,
    };
    let reader = if is_standard_input(path) {
        Reader::open(std::io::stdin(), options)
    } else {
        File::open(path).and_then(|file| Reader::open_file(file, options))
    };
    reader.map_err(|error| Failure::file("read", path, &error))
}
