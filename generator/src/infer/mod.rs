//! `generator infer`: a schema proposed from a data file, printed or written, and its evidence told. What is proposed, `tabular`
//! knows.

mod arguments;

pub(crate) use arguments::Arguments;

use crate::data_files::{Failure, is_standard_input, open};
use crate::output_file::{Output, is_same, is_standard_output};
use std::io::{self, Write as _};
use std::path::Path;
use tabular::{Format, NoProposal, Proposal};

/// Proposes a schema; yields whether there is one.
pub(crate) fn infer(arguments: &Arguments) -> Result<bool, Failure> {
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
    let left_out = |unread: u64| match unread {
        0 => {}
        1 => anstream::eprintln!("1 row can't be read and was left out"),
        _ => anstream::eprintln!("{unread} rows can't be read and were left out"),
    };
    let proposed = match tabular::infer(&mut reader, &name) {
        Ok(proposed) => proposed,
        Err(NoProposal::Read(error)) => return Err(Failure::file("read", path, &error)),
        Err(none @ NoProposal::Doubled(_)) => {
            anstream::eprintln!("{none}, or say `--header no` if the row is data");
            return Ok(false);
        }
        Err(none) => {
            if let NoProposal::NoRow { unread } = &none {
                left_out(*unread);
            }
            anstream::eprintln!("{none}");
            return Ok(false);
        }
    };
    let Proposal {
        schema,
        evidence,
        unread,
        has_header,
        ..
    } = proposed;
    left_out(unread);
    if reader.format() == Format::Csv && !has_header && !arguments.options.says_header() {
        anstream::eprintln!(
            "the first row is taken for data: say `--header yes` if it has the names of columns"
        );
    }
    for own in &evidence {
        let lines: Vec<_> = own.observations.iter().map(ToString::to_string).collect();
        let lines = lines.join("\n    ");
        anstream::eprintln!("{:?}: {}\n    {lines}", own.field, own.kind);
    }
    let text = indented(&schema.to_json());
    let place = format!("the proposal for {}", path.display());
    let input = generator::Input::new(place, text.as_str());
    if let Err(error) = generator::read_schema(&input) {
        anstream::eprintln!("{error}");
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
