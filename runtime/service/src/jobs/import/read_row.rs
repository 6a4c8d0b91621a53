//! A row of an import's file as it was read: what it says, what marks of an import before stood before it, and how it goes among
//! the rejected ones if it can't be stored. It judges nothing.

use super::file_head::{FileHead, Guarded, Source};
use super::marks::{MARKS, behind_cells, behind_marks, held_row};
use super::tally::shown;
use std::borrow::Cow;
use tabular::{Body, Cells, DateTexts, NumberTexts, RowFault};
use wire::manage::TextSample;

/// Why a row can't be stored.
#[derive(Clone, Debug)]
pub(super) struct Reason {
    pub(super) code: String,
    pub(super) message: String,
}

/// A row that was read and not judged.
pub(super) struct ReadRow {
    pub(super) line: u64,
    /// Whether marks of an import before stood before it.
    pub(super) is_marked: bool,
    /// Whether it has cells, and nothing in any of them.
    pub(super) is_blank: bool,
    pub(super) raw: Vec<u8>,
    pub(super) cells: Option<Vec<Option<String>>>,
    /// What it says, as JSON; empty where that is how it stands.
    pub(super) body: Vec<u8>,
    pub(super) id: Option<String>,
    pub(super) version: Option<String>,
    pub(super) numbers: Vec<(usize, NumberTexts)>,
    pub(super) dates: Vec<(usize, DateTexts)>,
    pub(super) has_quote_after_blank: bool,
    /// A text that shows whether the encoding is right, where it was guessed.
    pub(super) encoding_sample: Option<TextSample>,
    pub(super) fault: Option<Reason>,
}

impl ReadRow {
    pub(super) fn of(row: &Body<'_>, head: &FileHead) -> Self {
        let (unmarked, behind) = match head.source {
            Source::Lines | Source::Array => (behind_marks(row.raw), row.raw),
            Source::Cells { delimiter, quote } if head.is_marked => {
                (None, behind_cells(row.raw, MARKS, delimiter, quote))
            }
            Source::Cells { .. } => (None, row.raw),
        };
        let with_brace = |rest: &[u8]| [b"{", rest].concat();
        let held = unmarked.and_then(held_row);
        let is_held = held.is_some();
        let raw = held.unwrap_or_else(|| unmarked.map_or_else(|| behind.to_vec(), with_brace));
        // the text of a row that has marks, or none, can't be repeated as it is
        let skipped = if head.is_marked { MARKS } else { 0 };
        let is_blank = row.cells.is_some_and(|cells| cells.is_blank_from(skipped));
        let cells = row
            .cells
            .filter(|_| head.is_marked || row.raw.is_empty())
            .map(|cells| {
                let cell = |index| match head.guarded {
                    Guarded::Cells => cells.guarded(index).map(Cow::into_owned),
                    Guarded::Nothing | Guarded::Names => cells.get(index).map(str::to_owned),
                };
                (skipped..cells.count()).map(cell).collect()
            });
        let (body, fault) = match &row.text {
            Ok(body) if row.is_renamed && !is_held => {
                let rest = behind_marks(body);
                (rest.map_or_else(|| body.to_vec(), with_brace), None)
            }
            Ok(_) if row.cells.is_none() => (Vec::new(), None),
            Ok(body) => {
                let marked = row.cells.filter(|_| head.is_marked);
                let reason = marked.and_then(|cells| unmended(cells, &head.columns_read));
                (body.to_vec(), reason)
            }
            Err(finding) => {
                let reason = Reason {
                    code: finding.code.to_owned(),
                    message: finding.message.clone(),
                };
                (Vec::new(), Some(reason))
            }
        };
        ReadRow {
            line: row.place.line,
            is_marked: unmarked.is_some(),
            is_blank,
            raw,
            cells,
            body,
            id: row.id.map(str::to_owned),
            version: row.version.map(str::to_owned),
            numbers: Vec::new(),
            dates: Vec::new(),
            has_quote_after_blank: false,
            encoding_sample: encoding_sample(row, head),
            fault,
        }
    }

    pub(super) fn text(&self) -> &[u8] {
        if self.body.is_empty() {
            &self.raw
        } else {
            &self.body
        }
    }
}

/// The first text of a row that has more than ASCII.
fn encoding_sample(row: &Body<'_>, head: &FileHead) -> Option<TextSample> {
    let is_guessed = head.found.as_ref().is_some_and(|it| it.is_encoding_guessed);
    if !is_guessed || row.raw.is_ascii() {
        return None;
    }
    let cells = row.cells?;
    let skipped = if head.is_marked { MARKS } else { 0 };
    let mut columns = skipped..cells.count();
    let column = columns.find(|at| cells.get(*at).is_some_and(|text| !text.is_ascii()))?;
    Some(TextSample {
        line: row.place.line,
        column: head.names.get(column - skipped).map(|name| shown(name)),
        text: shown(cells.get(column)?.trim()),
    })
}

/// Why a row is left out as it was before, where its mark says that a cell of a sheet had no value that can be read, and
/// what is told in its place still stands in a column that is for a field: as text it would be taken for one.
fn unmended(cells: &Cells, columns_read: &[usize]) -> Option<Reason> {
    let told = cells.get(MARKS - 1)?;
    let texts = columns_read.iter().filter_map(|index| cells.get(*index));
    let fault = RowFault::still(told, texts)?;
    Some(Reason {
        code: fault.code().to_owned(),
        message: fault.to_string(),
    })
}
