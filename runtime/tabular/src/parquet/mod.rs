//! Records as a Parquet file: a column a field, of the field's own type, in row groups. A column can't hold what is not
//! of its type, and faulty records have such values: they stand as JSON in a last column, so that none is lost. It reads
//! no Parquet.

mod column;
mod kind;

use crate::mapping::WrongMapping;
use crate::record_writer::FileColumns;
use crate::values::Value;
use column::Column;
use kind::Kind;
use parquet::errors::ParquetError as Failure;
use parquet::file::properties::{WriterProperties, WriterVersion};
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::Type;
use schema::Schema;
use schema::json::{SyntaxError, write_string};
use std::io::{self, Write};
use std::sync::Arc;

/// Records of a row group.
const GROUP_RECORDS: usize = 1 << 16;
/// Bytes of records, as JSON, of a row group; what is in memory is about as much.
const GROUP_BYTES: usize = 8 << 20;

/// The last column: a JSON object with what the other columns can't hold.
pub const UNFIT_COLUMN: &str = "_unfit";

/// Writes records into a Parquet file.
///
/// | type of the field | column |
/// | - | - |
/// | `integer`, `date-year`, `date-month`, `date-day` | `INT64` |
/// | `float`, `latitude`, `longitude` | `DOUBLE` |
/// | `currency` | `DECIMAL(29, 2)` |
/// | `boolean` | `BOOLEAN` |
/// | `date` | `DATE` |
/// | `datetime` | `TIMESTAMP(MICROS)`, of no zone |
/// | `time` | `TIME(MICROS)`, of no zone |
/// | any other | `STRING` |
///
/// A field of several values is a `LIST`. Each may be null.
pub struct ParquetWriter<W: Write + Send> {
    file: SerializedFileWriter<W>,
    chosen: FileColumns,
    columns: Vec<Column>,
    unfit: Column,
    records: usize,
    bytes: usize,
}

/// Why records can't be written.
#[derive(Debug)]
pub enum ParquetError {
    /// A column that no active field has the name of.
    Column(WrongMapping),
    /// The record is no flat JSON object.
    Syntax(SyntaxError),
    /// It can't be written.
    Write(io::Error),
}

impl std::fmt::Display for ParquetError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            ParquetError::Column(_) => "a column can't be written",
            ParquetError::Syntax(_) => "a record can't be read",
            ParquetError::Write(_) => "the Parquet file can't be written",
        })
    }
}

impl std::error::Error for ParquetError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(match self {
            ParquetError::Column(wrong) => wrong,
            ParquetError::Syntax(error) => error,
            ParquetError::Write(error) => error,
        })
    }
}

impl From<Failure> for ParquetError {
    fn from(failure: Failure) -> Self {
        ParquetError::Write(match failure {
            Failure::External(error) => match error.downcast::<io::Error>() {
                Ok(error) => *error,
                Err(error) => io::Error::other(error),
            },
            failure => io::Error::other(failure),
        })
    }
}

impl<W: Write + Send> ParquetWriter<W> {
    /// A writer for records of a schema; `columns` are names of active fields, none of them stands for all.
    ///
    /// # Errors
    /// A column that is none, or what `out` says.
    pub fn new(schema: &Schema, columns: &[String], out: W) -> Result<Self, ParquetError> {
        let chosen = FileColumns::new(schema, columns).map_err(ParquetError::Column)?;
        let of_name = |name: &String| {
            let field = schema.active_fields().find(|field| field.name == *name);
            // INVARIANT: a chosen column is an active field's
            field.map_or_else(
                || Column::new(name, Kind::Text, false),
                |field| Column::new(name, Kind::of(field), field.multivalue == Some(true)),
            )
        };
        let columns: Vec<Column> = chosen.names.iter().map(of_name).collect();
        let mut last = UNFIT_COLUMN.to_owned();
        while chosen.names.contains(&last) {
            last.push('_');
        }
        let unfit = Column::new(&last, Kind::Text, false);
        let types = columns.iter().chain([&unfit]).map(Column::of_file);
        let root = Type::group_type_builder("record");
        let root = root.with_fields(types.collect::<Result<_, _>>()?).build()?;
        let properties = WriterProperties::builder()
            .set_writer_version(WriterVersion::PARQUET_1_0)
            .set_compression(parquet::basic::Compression::SNAPPY)
            .set_created_by("fieldstone".to_owned());
        let file = SerializedFileWriter::new(out, Arc::new(root), Arc::new(properties.build()))?;
        Ok(ParquetWriter {
            file,
            chosen,
            columns,
            unfit,
            records: 0,
            bytes: 0,
        })
    }

    /// Writes a record in its normal form.
    ///
    /// # Errors
    /// When it is no flat JSON object, or what the file says.
    pub fn record(&mut self, normal_form: &str) -> Result<(), ParquetError> {
        let mut values = vec![None; self.columns.len()];
        let read = self.chosen.each(normal_form, |column, value, raw| {
            values[column] = Some((value, raw));
        });
        read.map_err(ParquetError::Syntax)?;
        let mut unfit = String::new();
        for (column, value) in self.columns.iter_mut().zip(values) {
            let (value, raw) = value.unwrap_or((Value::Missing, ""));
            if column.push(&value) {
                continue;
            }
            unfit.push(if unfit.is_empty() { '{' } else { ',' });
            write_string(&mut unfit, column.name());
            unfit.push(':');
            unfit.push_str(raw);
        }
        let unfit = if unfit.is_empty() {
            Value::Missing
        } else {
            unfit.push('}');
            Value::Text(unfit.into())
        };
        self.unfit.push(&unfit);
        self.records += 1;
        self.bytes += normal_form.len();
        if self.records >= GROUP_RECORDS || self.bytes >= GROUP_BYTES {
            self.write_group()?;
        }
        Ok(())
    }

    fn write_group(&mut self) -> Result<(), Failure> {
        let mut group = self.file.next_row_group()?;
        for column in self.columns.iter_mut().chain([&mut self.unfit]) {
            if let Some(mut writer) = group.next_column()? {
                column.write(&mut writer)?;
                writer.close()?;
            }
        }
        group.close()?;
        (self.records, self.bytes) = (0, 0);
        Ok(())
    }

    /// Writes what is left and the file's end.
    ///
    /// # Errors
    /// What the file says.
    pub fn finish(mut self) -> Result<(), ParquetError> {
        if self.records > 0 {
            self.write_group()?;
        }
        let mut out = self.file.into_inner()?;
        // one that is dropped with bytes in it tells nobody that they are lost
        out.flush().map_err(ParquetError::Write)
    }
}
