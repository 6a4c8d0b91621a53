//! What may be said of an import and of an export: the same words in the query of a route, in the job's row and in the
//! program's commands.

use serde::{Deserialize, Serialize};

/// How rows stand in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum DataFormat {
    /// CSV: cells with a delimiter between them.
    Csv,
    /// JSON, an object on each line.
    Ndjson,
    /// JSON, one array of objects.
    Json,
    /// A workbook of Excel.
    Xlsx,
    /// Parquet: columns of types. It is written, not read.
    Parquet,
}

impl DataFormat {
    /// Its name, which is also how names of such files end.
    pub fn as_str(self) -> &'static str {
        match self {
            DataFormat::Csv => "csv",
            DataFormat::Ndjson => "ndjson",
            DataFormat::Json => "json",
            DataFormat::Xlsx => "xlsx",
            DataFormat::Parquet => "parquet",
        }
    }
}

/// How a file is packed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Packing {
    /// Not at all.
    #[default]
    None,
    /// With gzip.
    Gzip,
    /// With zstd.
    Zstd,
}

/// What stands before the decimals of a number that is text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum DecimalMark {
    /// `1,234.50`
    Point,
    /// `1.234,50`
    Comma,
}

impl DecimalMark {
    /// Its name.
    pub fn as_str(self) -> &'static str {
        match self {
            DecimalMark::Point => "point",
            DecimalMark::Comma => "comma",
        }
    }
}

/// How days and times of a file are written that are text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum DateReading {
    /// As their fields have them, or as ISO 8601.
    Field,
    /// Month, day and year, as in `3/4/2024` and `3/4/2024 5:06 PM`.
    Us,
    /// Day, month and year, as in `4.3.2024` and `4/3/2024 17:06`.
    European,
    /// Year, month, day and time with a zone, as in `2024-04-03 10:00:00+02`; in a field of days the time is midnight.
    Timestamp,
    /// Digits alone, as in `20240403` and `20240403T100000Z`.
    Compact,
}

impl DateReading {
    /// All of them.
    pub const ALL: [Self; 5] = [
        DateReading::Field,
        DateReading::Us,
        DateReading::European,
        DateReading::Timestamp,
        DateReading::Compact,
    ];

    /// Its name.
    pub fn as_str(self) -> &'static str {
        match self {
            DateReading::Field => "field",
            DateReading::Us => "us",
            DateReading::European => "european",
            DateReading::Timestamp => "timestamp",
            DateReading::Compact => "compact",
        }
    }
}

/// What an import does with the records that are there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum ImportMode {
    /// Each row is a new record; one whose primary key is taken is left out.
    #[default]
    Create,
    /// Each row changes the record of its `_dataObjectId`, where the file says it, else of its primary key; one without such a
    /// record is left out. What a row has no column for stays, an empty cell clears.
    Update,
    /// As `update`, and a row without such a record is a new one.
    Upsert,
    /// As `upsert`, and what a row has no column for is cleared.
    Replace,
}

/// What is said of an import; what is not said of the file is found.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
#[allow(
    clippy::struct_excessive_bools,
    reason = "a document has independent switches"
)]
pub struct ImportOptions {
    /// What becomes of records that are there.
    pub mode: ImportMode,
    /// Whether records that the file does not have are deleted; with `replace` only.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub delete_missing: bool,
    /// Whether rows count whatever `_version` they have. Without, a row whose `_version` is not the record's is left out.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub ignore_version: bool,
    /// Whether it is only tried: everything is judged, nothing is written.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub dry_run: bool,
    /// How rows stand in the file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub format: Option<DataFormat>,
    /// How its text is encoded: a name of the Encoding Standard, such as `utf-8`, `utf-16le`, `windows-1250`, `iso-8859-2` or
    /// `shift_jis`, or `cp437` or `cp850`. Without, it is found by the whole of the file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub encoding: Option<String>,
    /// What parts its cells: one ASCII character.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub delimiter: Option<char>,
    /// What stands around its cells that hold a delimiter: `"` or `'`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub quote: Option<char>,
    /// Whether its first row has the names of its columns.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub header: Option<bool>,
    /// The sheet of a workbook, by name; without, the first that is not hidden.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sheet: Option<String>,
    /// Fields of columns, or of members of JSON, that don't have the field's name, each as `Column=Field`; `Column=` leaves one out.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub map: Vec<String>,
    /// What parts the values of a cell that holds several, beside JSON arrays.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub split: Option<char>,
    /// What stands before the decimals of numbers that are text, in CSV and in text cells of a workbook. Without, a point does,
    /// and `12.000` is neither a whole number nor a currency: it is a fault.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decimal_mark: Option<DecimalMark>,
    /// How days and times are written that are text, in CSV and in text cells of a workbook. Without, as their fields have them, or as
    /// ISO 8601.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub date_format: Option<DateReading>,
    /// Words of cells that stand for true in fields of truth, whatever their case, with commas between them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub true_words: Option<String>,
    /// Words that stand for false, likewise.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub false_words: Option<String>,
    /// Words of cells that stand for no value in any field, letter by letter, with commas between them, as in `NULL,\N`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub null_words: Option<String>,
    /// Whether the file was written with its texts guarded against spreadsheets: the guard is taken off.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub for_spreadsheets: bool,
    /// What the file is called, for people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file_name: Option<String>,
    /// A dry run of the same maker's into the same dataset, by its job's id: its file is imported, and none is sent. It is kept as
    /// long as files of jobs are.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file_of: Option<String>,
}

/// What is said of an export.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct ExportOptions {
    /// How rows stand in the file; NDJSON unless said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub format: Option<DataFormat>,
    /// How it is packed.
    pub packing: Packing,
    /// What parts its cells: one ASCII character; a comma unless said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub delimiter: Option<char>,
    /// What parts the values of a cell that holds several; without, they are a JSON array.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub split: Option<char>,
    /// Whether texts are guarded against spreadsheets, which take some for formulas.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub for_spreadsheets: bool,
    /// Whether the ids of records stand before their fields, as `_dataObjectId`: by them, an import finds the records that its rows
    /// are of, also where the schema has no primary key.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub with_ids: bool,
    /// Whether what is wrong with records stands before their fields, as `_errors`, in words for people. An import passes it over.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub with_errors: bool,
    /// The fields, by name, in this order; without, and where it is empty, all active ones in the order of the schema.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub fields: Vec<String>,
    /// Which records: as `query` of a search; without, all of the dataset.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub query: Option<String>,
    /// Only these records, by `_dataObjectId`, 10,000 at most; goes without `query`. Those that are deleted by then are left
    /// out. Where it is empty, all of the dataset.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub records: Vec<String>,
}
