//! What is known of an import's file before its first row: how rows stand in it, what its columns are for, and what the job
//! tells of it. It reads no row.

use super::marks::MARKS;
use super::tally::{COLUMNS_MAX, NAME_CHARS, shown};
use schema::Schema;
use std::sync::Arc;
use tabular::{
    Encoding, Format, ID_COLUMN, LINE_COLUMN, LostColumn, REASON_COLUMN, Reader, Records, is_system,
};
use wire::manage::{DataFormat, FoundColumn, FoundFile, Packing, UnusedColumn};

/// Why a file is not imported that says of no row which record it is of.
pub(super) const NO_IDS: &str = "the schema has no primary key to find records by, and the file has no column `_dataObjectId`; export \
    the records with their ids and mend that file, or use `create`, by which each row is a new record";

/// Why a file is not imported that says twice of its rows which records they are of.
pub(super) const TWO_IDS: &str = "several columns of the file are called `_dataObjectId`; keep the one by which its rows are found";

/// How rows stand in the file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Source {
    #[default]
    Lines,
    Array,
    Cells {
        delimiter: u8,
        quote: u8,
    },
}

/// What of the rows that can't be stored gets a `'` where a spreadsheet would take it for a formula, and loses it when they are sent
/// again in the same way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Guarded {
    #[default]
    Nothing,
    /// The names of columns, which were read without theirs; cells stand as they came.
    Names,
    /// Cells of a sheet, too: there a text is one without it, and in CSV it would be a formula.
    Cells,
}

/// What is known of the file before its first row.
#[derive(Clone, Debug, Default)]
pub(super) struct FileHead {
    pub(super) source: Source,
    /// The names of its columns, or of the fields that they are for.
    pub(super) names: Vec<String>,
    /// The names of the fields that its rows are read as; all batches share them.
    pub(super) fields: Arc<[String]>,
    /// The columns that are for a field, marks counted with them.
    pub(super) columns_read: Arc<[usize]>,
    pub(super) unused: Vec<UnusedColumn>,
    /// What the file is told to be; once it was opened.
    pub(super) found: Option<FoundFile>,
    /// Whether its rows begin with marks of an import before.
    pub(super) is_marked: bool,
    /// Whether it has columns, and none that says of which records its rows are.
    pub(super) lacks_ids: bool,
    /// Whether a line before its names says what parts its cells.
    pub(super) has_separator_line: bool,
    /// What its rejects begin with: the mark of UTF-8, or nothing.
    pub(super) mark_of_rejects: &'static str,
    pub(super) guarded: Guarded,
}

/// What a reader knows of its file: it is asked before it gives its rows.
pub(super) struct ReadAs {
    source: Source,
    format: Format,
    encoding: Option<Encoding>,
    is_encoding_guessed: bool,
    packing: Option<Packing>,
    sheet: Option<String>,
    sheet_count: Option<u64>,
    has_separator_line: bool,
    mark_of_rejects: &'static str,
    guarded: Guarded,
}

impl ReadAs {
    /// Of a reader whose file was, or was not, written for spreadsheets.
    pub(super) fn of(reader: &Reader, for_spreadsheets: bool) -> Self {
        let format = reader.format();
        let source = match (reader.delimiter(), reader.quote()) {
            (Some(delimiter), Some(quote)) => Source::Cells { delimiter, quote },
            _ if format == Format::JsonArray => Source::Array,
            _ => Source::Lines,
        };
        ReadAs {
            source,
            format,
            encoding: reader.encoding(),
            is_encoding_guessed: reader.is_encoding_guessed(),
            packing: packing_of(reader.packing()),
            sheet: reader.sheet().map(str::to_owned),
            sheet_count: reader.sheet_count().map(|count| count as u64),
            has_separator_line: reader.has_separator_line(),
            mark_of_rejects: reader.copy_mark(),
            guarded: match format {
                _ if !for_spreadsheets => Guarded::Nothing,
                Format::Xlsx => Guarded::Cells,
                Format::Csv | Format::Ndjson | Format::JsonArray => Guarded::Names,
            },
        }
    }
}

impl FileHead {
    pub(super) fn of(schema: &Schema, records: &Records<'_>, read_as: ReadAs) -> Self {
        let names: Vec<String> = match records.header() {
            Some(header) => header.to_vec(),
            None => names_of(schema, records.width()),
        };
        let is_marked = is_marked(&names);
        FileHead {
            source: read_as.source,
            lacks_ids: matches!(read_as.source, Source::Cells { .. })
                && records.id_column().is_none(),
            has_separator_line: read_as.has_separator_line,
            mark_of_rejects: read_as.mark_of_rejects,
            guarded: read_as.guarded,
            fields: records.field_names().map(str::to_owned).collect(),
            columns_read: columns_read(records),
            unused: unused(records.lost_columns()),
            names: names[if is_marked { MARKS } else { 0 }..].to_vec(),
            found: Some(found(records, read_as)),
            is_marked,
        }
    }
}

