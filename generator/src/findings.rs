//! Findings of a command, for people or, with `--format json`, one JSON object a line. It looks for none.

use anstyle::{AnsiColor, Style};
use generator::{Advice, Error, Mistake, Note, Palette, Report};
use schema::json::write_string;
use std::fmt::{self, Write as _};
use std::io::{self, Write as _};

/// How findings are shown.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Format {
    Human,
    Json,
}

/// The option of each command that shows its findings so.
#[derive(clap::Args)]
pub(crate) struct FormatOption {
    /// How findings, notes and errors are shown; JSON is one a line
    #[arg(long, value_name = "FORMAT", value_enum, default_value = "human")]
    pub(crate) format: Format,
}

/// How much a finding weighs.
#[derive(Clone, Copy, Default)]
pub(crate) enum Severity {
    Error,
    Warning,
    #[default]
    Note,
}

/// One finding, as programs read it.
#[derive(Default)]
pub(crate) struct Finding {
    pub(crate) code: &'static str,
    pub(crate) severity: Severity,
    pub(crate) message: String,
    pub(crate) help: Option<String>,
    pub(crate) file: Option<String>,
    pub(crate) schema: Option<String>,
    pub(crate) field: Option<String>,
    pub(crate) path: Option<String>,
    /// Line and column.
    pub(crate) position: Option<(usize, usize)>,
}

/// Its line of JSON.
impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let severity = match self.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Note => "note",
        };
        let mut out = String::from("{");
        let texts = [
            ("code", Some(self.code)),
            ("severity", Some(severity)),
            ("file", self.file.as_deref()),
            ("schema", self.schema.as_deref()),
            ("path", self.path.as_deref()),
            ("message", Some(&self.message)),
            ("help", self.help.as_deref()),
            ("field", self.field.as_deref()),
        ];
        for (key, text) in texts {
            write!(out, "\"{key}\":")?;
            match text {
                Some(text) => write_string(&mut out, text),
                None => out.push_str("null"),
            }
            out.push(',');
        }
        match self.position {
            Some((line, column)) => write!(out, "\"line\":{line},\"column\":{column}}}")?,
            None => out.push_str("\"line\":null,\"column\":null}"),
        }
        f.write_str(&out)
    }
}

impl From<&Advice> for Finding {
    fn from(advice: &Advice) -> Self {
        let report = &advice.report;
        let problem = &report.problem;
        Finding {
            code: advice.code,
            severity: if report.is_error() {
                Severity::Error
            } else {
                Severity::Warning
            },
            message: problem.message.clone(),
            help: Some(problem.help.clone()),
            file: Some(report.input.clone()),
            schema: Some(advice.schema.clone()).filter(|name| !name.is_empty()),
            field: advice.field.clone(),
            path: Some(problem.path.to_string()),
            position: Some((report.line, report.column)),
        }
    }
}

impl From<&Note> for Finding {
    fn from(note: &Note) -> Self {
        Finding {
            code: "name",
            message: note.message(),
            file: Some(note.input.clone()),
            schema: Some(note.schema.clone()),
            field: note.field.clone(),
            path: Some(note.path.to_string()),
            ..Finding::default()
        }
    }
}

impl Finding {
    /// A note on a file, without its text.
    pub(crate) fn of_file(code: &'static str, file: &str) -> Self {
        Finding {
            code,
            file: Some(file.to_owned()),
            ..Finding::default()
        }
    }

    /// Why a command could not be done.
    fn failure(message: &str, help: &str) -> Self {
        Finding {
            code: "failure",
            severity: Severity::Error,
            message: message.to_owned(),
            help: Some(help.to_owned()),
            ..Finding::default()
        }
    }
}

/// Where a command shows what it finds, and how.
pub(crate) struct Reporter {
    format: Format,
    pub(crate) palette: Palette,
    /// Whether standard output has the command's result.
    prints_result: bool,
}

impl Reporter {
    pub(crate) fn new(format: Format, prints_result: bool) -> Self {
        Reporter {
            format,
            palette: palette(),
            prints_result,
        }
    }

    pub(crate) fn is_json(&self) -> bool {
        self.format == Format::Json
    }

    /// Shows findings: people get the text, on standard error. A reader that has seen enough is no error.
    ///
    /// # Errors
    /// What can't be written.
    pub(crate) fn show(
        &self,
        text: &str,
        findings: impl IntoIterator<Item = Finding>,
    ) -> Result<(), Error> {
        if !self.is_json() {
            anstream::eprintln!("{text}");
            return Ok(());
        }
        let lines: Vec<_> = findings.into_iter().map(|it| format!("{it}\n")).collect();
        let lines = lines.concat();
        let (place, written) = if self.prints_result {
            ("standard error", io::stderr().write_all(lines.as_bytes()))
        } else {
            ("standard output", io::stdout().write_all(lines.as_bytes()))
        };
        match written {
            Err(source) if source.kind() != io::ErrorKind::BrokenPipe => Err(Error::File {
                action: "write to",
                path: place.into(),
                source,
            }),
            _ => Ok(()),
        }
    }

    /// Shows why schemas are refused.
    ///
    /// # Errors
    /// As [`show`](Self::show).
    pub(crate) fn refused(&self, reports: &[Report]) -> Result<(), Error> {
        let groups = generator::grouped(reports).into_iter();
        let texts: Vec<_> = groups.map(|group| group.render(&self.palette)).collect();
        let advice = reports.iter().cloned().map(Advice::from);
        self.show(&texts.join("\n"), advice.map(|it| Finding::from(&it)))
    }

    /// Shows on standard error why a command could not be done.
    pub(crate) fn failed(&self, mistakes: &[Mistake]) {
        if self.is_json() {
            for finding in failures(mistakes) {
                eprintln!("{finding}");
            }
            return;
        }
        let all: Vec<_> = mistakes.iter().map(|it| it.render(&self.palette)).collect();
        anstream::eprint!("{}", all.join("\n"));
    }
}

fn failures(mistakes: &[Mistake]) -> Vec<Finding> {
    let failures = mistakes
        .iter()
        .map(|Mistake { message, help }| Finding::failure(message, help));
    failures.collect()
}

/// The colours of reports; `anstream` removes them where no terminal shows them.
fn palette() -> Palette {
    let code = |style: Style| style.render().to_string();
    Palette {
        error: code(AnsiColor::Red.on_default().bold()),
        warning: code(AnsiColor::Yellow.on_default().bold()),
        note: code(AnsiColor::Cyan.on_default().bold()),
        ruler: code(AnsiColor::Blue.on_default().bold()),
        reset: anstyle::Reset.to_string(),
    }
}
