//! Records as rows of an Excel file with one sheet, the names of the columns first. A row is in memory at a time; the
//! others are in a temporary file until the end. A text is a text and never a formula; the guard is for who saves the sheet
//! as something else.

use super::moment::MomentCells;
use super::text::WHOLE_MAX;
use crate::guard;
use crate::mapping::WrongMapping;
use crate::record_writer::FileColumns;
use crate::values::{Value, exact_double};
use rust_xlsxwriter::{Formula, Workbook, Worksheet, XlsxError};
use schema::Schema;
use schema::json::SyntaxError;
use std::borrow::Cow;
use std::io::{self, Write};

/// Records of a sheet: its rows but for the names.
pub const SHEET_RECORDS_MAX: u32 = 1_048_575;
/// What a cell has no room for.
const LONG_TEXT: &str = "a text of more than 32,767 characters";
/// Columns of a sheet.
const COLUMNS_MAX: usize = 16_384;

/// How cells of a sheet are written. Read with the same settings, they are the same.
#[derive(Clone, Copy, Debug, Default)]
pub struct SheetCells {
    /// What parts the values of a cell that has several, where they can be told apart again.
    pub split: Option<char>,
    /// Whether texts and names that a spreadsheet would take for a formula get a `'` before them.
    pub for_spreadsheets: bool,
}

/// Writes records into a sheet.
pub struct SheetWriter {
    book: Workbook,
    columns: FileColumns,
    /// For each column how its days or times stand, where it has such.
    moments: Vec<Option<MomentCells>>,
    cells: SheetCells,
    rows: u32,
}

/// Why a record can't be written.
#[derive(Debug)]
pub enum SheetError {
    /// A column that no active field has the name of.
    Column(WrongMapping),
    /// The record is no flat JSON object.
    Syntax(SyntaxError),
    /// The sheet has no room: for more than 16,384 columns, more than [`SHEET_RECORDS_MAX`] records, or a text of more
    /// than 32,767 characters.
    Full(&'static str),
    /// A text of the record has more characters than a cell holds.
    TooLong {
        /// The column's name.
        column: String,
    },
    /// It can't be written.
    Write(io::Error),
}

impl std::fmt::Display for SheetError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            SheetError::Column(_) => f.write_str("a column can't be written"),
            SheetError::Syntax(_) => f.write_str("a record can't be read"),
            SheetError::Full(what) => {
                write!(f, "a sheet has no room for {what}; write CSV instead")
            }
            SheetError::TooLong { column } => write!(
                f,
                "a sheet has no room for a text of more than 32,767 characters in {column:?}; write CSV instead"
            ),
            SheetError::Write(_) => f.write_str("the Excel file can't be written"),
        }
    }
}

impl std::error::Error for SheetError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            SheetError::Column(wrong) => Some(wrong),
            SheetError::Syntax(error) => Some(error),
            SheetError::Full(_) | SheetError::TooLong { .. } => None,
            SheetError::Write(error) => Some(error),
        }
    }
}

impl From<XlsxError> for SheetError {
    fn from(error: XlsxError) -> Self {
        match error {
            XlsxError::IoError(error) => SheetError::Write(error),
            XlsxError::MaxStringLengthExceeded => SheetError::Full(LONG_TEXT),
            XlsxError::RowColumnLimitError => SheetError::Full("as many rows or columns"),
            error => SheetError::Write(io::Error::other(error)),
        }
    }
}

