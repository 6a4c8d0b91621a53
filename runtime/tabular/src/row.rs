//! A row as it was found: where it stands, how, and what it holds.

use crate::cells::{Cells, SheetRowCells};
use crate::found::RowFault;
use crate::place::Place;
#[cfg(feature = "xlsx")]
use crate::sheet::SheetReader;

/// A row.
#[derive(Debug)]
pub struct Row<'r> {
    /// Where it begins.
    pub place: Place,
    /// The row as it stands, in UTF-8 unless that is its fault. Empty where it is too long, and of a sheet: only its fields
    /// tell what it is.
    pub raw: &'r [u8],
    /// What it holds, or why it can't be read, and where the fault is.
    pub content: Result<Content<'r>, (RowFault, Place)>,
    /// The sheet it is a row of.
    #[cfg(feature = "xlsx")]
    pub(crate) sheet: Option<&'r SheetReader>,
}

#[cfg(feature = "xlsx")]
impl std::fmt::Debug for SheetReader {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("SheetReader").field(&self.name()).finish()
    }
}

/// What a row holds.
#[derive(Debug)]
pub enum Content<'r> {
    /// What should be a JSON object, as it stands.
    Json,
    /// Cells, as many as the first row has.
    Cells(&'r Cells),
}

impl<'r> Row<'r> {
    /// The place of a cell.
    pub(crate) fn of_cell(&self, cells: &Cells, index: usize) -> Place {
        #[cfg(feature = "xlsx")]
        if let Some(sheet) = self.sheet {
            return sheet.place(index);
        }
        self.at(cells.at(index, self.raw.len()))
    }

    /// Its cells, where it is one of a sheet, which has no text of its own.
    #[cfg_attr(
        not(feature = "xlsx"),
        expect(clippy::unused_self, reason = "without the feature there are none")
    )]
    pub(crate) fn of_sheet(&self) -> Option<SheetRowCells<'r>> {
        #[cfg(feature = "xlsx")]
        return self.sheet.map(SheetReader::row_cells);
        #[cfg(not(feature = "xlsx"))]
        None
    }

    /// The place of a byte of the row as it stands.
    pub(crate) fn at(&self, offset: usize) -> Place {
        self.place.after(&self.raw[..offset.min(self.raw.len())])
    }
}
