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

/// Rows of a page.
pub(super) const ROWS: usize = 50;
/// Columns where none are chosen.
pub(super) const COLUMNS: usize = 12;
/// Files of a cell that have a link there, at most.
const LINKS_MAX: usize = 10;
/// Columns beside these, at most, that stand there because of faults in view alone.
const FAULTY_COLUMNS_MAX: usize = 12;
/// Values of a row, at most, that are shown in part and have proposals beside them; of the others, the record's form has them.
const CUT_PROPOSED_MAX: usize = 2;

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
    /// The address with the order turned to this column.
    pub(super) sort: Option<String>,
    /// `ascending` or `descending`, where it is in that order.
    pub(super) order: &'static str,
    pub(super) is_chosen: bool,
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
    let (mut shown, mut faulty): (Vec<_>, Vec<_>) = active.partition(|&(index, field)| {
        let is_wanted = match &*asked.columns {
            [] => index < COLUMNS,
            chosen => chosen.contains(&field.id),
        };
        is_wanted || field.primary_key || asks_for_faults(&asked.query, field)
    });
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

/// A field as a column, chosen or not, of which the visitor sees the values or not.
pub(super) fn column(field: &Field, asked: &Asked, is_chosen: bool, place: &Place) -> Column {
    let is_up = asked.sort == field.name;
    let is_down = asked.sort.strip_prefix('-') == Some(&field.name);
    let turned = Asked {
        sort: if is_up {
            format!("-{}", field.name)
        } else {
            field.name.clone()
        },
        ..asked.first_page()
    };
    Column {
        id: field.id.clone(),
        name: field.name.clone(),
        hint: field.description.clone().unwrap_or_default(),
        is_number: is_number(field),
        is_key: field.primary_key,
        // commas part the fields of an order
        sort: (place.sorts_by(field) && !field.name.contains(',')).then(|| turned.address()),
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
    let room = Room::of_row(texts_of.map(|(_, line)| &**line), ROWS, texts);
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
        is_number: is_number(field),
        is_file,
        links,
        is_unseen: place.masks(field),
        filled,
    }
}
