//! Records out of a file: each row read, its cells turned into values, and judged. It stores nothing, and knows
//! of no other row than the one at hand.

use crate::cells::Cells;
use crate::columns::Columns;
use crate::convert::CellRule;
use crate::date_reading::DateTexts;
use crate::decimal_mark::NumberTexts;
use crate::field_cells::{
    FieldCells, lost_digits, note_texts, other_reading, sheet_row, write_record,
};
use crate::finding::{Finding, Places};
use crate::first_row::are_values;
use crate::format::Format;
use crate::found::RowFault;
use crate::likeness::fold;
use crate::lost_column::LostColumn;
use crate::mapping::fields_since;
use crate::members::{Members, RecordMark};
use crate::place::Place;
use crate::reader::Reader;
use crate::row::{Content, Row};
use crate::settings::{OpenError, Settings};
use crate::system_columns::{ID_COLUMN, VERSION_COLUMN};
use engine::validate::{Checked, Checker, FieldRule, Lookups};
use schema::Schema;
use std::io;
use std::sync::Arc;

/// A row that was judged.
#[derive(Debug)]
pub struct Judged {
    /// Where the row begins.
    pub place: Place,
    /// The record; `None` where the row is none. A faulty record is a record.
    pub record: Option<Checked>,
    /// Everything that is wrong with the row, in the order of the schema; empty for a clean one.
    pub findings: Vec<Finding>,
    /// Whether it has cells, and nothing in any of them.
    pub is_blank: bool,
}

impl Judged {
    /// A row that can't be read.
    fn unread(place: Place, fault: RowFault, at: Place) -> Self {
        Judged {
            place,
            record: None,
            findings: vec![Finding::of_row(fault, at)],
            is_blank: false,
        }
    }
}

/// A row as the body of a record, which nobody has judged.
#[derive(Debug)]
pub struct Body<'r> {
    /// Where the row begins.
    pub place: Place,
    /// The row as it stands, in UTF-8 unless that is its fault; empty where it is too long.
    pub raw: &'r [u8],
    /// Its cells, where it has such.
    pub cells: Option<&'r Cells>,
    /// A JSON object, or what should be one; or why the row can't be read.
    pub text: Result<&'r [u8], Finding>,
    /// Whether the row is JSON, and members of `text` have other names than they have in it, or are left out.
    pub is_renamed: bool,
    /// The id of the record that it says it is of, by its column or member [`ID_COLUMN`](crate::ID_COLUMN); empty where that has no
    /// value.
    pub id: Option<&'r str>,
    /// The version of that record that it says it is of, by its column or member [`VERSION_COLUMN`](crate::VERSION_COLUMN); empty
    /// where that has no value.
    pub version: Option<&'r str>,
}

/// The records of a file, one by one.
///
/// ```
/// use schema::{Origin, Schema};
/// use tabular::{Options, Reader, Records, Settings};
///
/// # let document = r#"{"schemaId":"s","name":"City","businessAreaId":"a","businessAreaName":"A","createdDate":"2026-01-01T00:00:00.000Z",
/// #  "fields":[{"fieldId":"f","name":"Name","active":true,"dataType":"string","isPrimaryKey":true,"isSortKey":false,"isRequired":true},
/// #  {"fieldId":"g","name":"Founded","active":true,"dataType":"date","isPrimaryKey":false,"isSortKey":false,"isRequired":false}]}"#;
/// let schema = Schema::read(document, Origin::Elsewhere)?.schema;
/// let file = "name;founded\nMunich;1158-06-14\nBerlin;1237-02-30\n".as_bytes();
///
/// let reader = Reader::open(file, Options::default())?;
/// for row in Records::new(&schema, reader, Settings::default())? {
///     let row = row?;
///     for finding in &row.findings {
///         assert_eq!(finding.message, "must be a day that exists");
///         assert_eq!((finding.place.line, finding.place.column), (3, 8));
///     }
///     if let Some(record) = row.record.filter(|record| record.is_clean()) {
///         assert_eq!(record.normal_form(), r#"{"Name":"Munich","Founded":"1158-06-14"}"#);
///     }
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Records<'s> {
    reader: Reader,
    checker: Checker,
    rules: Vec<FieldCells>,
    columns: Columns,
    members: Members,
    lookups: Option<&'s dyn Lookups>,
    header: Option<Vec<String>>,
    width: usize,
    json: String,
    id_column: Option<usize>,
    version_column: Option<usize>,
    /// What the row of JSON which came last says of its record.
    mark: RecordMark,
    raw: Vec<u8>,
    keeps_raw: bool,
    is_guarded: bool,
}