impl SheetCells {
    fn guarded(self, text: Cow<'_, str>) -> Cow<'_, str> {
        if self.for_spreadsheets {
            guard::with(text)
        } else {
            text
        }
    }
}

impl SheetWriter {
    /// A writer for records of a schema; `columns` are names of active fields, none of them stands for all.
    ///
    /// # Errors
    /// A column that is none, too many of them, or no temporary file.
    pub fn new(schema: &Schema, columns: &[String], cells: SheetCells) -> Result<Self, SheetError> {
        let columns = FileColumns::new(schema, columns).map_err(SheetError::Column)?;
        if columns.names.len() > COLUMNS_MAX {
            return Err(SheetError::Full("more than 16,384 columns"));
        }
        let mut book = Workbook::new();
        let sheet = book.add_worksheet_with_constant_memory()?;
        sheet.set_formula_result_default("");
        let field = |name: &String| schema.active_fields().find(|it| it.name == *name);
        let moments = columns.names.iter();
        let moments = moments.map(|name| field(name).and_then(MomentCells::of));
        let moments: Vec<Option<MomentCells>> = moments.collect();
        for ((name, moment), column) in columns.names.iter().zip(&moments).zip(0..) {
            if let Some(moment) = moment {
                // a day that has no room is shown as a row of hashes
                let width = moment.width.max(name.chars().count()) + 2;
                sheet.set_column_width(column, u32::try_from(width).unwrap_or(u32::MAX).min(60))?;
            }
            sheet.write_string(0, column, cells.guarded(name.into()))?;
        }
        Ok(SheetWriter {
            book,
            columns,
            moments,
            cells,
            rows: 0,
        })
    }

    /// Writes a record in its normal form.
    ///
    /// # Errors
    /// When it is no flat JSON object, or the sheet has no room for it.
    pub fn record(&mut self, normal_form: &str) -> Result<(), SheetError> {
        if self.rows == SHEET_RECORDS_MAX {
            return Err(SheetError::Full("more than 1,048,575 records"));
        }
        self.rows += 1;
        let (row, cells) = (self.rows, self.cells);
        let mut values = Vec::new();
        let read = self.columns.each(normal_form, |column, value, _| {
            values.push((column, value));
        });
        read.map_err(SheetError::Syntax)?;
        let sheet = self.book.worksheet_from_index(0)?;
        // a row without a cell is none for a sheet, and the record would be lost; one behind the columns is nobody's
        if values
            .iter()
            .all(|(_, value)| matches!(value, Value::Missing))
        {
            let behind = self.columns.names.len().min(COLUMNS_MAX - 1);
            values = vec![(behind, Value::Text("".into()))];
        }
        for (index, value) in values {
            // INVARIANT: there are at most as many as a sheet has
            let column = u16::try_from(index).unwrap_or(u16::MAX);
            let moment = self.moments.get(index).and_then(Option::as_ref);
            let written = write(sheet, (row, column), (value, moment), cells);
            written.map_err(|error| match (error, self.columns.names.get(index)) {
                (SheetError::Full(LONG_TEXT), Some(name)) => SheetError::TooLong {
                    column: name.clone(),
                },
                (error, _) => error,
            })?;
        }
        Ok(())
    }

    /// Writes the file.
    ///
    /// # Errors
    /// What `out` says.
    pub fn finish(mut self, mut out: impl Write + Send) -> Result<(), SheetError> {
        self.book.save_to_writer(&mut out)?;
        // one that is dropped with bytes in it tells nobody that they are lost
        out.flush().map_err(SheetError::Write)
    }
}

/// Writes a cell: a day or a time that a sheet can hold, and a number that a sheet can hold as one, to its last digit, as such, any other as text.
fn write(
    sheet: &mut Worksheet,
    (row, column): (u32, u16),
    (value, moment): (Value<'_>, Option<&MomentCells>),
    cells: SheetCells,
) -> Result<(), SheetError> {
    if let (Value::Text(text), Some(moment)) = (&value, moment)
        && let Some(cell) = moment.cell(text)
    {
        sheet.write_datetime_with_format(row, column, &cell, &moment.format)?;
        return Ok(());
    }
    match value {
        Value::Missing => {}
        Value::Boolean(is_true) => {
            sheet.write_boolean(row, column, is_true)?;
        }
        Value::Number(raw) => {
            match exact_double(raw).filter(|number| number.abs() < WHOLE_MAX) {
                Some(number) => sheet.write_number(row, column, number)?,
                None => sheet.write_string(row, column, raw)?,
            };
        }
        // an empty text is no cell for a sheet, unless it is what a formula comes to
        Value::Text(text) if text.is_empty() => {
            sheet.write_formula(row, column, Formula::new("=\"\""))?;
        }
        value => {
            if let Some(text) = value.cell(cells.split) {
                sheet.write_string(row, column, cells.guarded(text))?;
            }
        }
    }
    Ok(())
}
