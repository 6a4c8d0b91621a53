//! What is said of imports and exports, judged when they are asked for: what contradicts itself is told before anything
//! is sent, and never by a job that fails later. What a file has to say, nobody knows here.

use crate::search::is_personal;
use crate::{DatasetPermit, Permit as _, Refusal};
use schema::Schema;
use store::catalog::Verb;
use tabular::{
    CellWords, CsvWriter, DateReading, DecimalMark, ERRORS_COLUMN, Encoding, Format, ID_COLUMN,
    Mapping, NumberSign, Options, Packing, RecordWriter, TextFormat, WrongMapping,
    require_one_each,
};
use wire::manage::{DataFormat, ExportOptions, ImportMode, ImportOptions, Problem};

/// What an import's maker must be allowed to do with records.
pub(super) fn verbs(options: &ImportOptions) -> Vec<Verb> {
    let mut verbs = match options.mode {
        ImportMode::Create => vec![Verb::Add],
        ImportMode::Update => vec![Verb::View, Verb::Edit],
        ImportMode::Upsert | ImportMode::Replace => vec![Verb::View, Verb::Edit, Verb::Add],
    };
    if options.delete_missing {
        verbs.push(Verb::Delete);
    }
    verbs
}

/// What is known of an import's file.
#[derive(Debug)]
pub(super) struct FileOptions<'o> {
    pub(super) reader: Options<'o>,
    pub(super) mappings: Vec<Mapping>,
    pub(super) decimal_mark: Option<DecimalMark>,
    pub(super) date_reading: Option<DateReading>,
    pub(super) words: Option<CellWords>,
}

/// Refuses what contradicts itself.
///
/// # Errors
/// [`Refusal::Invalid`].
pub(super) fn of_import<'o>(
    options: &'o ImportOptions,
    schema: &Schema,
) -> Result<FileOptions<'o>, Refusal> {
    let mut problems = Vec::new();
    let mut wrong = |name: &str, message: String| problems.push(Problem::new(name, message));
    if options.delete_missing && options.mode != ImportMode::Replace {
        let text = "goes with the mode `replace` alone; leave it out or set the mode";
        wrong("deleteMissing", text.to_owned());
    }
    let reader = reader_of(options);
    if options.encoding.is_some() && reader.encoding.is_none() {
        let names = Encoding::ALL.map(Encoding::name).join(", ");
        wrong("encoding", format!("must be one of {names}"));
    }
    if options.delimiter.is_some() && reader.delimiter.is_none() {
        wrong("delimiter", NO_DELIMITER.to_owned());
    }
    if options.quote.is_some() && reader.quote.is_none() {
        wrong(
            "quote",
            "must be a quotation mark or an apostrophe".to_owned(),
        );
    }
    if options.quote.is_some() && options.quote == options.delimiter {
        wrong("quote", "is the delimiter; choose another".to_owned());
    }
    let mut mappings = Vec::new();
    for text in &options.map {
        match Mapping::parse(text) {
            Some(mapping) => mappings.push(mapping),
            None => wrong("map", format!("{text:?} is no `Column=Field`")),
        }
    }
    let is_field = |name: &str| schema.active_fields().any(|field| field.name == name);
    let fitted = mappings.iter().map(|it| it.fitted(|_| true, is_field));
    if let Err(twice) = require_one_each(&fitted.collect::<Vec<_>>()) {
        wrong("map", twice.to_string());
    }
    if options.format.is_some() && reader.format.is_none() {
        let text = "Parquet is written, not read; make it CSV, NDJSON or Excel";
        wrong("format", text.to_owned());
    }
    let words = words_of(options);
    if let Err((name, text)) = &words {
        wrong(name, text.clone());
    }
    let decimal_mark = options.decimal_mark.map(mark_of);
    if let Some((field, sign)) = DecimalMark::parted_by(decimal_mark, options.split, schema) {
        let text = match sign {
            NumberSign::Decimals => format!(
                "is the decimal mark, too, and would part the numbers of {field:?}; choose another"
            ),
            NumberSign::Thousands => format!(
                "may stand between the thousands of numbers, and would part those of {field:?}; choose another"
            ),
        };
        wrong("split", text);
    }
    if !problems.is_empty() {
        return Err(Refusal::Invalid(problems));
    }
    Ok(FileOptions {
        reader,
        mappings,
        decimal_mark,
        date_reading: options.date_format.and_then(reading_of),
        words: words.ok().flatten(),
    })
}

