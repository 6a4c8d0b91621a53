//! What a grid shows: which fields stand in columns, and records as rows of them, each value with what is wrong with it.

use super::asked::Asked;
use super::by_field::asks_for_faults;
use super::cut_text::{CutText, Room};
use super::numbers::grouped;
use super::original::mark_of;
use super::places::Place;
use super::stored_faults::StoredFaults;
use super::texts::Texts;
use super::values::{ShownRecord, is_number};
use schema::Field;
use service::proposals;
use std::cmp::Reverse;
use std::collections::HashMap;

/// Rows of a page, at most.
pub(super) const ROWS: usize = 50;
/// Cells of a page, at most: where more columns stand beside each other, it has fewer rows.
const CELLS_MAX: usize = 28 * ROWS;
/// Columns beside which a page has as many cells as it may have. A wider row is longer than what gzip looks back for a repetition, so
/// what the cells of a column have in common is packed anew in each row: there are fewer cells, and heads without hints.
const COLUMNS_WIDE: usize = 50;
/// The same of a row that is so wide that its heads and the choice of columns are much of the page, too.
const COLUMNS_WIDEST: usize = 150;
/// Bytes of columns in the addresses that the heads of all of them lead to, at most: each has all that are chosen. Where there
/// are more, one form has them.
const ORDERS_BYTES_MAX: usize = 100_000;
/// Rows that share what a page has for values, as far as heads tell what their fields mean: a quarter of it.
const ROWS_OF_HINTS: usize = 4;
/// Columns where none are chosen.
pub(super) const COLUMNS: usize = 12;
/// Files of a cell that have a link there, at most.
const LINKS_MAX: usize = 10;
/// Columns beside these, at most, that stand there because of faults in view alone.
const FAULTY_COLUMNS_MAX: usize = 12;
/// Values of a row, at most, that are shown in part and have proposals beside them; of the others, the record's form has them.
const CUT_PROPOSED_MAX: usize = 2;
/// Bytes, about: what all cells and proposals of a page may have as they are sent, and what each has of them.
const SENT: [usize; 3] = [95_000, 55, 34];
/// Bytes, about: how far gzip looks back for a repetition, and what each cell and proposal has as it is made.
const MADE: [usize; 3] = [32_000, 460, 1_000];

/// The fields that stand in columns.
pub(super) struct ColumnFields<'p> {
    pub(super) fields: Vec<&'p Field>,
    /// How many more have faults in view.
    pub(super) more_faulty: usize,
}

/// A column: a field, and the order that its head leads to.
pub(super) struct Column {
    pub(super) id: String,
    pub(super) name: String,
    pub(super) hint: String,
    pub(super) is_number: bool,
    pub(super) is_key: bool,
    /// The order that its head leads to, where there is one.
    pub(super) sort: Option<Sort>,
    /// `ascending` or `descending`, where it is in that order.
    pub(super) order: &'static str,
    pub(super) is_chosen: bool,
}

/// The order that the head of a column leads to.
pub(super) enum Sort {
    /// By its address.
    Address(String),
    /// As the form sends it that has the columns for all heads.
    Sent(String),
}

/// A record.
pub(super) struct Row {
    pub(super) id: String,
    pub(super) cells: Vec<Cell>,
    pub(super) has_faults: bool,
}

impl Row {
    /// What tells it from others: the value that it begins with, or its id where the visitor sees none there.
    pub(super) fn called(&self) -> &str {
        let first = self.cells.first();
        called(first.map(|cell| (&cell.text, cell.is_masked())), &self.id)
    }
}

/// What tells a row from others: its first value, of which is said whether it is masked, or the id of its record.
pub(super) fn called<'r>(first: Option<(&'r CutText, bool)>, id: &'r str) -> &'r str {
    match first {
        Some((text, false)) if !text.is_empty() => &text.text,
        _ => id,
    }
}

