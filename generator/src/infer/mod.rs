//! `generator infer`: a schema proposed from a data file, printed or written, and its evidence told. What is proposed, `tabular`
//! knows.

mod arguments;

pub(crate) use arguments::Arguments;

use crate::data_files::{Failure, is_standard_input, open};
use crate::findings::{Finding, Reporter, Severity};
use crate::output_file::{Output, is_same, is_standard_output};
use generator::Error;
use std::io::{self, Write as _};
use std::path::Path;
use tabular::{Format, NoProposal, Proposal};

/// Proposes a schema; yields whether there is one.
pub(crate) fn infer(arguments: &Arguments, reporter: &Reporter) -> Result<bool, Failure> {
    let path = &arguments.file;
    let out = arguments
        .out
        .as_deref()
        .filter(|out| !is_standard_output(out));
    if let Some(out) = out.filter(|out| is_same(out, path)) {
        let message = format!("{} would be written over", out.display());
        return Err(Failure::new(message, "name another file for the schema"));
    }
    let mut reader = open(path, &arguments.options)?;
    let name = arguments.name.clone().unwrap_or_else(|| name_of(path));
    let file = shown(path);
    let proposal = match tabular::infer(&mut reader, &name) {
        Ok(proposal) => proposal,
        Err(NoProposal::Read(error)) => return Err(Failure::file("read", path, &error)),
        Err(none) => {
            no_proposal(&none, &file, reporter)?;
            return Ok(false);
        }
    };
    left_out(proposal.unread, &file, reporter)?;
    let says_header = proposal.has_header || arguments.options.says_header();
    if reader.format() == Format::Csv && !says_header {
        let message = "the first row is taken for data";
        let help = "say `--header yes` if it has the names of columns";
        let finding = Finding {
            message: message.to_owned(),
            help: Some(help.to_owned()),
            ..Finding::of_file("no_header", &file)
        };
        reporter.show(&format!("{message}: {help}"), [finding])?;
    }
    evidence(&proposal, &file, reporter)?;
    let text = indented(&proposal.schema.to_json());
    let place = format!("the proposal for {}", path.display());
    let input = generator::Input::new(place, text.as_str());
    if let Err(Error::Schemas(reports)) = generator::read_schema(&input) {
        reporter.refused(&reports)?;
        return Ok(false);
    }
    if let Some(out) = out {
        let mut output = Output::create(out)?;
        output.write(|file| file.write_all(text.as_bytes()))?;
        output.end()?;
    } else {
        let written = io::stdout().write_all(text.as_bytes());
        written.map_err(|error| Failure::output(&error))?;
    }
    Ok(true)
}

/// Shows why nothing is proposed.
fn no_proposal(none: &NoProposal, file: &str, reporter: &Reporter) -> Result<(), Failure> {
    if let NoProposal::NoRow { unread } = none {
        left_out(*unread, file, reporter)?;
    }
    let message = match none {
        NoProposal::Doubled(_) => format!("{none}, or say `--header no` if the row is data"),
        none => none.to_string(),
    };
    let finding = Finding {
        severity: Severity::Error,
        message: message.clone(),
        ..Finding::of_file("no_proposal", file)
    };
    Ok(reporter.show(&message, [finding])?)
}

/// Shows how many rows could not be read.
fn left_out(unread: u64, file: &str, reporter: &Reporter) -> Result<(), Failure> {
    let message = match unread {
        0 => return Ok(()),
        1 => "1 row can't be read and was left out".to_owned(),
        _ => format!("{unread} rows can't be read and were left out"),
    };
    let finding = Finding {
        severity: Severity::Warning,
        message: message.clone(),
        ..Finding::of_file("unread_rows", file)
    };
    Ok(reporter.show(&message, [finding])?)
}

/// Shows the type of each field, and what speaks for its settings.
fn evidence(proposal: &Proposal, file: &str, reporter: &Reporter) -> Result<(), Failure> {
    for (at, own) in proposal.evidence.iter().enumerate() {
        let observed = own.observations.iter();
        let observed = observed.map(|it| (it.kind.code(), it.to_string()));
        let observed: Vec<_> = observed.collect();
        let lines: Vec<_> = observed.iter().map(|(_, text)| text.as_str()).collect();
        let lines = lines.join("\n    ");
        let text = format!("{:?}: {}\n    {lines}", own.field, own.kind);
        let facts = std::iter::once(("type", own.kind.clone())).chain(observed);
        let findings = facts.map(|(code, message)| Finding {
            schema: Some(proposal.schema.name.clone()),
            field: Some(own.field.clone()),
            path: Some(schema::Path::field(at).to_string()),
            message,
            ..Finding::of_file(code, file)
        });
        reporter.show(&text, findings)?;
    }
    Ok(())
}

/// What a file is called in findings.
fn shown(path: &Path) -> String {
    if is_standard_input(path) {
        return "standard input".to_owned();
    }
    path.display().to_string()
}

/// The name of a file without what its endings say.
fn name_of(path: &Path) -> String {
    if is_standard_input(path) {
        return "Inferred".to_owned();
    }
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let stem = name.split('.').find(|part| !part.is_empty());
    stem.unwrap_or("Inferred").to_owned()
}

/// JSON with a line for each member and element.
fn indented(json: &str) -> String {
    let (mut out, mut depth, mut in_string, mut escaped) = (String::new(), 0_usize, false, false);
    let mut characters = json.chars().peekable();
    while let Some(character) = characters.next() {
        let is_empty = matches!(characters.peek(), Some(']' | '}'));
        if in_string {
            in_string = escaped || character != '"';
            escaped = character == '\\' && !escaped;
            out.push(character);
            continue;
        }
        match character {
            '{' | '[' if !is_empty => depth += 1,
            ']' | '}' if !out.ends_with(['[', '{']) => {
                depth -= 1;
                new_line(&mut out, depth);
            }
            '"' => in_string = true,
            _ => {}
        }
        out.push(character);
        match character {
            ':' => out.push(' '),
            '{' | '[' if !is_empty => new_line(&mut out, depth),
            ',' => new_line(&mut out, depth),
            _ => {}
        }
    }
    out.push('\n');
    out
}

fn new_line(out: &mut String, depth: usize) {
    out.push('\n');
    out.push_str(&"  ".repeat(depth));
}
