//! CSV: rows of cells. `csv-core` knows the grammar; here stand the places of cells, and what becomes of rows that
//! are none. It gives cells no meaning.

use crate::found::{Found, ROW_BYTES_MAX, ROW_CELLS_MAX, RowFault};
use crate::looks::{bare_cell, is_whole};
use crate::place::Place;
use crate::window::Window;
use csv_core::ReadFieldResult;
use engine::validate::is_blank;
#[cfg(feature = "xlsx")]
use std::borrow::Cow;
use std::io;

/// The cells of one row.
#[derive(Debug, Default)]
pub struct Cells {
    text: String,
    cells: Vec<Cell>,
}

#[derive(Clone, Copy, Debug)]
struct Cell {
    /// Where its text ends in `text`.
    end: usize,
    /// Where it begins in the row as it stands.
    at: usize,
    quoted: bool,
    kind: CellKind,
}

/// What a cell is beside its text, as only a spreadsheet's can be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(
    not(feature = "xlsx"),
    expect(dead_code, reason = "cells of sheets alone are more than their text")
)]
pub(crate) enum CellKind {
    Plain,
    Number,
    /// A day or a moment by its format.
    Moment,
    /// The time of a day, or a moment of 1904-01-01: sheets that count from that day write it as nothing and a part of a day, too.
    FirstDay,
    /// A number of 2^53 or more, either way: digits of it may be lost.
    Inexact,
    /// A number that is larger than any double.
    Infinite,
}

impl Cells {
    /// How many there are.
    pub fn count(&self) -> usize {
        self.cells.len()
    }

    /// The text of a cell, without its quotes. `None` where it is empty and not in quotes, which is a missing value,
    /// and where there is no such cell.
    pub fn get(&self, index: usize) -> Option<&str> {
        let cell = self.cells.get(index)?;
        let start = index
            .checked_sub(1)
            .map_or(0, |before| self.cells[before].end);
        let text = &self.text[start..cell.end];
        (cell.quoted || !text.is_empty()).then_some(text)
    }

    /// Whether nothing stands in any cell from this one on.
    pub fn is_blank_from(&self, first: usize) -> bool {
        (first..self.count()).all(|index| self.get(index).is_none_or(is_blank))
    }

    /// Whether a cell is a day or a moment by its format.
    pub(crate) fn is_moment(&self, index: usize) -> bool {
        matches!(self.kind(index), CellKind::Moment | CellKind::FirstDay)
    }

    /// Whether a cell is a time of a day, or of 1904-01-01, from which some sheets count: its field tells.
    pub(crate) fn is_first_day(&self, index: usize) -> bool {
        self.kind(index) == CellKind::FirstDay
    }

    /// Whether a cell is a number by its type, whose text is ours and none of the file's.
    pub(crate) fn is_number(&self, index: usize) -> bool {
        matches!(
            self.kind(index),
            CellKind::Number | CellKind::Inexact | CellKind::Infinite
        )
    }

    /// Whether a cell is a number that is not told as it stands in the file; doubles are what fields of them hold.
    pub(crate) fn has_lost_digits(&self, index: usize, holds_doubles: bool) -> bool {
        match self.kind(index) {
            CellKind::Infinite => true,
            CellKind::Inexact => !holds_doubles,
            CellKind::Plain | CellKind::Number | CellKind::Moment | CellKind::FirstDay => false,
        }
    }

    fn kind(&self, index: usize) -> CellKind {
        let cell = self.cells.get(index);
        cell.map_or(CellKind::Plain, |cell| cell.kind)
    }

    /// Where a cell begins in the row as it stands, in bytes; the row's end for one that is not there.
    pub(crate) fn at(&self, index: usize, row_end: usize) -> usize {
        self.cells.get(index).map_or(row_end, |cell| cell.at)
    }
}

/// The text of a sheet's cell, and what it is by its format.
#[cfg(feature = "xlsx")]
pub(crate) struct CellText<'c> {
    pub(crate) text: Cow<'c, str>,
    pub(crate) kind: CellKind,
}

#[cfg(feature = "xlsx")]
impl<'c> CellText<'c> {
    /// What is told in place of a value.
    pub(crate) fn plain(text: impl Into<Cow<'c, str>>) -> Self {
        CellText {
            text: text.into(),
            kind: CellKind::Plain,
        }
    }
}

/// Cells of a sheet, one after the other.
#[cfg(feature = "xlsx")]
impl Cells {
    /// Appends a cell, which is there even if it is empty.
    pub(crate) fn push(&mut self, cell: &CellText<'_>) {
        self.text.push_str(&cell.text);
        self.cells.push(Cell {
            end: self.text.len(),
            at: 0,
            quoted: true,
            kind: cell.kind,
        });
    }

    /// Forgets empty cells at the end, as long as there are more than `count`: behind the columns they say nothing.
    pub(crate) fn forget_empty(&mut self, count: usize) {
        while self.cells.len() > count.max(1) {
            let before = self.cells[self.cells.len() - 2].end;
            if self.cells.last().is_some_and(|last| last.end > before) {
                return;
            }
            self.cells.pop();
        }
        let is_empty = self.cells.first().is_some_and(|it| it.end == 0);
        if count == 0 && self.cells.len() == 1 && is_empty {
            self.cells.clear();
        }
    }

