//! Data files: rows out of CSV and JSON, packed or not, in any encoding that has a name in the Encoding Standard; cells as values of their fields;
//! records written as CSV and NDJSON, packed or not. It holds one row at a time, judges nothing itself, and knows no database and no HTTP: a
//! cell means the same for every door that reads files.
//!
//! | name | what it is for |
//! | - | - |
//! | [`Reader`] | rows out of a file, each with its place |
//! | [`CellRule`] | the text of a cell as a value of its field |
//! | [`DecimalMark`] | the sign before the decimals of numbers that stand as text |
//! | [`DateReading`] | how days and times are written that stand as text |
//! | [`CellWords`] | words for truth and for no value |
//! | [`Mapping`] | which field a column or a member is for |
//! | [`Records`] | rows as judged records |
//! | [`RecordWriter`] | records as CSV or NDJSON |
//! | [`CsvWriter`] | rows as CSV |
//! | `SheetWriter` | records as an Excel file, with the feature `xlsx` |
//! | `ParquetWriter` | records as a Parquet file, with the feature `parquet` |
//! | [`Packer`] | files packed with gzip or zstd |
//! | `infer` | a schema proposed from a file, with the evidence, with the feature `infer` |
//!
//! An empty cell is a missing value, and `""` is empty text, which only a `string` field tells apart. Rows of empty cells
//! before the first that has a value are none. Places count in the text as it is when unpacked and in UTF-8.

mod array;
mod bracket;
mod cell_words;
mod cells;
mod code_page;
mod columns;
mod convert;
mod damage;
mod date_reading;
mod decimal_mark;
mod decode;
mod encoding;
mod field_cells;
mod field_names;
mod finding;
mod first_row;
mod foreign;
mod format;
mod found;
mod guard;
mod gzip;
#[cfg(feature = "infer")]
mod infer;
#[cfg(feature = "infer")]
mod keys;
mod likeness;
mod lines;
mod looks;
mod lost_column;
mod mapping;
mod members;
mod moment_rule;
mod pack;
mod padded_codes;
#[cfg(feature = "parquet")]
mod parquet;
mod place;
mod reader;
mod reckoned;
mod record_writer;
mod records;
mod row;
mod settings;
#[cfg(feature = "xlsx")]
mod sheet;
mod survey;
mod system_columns;
mod unpack;
mod values;
mod window;
mod write;

pub use cell_words::CellWords;
pub use cells::Cells;
pub use convert::CellRule;
pub use date_reading::{DateReading, DateTexts};
pub use decimal_mark::{DecimalMark, NumberSign, NumberTexts};
pub use encoding::Encoding;
pub use field_names::FieldNames;
pub use finding::Finding;
pub use format::Format;
pub use found::{ROW_BYTES_MAX, ROW_CELLS_MAX, RowFault};
#[cfg(feature = "infer")]
pub use infer::{
    Bounds, Evidence, NoProposal, Observation, ObservationKind, Proposal, infer, infer_within,
};
#[cfg(feature = "infer")]
pub use keys::{Keys, Twice};
pub use looks::doubled;
pub use lost_column::LostColumn;
pub use mapping::{Mapping, WrongMapping, require_one_each};
pub use pack::{Packer, Packing};
#[cfg(feature = "parquet")]
pub use parquet::{ParquetError, ParquetWriter, UNFIT_COLUMN};
pub use place::Place;
pub use reader::{Options, Reader};
pub use record_writer::{RecordWriter, TextFormat};
pub use records::{Body, Judged, Records};
pub use row::{Content, Row};
pub use settings::{OpenError, Settings};
#[cfg(feature = "xlsx")]
pub use sheet::{SHEET_RECORDS_MAX, SheetCells, SheetError, SheetWriter};
pub use system_columns::{
    ERRORS_COLUMN, ID_COLUMN, LINE_COLUMN, REASON_COLUMN, VERSION_COLUMN, is_system,
};
pub use unpack::is_packed;
pub use write::CsvWriter;
