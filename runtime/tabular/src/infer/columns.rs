//! The rows of a file, read into what each of its columns may be. It takes no more of a stranger's file than it may, and
//! proposes nothing.

use super::candidate::Raw;
use super::column::{Candidates, Column, Given};
use super::{Bounds, NoProposal};
use crate::{Cells, Content, ROW_CELLS_MAX, Reader, doubled};
use engine::validate::is_blank;
use schema::json::{Node, Value, compact, parse};
use std::collections::{HashMap, HashSet};
use std::io;

/// What a column without a value takes of a row, in bytes that are judged.
const EMPTY_BYTES: u64 = 4;
/// Values that a row of JSON may have, or a cell that is a list: each takes many times its bytes until it is judged.
pub(super) const VALUES_MAX: usize = 250_000;

/// How many rows there are.
#[derive(Clone, Copy, Default)]
pub(super) struct Rows {
    pub(super) filled: u64,
    /// As spreadsheets write rows that were formatted.
    pub(super) blank: u64,
}

/// The columns of a file, in the order in which they come.
pub(super) struct Columns {
    pub(super) candidates: Candidates,
    pub(super) in_order: Vec<Column>,
    by_name: HashMap<String, usize>,
    /// Names that the header gives to several columns, in words; then nothing more is read.
    pub(super) doubled: Vec<String>,
    /// Whether its first row has the names of its columns.
    pub(super) has_header: bool,
    /// Rows with a value, and those that have cells and nothing in them.
    pub(super) rows: Rows,
    /// Rows that are none.
    pub(super) unread: u64,
    /// Bytes that may be judged still.
    left: u64,
}

impl Columns {
    pub(super) fn read(reader: &mut Reader, bounds: Bounds<'_>) -> Result<Self, NoProposal> {
        let mut all = Columns {
            candidates: Candidates::new(),
            in_order: Vec::new(),
            by_name: HashMap::new(),
            doubled: Vec::new(),
            has_header: false,
            rows: Rows::default(),
            unread: 0,
            left: bounds.judged_bytes_max,
        };
        let header = reader.header(|_| false)?;
        let names = header.as_deref().map_or_else(Vec::new, names_of);
        for name in &names {
            all.column(name)?;
        }
        all.doubled = names_of_several(&names);
        all.has_header = header.is_some();
        while all.doubled.is_empty()
            && let Some(row) = reader.next()?
        {
            if !(bounds.is_wanted)() {
                return Err(NoProposal::Read(io::ErrorKind::Interrupted.into()));
            }
            let line = row.place.line;
            let count = match row.content {
                Ok(Content::Cells(cells)) if cells.is_blank_from(0) => {
                    all.take_row()?;
                    &mut all.rows.blank
                }
                Ok(Content::Cells(cells)) => {
                    all.cells(cells, line)?;
                    &mut all.rows.filled
                }
                Ok(Content::Json) => {
                    if all.json(row.raw, line)? {
                        &mut all.rows.filled
                    } else {
                        &mut all.unread
                    }
                }
                Err(_) => &mut all.unread,
            };
            *count += 1;
        }
        if let Some(header) = &header {
            let mut of_column = header.iter();
            all.in_order.retain(|column| {
                let is_named = of_column.next().is_some_and(|name| !name.trim().is_empty());
                (is_named || column.values > 0) && !is_beside_fields(&column.name)
            });
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
            self.column(&numbered(index))?;
        }
        self.take_row()?;
        for (index, column) in self.in_order.iter_mut().enumerate() {
            let Some(text) = cells.get(index).filter(|text| !is_blank(text)) else {
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
                is_nested: false,
                row: self.rows.filled,
                line,
            };
            let bytes = column.bytes_to_judge(&value, &self.candidates);
            spend(&mut self.left, bytes)?;
            column.take(&value, &self.candidates)?;
        }
        Ok(())
    }

    /// Takes a row of JSON; `false` where it is no object, or one of which a member stands twice, which no record is made of.
    fn json(&mut self, raw: &[u8], line: u64) -> Result<bool, NoProposal> {
        let Ok(text) = std::str::from_utf8(raw) else {
            return Ok(false);
        };
        require_few_values(text)?;
        let Ok(Value::Object(members)) = parse(text).map(|node| node.value) else {
            return Ok(false);
        };
        let mut keys = HashSet::new();
        if !members.iter().all(|member| keys.insert(&*member.key)) {
            return Ok(false);
        }
        self.take_row()?;
        for member in &members {
            if is_beside_fields(&member.key) {
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
                is_nested: is_nested(node),
                row: self.rows.filled,
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

/// What columns without a name are called, from 0.
fn numbered(column: usize) -> String {
    format!("Column {}", column + 1)
}

/// What a header calls the columns, without white space at the ends, which no field's name has: as long as no other column is
/// called so. One that it gives no name has its number.
fn names_of(header: &[String]) -> Vec<String> {
    let mut counts = HashMap::<&str, usize>::new();
    for name in header {
        *counts.entry(name.trim()).or_default() += 1;
    }
    let names = header.iter().enumerate();
    let names = names.map(|(column, name)| match name.trim() {
        "" => numbered(column),
        bare if counts[bare] == 1 => bare.to_owned(),
        _ => name.clone(),
    });
    names.collect()
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

/// Whether it is an object, or an array that has one or an array.
fn is_nested(node: &Node<'_>) -> bool {
    let is_whole = |node: &Node<'_>| matches!(node.value, Value::Object(_) | Value::Array(_));
    match &node.value {
        Value::Object(_) => true,
        Value::Array(items) => items.iter().any(is_whole),
        _ => false,
    }
}

/// Whether it counts as no value.
fn is_missing(node: &Node<'_>) -> bool {
    match &node.value {
        Value::Null => true,
        Value::String(text) => is_blank(text),
        Value::Array(items) => items.iter().all(is_missing),
        _ => false,
    }
}

/// Whether a column's name begins as no field's does.
fn is_beside_fields(name: &str) -> bool {
    name.starts_with('_')
}
