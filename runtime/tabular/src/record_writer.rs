//! Records as rows of a file: CSV with the names of its columns, or NDJSON; all fields, or those that were chosen, in
//! that order. It writes text and opens no file.

use crate::mapping::WrongMapping;
use crate::system_columns::{ERRORS_COLUMN, ID_COLUMN};
use crate::values::{self, Value};
use crate::write::CsvWriter;
use schema::Schema;
use schema::json::{SyntaxError, write_string};
use std::borrow::Cow;

/// How records are written as text.
#[derive(Clone, Copy, Debug)]
pub enum TextFormat {
    /// CSV, the names of the columns first.
    Csv(CsvWriter),
    /// JSON, an object on each line.
    Ndjson,
}

/// Writes records as text.
///
/// ```
/// use schema::{DataType, Field, Schema};
/// use tabular::{CsvWriter, RecordWriter, TextFormat};
///
/// let fields = ["Name", "Founded"].map(|name| Field::new(name, name, DataType::String));
/// let schema = Schema { fields: fields.into(), ..Schema::default() };
/// let columns = ["Founded".to_owned(), "Name".to_owned()];
/// let writer = RecordWriter::new(&schema, TextFormat::Csv(CsvWriter::default()), &columns)?;
/// let mut file = String::new();
/// writer.header(&mut file);
/// writer.record(r#"{"Name":"Munich","Founded":"1158-06-14"}"#, &mut file)?;
/// assert_eq!(file, "Founded,Name\n1158-06-14,Munich\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct RecordWriter {
    format: TextFormat,
    columns: FileColumns,
}

impl RecordWriter {
    /// A writer for records of a schema. `columns` are names of active fields; where there are none, it is all fields
    /// in the schema's order. [`ID_COLUMN`] and [`ERRORS_COLUMN`] are columns, too, where records have such a member.
    ///
    /// # Errors
    /// A column that no active field has the name of.
    pub fn new(
        schema: &Schema,
        format: TextFormat,
        columns: &[String],
    ) -> Result<Self, WrongMapping> {
        let columns = FileColumns::new(schema, columns)?;
        Ok(RecordWriter { format, columns })
    }

    /// Appends what comes before the first record: the names of the columns, where the format has them.
    pub fn header(&self, out: &mut String) {
        if let TextFormat::Csv(csv) = &self.format {
            csv.head(self.columns.names.iter().map(String::as_str), out);
        }
    }

    /// Appends a record in its normal form, with the end of its line.
    ///
    /// # Errors
    /// When the text is no flat JSON object; nothing is appended then.
    pub fn record(&self, normal_form: &str, out: &mut String) -> Result<(), SyntaxError> {
        match &self.format {
            TextFormat::Csv(csv) => {
                let mut cells = vec![None; self.columns.names.len()];
                self.columns.each(normal_form, |column, value, _| {
                    cells[column] = csv.text(value);
                })?;
                csv.row(cells.iter().map(Option::as_deref), out);
            }
            TextFormat::Ndjson => {
                let mut members = vec!["null"; self.columns.names.len()];
                self.columns.each(normal_form, |column, _, raw| {
                    members[column] = raw;
                })?;
                self.object(&members, out);
            }
        }
        Ok(())
    }

    fn object(&self, members: &[&str], out: &mut String) {
        out.push('{');
        for (index, (name, raw)) in self.columns.names.iter().zip(members).enumerate() {
            if index > 0 {
                out.push(',');
            }
            write_string(out, name);
            out.push(':');
            out.push_str(raw);
        }
        out.push_str("}\n");
    }
}

/// The columns of a file that is written.
#[derive(Clone, Debug)]
pub(crate) struct FileColumns {
    pub(crate) names: Vec<String>,
}

impl FileColumns {
    pub(crate) fn new(schema: &Schema, columns: &[String]) -> Result<Self, WrongMapping> {
        let fields: Vec<&str> = schema.active_fields().map(|it| it.name.as_str()).collect();
        let system = [ID_COLUMN, ERRORS_COLUMN];
        let is_wrong =
            |column: &&String| !fields.contains(&&***column) && !system.contains(&&***column);
        if let Some(wrong) = columns.iter().find(is_wrong) {
            return Err(WrongMapping::no_field(wrong, &fields));
        }
        let mut names: Vec<String> = Vec::new();
        for name in columns {
            // a column that is named twice is one
            if !names.contains(name) {
                names.push(name.clone());
            }
        }
        if names.is_empty() {
            names = fields.into_iter().map(str::to_owned).collect();
        }
        Ok(FileColumns { names })
    }

    /// Gives each value of a record that has a column.
    pub(crate) fn each<'r>(
        &self,
        normal_form: &'r str,
        mut take: impl FnMut(usize, Value<'r>, &'r str),
    ) -> Result<(), SyntaxError> {
        // columns are mostly in the order of the record
        let mut next = 0;
        values::each(normal_form, |name: Cow<'_, str>, value, raw| {
            let is_next = self.names.get(next).is_some_and(|column| *column == name);
            let column = if is_next {
                Some(next)
            } else {
                self.names.iter().position(|column| *column == name)
            };
            if let Some(column) = column {
                next = column + 1;
                take(column, value, raw);
            }
        })
    }
}