/// The words of a file; or in which option one stands for something else, too, and that.
fn words_of(options: &ImportOptions) -> Result<Option<CellWords>, (&'static str, String)> {
    let truth = options.true_words.as_deref();
    let falsehood = options.false_words.as_deref();
    let null = options.null_words.as_deref();
    CellWords::new(truth, falsehood, null).map_err(|word| {
        let is_null = null.is_some_and(|it| it.contains(&*word));
        let name = if is_null { "nullWords" } else { "falseWords" };
        let text = format!("has {word:?}, which stands for something else, too; name it once");
        (name, text)
    })
}

fn mark_of(said: wire::manage::DecimalMark) -> DecimalMark {
    match said {
        wire::manage::DecimalMark::Point => DecimalMark::Point,
        wire::manage::DecimalMark::Comma => DecimalMark::Comma,
    }
}

fn reading_of(said: wire::manage::DateReading) -> Option<DateReading> {
    Some(match said {
        wire::manage::DateReading::Field => return None,
        wire::manage::DateReading::Us => DateReading::Us,
        wire::manage::DateReading::European => DateReading::European,
        wire::manage::DateReading::Timestamp => DateReading::Timestamp,
        wire::manage::DateReading::Compact => DateReading::Compact,
    })
}

/// How a file is read; what was said and can't be is left out.
pub(super) fn reader_of(options: &ImportOptions) -> Options<'_> {
    Options {
        format: options.format.and_then(|format| match format {
            DataFormat::Csv => Some(Format::Csv),
            DataFormat::Ndjson => Some(Format::Ndjson),
            DataFormat::Json => Some(Format::JsonArray),
            DataFormat::Xlsx => Some(Format::Xlsx),
            DataFormat::Parquet => None,
        }),
        encoding: options.encoding.as_deref().and_then(Encoding::named),
        surveyed_encoding: None,
        delimiter: options.delimiter.and_then(delimiter),
        quote: options.quote.and_then(quote),
        header: options.header,
        sheet: options.sheet.as_deref(),
    }
}

const NO_DELIMITER: &str = "must be one ASCII character, and neither a quote nor the end of a line";

fn delimiter(letter: char) -> Option<u8> {
    let byte = u8::try_from(letter).ok().filter(u8::is_ascii)?;
    (!matches!(byte, b'"' | b'\n' | b'\r')).then_some(byte)
}

fn quote(letter: char) -> Option<u8> {
    match letter {
        '"' => Some(b'"'),
        '\'' => Some(b'\''),
        _ => None,
    }
}

/// How an export is written.
#[derive(Debug)]
pub(super) struct ExportForm {
    pub(super) writer: ExportWriter,
    pub(super) packing: Packing,
    /// How names of such files end.
    pub(super) ending: String,
}

/// What writes the rows of an export.
#[derive(Debug)]
pub(super) enum ExportWriter {
    Text(RecordWriter),
    /// An Excel file of these columns, which is begun when its rows are.
    Sheet(Vec<String>),
    /// A Parquet file, likewise.
    Parquet(Vec<String>),
}

/// The fields of an export, by name; none stands for all. Personal ones are left out for who does not see them: a mask
/// in their place would be taken for a value where the file is imported again.
fn exported_fields(
    options: &ExportOptions,
    permit: &DatasetPermit,
) -> Result<Vec<String>, Refusal> {
    let masked = permit.caller().masked_fields(permit.schema());
    if let Some(field) = options.fields.iter().find(|name| masked.contains(&***name)) {
        return Err(is_personal("$.fields", field));
    }
    if masked.is_empty() || !options.fields.is_empty() {
        return Ok(options.fields.clone());
    }
    let active = permit.schema().current().schema.active_fields();
    let names = active.map(|field| field.name.as_str());
    let seen: Vec<String> = names
        .filter(|name| !masked.contains(name))
        .map(str::to_owned)
        .collect();
    if seen.is_empty() {
        let text =
            "every field of the schema is personal; it takes a role with view of `PERSONAL DATA`";
        return Err(Refusal::Forbidden(text.into()));
    }
    Ok(seen)
}

