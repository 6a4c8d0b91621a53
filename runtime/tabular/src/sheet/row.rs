//! A row of a sheet, put together of its cells as they come, and what is wrong with them. It knows no names of columns.

use super::padding::Padding;
use super::{SheetCell, is_within, text, to_usize};
use crate::cells::{CellText, Cells};
use crate::found::{NO_RESULT, ROW_BYTES_MAX, RowFault};

/// A row of a sheet.
#[derive(Debug, Default)]
pub(super) struct SheetRow {
    /// Its number, from 1.
    pub(super) number: u32,
    pub(super) cells: Cells,
    /// What is wrong with it whatever its columns are for, and in which column, from 0.
    pub(super) fault: Option<(RowFault, u32)>,
    /// Cells without a value that can be read, likewise.
    pub(super) cell_faults: Vec<(RowFault, u32)>,
    /// Whether it had something that is not among its cells.
    pub(super) is_cut: bool,
    /// How far from the left edge its first cell is.
    pub(super) first: u32,
}

impl SheetRow {
    /// Takes the next cell; `begin` is the column of the first one.
    pub(super) fn push(&mut self, cell: &SheetCell<'_>, begin: u32, padding: &Padding) {
        let column = cell.column;
        if !is_within(column) {
            self.fault.get_or_insert((RowFault::TooManyCells, column));
            self.is_cut = true;
            return;
        }
        let index = column.checked_sub(begin).map(to_usize);
        let index = index.filter(|index| *index >= self.cells.count());
        let Some(index) = index else {
            // two cells in one place, or in no order
            self.fault.get_or_insert((RowFault::CellError, column));
            self.is_cut = true;
            return;
        };
        self.cells.widen(0, index);
        match cell.value.as_ref().map(text::of) {
            Some(Ok(text)) => self.cells.push(&padding.shown((cell.row, column), text)),
            Some(Err(error)) => {
                self.cells.push(&CellText::plain(error.to_string()));
                self.cell_faults.push((RowFault::CellError, column));
            }
            None => {
                self.cells.push(&CellText::plain(NO_RESULT));
                self.cell_faults.push((RowFault::NoResult, column));
            }
        }
        if self.cells.text_bytes() > ROW_BYTES_MAX {
            self.cells = Cells::default();
            self.is_cut = true;
            self.fault = Some((RowFault::TooLong, column));
        }
    }
}
