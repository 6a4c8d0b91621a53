//! The one schema that a command is about, from a file or standard input. What is wrong with it is printed here.

use crate::data_files::{Failure, is_standard_input};
use generator::{Input, Palette};
use schema::Schema;
use std::path::Path;

/// Reads a schema, with what it is called in messages; `verb` says what it was to be read for.
pub(crate) fn read(
    path: &Path,
    verb: &str,
    palette: &Palette,
) -> Result<(String, Schema), Failure> {
    let (name, text) = if is_standard_input(path) {
        let text = std::io::read_to_string(std::io::stdin());
        ("standard input".to_owned(), text)
    } else {
        (path.display().to_string(), std::fs::read_to_string(path))
    };
    let text = text.map_err(|error| Failure::file("read", path, &error))?;
    let input = Input::new(name.clone(), text);
    let schema = generator::read_schema(&input).map_err(|error| {
        anstream::eprint!("{}\n", error.render(palette));
        Failure::new(format!("{name} is no schema to {verb}"), "mend it first")
    })?;
    Ok((name, schema))
}
