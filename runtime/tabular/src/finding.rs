//! What is wrong with a row, as people read it: with the place in the file. It judges nothing.

use crate::cells::Cells;
use crate::columns::Columns;
use crate::found::RowFault;
use crate::place::Place;
use crate::row::Row;
use engine::validate::{Checker, Fault, Rejection};

/// One thing that is wrong, and where. It never holds a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// Where it stands: the value, where there is one, else the row.
    pub place: Place,
    /// The field or column it is about.
    pub field: Option<String>,
    /// The code of the rule, of the rejection or of the row's fault: stable, for programs.
    pub code: &'static str,
    /// What is wrong, in words.
    pub message: String,
}

impl Finding {
    /// Why a row can't be read.
    pub(crate) fn of_row(fault: RowFault, place: Place) -> Self {
        Finding {
            place,
            field: None,
            code: fault.code(),
            message: fault.to_string(),
        }
    }
}

/// Where in a row something stands.
pub(crate) struct Places<'r> {
    pub(crate) row: &'r Row<'r>,
    pub(crate) cells: Option<&'r Cells>,
    pub(crate) columns: &'r Columns,
    pub(crate) checker: &'r Checker,
    /// Whether the row of JSON was told anew, so that bytes of it are none of the file.
    pub(crate) is_renamed: bool,
}

impl Places<'_> {
    pub(crate) fn fault(&self, fault: &Fault) -> Finding {
        Finding {
            place: self.place(Some(fault.field()), fault.offset()),
            field: Some(fault.field().to_owned()),
            code: fault.rule().code(),
            message: fault.to_string(),
        }
    }

    pub(crate) fn rejection(&self, rejection: &Rejection) -> Finding {
        let name = rejection.name.as_deref();
        let text = rejection.text();
        // the byte is one of the record, which says nothing to who reads a file
        let text = text
            .rsplit_once(" at byte ")
            .map_or(&*text, |(text, _)| text);
        let text = text.rsplit_once(", see ").map_or(text, |(text, _)| text);
        Finding {
            place: self.place(name, Some(rejection.offset)),
            field: name.map(str::to_owned),
            code: rejection.code.name(),
            message: text.to_owned(),
        }
    }

    /// The place of a field's value: of its cell, or of a byte of the row's JSON.
    fn place(&self, field: Option<&str>, offset: Option<usize>) -> Place {
        let Some(cells) = self.cells else {
            let offset = offset.filter(|_| !self.is_renamed);
            return offset.map_or(self.row.place, |offset| self.row.at(offset));
        };
        let fields = self.checker.fields();
        let column = self
            .columns
            .fields
            .iter()
            .position(|index| index.is_some_and(|index| Some(fields[index].name()) == field));
        column.map_or(self.row.place, |column| self.row.of_cell(cells, column))
    }
}
