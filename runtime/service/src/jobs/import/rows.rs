//! The rows of an import's file, read and judged batch by batch, on a thread beside the one that stores them. Rights and
//! schema are judged anew for each batch: where the schema is another one, reading ends and begins anew.

use super::marks::{LINE, REASON, behind_marks};
use super::tally::{COLUMNS_MAX, NAME_CHARS, shown};
use crate::DatasetPermit;
use crate::jobs::context::{Halt, JobContext, of_file};
use crate::jobs::folder::Part;
use crate::records::lookups;
use engine::validate::{Checked, Rejected};
use schema::Schema;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::SyncSender;
use store::catalog::Verb;
use tabular::{
    Body, Encoding, Format, LostColumn, Mapping, OpenError, Options, Reader, Records, Settings,
};
use wire::manage::{DataFormat, FoundColumn, FoundFile, Packing, UnusedColumn};

/// Rows of a batch: one transaction of the store.
const ROWS_MAX: usize = 512;
/// Bytes of rows at which a batch ends.
const BYTES_MAX: usize = 2 << 20;

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

/// What is known of the file before its first row.
#[derive(Clone, Debug, Default)]
pub(super) struct FileHead {
    pub(super) source: Source,
    /// The names of its columns, or of the fields that they are for.
    pub(super) names: Vec<String>,
    pub(super) unused: Vec<UnusedColumn>,
    /// What the file is told to be; once it was opened.
    pub(super) found: Option<FoundFile>,
    /// Whether its rows begin with marks of an import before.
    is_marked: bool,
}

/// Why a row can't be stored.
#[derive(Clone, Debug)]
pub(super) struct Reason {
    pub(super) code: String,
    pub(super) message: String,
}

/// A row, judged.
pub(super) struct Row {
    pub(super) line: u64,
    /// As it stands, without marks.
    pub(super) raw: Vec<u8>,
    /// Its cells, where these and not the text are kept.
    pub(super) cells: Option<Vec<Option<String>>>,
    /// What it says, as JSON; empty unless changes need it.
    pub(super) body: Vec<u8>,
    pub(super) judged: Result<Checked, Reason>,
}

/// Rows that are stored together.
pub(super) struct Batch {
    pub(super) permit: DatasetPermit,
    pub(super) head: FileHead,
    /// How many rows of the file are before it.
    pub(super) first: u64,
    pub(super) rows: Vec<Row>,
    /// Bytes of the file that were read.
    pub(super) bytes: u64,
    pub(super) is_last: bool,
    /// The schema is another one than the file was opened with: there are no rows.
    pub(super) is_overtaken: bool,
}

impl Batch {
    /// What is known of a file of which no row is read.
    fn of_no_rows(permit: DatasetPermit, head: FileHead) -> Self {
        Batch {
            permit,
            head,
            first: 0,
            rows: Vec::new(),
            bytes: 0,
            is_last: false,
            is_overtaken: false,
        }
    }
}

/// What reads.
pub(super) struct RowReader<'c> {
    pub(super) context: &'c JobContext,
    pub(super) verbs: &'c [Verb],
    /// The version of the schema that rows are read by.
    pub(super) version: i64,
    pub(super) options: Options<'c>,
    pub(super) mappings: &'c [Mapping],
    pub(super) split: Option<char>,
    pub(super) for_spreadsheets: bool,
    /// Rows that are left out.
    pub(super) first: u64,
    pub(super) keeps_bodies: bool,
}

/// Counts what is read of a file.
struct Counted {
    file: File,
    bytes: Arc<AtomicU64>,
}

impl Read for Counted {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let count = self.file.read(into)?;
        self.bytes.fetch_add(count as u64, Ordering::Relaxed);
        Ok(count)
    }
}

