//! What can go wrong and what was noticed: refused schemas, mistakes in the configuration, files.
//! A report shows the place in the source like a compiler does. It is only data and text; who prints
//! it, and in which colours, is for the program.

use crate::name::Cause;
use schema::{Path, Problem, Severity};
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

/// One problem of one schema, with its place in the source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// The name of the input.
    pub input: String,
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
    /// What is wrong, where in the document, and what to do.
    pub problem: Problem,
    /// The line of the source, or the part of a long one around the place.
    pub excerpt: String,
    /// Where in the excerpt the marks begin, and how many there are, in characters.
    pub marks: (usize, usize),
}

/// An identifier that is not simply the display name in the usual case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// The name of the input.
    pub input: String,
    /// What is named, in its document.
    pub path: Path,
    /// The display name or code.
    pub display: String,
    /// Its identifier.
    pub name: String,
    /// Why.
    pub causes: Vec<Cause>,
}

/// The codes that switch colours on and off in a rendered report; empty by default.
#[derive(Clone, Debug, Default)]
pub struct Palette {
    /// Before `error`.
    pub error: String,
    /// Before `warning`.
    pub warning: String,
    /// Before `note` and `help`.
    pub note: String,
    /// Before line numbers and rulers.
    pub ruler: String,
    /// After each of them.
    pub reset: String,
}

/// How much of a long line is shown on either side.
const EXCERPT_SIDE: usize = 60;

impl Report {
    pub(crate) fn new(input: &str, text: &str, problem: Problem) -> Self {
        let mut offset = problem.offset.unwrap_or(0).min(text.len());
        while !text.is_char_boundary(offset) {
            offset -= 1;
        }
        let start = text[..offset].rfind('\n').map_or(0, |at| at + 1);
        let end = text[offset..]
            .find('\n')
            .map_or(text.len(), |at| offset + at);
        let before: Vec<char> = text[start..offset].chars().collect();
        let after: Vec<char> = text[offset..end].trim_end().chars().collect();
        let marked = token_length(&after).min(EXCERPT_SIDE);
        let head = before.len().saturating_sub(EXCERPT_SIDE);
        let tail = after.len().min(EXCERPT_SIDE);
        let clean = |c: &char| if c.is_control() { ' ' } else { *c };
        let mut excerpt = String::new();
        if head > 0 {
            excerpt.push('…');
        }
        let at = before.len() - head + usize::from(head > 0);
        excerpt.extend(before[head..].iter().chain(&after[..tail]).map(clean));
        if tail < after.len() {
            excerpt.push('…');
        }
        Report {
            input: input.to_owned(),
            line: text[..start].matches('\n').count() + 1,
            column: before.len() + 1,
            problem,
            excerpt,
            marks: (at, marked.max(1)),
        }
    }

    /// Whether it is an error and no warning.
    pub fn is_error(&self) -> bool {
        self.problem.severity == Severity::Error
    }

    /// The report as a compiler would show it, several lines long.
    pub fn render(&self, palette: &Palette) -> String {
        let Palette {
            ruler, note, reset, ..
        } = palette;
        let (colour, word) = match self.problem.severity {
            Severity::Error => (&palette.error, "error"),
            Severity::Warning => (&palette.warning, "warning"),
        };
        let Report {
            input,
            line,
            column,
            excerpt,
            ..
        } = self;
        let Problem {
            path,
            message,
            help,
            ..
        } = &self.problem;
        let number = line.to_string();
        let gap = " ".repeat(number.len());
        let lead = " ".repeat(self.marks.0);
        let marks = "^".repeat(self.marks.1);
        format!(
            "{colour}{word}{reset}: {message}\n\
             {gap}{ruler}-->{reset} {input}:{line}:{column}, {path}\n\
             {gap} {ruler}|{reset}\n\
             {ruler}{number} |{reset} {excerpt}\n\
             {gap} {ruler}|{reset} {lead}{colour}{marks}{reset}\n\
             {gap} {ruler}={reset} {note}help{reset}: {help}\n"
        )
    }
}

