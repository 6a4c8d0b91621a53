//! What was pasted, as a form brings it: cells, and the places in the grid that they are for.

use super::super::cell::field;
use super::super::gone_fields::gone;
use super::super::numbers::grouped;
use super::super::original::plain;
use super::super::places::Place;
use super::super::shown_versions::{ShownVersion, shown_versions};
use super::super::texts::{Texts, filled};
use super::super::visit::Form;
use schema::Field;
use service::Refusal;
use std::collections::HashMap;

/// What was pasted, and where.
pub(super) struct Asked {
    /// The fields from the cell that was pasted into, by their ids.
    pub(super) fields: Vec<String>,
    /// The records from there on: their ids, each with the version that was shown, if one was.
    pub(super) records: Vec<ShownVersion>,
    /// The versions that may be written over though others were shown before, by the records' ids.
    pub(super) over: HashMap<String, i64>,
    /// The cells, a row each; there may be more than places for them.
    pub(super) cells: Vec<Vec<String>>,
    /// The version of the schema that the page has from which it comes.
    pub(super) schema: String,
    /// The query of the list that was pasted into, to which one goes back.
    pub(super) list: String,
}

impl Asked {
    pub(super) fn of(form: &Form) -> Result<Self, Refusal> {
        let cells: Vec<Vec<String>> = serde_json::from_str(form.text("cells")).map_err(|_| {
            Refusal::Parameter("`cells` is no array of rows, each an array of texts".into())
        })?;
        let over = shown_versions(form.all("over"));
        let over = over.filter_map(|(id, version)| Some((id, version?)));
        Ok(Asked {
            fields: form.all("field").map(str::to_owned).collect(),
            records: shown_versions(form.all("record")).collect(),
            over: over.collect(),
            cells: cells
                .into_iter()
                .map(|row| row.iter().map(|cell| plain(cell)).collect())
                .collect(),
            schema: form.text("schema").to_owned(),
            list: form.text("list").to_owned(),
        })
    }

    /// The fields that values are pasted into; none for a column that holds files.
    pub(super) fn fields_of<'p>(&self, place: &'p Place) -> Vec<Option<&'p Field>> {
        self.fields.iter().map(|id| field(place, id).ok()).collect()
    }

    /// The names of the fields that something was pasted into and that can't be filled in any more.
    pub(super) fn gone<'p>(&self, place: &'p Place) -> Vec<&'p str> {
        let fields = self.fields.iter().enumerate();
        let pasted = fields.filter(|(at, _)| self.is_pasted(*at));
        let gone = gone(place, pasted.map(|(_, id)| &**id), &self.schema);
        gone.into_iter().map(|field| &*field.name).collect()
    }

    /// Whether something was pasted into a column.
    fn is_pasted(&self, at: usize) -> bool {
        let mut rows = self.cells.iter();
        rows.any(|row| row.get(at).is_some_and(|cell| !cell.is_empty()))
    }

    /// What has no place: rows behind the last record, and of each row what is behind the last field or in a column of
    /// files, as a spreadsheet takes it.
    pub(super) fn beyond(&self, place: &Place) -> String {
        let fields = self.fields_of(place);
        let has_place = |at: usize| fields.get(at).is_some_and(Option::is_some);
        let mut lines = Vec::new();
        for (at, row) in self.cells.iter().enumerate() {
            let cells = row.iter().enumerate();
            let left = cells.filter(|(column, _)| at >= self.records.len() || !has_place(*column));
            let left: Vec<_> = left.map(|(_, cell)| quoted(cell)).collect();
            if left.iter().any(|cell| !cell.is_empty()) {
                lines.push(left.join("\t"));
            }
        }
        lines.join("\n")
    }

    /// Why some of it has no place, each reason with how much.
    pub(super) fn left_out(&self, place: &Place, texts: &Texts) -> Vec<String> {
        let is_filled = |row: &&Vec<String>| row.iter().any(|cell| !cell.is_empty());
        let rows = self.cells.iter().skip(self.records.len());
        let rows = rows.filter(is_filled).count();
        let behind = self.cells.iter().take(self.records.len());
        let behind = behind.filter_map(|row| row.iter().rposition(|cell| !cell.is_empty()));
        let columns = behind.max().map_or(0, |last| last + 1);
        let columns = columns.saturating_sub(self.fields.len());
        let own = &texts.paste;
        let counts = [(own.rows_left, rows), (own.columns_left, columns)];
        let counts = counts.into_iter().filter(|(_, count)| *count > 0);
        let told = counts.map(|(text, count)| filled(text, &[&grouped(count as u64, texts)]));
        let shut = self.shut(place).join(", ");
        let shut = (!shut.is_empty()).then(|| filled(own.columns_shut, &[&shut]));
        told.chain(shut).collect()
    }

    /// The names of the columns that something was pasted into and that take nothing, though their fields are there.
    fn shut<'p>(&self, place: &'p Place) -> Vec<&'p str> {
        let fields = self.fields.iter().zip(self.fields_of(place)).enumerate();
        let shut = fields.filter(|(at, (_, open))| open.is_none() && self.is_pasted(*at));
        let named = shut.filter_map(|(_, (id, _))| {
            let mut active = place.version().schema.active_fields();
            active.find(|field| field.id == *id)
        });
        named.map(|field| &*field.name).collect()
    }

    /// What is left of it when only the refused rows are looked at.
    pub(super) fn of_refused(&self, refused: &HashMap<String, String>) -> Self {
        let rows = self.records.iter().zip(&self.cells);
        let left = rows.filter(|((id, _), _)| refused.contains_key(id));
        let (records, cells) = left
            .map(|(record, row)| (record.clone(), row.clone()))
            .unzip();
        Asked {
            fields: self.fields.clone(),
            schema: self.schema.clone(),
            list: self.list.clone(),
            over: HashMap::new(),
            records,
            cells,
        }
    }
}

/// A cell as spreadsheets write it between tabs.
fn quoted(cell: &str) -> String {
    if cell.contains(['\t', '\n', '"']) {
        format!("\"{}\"", cell.replace('"', "\"\""))
    } else {
        cell.to_owned()
    }
}
