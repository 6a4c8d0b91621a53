//! Numbers that a sheet shows with zeros before them, by a format of zeros alone (`00000`), as postcodes and numbers of customers
//! have: what is seen there is the code, of which the number has lost a part. It knows no field.
//!
//! A sheet of a file with such a format is parsed twice, for its styles and then for its cells: the library tells of a cell its
//! value with its style or with its formula, and without the formula nobody would see that its result is missing. All other
//! sheets are parsed once.

use crate::cells::{CellKind, CellText};
use calamine::{Style, XlsxCellReader};
use std::collections::HashMap;
use std::io::{Read, Seek};
use std::ops::RangeInclusive;

/// Stretches that are kept, as many as a sheet has rows: a column that is formatted as one has one, and one more behind each row
/// that has no cell there.
const STRETCHES_MAX: usize = 1 << 20;
/// How many digits a format may ask for.
const DIGITS: RangeInclusive<usize> = 2..=32;

/// Cells one below the other, of which each shows so many digits.
struct Stretch {
    first: u32,
    last: u32,
    digits: usize,
}

/// Where a sheet shows zeros before its numbers.
#[derive(Default)]
pub(super) struct Padding {
    /// Of each column, from above to below.
    columns: HashMap<u32, Vec<Stretch>>,
    count: usize,
}

impl Padding {
    /// Looks through a sheet, unless no style of its file has such a format; `None` where there are too many stretches. What
    /// can't be read ends it, and is told when the cells are read.
    pub(super) fn of<R: Read + Seek>(cells: &mut XlsxCellReader<'_, R>) -> Option<Self> {
        let digits: Vec<usize> = cells.styles().iter().map(digits_of).collect();
        let mut padding = Padding::default();
        if digits.iter().all(|digits| *digits == 0) {
            return Some(padding);
        }
        while let Ok(Some((row, column, style))) = cells.next_style_id() {
            let digits = digits.get(style).copied().unwrap_or_default();
            if digits > 0 {
                padding.note((row, column), digits)?;
            }
        }
        Some(padding)
    }

    /// Notes a cell, behind all that are above it; `None` where there is no room for it.
    fn note(&mut self, (row, column): (u32, u32), digits: usize) -> Option<()> {
        let stretches = self.columns.entry(column).or_default();
        let last = stretches.last_mut();
        let last = last.filter(|it| it.digits == digits && it.last.checked_add(1) == Some(row));
        if let Some(last) = last {
            last.last = row;
            return Some(());
        }
        self.count += 1;
        stretches.push(Stretch {
            first: row,
            last: row,
            digits,
        });
        (self.count <= STRETCHES_MAX).then_some(())
    }

    /// How many digits a cell shows at least.
    fn digits(&self, (row, column): (u32, u32)) -> usize {
        let Some(stretches) = self.columns.get(&column) else {
            return 0;
        };
        let above = stretches.partition_point(|it| it.last < row);
        let own = stretches.get(above).filter(|it| it.first <= row);
        own.map_or(0, |it| it.digits)
    }

    /// The text of a cell as the sheet shows it.
    pub(super) fn shown<'c>(&self, place: (u32, u32), cell: CellText<'c>) -> CellText<'c> {
        let is_whole = cell.text.bytes().all(|byte| byte.is_ascii_digit());
        if cell.kind != CellKind::Number || !is_whole {
            return cell;
        }
        let digits = self.digits(place);
        if cell.text.len() >= digits {
            return cell;
        }
        CellText {
            text: format!("{:0>digits$}", cell.text).into(),
            kind: cell.kind,
        }
    }
}

/// How many digits the format of a style asks for, where it has zeros alone; else 0.
fn digits_of(style: &Style) -> usize {
    let format = style.number_format.as_ref();
    let code = format.map_or("", |it| it.format_code.as_str());
    // behind it stands what negative numbers and texts are shown as
    let code = code.split(';').next().unwrap_or_default();
    let is_of_zeros = DIGITS.contains(&code.len()) && code.bytes().all(|byte| byte == b'0');
    if is_of_zeros { code.len() } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use calamine::NumberFormat;

    #[test]
    fn a_format_of_zeros_alone_says_how_many_digits_there_are() {
        for (code, digits) in [
            ("00000", 5),
            ("000000000000000000", 18),
            ("00;-00;@", 2),
            ("0", 0),
            ("0.00", 0),
            ("General", 0),
            ("\"No \"000", 0),
            ("", 0),
        ] {
            let mut format = NumberFormat::default();
            format.format_code = code.to_owned();
            let mut style = Style::default();
            style.number_format = Some(format);
            assert_eq!(digits_of(&style), digits, "{code}");
        }
    }

    #[test]
    fn cells_below_each_other_take_no_more_room_than_one_and_there_is_an_end() {
        let mut padding = Padding::default();
        for row in 1..100_000 {
            padding.note((row, 7), 5).expect("room");
        }
        assert_eq!(padding.count, 1);
        assert_eq!(padding.digits((0, 7)), 0);
        assert_eq!(padding.digits((99_999, 7)), 5);
        assert_eq!(padding.digits((5, 6)), 0);
        let mut apart = (0..).step_by(2);
        let is_full = apart.any(|row| padding.note((row, 8), 5).is_none());
        assert!(is_full, "it has an end");
        assert!(padding.count > STRETCHES_MAX);
        assert_eq!((padding.digits((4, 8)), padding.digits((5, 8))), (5, 0));
    }
}