/// A value, with what is wrong with it.
pub(super) struct Cell {
    pub(super) field: String,
    pub(super) name: String,
    /// On one line, as much of it as is shown.
    pub(super) text: CutText,
    /// What is told of the rest: of files those without a link here, else characters.
    pub(super) more: Option<String>,
    pub(super) fault: String,
    /// What a faulty value is that reads like one of another kind.
    pub(super) kind: &'static str,
    /// The value as it is filled in.
    pub(super) filled: String,
    /// What may have been meant in place of what is faulty.
    pub(super) proposals: Vec<Proposal>,
    /// What the form of the proposals says of a value that is too long to go back and forth.
    pub(super) mark: Option<String>,
    pub(super) is_number: bool,
    pub(super) is_file: bool,
    /// Where its files can be fetched for a while, those that are shown.
    pub(super) links: Vec<String>,
    /// Whether the visitor sees no value of its field.
    is_unseen: bool,
}

impl Cell {
    /// Whether it has a value that the visitor does not see.
    pub(super) fn is_masked(&self) -> bool {
        self.is_unseen && !self.filled.is_empty()
    }

    /// Whether it is never changed where it stands.
    pub(super) fn is_fixed(&self) -> bool {
        self.is_file || self.is_unseen
    }

    /// Whether the page has its value but in part; of files it has links in its place, however long or many they are.
    pub(super) fn is_cut(&self) -> bool {
        self.text.more.is_some() || !self.links.is_empty()
    }

    /// Whether it is shown whole and holds several values, which stand on one line where they are read.
    pub(super) fn is_several(&self) -> bool {
        !self.is_cut() && self.filled != self.text.text
    }
}

/// What may have been meant in place of a faulty value.
pub(super) struct Proposal {
    pub(super) text: CutText,
    /// Under which name it is sent, and what: itself, or the mark of one that is long.
    pub(super) name: &'static str,
    pub(super) value: String,
    /// Whether it reads as what is stored.
    pub(super) is_same: bool,
    /// What it is, which tells it from what is stored and reads the same.
    pub(super) kind: &'static str,
}