impl<'s> Records<'s> {
    /// The records that the rows of `reader` are under a schema. Columns are found by their names. Where it was said that the first
    /// row has none, or no field's name is in it and it surely has values (one for each field, each as its type asks for, and not
    /// all of them texts), they are found by the order of the fields.
    ///
    /// # Errors
    /// When the schema contradicts itself, a mapping names what is not there, or the source can't be read.
    pub fn new(schema: &Schema, reader: Reader, settings: Settings<'s>) -> Result<Self, OpenError> {
        Self::named_by(schema, schema, reader, settings)
    }

    /// The same, where columns and members go by the names that fields had in an earlier version, `names`: each is for the field
    /// that has the same id by now.
    ///
    /// # Errors
    /// As for [`new`](Self::new); when such a field is gone.
    pub fn named_by(
        schema: &Schema,
        names: &Schema,
        mut reader: Reader,
        settings: Settings<'s>,
    ) -> Result<Self, OpenError> {
        let checker = Checker::new(schema).map_err(OpenError::Schema)?;
        let known: Vec<String> = names.active_fields().map(|it| fold(&it.name)).collect();
        let mapped = settings.mappings.iter().map(|it| fold(&it.column));
        let mapped: Vec<String> = mapped.filter(|it| !it.is_empty()).collect();
        let is_known = |name: &str| {
            let folded = fold(name);
            let is_said = settings.mappings.iter().any(|it| it.column == name);
            is_said || known.contains(&folded) || mapped.contains(&folded)
        };
        let words = settings.words.cloned().map(Arc::new);
        let rules = schema.active_fields().map(|field| {
            let rule = CellRule::of(field, settings.split).guarded(settings.for_spreadsheets);
            let rule = rule.marked(settings.decimal_mark).worded(words.clone());
            FieldCells::of(field, rule.read_as(settings.date_reading))
        });
        let rules: Vec<FieldCells> = rules.collect();
        let fields = fields_since(names, schema);
        let has_names = |first: &Cells| {
            let mut texts = (0..first.count()).filter_map(|index| first.get(index));
            let order = (names, fields.as_slice());
            texts.any(|name| is_known(settings.name(name)))
                || !are_values(first, order, &rules, (schema, &checker))
        };
        let mut header = reader.header_by(has_names).map_err(OpenError::Read)?;
        for name in header.iter_mut().flatten() {
            *name = settings.name(name).to_owned();
        }
        let width = header.as_ref().map_or_else(|| reader.width(), Vec::len);
        let columns = match &header {
            Some(header) => {
                let columns = Columns::by_name(names, header, settings.mappings);
                match reader.format() {
                    Format::Csv => columns.map(Columns::of_text),
                    Format::Xlsx | Format::Ndjson | Format::JsonArray => columns,
                }
            }
            None => Columns::in_order(names, width, settings.mappings),
        };
        let columns = columns.and_then(|it| it.by_version(names, &fields, width));
        let columns = columns.map_err(OpenError::Mapping)?;
        #[cfg(feature = "xlsx")]
        reader.read_only(columns.are_read(width));
        let members = match reader.format() {
            Format::Ndjson | Format::JsonArray => {
                Members::of(schema, names, &fields, settings.mappings)
            }
            Format::Csv | Format::Xlsx => Ok(Members::default()),
        };
        Ok(Records {
            rules,
            reader,
            checker,
            id_column: columns.of_system(ID_COLUMN),
            version_column: columns.of_system(VERSION_COLUMN),
            columns,
            members: members.map_err(OpenError::Mapping)?,
            lookups: settings.lookups,
            header,
            width,
            json: String::new(),
            mark: RecordMark::default(),
            raw: Vec::new(),
            keeps_raw: false,
            is_guarded: settings.for_spreadsheets,
        })
    }

