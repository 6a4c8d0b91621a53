//! A schema proposed from a data file: what each column may be, by its values. It judges no row, and proposes nothing
//! that the generator would refuse.

mod arguments;
mod candidate;
mod column;
mod proposal;

pub(crate) use arguments::Arguments;

use crate::data_files::{Failure, is_standard_input, open};
use candidate::Raw;
use column::{Candidates, Column};
use proposal::{Proposal, propose};
use schema::json::{Node, Value, compact, parse};
use std::collections::HashMap;
use std::io::{self, Write as _};
use std::path::Path;
use tabular::{Cells, Content, Reader, doubled, look_like_names};

/// Proposes a schema; yields whether there is one.
pub(crate) fn infer(arguments: &Arguments) -> Result<bool, Failure> {
    let path = &arguments.file;
    let mut reader = open(path, &arguments.options)?;
    let may_have_header = !arguments.options.has_no_header();
    let columns = Columns::read(&mut reader, may_have_header);
    let Columns {
        in_order,
        candidates,
        doubled,
        rows,
        unread,
        ..
    } = columns.map_err(|error| Failure::file("read", path, &error))?;
    if !doubled.is_empty() {
        anstream::eprintln!(
            "the first row gives several columns one name: {}; give each its own, or say `--header no` if the row is data",
            doubled.join(", ")
        );
        return Ok(false);
    }
    if unread > 0 {
        anstream::eprintln!("{unread} rows can't be read and were left out");
    }
    if rows == 0 {
        anstream::eprintln!("there is no row to infer a schema from");
        return Ok(false);
    }
    let name = arguments.name.clone().unwrap_or_else(|| name_of(path));
    let proposed = propose(&name, in_order, rows, &candidates);
    let Proposal { schema, evidence } =
        proposed.map_err(|error| Failure::file("read", path, &error))?;
    for line in &evidence {
        anstream::eprintln!("{line}");
    }
    let text = indented(&schema.to_json());
    let input = generator::Input::new(path.display().to_string(), text.as_str());
    if let Err(error) = generator::read_schema(&input) {
        anstream::eprintln!("{error}");
        return Ok(false);
    }
    if let Some(out) = &arguments.out {
        std::fs::write(out, text).map_err(|error| Failure::file("write", out, &error))?;
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

/// The columns of a file, in the order in which they come.
struct Columns {
    candidates: Candidates,
    in_order: Vec<Column>,
    by_name: HashMap<String, usize>,
    /// Names that the header gives to several columns, in words; then nothing more is read.
    doubled: Vec<String>,
    rows: u64,
    /// Rows that are none.
    unread: u64,
}

impl Columns {
    fn read(reader: &mut Reader, may_have_header: bool) -> io::Result<Self> {
        let mut all = Columns {
            candidates: Candidates::new(),
            in_order: Vec::new(),
            by_name: HashMap::new(),
            doubled: Vec::new(),
            rows: 0,
            unread: 0,
        };
        let header = reader.header(|_| false)?;
        for name in header.iter().flatten() {
            all.column(name);
        }
        all.doubled = header.as_deref().map_or_else(Vec::new, names_of_several);
        let mut may_be_header = may_have_header && header.is_none();
        while all.doubled.is_empty()
            && let Some(row) = reader.next()?
        {
            let is_row = match row.content {
                Ok(Content::Cells(cells)) => {
                    // a header of which two names are one is not found as such
                    if std::mem::take(&mut may_be_header) {
                        let names = texts_of(cells);
                        if look_like_names(&names) {
                            all.doubled = names_of_several(&names);
                        }
                    }
                    all.cells(cells)?;
                    true
                }
                Ok(Content::Json) => all.json(row.raw)?,
                Err(_) => false,
            };
            *(if is_row {
                &mut all.rows
            } else {
                &mut all.unread
            }) += 1;
        }
        Ok(all)
    }

    fn column(&mut self, name: &str) -> usize {
        if let Some(index) = self.by_name.get(name) {
            return *index;
        }
        let index = self.in_order.len();
        self.in_order
            .push(Column::new(name.to_owned(), &self.candidates));
        self.by_name.insert(name.to_owned(), index);
        index
    }

    fn cells(&mut self, cells: &Cells) -> io::Result<()> {
        for index in self.in_order.len()..cells.count() {
            self.column(&format!("Column {}", index + 1));
        }
        for (index, column) in self.in_order.iter_mut().enumerate() {
            let Some(text) = cells.get(index).filter(|text| !text.trim().is_empty()) else {
                continue;
            };
            let raw = Raw::Cell(text);
            match parse(text).map(|node| node.value) {
                Ok(Value::Array(items)) => {
                    let texts: Vec<&str> = items.iter().filter_map(text_of).collect();
                    column.take(raw, &texts, true, &self.candidates, self.rows)?;
                }
                _ => column.take(raw, &[text], false, &self.candidates, self.rows)?,
            }
        }
        Ok(())
    }

    /// Takes a row of JSON; `false` where it is no object.
    fn json(&mut self, raw: &[u8]) -> io::Result<bool> {
        let Ok(text) = std::str::from_utf8(raw) else {
            return Ok(false);
        };
        let Ok(Value::Object(members)) = parse(text).map(|node| node.value) else {
            return Ok(false);
        };
        for member in &members {
            // what the service adds to a record is no field
            if member.key.starts_with('_') {
                continue;
            }
            let index = self.column(&member.key);
            let node = &member.value;
            if is_missing(node) {
                continue;
            }
            let mut json = String::new();
            compact(&mut json, &text[node.start..node.end]);
            let (texts, is_list): (Vec<&str>, bool) = match &node.value {
                Value::Array(items) => (items.iter().filter_map(text_of).collect(), true),
                _ => (text_of(node).into_iter().collect(), false),
            };
            let column = &mut self.in_order[index];
            column.take(
                Raw::Json(&json),
                &texts,
                is_list,
                &self.candidates,
                self.rows,
            )?;
        }
        Ok(true)
    }
}

fn texts_of(cells: &Cells) -> Vec<String> {
    let texts = (0..cells.count()).map(|index| cells.get(index).unwrap_or_default());
    texts.map(str::to_owned).collect()
}

/// The names that several columns have, in words.
fn names_of_several(names: &[String]) -> Vec<String> {
    let doubled = doubled(names).into_iter();
    let told = doubled.map(|(name, columns)| {
        let columns: Vec<_> = columns.iter().map(|it| (it + 1).to_string()).collect();
        format!("{name:?} (columns {})", columns.join(", "))
    });
    told.collect()
}

fn text_of<'n>(node: &'n Node<'_>) -> Option<&'n str> {
    match &node.value {
        Value::String(text) => Some(text),
        _ => None,
    }
}

/// Whether it counts as no value.
fn is_missing(node: &Node<'_>) -> bool {
    match &node.value {
        Value::Null => true,
        Value::String(text) => text.trim().is_empty(),
        Value::Array(items) => items.iter().all(is_missing),
        _ => false,
    }
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
