//! What a step of an import notes of how its rows are written, so that people see whether their file was read as they mean it. It
//! judges nothing.

use super::rows::Row;
use super::tally::{COLUMNS_MAX, Tally, shown};
use schema::json::{Node, Value, parse};
use wire::manage::{RowCount, RowPreview, ValuePreview};

/// Texts that show whether an encoding is right, and rows of a dry run that are shown as they would be stored.
const TEXTS_MAX: usize = 3;
const FIRST_ROWS_MAX: usize = 3;

impl Tally {
    /// Notes how rows of a step are written: what may have to be said of their file.
    pub(super) fn read(&mut self, fields: &[String], rows: &[Row]) {
        self.numbers(fields, rows.iter().flat_map(|row| &row.numbers));
        self.dates(fields, rows.iter().flat_map(|row| &row.dates));
        for row in rows.iter().filter(|row| row.has_quote_after_blank) {
            let none = RowCount {
                rows: 0,
                first_line: row.line,
            };
            self.result.quotes_after_blanks.get_or_insert(none).rows += 1;
        }
        let samples = rows.iter().filter_map(|row| row.encoding_sample.as_ref());
        let missing = TEXTS_MAX.saturating_sub(self.result.encoding_samples.len());
        let samples = samples.take(missing).cloned();
        self.result.encoding_samples.extend(samples);
    }

    /// Keeps one of the first rows as it would be stored: what it has itself, whatever else its record has.
    pub(super) fn preview(&mut self, row: &Row) {
        let previews = &mut self.result.first_rows;
        if let Ok(record) = &row.judged
            && previews.len() < FIRST_ROWS_MAX
        {
            previews.push(RowPreview {
                line: row.line,
                values: values_of(record.normal_form()),
            });
        }
    }
}

/// The values of a record that are not missing.
fn values_of(normal_form: &str) -> Vec<ValuePreview> {
    let Ok(Node {
        value: Value::Object(members),
        ..
    }) = parse(normal_form)
    else {
        return Vec::new();
    };
    let values = members.iter().filter_map(|member| {
        let node = &member.value;
        let value = &normal_form[node.start..node.end];
        (value != "null").then(|| ValuePreview {
            field: shown(&member.key),
            value: shown(value),
        })
    });
    values.take(COLUMNS_MAX).collect()
}