/// The columns of an export: what is put beside the fields, before them.
fn columns(
    options: &ExportOptions,
    fields: Vec<String>,
    schema: &Schema,
) -> Result<Vec<String>, Refusal> {
    let system = [
        (options.with_ids, ID_COLUMN),
        (options.with_errors, ERRORS_COLUMN),
    ];
    let is_system = |name: &&String| system.iter().any(|(_, own)| *own == **name);
    if let Some(name) = options.fields.iter().find(is_system) {
        let (name, near) = (name.clone(), None);
        let wrong = WrongMapping::NoField { name, near };
        return Err(Refusal::invalid("$.fields", wrong.to_string()));
    }
    let own = system.into_iter().filter(|(is_on, _)| *is_on);
    let mut columns: Vec<String> = own.map(|(_, name)| name.to_owned()).collect();
    if columns.is_empty() || !fields.is_empty() {
        columns.extend(fields);
    } else {
        columns.extend(schema.active_fields().map(|field| field.name.clone()));
    }
    Ok(columns)
}

/// Refuses what contradicts itself or the schema.
///
/// # Errors
/// [`Refusal::Invalid`].
pub(super) fn of_export(
    options: &ExportOptions,
    permit: &DatasetPermit,
) -> Result<ExportForm, Refusal> {
    let schema = &permit.schema().current().schema;
    let fields = exported_fields(options, permit)?;
    let columns = columns(options, fields, schema)?;
    let mut problems = Vec::new();
    let given = options.delimiter.map_or(Some(b','), delimiter);
    if given.is_none() {
        problems.push(Problem::new("$.delimiter", NO_DELIMITER));
    }
    let csv = CsvWriter {
        delimiter: given.unwrap_or(b','),
        for_spreadsheets: options.for_spreadsheets,
        split: options.split,
        ..CsvWriter::default()
    };
    let packing = match options.packing {
        wire::manage::Packing::None => Packing::None,
        wire::manage::Packing::Gzip => Packing::Gzip,
        wire::manage::Packing::Zstd => Packing::Zstd,
    };
    let format = options.format.unwrap_or(DataFormat::Ndjson);
    let text = match format {
        DataFormat::Csv => TextFormat::Csv(csv),
        // the columns of a sheet are judged as those of a text
        DataFormat::Ndjson | DataFormat::Xlsx | DataFormat::Parquet => TextFormat::Ndjson,
        DataFormat::Json => {
            let text = "must be `ndjson`, `csv`, `xlsx` or `parquet`";
            problems.push(Problem::new("$.format", text));
            TextFormat::Ndjson
        }
    };
    let packed_already = match format {
        DataFormat::Xlsx => Some("an Excel file"),
        DataFormat::Parquet => Some("a Parquet file"),
        DataFormat::Csv | DataFormat::Ndjson | DataFormat::Json => None,
    };
    if let Some(file) = packed_already.filter(|_| packing != Packing::None) {
        let text = format!("{file} is packed already; leave it out");
        problems.push(Problem::new("$.packing", text));
    }
    if !problems.is_empty() {
        return Err(Refusal::Invalid(problems));
    }
    let writer = RecordWriter::new(schema, text, &columns)
        .map_err(|wrong| Refusal::invalid("$.fields", wrong.to_string()))?;
    let writer = match format {
        DataFormat::Xlsx => ExportWriter::Sheet(columns),
        DataFormat::Parquet => ExportWriter::Parquet(columns),
        _ => ExportWriter::Text(writer),
    };
    Ok(ExportForm {
        writer,
        packing,
        ending: format!(".{}{}", format.as_str(), packing.ending()),
    })
}
