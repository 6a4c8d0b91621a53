//! The one schema that a command is about, from a file or standard input. What is wrong with it is printed here.

use crate::data_files::{Failure, is_standard_input};
use crate::findings::Reporter;
use generator::{Error, Input};
use schema::Schema;
use std::path::Path;

/// Reads a schema, with what it is called in messages; `verb` says what it was to be read for.
pub(crate) fn read(
    path: &Path,
    verb: &str,
    reporter: &Reporter,
) -> Result<(String, Schema), Failure> {
    let (name, text) = if is_standard_input(path) {
        let text = std::io::read_to_string(std::io::stdin());
        ("standard input".to_owned(), text)
    } else {
        (path.display().to_string(), std::fs::read_to_string(path))
    };
    let text = text.map_err(|error| Failure::file("read", path, &error))?;
    let input = Input::new(name.clone(), text);
    let schema = usable(generator::read_schema(&input), &name, verb, reporter)?;
    Ok((name, schema))
}

/// What was read, or why a command can't go on: what is wrong with a schema is shown here.
pub(crate) fn usable<T>(
    read: Result<T, Error>,
    name: &str,
    verb: &str,
    reporter: &Reporter,
) -> Result<T, Failure> {
    match read {
        Err(Error::Schemas(reports)) => {
            reporter.refused(&reports)?;
            let message = format!("{name} is no schema to {verb}");
            Err(Failure::new(message, "mend the schema first"))
        }
        read => Ok(read?),
    }
}