impl Proposal {
    fn of(value: String, filled: &str, (field, room): (&Field, Room<'_>)) -> Self {
        let is_sent = room.is_whole(filled);
        let [_, text] = room.both([filled, &value]);
        Proposal {
            text,
            name: if is_sent { "value" } else { "take" },
            is_same: value == filled,
            kind: room.texts.schemas.of_type(field.data_type.name()),
            value: if is_sent { value } else { mark_of(&value) },
        }
    }
}

/// Whether a field stands in a column whatever the faults in view are: it is chosen, the key, or its faults are asked for.
fn is_wanted(asked: &Asked, index: usize, field: &Field) -> bool {
    let is_chosen = match &*asked.columns {
        [] => index < COLUMNS,
        chosen => chosen.contains(&field.id),
    };
    is_chosen || field.primary_key || asks_for_faults(&asked.query, field)
}

/// The cells of a page whose rows have so many columns, at most, and by how much values have less room there.
fn packing(columns: usize) -> (usize, usize) {
    if columns <= COLUMNS_WIDE {
        (CELLS_MAX, 1)
    } else if columns <= COLUMNS_WIDEST {
        (CELLS_MAX * 2 / 5, 2)
    } else {
        (CELLS_MAX / 3, 5)
    }
}

/// Values of a row of so many columns that have proposals beside them, at most; of the others, the record's form has them. With
/// more, the page would be too large as it is sent: what is new in each row counts, and all of it where a row is longer than gzip
/// looks back. Beyond [`COLUMNS_WIDE`] there are few rows, and beyond [`COLUMNS_WIDEST`] a fifth goes without.
fn proposed_max(columns: usize) -> usize {
    if columns > COLUMNS_WIDE {
        let fifths = if columns > COLUMNS_WIDEST { 4 } else { 5 };
        return columns * fifths / 5;
    }
    let left = |[all, cell, proposal]: [usize; 3], rows: usize| {
        all.saturating_sub(rows * columns * cell) / (rows * proposal)
    };
    left(SENT, rows_beside(columns)).min(left(MADE, 1))
}

/// Records that a page has room for beside so many columns.
fn rows_beside(columns: usize) -> usize {
    let (cells, _) = packing(columns);
    (cells / columns.max(1)).clamp(1, ROWS)
}

/// Records of a page that is asked for so, whichever columns the faults in view add.
pub(super) fn rows_of(place: &Place, asked: &Asked) -> usize {
    let fields = || place.version().schema.active_fields().enumerate();
    let wanted = fields().filter(|&(index, field)| is_wanted(asked, index, field));
    let columns = wanted.count() + FAULTY_COLUMNS_MAX;
    rows_beside(columns.min(fields().count()))
}

/// Whether the columns that are chosen are too many to stand in the address of each head.
pub(super) fn sends_orders(asked: &Asked) -> bool {
    let bytes: usize = asked.columns.iter().map(String::len).sum();
    bytes * asked.columns.len() > ORDERS_BYTES_MAX
}

/// The fields that stand in columns: those that were chosen, else the first ones; those whose faults are asked for; and of
/// the others with faults in view those that have most.
pub(super) fn columns<'p>(
    place: &'p Place,
    asked: &Asked,
    records: &[ShownRecord<'_>],
) -> ColumnFields<'p> {
    let mut counts: HashMap<String, usize> = HashMap::new();
    for fault in records.iter().flat_map(ShownRecord::faults) {
        *counts.entry(fault.name).or_default() += 1;
    }
    let count_of = |field: &Field| counts.get(&field.name).copied().unwrap_or_default();
    let active = place.version().schema.active_fields().enumerate();
    let (mut shown, mut faulty): (Vec<_>, Vec<_>) =
        active.partition(|&(index, field)| is_wanted(asked, index, field));
    faulty.retain(|&(_, field)| count_of(field) > 0);
    faulty.sort_by_key(|&(_, field)| Reverse(count_of(field)));
    let more_faulty = faulty.len().saturating_sub(FAULTY_COLUMNS_MAX);
    faulty.truncate(FAULTY_COLUMNS_MAX);
    shown.extend(faulty);
    // the key stands first, where it stays
    shown.sort_by_key(|&(index, field)| (!field.primary_key, index));
    ColumnFields {
        fields: shown.into_iter().map(|(_, field)| field).collect(),
        more_faulty,
    }
}

/// Fields as the heads of columns.
pub(super) fn heads(
    fields: &[&Field],
    asked: &Asked,
    (place, texts): (&Place, &Texts),
) -> Vec<Column> {
    let hints = fields
        .iter()
        .filter_map(|field| field.description.as_deref());
    let room = Room::of_row(hints, ROWS_OF_HINTS, texts);
    let heads = fields.iter().map(|field| {
        let hint = field.description.as_deref();
        let hint = hint.filter(|_| fields.len() <= COLUMNS_WIDE);
        Column {
            hint: hint.map_or_else(String::new, |hint| room.cut(hint).told()),
            sort: sort_by(field, asked, place),
            ..column(field, asked, true)
        }
    });
    heads.collect()
}

/// The order that the head of a field leads to: that by it, or turned where it is in that order.
fn sort_by(field: &Field, asked: &Asked, place: &Place) -> Option<Sort> {
    if !place.sorts_by(field) {
        return None;
    }
    let sort = if asked.sort == field.name {
        format!("-{}", field.name)
    } else {
        field.name.clone()
    };
    if sends_orders(asked) {
        return Some(Sort::Sent(sort));
    }
    let turned = Asked {
        sort,
        ..asked.first_page()
    };
    Some(Sort::Address(turned.address()))
}