impl RowReader<'_> {
    /// Sends batch after batch, until the last one or until nobody takes them.
    pub(super) fn run(&self, batches: &SyncSender<Result<Batch, Halt>>) {
        if let Err(halt) = self.read(batches) {
            // who no longer takes any knows why
            let _ = batches.send(Err(halt));
        }
    }

    fn read(&self, batches: &SyncSender<Result<Batch, Halt>>) -> Result<(), Halt> {
        let read_bytes = Arc::new(AtomicU64::new(0));
        let permit = self.context.permit(self.verbs)?;
        let (mut records, head) = self.open(&permit, read_bytes.clone())?;
        let lost = records.lost_columns();
        if records
            .header()
            .is_some_and(|names| names.len() == lost.len())
        {
            let halt = Halt::Failed(no_names(lost));
            // what the file was read as is told all the same
            let _ = batches.send(Ok(Batch::of_no_rows(permit, head)));
            return Err(halt);
        }
        records
            .pass(self.first)
            .map_err(|error| unreadable(&error))?;
        let mut first = self.first;
        loop {
            let permit = self.context.permit(self.verbs)?;
            let is_overtaken = permit.schema().current().number != self.version;
            let (rows, is_last) = if is_overtaken {
                (Vec::new(), false)
            } else {
                self.batch(&permit, &mut records, &head)?
            };
            let count = rows.len() as u64;
            let batch = Batch {
                permit,
                head: head.clone(),
                first,
                rows,
                bytes: read_bytes.load(Ordering::Relaxed),
                is_last,
                is_overtaken,
            };
            first += count;
            if batches.send(Ok(batch)).is_err() || is_last || is_overtaken {
                return Ok(());
            }
        }
    }

    fn open(
        &self,
        permit: &DatasetPermit,
        read_bytes: Arc<AtomicU64>,
    ) -> Result<(Records<'_>, FileHead), Halt> {
        let path = self
            .context
            .folder()?
            .path(&self.context.job.id, Part::Input);
        let file = File::open(&path).map_err(|error| unreadable(&error))?;
        let source = Counted {
            file,
            bytes: read_bytes,
        };
        let options = self.options_of(&path);
        let reader = Reader::open(source, options).map_err(|error| unreadable(&error))?;
        let (format, encoding) = (reader.format(), reader.encoding());
        let packing = packing_of(reader.packing());
        let sheet = reader.sheet().map(str::to_owned);
        let source = match (reader.delimiter(), reader.quote()) {
            (Some(delimiter), Some(quote)) => Source::Cells { delimiter, quote },
            _ if format == Format::JsonArray => Source::Array,
            _ => Source::Lines,
        };
        let schema = &permit.schema().current().schema;
        let settings = Settings {
            mappings: self.mappings,
            split: self.split,
            for_spreadsheets: self.for_spreadsheets,
            lookups: None,
        };
        let records = Records::new(schema, reader, settings).map_err(|error| match error {
            OpenError::Read(error) => unreadable(&error),
            OpenError::Mapping(wrong) => Halt::Failed(format!("a column can't be mapped: {wrong}")),
            OpenError::Schema(_) => Halt::Failed("the schema contradicts itself".to_owned()),
        })?;
        let names: Vec<String> = match records.header() {
            Some(header) => header.to_vec(),
            None => names_of(schema, records.width()),
        };
        let is_marked = is_marked(&names);
        let head = FileHead {
            source,
            unused: unused(records.lost_columns()),
            names: names[if is_marked { 2 } else { 0 }..].to_vec(),
            found: Some(FoundFile {
                sheet,
                packing,
                ..found(&records, format, encoding, source)
            }),
            is_marked,
        };
        Ok((records, head))
    }

    /// What is known of a file. One of rows that could not be stored has names, whatever is said of the one they came from.
    fn options_of(&self, path: &Path) -> Options<'_> {
        if self.options.header != Some(false) {
            return self.options;
        }
        let named = Options {
            header: Some(true),
            ..self.options
        };
        let names = File::open(path)
            .and_then(|file| Reader::open_file(file, named))
            .and_then(|mut reader| reader.header(|_| true));
        match names {
            Ok(Some(names)) if is_marked(&names) => named,
            // what can't be read is told when the rows are
            _ => self.options,
        }
    }

    /// The next rows, and whether they are the last.
    fn batch(
        &self,
        permit: &DatasetPermit,
        records: &mut Records<'_>,
        head: &FileHead,
    ) -> Result<(Vec<Row>, bool), Halt> {
        let (mut read, mut bytes) = (Vec::new(), 0);
        let is_last = loop {
            if read.len() >= ROWS_MAX || bytes >= BYTES_MAX {
                break false;
            }
            let Some(body) = records.next_body().map_err(|error| unreadable(&error))? else {
                break true;
            };
            let row = ReadRow::of(&body, head);
            bytes += row.raw.len() + row.body.len();
            read.push(row);
        };
        let service = &self.context.service;
        let bodies: Vec<&[u8]> = read.iter().map(ReadRow::text).collect();
        let files = self.context.wait(service.known_files(permit, &bodies))?;
        let checker = &permit.schema().current().checker;
        let lookups = lookups(permit, &files);
        let rows = read.into_iter().map(|row| {
            let judged = if let Some(ref reason) = row.fault {
                Err(reason.clone())
            } else {
                let judged = checker.check_with(row.text(), Some(&lookups));
                judged.map_err(|rejected| rejection(&rejected))
            };
            let body = match (self.keeps_bodies, row.body.is_empty()) {
                (false, _) => Vec::new(),
                (true, true) => row.raw.clone(),
                (true, false) => row.body,
            };
            Row {
                line: row.line,
                raw: row.raw,
                cells: row.cells,
                body,
                judged,
            }
        });
        Ok((rows.collect(), is_last))
    }
}