    /// The names of the columns, where the file has them.
    pub fn header(&self) -> Option<&[String]> {
        self.header.as_deref()
    }

    /// For each column with a name the field that it is for.
    pub fn columns(&self) -> impl Iterator<Item = (&str, Option<&str>)> {
        let names = self.header.iter().flatten();
        names.enumerate().map(|(at, name)| {
            let index = self.columns.fields.get(at).copied().flatten();
            (
                name.as_str(),
                index.map(|index| self.checker.fields()[index].name()),
            )
        })
    }

    /// The column by which rows say of which records they are.
    pub fn id_column(&self) -> Option<usize> {
        self.id_column
    }

    /// How many cells each row has, by the first one; 0 where rows have none.
    pub fn width(&self) -> usize {
        self.width
    }

    /// What its rows are read by, which knows how they stand in the file.
    pub fn reader(&self) -> &Reader {
        &self.reader
    }

    /// Columns that go nowhere. They are no reason to stop.
    pub fn lost_columns(&self) -> &[LostColumn] {
        &self.columns.lost
    }

    /// Keeps each row as it stands, for [`raw`](Self::raw).
    #[must_use]
    pub fn keeping_raw(self) -> Self {
        Records {
            keeps_raw: true,
            ..self
        }
    }

    /// The row that came last, as it stands but in UTF-8, without what ends its line; one of a sheet is CSV, with commas.
    /// Empty unless it is kept.
    pub fn raw(&self) -> &[u8] {
        &self.raw
    }

