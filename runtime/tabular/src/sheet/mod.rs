//! Rows out of a sheet of an Excel file (`.xlsx`). The library needs to go back and forth in the file, so that one which
//! comes as a stream is put into a temporary file first; and it lends out its rows, so that a thread of their own reads
//! them ahead, a few at a time. What the cells mean for a field, [`CellRule`](crate::CellRule) knows.

mod bounds;
mod choice;
mod moment;
mod padding;
mod row;
mod text;
mod write;

pub use write::{SHEET_RECORDS_MAX, SheetCells, SheetError, SheetWriter};

use crate::cells::{Cells, SheetRowCells};
use crate::found::{Found, ROW_CELLS_MAX, RowFault};
use crate::place::Place;
use crate::unpack::Source;
use calamine::{DataRef, Reader as _, Xlsx, XlsxCellReader, XlsxError};
use choice::{SheetChoice, choose};
use padding::Padding;
use row::SheetRow;
use std::fs::File;
use std::io::{self, BufReader, Seek as _, SeekFrom};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::JoinHandle;

/// The largest Excel file (512 MiB).
pub(crate) const FILE_BYTES_MAX: u64 = 512 << 20;
/// Rows that are read ahead, by groups, their cells, and how many groups wait.
const GROUP_ROWS: usize = 64;
const GROUP_CELLS: usize = 4 * ROW_CELLS_MAX;
const GROUPS_MAX: usize = 4;
/// What is said of one whose archive can't be read.
const CUT_OFF: &str = "it is damaged or cut off; save it anew, and send it whole";
/// And of one with too many single cells of a format of zeros.
const PADDED_APART: &str =
    "it shows zeros before its numbers in too many places; export the sheet as CSV";

type Workbook = Xlsx<BufReader<File>>;

/// What the thread tells.
enum Told {
    /// Which sheet is read.
    Opened(SheetChoice),
    Rows(Vec<SheetRow>),
    Failed(io::Error),
}

/// Reads the rows of a sheet.
pub(crate) struct SheetReader {
    told: Option<Receiver<Told>>,
    thread: Option<JoinHandle<()>>,
    chosen: SheetChoice,
    waiting: std::vec::IntoIter<SheetRow>,
    row: SheetRow,
    /// How many cells each row has, and how far from the left edge the first is: as in the first row.
    expected: Option<(usize, u32)>,
    /// How many cells of the row that was read last stand before the first column.
    before: usize,
    /// Of each column, whether its cells are for anything; where nothing is said, they are.
    is_read: Vec<bool>,
}

impl SheetReader {
    /// Opens the sheet with this name, or the first that is seen, of a file none of whose sheets unpacks to more than so many bytes.
    pub(crate) fn open(file: File, sheet: Option<&str>, bytes_max: u64) -> io::Result<Self> {
        let (tell, told) = sync_channel(GROUPS_MAX);
        let sheet = sheet.map(str::to_owned);
        let thread = std::thread::Builder::new()
            .name("sheet".to_owned())
            .spawn(move || {
                if let Err(error) = read(file, (sheet.as_deref(), bytes_max), &tell) {
                    // nobody waits for it any more
                    let _ = tell.send(Told::Failed(error));
                }
            })?;
        let mut reader = SheetReader {
            told: Some(told),
            thread: Some(thread),
            chosen: SheetChoice::default(),
            waiting: Vec::new().into_iter(),
            row: SheetRow::default(),
            expected: None,
            before: 0,
            is_read: Vec::new(),
        };
        match reader.hear()? {
            Some(Told::Opened(chosen)) => reader.chosen = chosen,
            _ => return Err(damaged("it can't be read")),
        }
        Ok(reader)
    }

    pub(crate) fn name(&self) -> &str {
        &self.chosen.name
    }

    /// How many sheets the file has.
    pub(crate) fn count(&self) -> usize {
        self.chosen.count
    }

    /// The cells of the row that was read last.
    pub(crate) fn row(&self) -> &Cells {
        &self.row.cells
    }