/// A row that was read and not judged.
struct ReadRow {
    line: u64,
    raw: Vec<u8>,
    cells: Option<Vec<Option<String>>>,
    /// What it says, as JSON; empty where that is how it stands.
    body: Vec<u8>,
    fault: Option<Reason>,
}

impl ReadRow {
    fn of(row: &Body<'_>, head: &FileHead) -> Self {
        let raw = match behind_marks(row.raw).filter(|_| row.cells.is_none()) {
            Some(rest) => [b"{", rest].concat(),
            None => row.raw.to_vec(),
        };
        // the text of a row that has marks, or none, can't be repeated as it is
        let skipped = if head.is_marked { 2 } else { 0 };
        let cells = row
            .cells
            .filter(|_| head.is_marked || row.raw.is_empty())
            .map(|cells| {
                let cell = |index| cells.get(index).map(str::to_owned);
                (skipped..cells.count()).map(cell).collect()
            });
        let (body, fault) = match &row.text {
            Ok(_) if row.cells.is_none() => (Vec::new(), None),
            Ok(body) => (body.to_vec(), None),
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
            raw,
            cells,
            body,
            fault,
        }
    }

    fn text(&self) -> &[u8] {
        if self.body.is_empty() {
            &self.raw
        } else {
            &self.body
        }
    }
}

/// What a file is told to be.
fn found(
    records: &Records<'_>,
    format: Format,
    encoding: Option<Encoding>,
    source: Source,
) -> FoundFile {
    let (format, has_cells) = match format {
        Format::Csv => (DataFormat::Csv, true),
        Format::Xlsx => (DataFormat::Xlsx, true),
        Format::Ndjson => (DataFormat::Ndjson, false),
        Format::JsonArray => (DataFormat::Json, false),
    };
    let columns = records.columns();
    let columns = columns.filter(|(name, _)| {
        let is_mark = *name == LINE || *name == REASON;
        !is_mark && name.chars().nth(NAME_CHARS).is_none()
    });
    let signs = match source {
        Source::Cells { delimiter, quote } if format == DataFormat::Csv => Some((delimiter, quote)),
        _ => None,
    };
    let columns = columns.take(COLUMNS_MAX).map(|(name, field)| FoundColumn {
        column: name.to_owned(),
        field: field.map(str::to_owned),
    });
    FoundFile {
        format,
        packing: None,
        encoding: encoding.map(|it| it.name().to_owned()),
        delimiter: signs.map(|(delimiter, _)| delimiter.into()),
        quote: signs.map(|(_, quote)| quote.into()),
        header: has_cells.then(|| records.header().is_some()),
        sheet: None,
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

/// Whether columns begin with marks of an import before.
fn is_marked(names: &[String]) -> bool {
    names.len() > 2 && names[..2] == [LINE, REASON]
}

/// What so many columns without names are called where their rows are to be mended: as the fields that they are for.
fn names_of(schema: &Schema, width: usize) -> Vec<String> {
    let fields = schema.active_fields().map(|it| it.name.clone());
    let mut names: Vec<String> = fields.take(width).collect();
    names.extend((names.len()..width).map(|column| format!("_column_{}", column + 1)));
    names
}

/// Why a file without any column of a field's name is not imported, with the mappings that are proposed.
fn no_names(lost: &[LostColumn]) -> String {
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

/// Columns that go nowhere; marks of an import before are meant to.
fn unused(lost: &[LostColumn]) -> Vec<UnusedColumn> {
    let told = lost.iter().map(|column| match column {
        LostColumn::Unknown { name, near, .. } => UnusedColumn {
            column: shown(name),
            near: near.clone(),
        },
        LostColumn::Surplus { column } => UnusedColumn {
            column: (column + 1).to_string(),
            near: None,
        },
        LostColumn::Twice { field, .. } => UnusedColumn {
            column: field.clone(),
            near: None,
        },
    });
    told.filter(|it| it.column != LINE && it.column != REASON)
        .collect()
}

/// Why a body is no record, in words. Bytes count in the record, which says nothing to who reads a file.
pub(super) fn rejection(rejected: &Rejected) -> Reason {
    let items = rejected.items();
    let text = |text: String| {
        let text = text.rsplit_once(" at byte ").map_or(&*text, |(it, _)| it);
        text.rsplit_once(", see ")
            .map_or(text, |(it, _)| it)
            .to_owned()
    };
    let texts = items.iter().take(10).map(|item| match &item.name {
        Some(name) => format!("{:?} {}", shown(name), text(item.text())),
        None => text(item.text()),
    });
    Reason {
        code: items
            .first()
            .map_or("body", |item| item.code.name())
            .to_owned(),
        message: texts.collect::<Vec<_>>().join("; "),
    }
}

fn unreadable(error: &io::Error) -> Halt {
    of_file(error, format!("the file can't be read: {error}"))
}