    /// The next row as the body of a record, which nobody has judged; `None` at the end. `lookups` know the codes that
    /// the cells of this row may be.
    ///
    /// # Errors
    /// What the source says. A row that can't be read is no error.
    pub fn next_body(&mut self, lookups: Option<&dyn Lookups>) -> io::Result<Option<Body<'_>>> {
        let Some(row) = self.reader.next()? else {
            return Ok(None);
        };
        let (place, mut raw, mut is_renamed, mut id) = (row.place, row.raw, false, None);
        let mut version = None;
        if let Some(of_sheet) = row.of_sheet() {
            self.raw = sheet_row(of_sheet, &self.columns, &self.rules, self.is_guarded);
            raw = &self.raw;
        }
        let (text, cells) = match content(&row, &self.columns, &self.rules) {
            Err((fault, place)) => (Err(Finding::of_row(fault, place)), None),
            Ok(Content::Json) => {
                let renamed = self.members.renamed(raw, &mut self.json, &mut self.mark);
                is_renamed = renamed.is_some();
                id = self.mark.id.as_deref();
                version = self.mark.version.as_deref();
                (Ok(renamed.unwrap_or(raw)), None)
            }
            Ok(Content::Cells(cells)) => {
                note_texts(cells, &self.columns, &mut self.rules);
                write_record(cells, &self.columns, &self.rules, lookups, &mut self.json);
                let text = |column: usize| cells.get(column).unwrap_or_default();
                id = self.id_column.map(text);
                version = self.version_column.map(text);
                (Ok(self.json.as_bytes()), Some(*cells))
            }
        };
        Ok(Some(Body {
            place,
            raw,
            cells,
            text,
            is_renamed,
            id,
            version,
        }))
    }

    /// How the numbers that stand as text were written in the bodies since this was asked last: of each field that has such
    /// with a dot or a comma, by its place in [`field_names`](Self::field_names), where nobody said what stands before decimals.
    pub fn take_number_texts(&mut self) -> Vec<(usize, NumberTexts)> {
        let fields = self.rules.iter_mut().enumerate();
        let taken = fields.filter_map(|(place, own)| {
            let numbers = std::mem::take(&mut own.numbers);
            (numbers != NumberTexts::default()).then_some((place, numbers))
        });
        taken.collect()
    }

    /// How the days and times that are text were written in the bodies since this was asked last: of each field of which some may be
    /// read otherwise and where nobody said how they are written, by its place in [`field_names`](Self::field_names).
    pub fn take_date_texts(&mut self) -> Vec<(usize, DateTexts)> {
        let fields = self.rules.iter_mut().enumerate();
        let taken = fields.filter_map(|(place, own)| {
            let dates = std::mem::take(&mut own.dates);
            (dates != DateTexts::default()).then_some((place, dates))
        });
        taken.collect()
    }

    /// Whether a cell of the bodies since this was asked last begins with a blank and a quote, which then quotes nothing.
    pub fn take_quote_after_blank(&mut self) -> bool {
        self.reader.take_quote_after_blank()
    }

    /// The names of the fields that rows are read as, in their order.
    pub fn field_names(&self) -> impl Iterator<Item = &str> {
        self.checker.fields().iter().map(FieldRule::name)
    }

    /// Leaves rows out, so many or as many as there are.
    ///
    /// # Errors
    /// What the source says.
    pub fn pass(&mut self, rows: u64) -> io::Result<()> {
        for _ in 0..rows {
            if self.reader.next()?.is_none() {
                break;
            }
        }
        Ok(())
    }

    fn judge(&mut self) -> io::Result<Option<Judged>> {
        let Some(row) = self.reader.next()? else {
            return Ok(None);
        };
        if self.keeps_raw {
            self.raw.clear();
            match row.of_sheet() {
                Some(of_sheet) => {
                    self.raw = sheet_row(of_sheet, &self.columns, &self.rules, self.is_guarded);
                }
                None => self.raw.extend_from_slice(row.raw),
            }
        }
        let (place, mut is_renamed) = (row.place, false);
        let content = content(&row, &self.columns, &self.rules);
        let (body, cells): (&[u8], Option<&Cells>) = match content {
            Err((fault, at)) => return Ok(Some(Judged::unread(place, fault, at))),
            Ok(Content::Json) => {
                let renamed = self
                    .members
                    .renamed(row.raw, &mut self.json, &mut self.mark);
                is_renamed = renamed.is_some();
                (renamed.unwrap_or(row.raw), None)
            }
            Ok(Content::Cells(cells)) => {
                let (columns, rules) = (&self.columns, &self.rules);
                write_record(cells, columns, rules, self.lookups, &mut self.json);
                (self.json.as_bytes(), Some(*cells))
            }
        };
        let places = Places {
            row: &row,
            cells,
            columns: &self.columns,
            checker: &self.checker,
            is_renamed,
        };
        let (record, findings) = match self.checker.check_with(body, self.lookups) {
            Ok(record) => {
                let findings = record.faults().iter().map(|it| places.fault(it)).collect();
                (Some(record), findings)
            }
            Err(rejected) => {
                let items = rejected.items().iter();
                (None, items.map(|it| places.rejection(it)).collect())
            }
        };
        Ok(Some(Judged {
            place,
            record,
            findings,
            is_blank: cells.is_some_and(|cells| cells.is_blank_from(0)),
        }))
    }
}

/// What a row holds, or why it can't be read. A number of a sheet that its field would not have as it stands in the file is told
/// before what makes no cell unreadable, such as too many of them: once that was mended, what stands in its place would be a text.
fn content<'c, 'r>(
    row: &'c Row<'r>,
    columns: &Columns,
    rules: &[FieldCells],
) -> Result<&'c Content<'r>, (RowFault, Place)> {
    if let Err((fault @ (RowFault::CellError | RowFault::NoResult), place)) = row.content {
        return Err((fault, place));
    }
    if let Some(of_sheet) = row.of_sheet()
        && let Some(cell) = lost_digits(of_sheet, columns, rules)
    {
        return Err((RowFault::LostDigits, row.of_cell(of_sheet.cells, cell)));
    }
    if let Ok(Content::Cells(cells)) = &row.content
        && let Some(column) = other_reading(cells, columns, rules)
    {
        return Err((RowFault::OtherReading, row.of_cell(cells, column)));
    }
    row.content.as_ref().map_err(|fault| *fault)
}

impl Iterator for Records<'_> {
    type Item = io::Result<Judged>;

    fn next(&mut self) -> Option<Self::Item> {
        self.judge().transpose()
    }
}