    /// The same, and how they stand below the names.
    pub(crate) fn row_cells(&self) -> SheetRowCells<'_> {
        SheetRowCells {
            cells: &self.row.cells,
            before: self.before,
        }
    }

    /// Passes over what is wrong with cells in columns of which this says that they are for nothing.
    pub(crate) fn read_only(&mut self, is_read: Vec<bool>) {
        self.is_read = is_read;
    }

    /// Forgets how many cells rows had, and where they began.
    pub(crate) fn forget_width(&mut self) {
        self.expected = None;
    }

    /// Finds the next row; rows without a cell are none.
    pub(crate) fn next(&mut self) -> io::Result<Option<Found>> {
        self.row = loop {
            if let Some(row) = self.waiting.next() {
                break row;
            }
            match self.hear()? {
                Some(Told::Rows(rows)) => self.waiting = rows.into_iter(),
                Some(Told::Opened(_) | Told::Failed(_)) => {}
                None => return Ok(None),
            }
        };
        let row = &mut self.row;
        let number = row.number;
        let of_row = Place::of_cell(number, 0);
        if row.fault.is_none() && row.cell_faults.is_empty() {
            self.expected.get_or_insert((row.cells.count(), row.first));
        }
        let (expected, first) = self.expected.unwrap_or((row.cells.count(), row.first));
        let expected_end = to_usize(first) + expected;
        row.cells
            .forget_empty(expected_end.saturating_sub(to_usize(row.first)));
        let end = to_usize(row.first) + row.cells.count();
        let is_read = |column: u32| {
            let place = column.checked_sub(first).map(to_usize);
            let said = place.and_then(|place| self.is_read.get(place));
            said.copied().unwrap_or(true)
        };
        let mut of_cells = row.cell_faults.iter().copied();
        let of_cell = of_cells.find(|(_, column)| is_read(*column));
        let fault = row.fault.or(of_cell).or_else(|| {
            let left = to_usize(row.first.min(first));
            let found = end.max(expected_end) - left;
            let fault = RowFault::CellCount { found, expected };
            if row.first < first {
                return Some((fault, row.first));
            }
            (end > expected_end).then(|| (fault, to_u32(expected_end)))
        });
        self.before = to_usize(first.saturating_sub(row.first));
        row.cells.widen(
            to_usize(row.first.saturating_sub(first)),
            self.before + expected,
        );
        row.first = row.first.min(first);
        let Some((fault, column)) = fault else {
            return Ok(Some(Found::row(of_row, 0, 0)));
        };
        if row.is_cut {
            // with one more it is no row of the file that it is mended in, so that nobody takes it for whole
            row.cells.widen(0, row.cells.count() + 1);
        }
        let at = Place::of_cell(number, column);
        Ok(Some(Found::fault(of_row, 0, fault, at)))
    }

    /// The place of a cell of the row that was read last.
    pub(crate) fn place(&self, index: usize) -> Place {
        Place::of_cell(self.row.number, self.row.first + to_u32(index))
    }

    /// What the thread tells next; `None` at its end.
    fn hear(&mut self) -> io::Result<Option<Told>> {
        let told = self.told.as_ref().and_then(|told| told.recv().ok());
        match told {
            Some(Told::Failed(error)) => Err(error),
            Some(told) => Ok(Some(told)),
            None => match self.thread.take().map(JoinHandle::join) {
                Some(Err(_)) => Err(damaged("it can't be read")),
                _ => Ok(None),
            },
        }
    }
}