/// How many characters the JSON token at the start of `line` has.
fn token_length(line: &[char]) -> usize {
    match line.first() {
        Some('"') => {
            let mut escaped = false;
            let close = line.iter().skip(1).position(|c| {
                let closes = *c == '"' && !escaped;
                escaped = *c == '\\' && !escaped;
                closes
            });
            close.map_or(line.len(), |at| at + 2)
        }
        Some('{' | '[') | None => 1,
        Some(_) => line
            .iter()
            .position(|c| c.is_whitespace() || ",]}".contains(*c))
            .unwrap_or(line.len()),
    }
}

impl Note {
    /// The note as a compiler would show it.
    pub fn render(&self, palette: &Palette) -> String {
        let Palette {
            note, ruler, reset, ..
        } = palette;
        let Note {
            input, path, name, ..
        } = self;
        let display = quoted(&self.display);
        let mut text = format!("{note}note{reset}: {display} is named `{name}`");
        for (index, cause) in self.causes.iter().enumerate() {
            text.push_str(if index == 0 { ": " } else { "; " });
            text.push_str(&cause.to_string());
        }
        format!("{text}\n {ruler}-->{reset} {input}, {path}\n")
    }
}

/// A text of a document inside a message: one line, and not too long.
pub(crate) fn quoted(text: &str) -> String {
    const SHOWN_MAX: usize = 60;
    let head: String = text.chars().take(SHOWN_MAX).collect();
    let dots = if head.len() < text.len() { "…" } else { "" };
    format!("{head:?}{dots}")
}

impl Error {
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

    /// The error as a compiler would show it, every problem of it.
    pub fn render(&self, palette: &Palette) -> String {
        let Palette {
            error, note, reset, ..
        } = palette;
        let (message, help) = match self {
            Error::Schemas(reports) => {
                let all: Vec<_> = reports
                    .iter()
                    .map(|report| report.render(palette))
                    .collect();
                return all.join("\n");
            }
            Error::Config(mistakes) => {
                let all: Vec<_> = mistakes
                    .iter()
                    .map(|m| {
                        format!(
                            "{error}error{reset}: {}\n  = {note}help{reset}: {}\n",
                            m.message, m.help
                        )
                    })
                    .collect();
                return all.join("\n");
            }
            Error::File {
                action,
                path,
                source,
            } => (
                format!("can't {action} {}: {source}", path.display()),
                "check the path and its permissions",
            ),
            Error::Foreign(path) => (
                format!("{} exists and was not generated", path.display()),
                "move it away or choose another directory",
            ),
        };
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

#[cfg(test)]
mod tests {
    use super::*;

    fn report(text: &str, offset: usize) -> Report {
        let mut problem = Problem::new(
            Severity::Error,
            Path::root().key("min"),
            "it is wrong",
            "mend it",
        );
        problem.offset = Some(offset);
        Report::new("a.json", text, problem)
    }

    #[test]
    fn a_report_points_at_the_token() {
        let text = "{\n  \"min\": \"ä\\\"b\", \"max\": 3\n}";
        let shown = report(text, text.find("\"ä").unwrap()).render(&Palette::default());
        assert_eq!(
            shown,
            "error: it is wrong\n --> a.json:2:10, $.min\n  |\n2 |   \"min\": \"ä\\\"b\", \"max\": 3\n  |          ^^^^^^\n  = help: mend it\n"
        );
    }

    #[test]
    fn a_long_line_is_cut_around_the_place() {
        let text = format!("{}7{}", "x".repeat(5000), ",".repeat(5000));
        let found = report(&text, 5000);
        assert_eq!(found.column, 5001);
        assert!(found.excerpt.chars().count() < 130);
        assert_eq!(found.excerpt.chars().nth(found.marks.0), Some('7'));
        assert_eq!(found.marks.1, 1);
    }

    #[test]
    fn an_offset_at_the_end_or_inside_a_character_is_no_panic() {
        assert_eq!(report("", 0).line, 1);
        assert_eq!(report("{\n", 2).line, 2);
        assert_eq!(report("ä", 1).column, 1);
        assert_eq!(report("a", 99).column, 2);
    }
}
