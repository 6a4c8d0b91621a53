//! Why nothing was generated: refused schemas, mistakes in the configuration, files. It is only data and
//! text; who prints it, and in which colours, is for the program.

use crate::message::Palette;
use crate::report::{Report, grouped};
use std::fmt;
use std::path::PathBuf;

/// Why nothing was generated.
pub enum Error {
    /// Some schemas are refused: every problem of all of them, warnings included.
    Schemas(Vec<Report>),
    /// The configuration contradicts itself or the schemas: every mistake in it.
    Config(Vec<Mistake>),
    /// A file or directory could not be read or written.
    File {
        /// What was tried, such as `read`.
        action: &'static str,
        /// The file or directory.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// A file would be overwritten that the generator did not write.
    Foreign(PathBuf),
}

/// One mistake in the configuration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mistake {
    /// What is wrong, and where.
    pub message: String,
    /// What to do.
    pub help: String,
}

impl Error {
    /// What to do about a file that could not be read or written: look at what is in it, where that is to blame, else at its
    /// place.
    #[must_use]
    pub fn help_with_file(error: &std::io::Error) -> &'static str {
        use std::io::ErrorKind::{InvalidData, InvalidInput, UnexpectedEof, Unsupported};
        match error.kind() {
            // the standard library's own, of a text in another encoding: readers say what else they met
            InvalidData if error.get_ref().is_none() => "save its text as UTF-8",
            InvalidData | InvalidInput | UnexpectedEof | Unsupported => {
                "look at its content: a schema is JSON in UTF-8, data are CSV, NDJSON or a JSON array, packed with gzip or zstd or not"
            }
            _ => "check the path and its permissions",
        }
    }

    /// An error of the file system.
    pub(crate) fn file(
        action: &'static str,
        path: impl Into<PathBuf>,
        source: std::io::Error,
    ) -> Self {
        Error::File {
            action,
            path: path.into(),
            source,
        }
    }

    /// What is wrong beside schemas, and what to do; empty where schemas are refused.
    pub fn mistakes(&self) -> Vec<Mistake> {
        let one = |message: String, help: &str| {
            vec![Mistake {
                message,
                help: help.to_owned(),
            }]
        };
        match self {
            Error::Schemas(_) => Vec::new(),
            Error::Config(mistakes) => mistakes.clone(),
            Error::File {
                action,
                path,
                source,
            } => one(
                format!("can't {action} {}: {source}", path.display()),
                Self::help_with_file(source),
            ),
            Error::Foreign(path) => one(
                format!("{} exists and was not generated", path.display()),
                "move it away or choose another directory",
            ),
        }
    }

    /// The error as a compiler would show it, every problem of it.
    pub fn render(&self, palette: &Palette) -> String {
        let all: Vec<_> = if let Error::Schemas(reports) = self {
            let groups = grouped(reports).into_iter();
            groups.map(|group| group.render(palette)).collect()
        } else {
            let mistakes = self.mistakes().into_iter();
            mistakes.map(|mistake| mistake.render(palette)).collect()
        };
        all.join("\n")
    }
}

impl Mistake {
    /// The mistake as a compiler would show it.
    pub fn render(&self, palette: &Palette) -> String {
        let Palette {
            error, note, reset, ..
        } = palette;
        let Mistake { message, help } = self;
        format!("{error}error{reset}: {message}\n  = {note}help{reset}: {help}\n")
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.render(&Palette::default()).trim_end())
    }
}

/// As a build script that returns the error from `main` shows it: the rendered text.
impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\n{self}")
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Error::File { .. } | Error::Schemas(_) | Error::Config(_) | Error::Foreign(_) => None,
        }
    }
}