impl Drop for SheetReader {
    fn drop(&mut self) {
        // a thread that nobody hears ends with what it has at hand
        self.told = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// A stream as a file of its own, which goes with it.
///
/// # Errors
/// What the source says, no room, or more than [`FILE_BYTES_MAX`].
pub(crate) fn spool(source: Source) -> io::Result<File> {
    let mut file = tempfile::tempfile()?;
    let mut source = io::Read::take(source, FILE_BYTES_MAX + 1);
    if io::copy(&mut source, &mut file)? > FILE_BYTES_MAX {
        return Err(damaged("it has more than 512 MiB; export the sheet as CSV"));
    }
    file.seek(SeekFrom::Start(0))?;
    Ok(file)
}

/// A file that is no Excel file, or none that can be read.
fn damaged(what: &str) -> io::Error {
    io::Error::new(
        io::ErrorKind::InvalidData,
        format!("the Excel file: {what}"),
    )
}

fn unread(error: XlsxError) -> io::Error {
    match error {
        XlsxError::Io(error) => error,
        XlsxError::Zip(_) => damaged(CUT_OFF),
        error => damaged(&error.to_string()),
    }
}

/// Reads a sheet to its end, or until nobody hears it.
fn read(
    file: File,
    (sheet, bytes_max): (Option<&str>, u64),
    tell: &SyncSender<Told>,
) -> io::Result<()> {
    let mut file = BufReader::new(file);
    bounds::hold(&mut file, bytes_max)?;
    let mut book: Workbook = Xlsx::new(file).map_err(unread)?;
    let chosen = choose(book.sheets_metadata(), sheet)?;
    let padding = Padding::of(&mut book.worksheet_cells_reader(&chosen.name).map_err(unread)?);
    let mut ahead = Ahead {
        padding: padding.ok_or_else(|| damaged(PADDED_APART))?,
        cells: book.worksheet_cells_reader(&chosen.name).map_err(unread)?,
        cell: None,
        has_ended: false,
    };
    if tell.send(Told::Opened(chosen)).is_err() {
        return Ok(());
    }
    let (mut group, mut cells) = (Vec::with_capacity(GROUP_ROWS), 0);
    while let Some(row) = next_row(&mut ahead)? {
        cells += row.cells.count();
        group.push(row);
        if group.len() == GROUP_ROWS || cells >= GROUP_CELLS {
            cells = 0;
            let full = std::mem::replace(&mut group, Vec::with_capacity(GROUP_ROWS));
            if tell.send(Told::Rows(full)).is_err() {
                return Ok(());
            }
        }
    }
    let _ = tell.send(Told::Rows(group));
    Ok(())
}

/// The cells of a sheet, and the one that was looked at already.
struct Ahead<'b> {
    padding: Padding,
    cells: XlsxCellReader<'b, BufReader<File>>,
    cell: Option<SheetCell<'b>>,
    /// Behind its last cell the library takes the sheet for cut off.
    has_ended: bool,
}

/// A cell that holds something.
struct SheetCell<'b> {
    row: u32,
    column: u32,
    /// None where it is a formula of which no result is stored.
    value: Option<DataRef<'b>>,
}

impl<'b> Ahead<'b> {
    /// The next cell that holds anything.
    fn next(&mut self) -> io::Result<Option<SheetCell<'b>>> {
        if let Some(cell) = self.cell.take() {
            return Ok(Some(cell));
        }
        while !self.has_ended {
            let cell = self.cells.next_cell_with_formula_metadata();
            let Some(cell) = cell.map_err(unread)? else {
                self.has_ended = true;
                break;
            };
            let has_value = cell.value != DataRef::Empty;
            if has_value || cell.formula.is_some() {
                let (row, column) = cell.pos;
                return Ok(Some(SheetCell {
                    row,
                    column,
                    value: has_value.then_some(cell.value),
                }));
            }
        }
        Ok(None)
    }
}

/// The next row that has a cell.
fn next_row(ahead: &mut Ahead<'_>) -> io::Result<Option<SheetRow>> {
    let Some(first) = ahead.next()? else {
        return Ok(None);
    };
    let (number, begin) = (first.row, first.column);
    let mut row = SheetRow {
        number: number.saturating_add(1),
        // where no cell can be is told by its fault
        first: if is_within(begin) { begin } else { 0 },
        ..SheetRow::default()
    };
    let mut cell = first;
    loop {
        row.push(&cell, begin, &ahead.padding);
        match ahead.next()? {
            Some(next) if next.row == number => cell = next,
            Some(next) if next.row < number => {
                return Err(damaged("its rows are not in order"));
            }
            next => {
                ahead.cell = next;
                return Ok(Some(row));
            }
        }
    }
}

/// Whether a sheet can have a column: what the file says may be anything.
fn is_within(column: u32) -> bool {
    to_usize(column) < ROW_CELLS_MAX
}

fn to_usize(number: u32) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}

fn to_u32(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}
