//! Which sheet of an Excel file is read: the one that is named, or the first that is seen where the file is opened.

use calamine::{Sheet, SheetType, SheetVisible};
use std::io;

/// Names of sheets that are told.
const NAMES_TOLD: usize = 20;

/// The sheet that is read.
#[derive(Debug, Default)]
pub(super) struct SheetChoice {
    pub(super) name: String,
    /// How many there are, hidden ones too.
    pub(super) count: usize,
}

/// The sheet with this name, or the first that is not hidden; where all are, the first.
pub(super) fn choose(sheets: &[Sheet], sheet: Option<&str>) -> io::Result<SheetChoice> {
    let sheets = sheets.iter();
    let sheets: Vec<&Sheet> = sheets.filter(|it| it.typ == SheetType::WorkSheet).collect();
    let found = match sheet {
        None => {
            let mut seen = sheets.iter();
            let seen = seen.find(|it| it.visible == SheetVisible::Visible);
            seen.or(sheets.first())
        }
        Some(sheet) => sheets.iter().find(|it| it.name == sheet),
    };
    if let Some(found) = found {
        return Ok(SheetChoice {
            name: found.name.clone(),
            count: sheets.len(),
        });
    }
    let told = match sheet {
        Some(sheet) => {
            let names = sheets.iter().map(|it| it.name.as_str());
            let some: Vec<&str> = names.take(NAMES_TOLD).collect();
            format!("it has no sheet {sheet:?}, but {some:?}")
        }
        None => "it has no sheet".to_owned(),
    };
    Err(io::Error::new(
        io::ErrorKind::InvalidInput,
        format!("the Excel file: {told}"),
    ))
}