    /// Puts missing cells before the first and behind the last, until there are `count` in all.
    pub(crate) fn widen(&mut self, before: usize, count: usize) {
        let missing = |end| Cell {
            end,
            at: 0,
            quoted: false,
            kind: CellKind::Plain,
        };
        self.cells
            .splice(..0, std::iter::repeat_n(missing(0), before));
        let end = self.text.len();
        self.cells.resize(count.max(self.cells.len()), missing(end));
    }

    /// Bytes of all texts.
    pub(crate) fn text_bytes(&self) -> usize {
        self.text.len()
    }
}

/// Reads rows of cells.
pub(crate) struct CellReader {
    delimiter: u8,
    quote: u8,
    core: csv_core::Reader,
    /// How many cells each row has: as many as the first.
    expected: Option<usize>,
    row: Cells,
    /// Room for the text of a row, before it is known to be text.
    text: Vec<u8>,
    /// Whether a cell began with a blank and a quote since this was asked last.
    has_quote_after_blank: bool,
    /// Whether lines end in `\n`, as the first one shows: a lone `\r` ends none then.
    has_line_feeds: Option<bool>,
}

impl CellReader {
    pub(crate) fn new((delimiter, quote): (u8, u8)) -> Self {
        CellReader {
            delimiter,
            quote,
            core: core(delimiter, quote),
            expected: None,
            row: Cells::default(),
            text: Vec::new(),
            has_quote_after_blank: false,
            has_line_feeds: None,
        }
    }

    /// Whether a cell of the rows since this was asked last begins with a blank and a quote, which then quotes nothing.
    pub(crate) fn take_quote_after_blank(&mut self) -> bool {
        std::mem::take(&mut self.has_quote_after_blank)
    }

    pub(crate) fn delimiter(&self) -> u8 {
        self.delimiter
    }

    pub(crate) fn quote(&self) -> u8 {
        self.quote
    }

    /// The cells of the row that was read last.
    pub(crate) fn row(&self) -> &Cells {
        &self.row
    }

    /// Forgets how many cells rows had.
    pub(crate) fn forget_width(&mut self) {
        self.expected = None;
    }

    /// The next row; blank lines are none.
    pub(crate) fn next(&mut self, window: &mut Window) -> io::Result<Option<Found>> {
        if !window.pass_while(|byte| matches!(byte, b'\n' | b'\r'))? {
            return Ok(None);
        }
        let place = window.place();
        let found = match self.cells(window)? {
            Ok(pass) if self.ends_within_line(window, pass)? => {
                self.core = core(self.delimiter, self.quote);
                self.row.cells.clear();
                let is_end = |byte| byte == b'\n';
                wrong_line(window, place, (pass - 1, RowFault::CarriageReturn), is_end)?
            }
            Ok(pass) => self.judge(window.held(), place, pass),
            Err(fault) => {
                self.core = core(self.delimiter, self.quote);
                let from = self.row.cells.last().map_or(0, |cell| cell.at);
                self.row.cells.clear();
                let is_long =
                    fault == RowFault::TooLong && window.held().get(from) != Some(&self.quote);
                if is_long || fault == RowFault::TooManyCells {
                    window.pass_while(|byte| !matches!(byte, b'\n' | b'\r'))?;
                    return Ok(Some(Found::fault(place, 0, fault, place)));
                }
                let fault = match fault {
                    RowFault::BehindQuote => fault,
                    _ => RowFault::OpenQuote,
                };
                wrong_line(window, place, (from, fault), |byte| {
                    matches!(byte, b'\n' | b'\r')
                })?
            }
        };
        Ok(Some(found))
    }

    /// Takes the row at hand apart; yields how long it is, its line's end included.
    fn cells(&mut self, window: &mut Window) -> io::Result<Result<usize, RowFault>> {
        self.row.cells.clear();
        self.text = std::mem::take(&mut self.row.text).into_bytes();
        let (mut at, mut wrote, mut begin) = (0, 0, 0);
        loop {
            if at == ROW_BYTES_MAX {
                self.push(window.held(), begin, wrote);
                return Ok(Err(RowFault::TooLong));
            }
            let ended = at == window.held().len() && !window.more()?;
            if wrote == self.text.len() {
                self.text.resize((wrote * 2).max(1024), 0);
            }
            let held = window.held();
            // at the end of the text a line's end stands for it: in quotes it ends nothing
            let input = if ended {
                b"\n"
            } else {
                &held[at..held.len().min(ROW_BYTES_MAX)]
            };
            let (result, read, written) = self.core.read_field(input, &mut self.text[wrote..]);
            if ended && result == ReadFieldResult::InputEmpty {
                self.push(window.held(), begin, wrote);
                return Ok(Err(RowFault::OpenQuote));
            }
            let read = if ended { 0 } else { read };
            at += read;
            wrote += written;
            match result {
                ReadFieldResult::InputEmpty | ReadFieldResult::OutputFull => {}
                ReadFieldResult::Field { record_end } => {
                    self.push(window.held(), begin, wrote);
                    let cell = bare_cell(&window.held()[begin..at], record_end);
                    // `csv-core` takes what stands behind the closing quote for more of the cell
                    if cell.first() == Some(&self.quote) && !is_whole(cell, self.quote) {
                        return Ok(Err(RowFault::BehindQuote));
                    }
                    begin = at;
                    if record_end {
                        break;
                    }
                    if self.row.cells.len() == ROW_CELLS_MAX {
                        return Ok(Err(RowFault::TooManyCells));
                    }
                }
                ReadFieldResult::End => break,
            }
        }
        self.text.truncate(wrote);
        Ok(Ok(at))
    }