/// Which of the columns that a file names are for a field.
fn columns_read(records: &Records<'_>) -> Arc<[usize]> {
    let columns = records.columns().enumerate();
    let read = columns.filter_map(|(at, (_, field))| field.map(|_| at));
    read.collect()
}

/// What a file is told to be.
fn found(records: &Records<'_>, read_as: ReadAs) -> FoundFile {
    let (format, has_cells) = match read_as.format {
        Format::Csv => (DataFormat::Csv, true),
        Format::Xlsx => (DataFormat::Xlsx, true),
        Format::Ndjson => (DataFormat::Ndjson, false),
        Format::JsonArray => (DataFormat::Json, false),
    };
    let ids = records.id_column();
    let columns = records.columns().enumerate().map(|(at, (name, field))| {
        let own = (ids == Some(at)).then_some(ID_COLUMN);
        (name, field.or(own))
    });
    let columns = columns.filter(|(name, _)| {
        let is_beside = is_system(name) && *name != ID_COLUMN;
        !is_beside && name.chars().nth(NAME_CHARS).is_none()
    });
    let signs = match read_as.source {
        Source::Cells { delimiter, quote } if format == DataFormat::Csv => Some((delimiter, quote)),
        _ => None,
    };
    let columns = columns.take(COLUMNS_MAX).map(|(name, field)| FoundColumn {
        column: name.to_owned(),
        field: field.map(str::to_owned),
    });
    FoundFile {
        format,
        packing: read_as.packing,
        encoding: read_as.encoding.map(|it| it.name().to_owned()),
        is_encoding_guessed: read_as.is_encoding_guessed,
        delimiter: signs.map(|(delimiter, _)| delimiter.into()),
        quote: signs.map(|(_, quote)| quote.into()),
        header: has_cells.then(|| records.header().is_some()),
        sheet: read_as.sheet,
        sheet_count: read_as.sheet_count,
        columns: columns.collect(),
    }
}

/// What is told of a file's packing; of one that is not packed nothing.
fn packing_of(packing: tabular::Packing) -> Option<Packing> {
    match packing {
        tabular::Packing::None => None,
        tabular::Packing::Gzip => Some(Packing::Gzip),
        tabular::Packing::Zstd => Some(Packing::Zstd),
    }
}

/// Whether several columns say of which records rows are.
pub(super) fn has_two_ids(lost: &[LostColumn]) -> bool {
    let is_of_ids =
        |it: &&LostColumn| matches!(it, LostColumn::Unknown { name, .. } if name == ID_COLUMN);
    lost.iter().filter(is_of_ids).count() > 1
}

/// Whether columns begin with marks of an import before.
pub(super) fn is_marked(names: &[String]) -> bool {
    names.len() > MARKS && names[..MARKS] == [LINE_COLUMN, REASON_COLUMN]
}

/// What so many columns without names are called where their rows are to be mended: as the fields that they are for.
fn names_of(schema: &Schema, width: usize) -> Vec<String> {
    let fields = schema.active_fields().map(|it| it.name.clone());
    let mut names: Vec<String> = fields.take(width).collect();
    names.extend((names.len()..width).map(|column| format!("_column_{}", column + 1)));
    names
}

/// Why a file without any column of a field's name is not imported, with the mappings that are proposed.
pub(super) fn no_names(lost: &[LostColumn]) -> String {
    if let [LostColumn::Only { .. }] = lost {
        let text = "no column of the file has the name of a field, and it was read as one column; say what parts its cells (`delimiter`), map it (`Column=Field`), or say that the first row is one like the others";
        return text.to_owned();
    }
    let proposed = lost.iter().filter_map(LostColumn::proposal);
    let proposed: Vec<_> = proposed.take(5).map(|it| shown(&it)).collect();
    let proposed = if proposed.is_empty() {
        String::new()
    } else {
        format!("; by likeness: {}", proposed.join(", "))
    };
    format!(
        "no column of the file has the name of a field; map them (`Column=Field`{proposed}), or say that the first row \
         is one like the others"
    )
}

/// Columns that go nowhere; marks of an import before, and what an export put beside the fields, are meant to.
fn unused(lost: &[LostColumn]) -> Vec<UnusedColumn> {
    let told = lost.iter().map(|column| match column {
        LostColumn::Unknown { name, near, .. } => UnusedColumn {
            column: shown(name),
            near: near.clone(),
            field: None,
        },
        LostColumn::Only { name } => UnusedColumn {
            column: shown(name),
            near: None,
            field: None,
        },
        LostColumn::Surplus { column } => UnusedColumn {
            column: (column + 1).to_string(),
            near: None,
            field: None,
        },
        LostColumn::Twice { name, field, .. } => UnusedColumn {
            column: shown(name),
            near: None,
            field: Some(field.clone()),
        },
    });
    told.filter(|it| !is_system(&it.column)).collect()
}
