//! A schema proposed from a data file: what each column may be, by its values. It judges no row, and proposes nothing
//! that a service would refuse.

mod candidate;
mod column;
mod observation;
mod proposal;

pub use observation::{Observation, ObservationKind};
pub use proposal::{Evidence, Proposal};

use crate::{Cells, Content, ROW_CELLS_MAX, Reader, doubled, look_like_names};
use candidate::Raw;
use column::{Candidates, Column, Given};
use proposal::propose;
use schema::json::{Node, Value, compact, parse};
use std::collections::HashMap;
use std::fmt;
use std::io;

/// What a column without a value takes of a row, in bytes that are judged.
const EMPTY_BYTES: u64 = 4;
/// Values that a row of JSON may have, or a cell that is a list: each takes many times its bytes until it is judged.
const VALUES_MAX: usize = 250_000;

/// What looking through a file may take.
#[derive(Clone, Copy)]
pub struct Bounds<'b> {
    /// Bytes that are judged: a value is judged as each type that it may be still, a column without one in each row. They bound
    /// the time.
    pub judged_bytes_max: u64,
    /// Whether someone waits for it still; asked at each row.
    pub is_wanted: &'b dyn Fn() -> bool,
}

/// Why no schema is proposed.
#[derive(Debug)]
pub enum NoProposal {
    /// The header gives several columns one name: each with its columns.
    Doubled(Vec<String>),
    /// There is no row.
    NoRow {
        /// Rows that can't be read.
        unread: u64,
    },
    /// Its rows name more columns than a row may have cells.
    TooManyColumns,
    /// To look through all of it takes more than it may.
    TooMuch,
    /// The file can't be read.
    Read(io::Error),
}

impl fmt::Display for NoProposal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NoProposal::Doubled(names) => write!(
                f,
                "the first row gives several columns one name, here with their numbers: {}; give each its own",
                names.join(", ")
            ),
            NoProposal::NoRow { .. } => f.write_str("there is no row to infer a schema from"),
            NoProposal::TooManyColumns => {
                write!(f, "its rows have more than {ROW_CELLS_MAX} columns together")
            }
            NoProposal::TooMuch => f.write_str(
                "it has too many values, or too many columns in too many rows; a part of its rows is enough",
            ),
            NoProposal::Read(error) => write!(f, "the file can't be read: {error}"),
        }
    }
}

impl std::error::Error for NoProposal {}

impl From<io::Error> for NoProposal {
    fn from(error: io::Error) -> Self {
        NoProposal::Read(error)
    }
}

/// Proposes a schema of this name for the rows of a file. `may_have_header` is false where the first row was said to be
/// data.
///
/// # Errors
/// See [`NoProposal`].
pub fn infer(
    reader: &mut Reader,
    name: &str,
    may_have_header: bool,
) -> Result<Proposal, NoProposal> {
    let bounds = Bounds {
        judged_bytes_max: u64::MAX,
        is_wanted: &|| true,
    };
    infer_within(reader, name, may_have_header, bounds)
}

/// The same, for a file of a stranger.
///
/// # Errors
/// See [`NoProposal`]; where nobody waits any more, [`io::ErrorKind::Interrupted`].
pub fn infer_within(
    reader: &mut Reader,
    name: &str,
    may_have_header: bool,
    bounds: Bounds<'_>,
) -> Result<Proposal, NoProposal> {
    let all = Columns::read(reader, may_have_header, bounds)?;
    if !all.doubled.is_empty() {
        return Err(NoProposal::Doubled(all.doubled));
    }
    let unread = all.unread;
    if all.rows == 0 {
        return Err(NoProposal::NoRow { unread });
    }
    let proposal = propose(name, all.in_order, all.rows, &all.candidates)?;
    Ok(Proposal { unread, ..proposal })
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
    /// Bytes that may be judged still.
    left: u64,
}