    /// Whether the row at hand, which is so long, ends at a `\r` that is a part of a cell: RFC 4180 has it in quotes alone.
    fn ends_within_line(&mut self, window: &mut Window, pass: usize) -> io::Result<bool> {
        if window.held()[pass - 1] == b'\n' {
            self.has_line_feeds.get_or_insert(true);
        }
        if window.held()[pass - 1] != b'\r' {
            return Ok(false);
        }
        let mut at = pass;
        loop {
            match window.held().get(at).copied() {
                Some(b'\r') if at < ROW_BYTES_MAX => at += 1,
                Some(b'\r' | b'\n') => {
                    self.has_line_feeds.get_or_insert(true);
                    return Ok(false);
                }
                Some(_) => return Ok(*self.has_line_feeds.get_or_insert(false)),
                None if window.more()? => {}
                None => return Ok(false),
            }
        }
    }

    fn push(&mut self, row: &[u8], at: usize, end: usize) {
        let quoted = row.get(at) == Some(&self.quote);
        if row.get(at) == Some(&b' ') {
            let text = row[at..].iter().find(|byte| **byte != b' ');
            self.has_quote_after_blank |= text == Some(&self.quote);
        }
        self.row.cells.push(Cell {
            end,
            at,
            quoted,
            kind: CellKind::Plain,
        });
    }

    /// Whether the row is text, and has as many cells as the first.
    fn judge(&mut self, held: &[u8], place: Place, pass: usize) -> Found {
        let raw = &held[..pass];
        let end = raw.trim_suffix_of_line();
        let fault = |fault, at: usize| {
            Found::fault(place, end, fault, place.after(&raw[..at])).passing(pass)
        };
        match (
            std::str::from_utf8(raw),
            String::from_utf8(std::mem::take(&mut self.text)),
        ) {
            (Ok(_), Ok(text)) => self.row.text = text,
            (Err(error), _) => return fault(RowFault::NotUtf8, error.valid_up_to()),
            // quotes may part what is one character without them, never the reverse
            (Ok(_), Err(_)) => return fault(RowFault::NotUtf8, 0),
        }
        if let [only] = &mut self.row.cells[..] {
            // it has to be quoted to be seen at all
            only.quoted = false;
        }
        let found = self.row.count();
        let expected = *self.expected.get_or_insert(found);
        if found == expected {
            Found::row(place, end, pass)
        } else {
            fault(
                RowFault::CellCount { found, expected },
                self.row.at(expected, end),
            )
        }
    }
}

/// A reader in the state between two rows. `csv-core` would leave out a byte-order mark before its first row, which
/// the text does not have any more.
fn core(delimiter: u8, quote: u8) -> csv_core::Reader {
    let mut core = csv_core::ReaderBuilder::new();
    let mut core = core.delimiter(delimiter).quote(quote).build();
    core.read_field(b"\n", &mut [0]);
    core
}

/// A faulty line: at `from` a quote is not closed, text follows a closing quote, or a `\r` stands within a cell. Reading goes on with
/// the next line.
fn wrong_line(
    window: &mut Window,
    place: Place,
    (from, fault): (usize, RowFault),
    is_end: impl Fn(u8) -> bool,
) -> io::Result<Found> {
    let mut end = from;
    loop {
        let held = window.held();
        let held = &held[..held.len().min(ROW_BYTES_MAX)];
        if let Some(rest) = held[end..].iter().position(|byte| is_end(*byte)) {
            end += rest;
            break;
        }
        end = held.len();
        // as much of the line may be at hand as was needed to find the fault
        if end == ROW_BYTES_MAX || !window.more()? {
            break;
        }
    }
    let at = place.after(&window.held()[..from]);
    let pass = end;
    let end = window.held()[..end].trim_suffix_of_line();
    Ok(Found::fault(place, end, fault, at).passing(pass))
}

/// A row without what ends its line.
trait TrimLine {
    fn trim_suffix_of_line(&self) -> usize;
}

impl TrimLine for [u8] {
    fn trim_suffix_of_line(&self) -> usize {
        let row = self.strip_suffix(b"\n").unwrap_or(self);
        row.strip_suffix(b"\r").unwrap_or(row).len()
    }
}

/// The cells of a row of a sheet, which has them even where it can't be read.
#[derive(Clone, Copy)]
pub(crate) struct SheetRowCells<'r> {
    pub(crate) cells: &'r Cells,
    /// How many of them stand before the first column.
    pub(crate) before: usize,
}