/// A field as a column, chosen or not.
pub(super) fn column(field: &Field, asked: &Asked, is_chosen: bool) -> Column {
    let is_up = asked.sort == field.name;
    let is_down = asked.sort.strip_prefix('-') == Some(&field.name);
    Column {
        id: field.id.clone(),
        name: field.name.clone(),
        hint: String::new(),
        is_number: is_number(field),
        is_key: field.primary_key,
        sort: None,
        order: match (is_up, is_down) {
            (true, _) => "ascending",
            (_, true) => "descending",
            _ => "",
        },
        is_chosen,
    }
}

/// A record as a row of these columns.
pub(super) fn row(
    record: &ShownRecord<'_>,
    fields: &[&Field],
    (place, texts): (&Place, &Texts),
) -> Row {
    let faults = StoredFaults::of(record);
    let lines: Vec<_> = fields.iter().map(|field| record.line(field)).collect();
    // of files there are links
    let texts_of = fields.iter().zip(&lines);
    let texts_of = texts_of.filter(|(field, _)| !field.data_type.is_file());
    // what is not shown of its values is on the record's own page
    let (_, less) = packing(fields.len());
    let rows = rows_beside(fields.len()) * less;
    let room = Room::of_row(texts_of.map(|(_, line)| &**line), rows, texts);
    let cells = fields.iter().zip(&lines).map(|(field, line)| {
        let fault = faults.of_field(field, (place, texts));
        cell(record, field, (line.as_str(), fault), (place, room))
    });
    let mut cells: Vec<Cell> = cells.collect();
    let proposed = cells.iter_mut();
    let proposed = proposed.filter(|cell| cell.is_cut() && !cell.proposals.is_empty());
    for cell in proposed.skip(CUT_PROPOSED_MAX) {
        cell.proposals.clear();
    }
    let proposed = cells.iter_mut().filter(|cell| !cell.proposals.is_empty());
    for cell in proposed.skip(proposed_max(fields.len())) {
        cell.proposals.clear();
    }
    Row {
        id: record.id(),
        cells,
        has_faults: !faults.is_empty(),
    }
}

/// A value of a record, with what is wrong with it.
fn cell(
    record: &ShownRecord<'_>,
    field: &Field,
    (line, fault): (&str, Option<String>),
    (place, room): (&Place, Room<'_>),
) -> Cell {
    let texts = room.texts;
    let is_open = fault.is_some() && place.may_edit && !place.masks(field);
    let filled = record.filled(field);
    let proposed = if is_open {
        proposals(&place.permit, field, record.json(field))
    } else {
        Vec::new()
    };
    let proposed = proposed.into_iter();
    let proposed = proposed.map(|value| Proposal::of(value, &filled, (field, room)));
    let proposals: Vec<_> = proposed.collect();
    let is_file = field.data_type.is_file();
    let files = if is_file {
        record.texts(field)
    } else {
        Vec::new()
    };
    let links = files.iter().filter_map(|text| place.file_link(text));
    let mut links: Vec<_> = links.map(|link| link.path).collect();
    let is_told = fault.is_some() && !place.masks(field);
    let kind = is_told.then(|| record.other_kind(field, texts));
    let text = room.cut(line);
    let left = links.len().saturating_sub(LINKS_MAX) as u64;
    links.truncate(LINKS_MAX);
    let more = if links.is_empty() {
        text.more.clone()
    } else {
        (left > 0).then(|| (texts.and_more)(&grouped(left, texts)))
    };
    Cell {
        mark: (!proposals.is_empty() && !room.is_whole(&filled)).then(|| mark_of(&filled)),
        proposals,
        field: field.id.clone(),
        name: field.name.clone(),
        text,
        more,
        fault: fault.map_or_else(String::new, |fault| room.cut(&fault).told()),
        kind: kind.unwrap_or_default(),
        is_number: is_number(field),
        is_file,
        links,
        is_unseen: place.masks(field),
        filled,
    }
}
