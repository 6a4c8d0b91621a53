//! The cells of a row as texts that mean the same record: the JSON that is judged, and, of a row that no text file has, a
//! line of CSV.

use crate::cells::{Cells, SheetRowCells};
use crate::columns::Columns;
use crate::convert::CellRule;
use crate::date_reading::DateTexts;
use crate::decimal_mark::NumberTexts;
use crate::found::LOST_DIGITS;
use crate::guard;
use crate::write::CsvWriter;
use engine::validate::Lookups;
use schema::json::write_string;
use schema::{DataType, Field};
use std::borrow::Cow;

/// How the cells of a field are written.
pub(crate) struct FieldCells {
    /// `"name":`
    key: String,
    rule: CellRule,
    /// Whether its values are doubles, so that those of a sheet lose nothing.
    holds_doubles: bool,
    /// How its numbers were written so far that stand as text.
    pub(crate) numbers: NumberTexts,
    /// And its days and times.
    pub(crate) dates: DateTexts,
}

impl FieldCells {
    /// Those of a field whose cells are read by this rule.
    pub(crate) fn of(field: &Field, rule: CellRule) -> Self {
        let mut key = String::new();
        write_string(&mut key, &field.name);
        key.push(':');
        let holds_doubles = matches!(
            field.data_type,
            DataType::Float | DataType::Latitude | DataType::Longitude
        );
        FieldCells {
            key,
            rule,
            holds_doubles,
            numbers: NumberTexts::default(),
            dates: DateTexts::default(),
        }
    }
}

/// Writes cells as the JSON object that they stand for.
pub(crate) fn write_record(
    cells: &Cells,
    columns: &Columns,
    rules: &[FieldCells],
    lookups: Option<&dyn Lookups>,
    json: &mut String,
) {
    json.clear();
    json.push('{');
    for (column, field) in columns.fields.iter().enumerate() {
        let Some(FieldCells { key, rule, .. }) = field.map(|index| &rules[index]) else {
            continue;
        };
        if json.len() > 1 {
            json.push(',');
        }
        json.push_str(key);
        rule.write_with(rule.adapted(cells, column).as_deref(), lookups, json);
    }
    json.push('}');
}

/// Notes how the numbers, days and times of a row are written that stand as text.
pub(crate) fn note_texts(cells: &Cells, columns: &Columns, rules: &mut [FieldCells]) {
    for (column, field) in columns.fields.iter().enumerate() {
        let Some(index) = *field else {
            continue;
        };
        let own = &mut rules[index];
        if own.rule.is_of_unmarked_numbers()
            && !cells.is_number(column)
            && let Some(text) = cells.get(column)
        {
            own.numbers.note(text);
        }
        let is_of_sheet = cells.is_moment(column) || cells.is_first_day(column);
        if let Some(moments) = own.rule.unsaid_moments().filter(|_| !is_of_sheet)
            && let Some(text) = cells.get(column).map(str::trim)
            && !text.is_empty()
        {
            own.dates.note(text, moments);
        }
    }
}

/// The first column with a cell that is a day for its field, and none as it was said that days are written.
pub(crate) fn other_reading(
    cells: &Cells,
    columns: &Columns,
    rules: &[FieldCells],
) -> Option<usize> {
    let mut fields = columns.fields.iter().enumerate();
    fields.find_map(|(column, field)| {
        let rule = &rules[(*field)?].rule;
        let text = cells.get(column)?;
        rule.is_of_other_reading(text).then_some(column)
    })
}

/// The first cell that is a number which its field would not have as it stands in the file.
pub(crate) fn lost_digits(
    row: SheetRowCells<'_>,
    columns: &Columns,
    rules: &[FieldCells],
) -> Option<usize> {
    let mut fields = columns.fields.iter().zip(row.before..);
    fields.find_map(|(field, cell)| {
        let holds_doubles = rules[(*field)?].holds_doubles;
        let is_lost = row.cells.has_lost_digits(cell, holds_doubles);
        is_lost.then_some(cell)
    })
}

/// A row of a sheet as CSV, such that it is read as the same record, or left out as the row is: once its fault is mended, as the
/// record that it would have been. Cells that stand beside the columns stay there. In a sheet, a text is no formula; in CSV it has the
/// mark against that where it is read with it.
pub(crate) fn sheet_row(
    row: SheetRowCells<'_>,
    columns: &Columns,
    rules: &[FieldCells],
    is_guarded: bool,
) -> Vec<u8> {
    let SheetRowCells { cells, before } = row;
    let field_of = |cell: usize| {
        let column = cell.checked_sub(before)?;
        let field = columns.fields.get(column).copied().flatten()?;
        Some(&rules[field])
    };
    let text_of = |cell: usize| match field_of(cell) {
        Some(field) if cells.has_lost_digits(cell, field.holds_doubles) => {
            Some(Cow::Borrowed(LOST_DIGITS))
        }
        Some(field) => field.rule.adapted(cells, cell),
        None => cells.get(cell).map(Cow::Borrowed),
    };
    let texts = (0..cells.count()).map(|cell| {
        let text = text_of(cell);
        if is_guarded && !cells.is_number(cell) {
            text.map(guard::kept)
        } else {
            text
        }
    });
    let texts: Vec<_> = texts.collect();
    let mut row = String::new();
    CsvWriter::default().row(texts.iter().map(Option::as_deref), &mut row);
    row.pop();
    row.into_bytes()
}