impl Columns {
    fn read(
        reader: &mut Reader,
        may_have_header: bool,
        bounds: Bounds<'_>,
    ) -> Result<Self, NoProposal> {
        let mut all = Columns {
            candidates: Candidates::new(),
            in_order: Vec::new(),
            by_name: HashMap::new(),
            doubled: Vec::new(),
            rows: 0,
            unread: 0,
            left: bounds.judged_bytes_max,
        };
        let header = reader.header(|_| false)?;
        for name in header.iter().flat_map(|names| bare_names(names)) {
            all.column(name)?;
        }
        all.doubled = header.as_deref().map_or_else(Vec::new, names_of_several);
        let mut may_be_header = may_have_header && header.is_none();
        while all.doubled.is_empty()
            && let Some(row) = reader.next()?
        {
            if !(bounds.is_wanted)() {
                return Err(NoProposal::Read(io::ErrorKind::Interrupted.into()));
            }
            let line = row.place.line;
            let is_row = match row.content {
                Ok(Content::Cells(cells)) => {
                    // a header of which two names are one is not found as such
                    if std::mem::take(&mut may_be_header) {
                        let names = texts_of(cells);
                        if look_like_names(&names) {
                            all.doubled = names_of_several(&names);
                        }
                    }
                    all.cells(cells, line)?;
                    true
                }
                Ok(Content::Json) => all.json(row.raw, line)?,
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

    fn column(&mut self, name: &str) -> Result<usize, NoProposal> {
        if let Some(index) = self.by_name.get(name) {
            return Ok(*index);
        }
        let index = self.in_order.len();
        if index == ROW_CELLS_MAX {
            return Err(NoProposal::TooManyColumns);
        }
        self.in_order
            .push(Column::new(name.to_owned(), &self.candidates));
        self.by_name.insert(name.to_owned(), index);
        Ok(index)
    }

    /// What a row takes that has no value.
    fn take_row(&mut self) -> Result<(), NoProposal> {
        let columns = self.in_order.len() as u64;
        spend(&mut self.left, columns * EMPTY_BYTES)
    }

    fn cells(&mut self, cells: &Cells, line: u64) -> Result<(), NoProposal> {
        for index in self.in_order.len()..cells.count() {
            self.column(&format!("Column {}", index + 1))?;
        }
        self.take_row()?;
        for (index, column) in self.in_order.iter_mut().enumerate() {
            let Some(text) = cells.get(index).filter(|text| !text.trim().is_empty()) else {
                continue;
            };
            if text.trim_start().starts_with(['[', '{']) {
                require_few_values(text)?;
            }
            let items = match parse(text).map(|node| node.value) {
                Ok(Value::Array(items)) => Some(items),
                _ => None,
            };
            let is_array = items.is_some();
            // how a sheet's own numbers are written is not the file's doing
            if !is_array && !cells.is_number(index) {
                column.numbers.note(text);
            }
            let texts: Vec<&str> = match &items {
                Some(items) => items.iter().filter_map(text_of).collect(),
                None => vec![text],
            };
            let value = Given {
                raw: Raw::Cell(text),
                texts: &texts,
                is_list: is_array,
                row: self.rows,
                line,
            };
            let bytes = column.bytes_to_judge(&value, &self.candidates);
            spend(&mut self.left, bytes)?;
            column.take(&value, &self.candidates)?;
        }
        Ok(())
    }

    /// Takes a row of JSON; `false` where it is no object.
    fn json(&mut self, raw: &[u8], line: u64) -> Result<bool, NoProposal> {
        let Ok(text) = std::str::from_utf8(raw) else {
            return Ok(false);
        };
        require_few_values(text)?;
        let Ok(Value::Object(members)) = parse(text).map(|node| node.value) else {
            return Ok(false);
        };
        self.take_row()?;
        for member in &members {
            // what the service adds to a record is no field
            if member.key.starts_with('_') {
                continue;
            }
            let index = self.column(&member.key)?;
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
            let value = Given {
                raw: Raw::Json(&json),
                texts: &texts,
                is_list,
                row: self.rows,
                line,
            };
            let bytes = column.bytes_to_judge(&value, &self.candidates);
            spend(&mut self.left, bytes)?;
            column.take(&value, &self.candidates)?;
        }
        Ok(true)
    }
}

/// Takes bytes of those that may be judged still.
fn spend(left: &mut u64, bytes: u64) -> Result<(), NoProposal> {
    *left = left.checked_sub(bytes).ok_or(NoProposal::TooMuch)?;
    Ok(())
}

/// Refuses a text of JSON that has more values than are read of one, before any of them takes memory.
fn require_few_values(json: &str) -> Result<(), NoProposal> {
    // each has a byte at least
    if json.len() <= VALUES_MAX {
        return Ok(());
    }
    let before_values = json
        .bytes()
        .filter(|byte| matches!(byte, b',' | b'[' | b'{'));
    if before_values.count() > VALUES_MAX {
        return Err(NoProposal::TooMuch);
    }
    Ok(())
}

fn texts_of(cells: &Cells) -> Vec<String> {
    let texts = (0..cells.count()).map(|index| cells.get(index).unwrap_or_default());
    texts.map(str::to_owned).collect()
}

/// What a header calls the columns, without white space at the ends, which no field's name has: as long as that leaves
/// something that no other column is called.
fn bare_names(header: &[String]) -> impl Iterator<Item = &str> {
    let mut counts = HashMap::<&str, usize>::new();
    for name in header {
        *counts.entry(name.trim()).or_default() += 1;
    }
    header.iter().map(move |name| match name.trim() {
        bare if !bare.is_empty() && counts[bare] == 1 => bare,
        _ => name.as_str(),
    })
}

/// The names that several columns have, with their columns counted from one.
fn names_of_several(names: &[String]) -> Vec<String> {
    let doubled = doubled(names).into_iter();
    let told = doubled.map(|(name, columns)| {
        let columns: Vec<_> = columns.iter().map(|it| (it + 1).to_string()).collect();
        format!("{name:?} ({})", columns.join(", "))
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Options;
    use std::io::Cursor;

    fn inferred(file: String, is_wanted: bool) -> Result<u64, NoProposal> {
        let commas = Options {
            delimiter: Some(b','),
            quote: Some(b'"'),
            ..Options::default()
        };
        let mut reader = Reader::open(Cursor::new(file), commas)?;
        let bounds = Bounds {
            judged_bytes_max: u64::MAX,
            is_wanted: &|| is_wanted,
        };
        let proposal = infer_within(&mut reader, "Sample", true, bounds)?;
        Ok(proposal.rows)
    }

    #[test]
    fn a_list_of_more_values_than_are_read_of_one_is_not_looked_through() {
        let list = |count: usize| format!("[{}]", vec!["0"; count].join(","));
        let json = |count| format!("{{\"a\":{}}}\n{{\"a\":[1]}}\n", list(count));
        let cell = |count| format!("Code,Numbers\nA,\"{}\"\nB,[1]\n", list(count));
        assert_eq!(inferred(json(10), true).unwrap(), 2);
        assert_eq!(inferred(cell(10), true).unwrap(), 2);
        for file in [json(VALUES_MAX + 1), cell(VALUES_MAX + 1)] {
            let told = inferred(file, true);
            assert!(matches!(told, Err(NoProposal::TooMuch)), "{told:?}");
        }
    }

    #[test]
    fn what_nobody_waits_for_ends() {
        let told = inferred("Code,Name\nA,b\n".to_owned(), false);
        let Err(NoProposal::Read(error)) = told else {
            panic!("it is looked through: {told:?}");
        };
        assert_eq!(error.kind(), io::ErrorKind::Interrupted);
    }
}
