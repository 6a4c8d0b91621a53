//! What a grid shows: which fields stand in columns, and records as rows of them, each value with what is wrong with it.

use super::asked::Asked;
use super::places::Place;
use super::record_files::link_of;
use super::texts::Texts;
use super::values::{ShownRecord, fault_text, is_number};
use schema::Field;
use service::proposals;

/// Columns where none are chosen.
const COLUMNS: usize = 12;

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

/// A value, with what is wrong with it.
pub(super) struct Cell {
    pub(super) field: String,
    pub(super) name: String,
    pub(super) text: String,
    pub(super) fault: String,
    /// The value as it is filled in.
    pub(super) filled: String,
    /// What may have been meant in place of what is faulty.
    pub(super) proposals: Vec<String>,
    pub(super) is_number: bool,
    pub(super) is_file: bool,
    /// Where its files can be fetched for a while.
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

    /// Whether it holds several values, which stand on one line where they are read.
    pub(super) fn is_several(&self) -> bool {
        self.filled != self.text
    }
}

/// The fields that stand in columns: those that were chosen, else the first ones; and those with faults in view.
pub(super) fn columns<'p>(
    place: &'p Place,
    asked: &Asked,
    records: &[ShownRecord<'_>],
) -> Vec<&'p Field> {
    let faulty: Vec<String> = records
        .iter()
        .flat_map(ShownRecord::faults)
        .map(|fault| fault.name)
        .collect();
    let active = place.version().schema.active_fields();
    let mut shown: Vec<&Field> = active
        .enumerate()
        .filter(|(index, field)| {
            let is_wanted = match &*asked.columns {
                [] => *index < COLUMNS,
                chosen => chosen.contains(&field.id),
            };
            is_wanted || field.primary_key || faulty.contains(&field.name)
        })
        .map(|(_, field)| field)
        .collect();
    // the key stands first, where it stays
    shown.sort_by_key(|field| !field.primary_key);
    shown
}

/// A field as a column, chosen or not, of which the visitor sees the values or not.
pub(super) fn column(field: &Field, asked: &Asked, (is_chosen, is_masked): (bool, bool)) -> Column {
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
        // commas part the fields of an order, and the order of what one does not see would tell it
        sort: (field.sort_key && !is_masked && !field.name.contains(',')).then(|| turned.address()),
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
    let faults = record.faults();
    let cells = fields.iter().map(|field| {
        let fault = faults.iter().find(|fault| fault.name == field.name);
        let is_open = fault.is_some() && place.may_edit && !place.masks(field);
        let filled = record.filled(field);
        Cell {
            proposals: if is_open {
                proposals(&place.permit, field, record.json(field))
            } else {
                Vec::new()
            },
            field: field.id.clone(),
            name: field.name.clone(),
            text: record.line(field),
            fault: fault.map_or_else(String::new, |fault| fault_text(&fault.errors, texts)),
            is_number: is_number(field),
            is_file: field.data_type.is_file(),
            links: if field.data_type.is_file() {
                let texts = record.texts(field);
                texts.iter().filter_map(|text| link_of(text)).collect()
            } else {
                Vec::new()
            },
            is_unseen: place.masks(field),
            filled,
        }
    });
    Row {
        id: record.id(),
        cells: cells.collect(),
        has_faults: !faults.is_empty(),
    }
}
