//! The rows of an import's file, read and judged batch by batch, on a thread beside the one that stores them. Rights and
//! schema are judged anew for each batch: where the schema is another one, reading ends and begins anew.

use super::file_head::{FileHead, NO_IDS, ReadAs, TWO_IDS, has_two_ids, is_marked, no_names};
use super::names_below::names_below;
use super::part::IS_PART;
use super::read_row::{ReadRow, Reason};
use super::source::WatchedFile;
use super::tally::shown;
use crate::DatasetPermit;
use crate::files::KnownFiles;
use crate::jobs::context::{Halt, JobContext, of_file, sent_failed};
use crate::jobs::folder::Part;
use crate::records::lookups;
use engine::validate::{Checked, Rejected};
use std::fs::File;
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::SyncSender;
use store::catalog::Verb;
use tabular::{
    CellWords, DateReading, DateTexts, DecimalMark, Mapping, NumberTexts, OpenError, Options,
    Reader, Records, Settings,
};
use wire::manage::{ImportMode, TextSample};

/// Rows of a batch: one transaction of the store.
const ROWS_MAX: usize = 512;
/// Bytes of rows at which a batch ends.
const BYTES_MAX: usize = 2 << 20;

/// The file, as its maker calls it, and what to do where it is not there.
const FILE: (&str, &str) = ("the file that was sent", "send it again");

/// A row, judged.
pub(super) struct Row {
    pub(super) line: u64,
    /// As it stands, without marks.
    pub(super) raw: Vec<u8>,
    /// Its cells, where these and not the text are kept.
    pub(super) cells: Option<Vec<Option<String>>>,
    /// Whether it has cells, and nothing in any of them.
    pub(super) is_blank: bool,
    /// What it says, as JSON; empty unless changes need it.
    pub(super) body: Vec<u8>,
    /// The id of the record that it says it is of; empty for one that is to be made.
    pub(super) id: Option<String>,
    /// The version of that record that it says it changes; empty where it says none.
    pub(super) version: Option<String>,
    /// How its numbers are written that stand as text, by the places of fields in the file's head.
    pub(super) numbers: Vec<(usize, NumberTexts)>,
    /// And its days and times that their fields don't read.
    pub(super) dates: Vec<(usize, DateTexts)>,
    /// Whether a cell has a quote after a blank, which quotes nothing.
    pub(super) has_quote_after_blank: bool,
    pub(super) encoding_sample: Option<TextSample>,
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
    pub(super) decimal_mark: Option<DecimalMark>,
    pub(super) date_reading: Option<DateReading>,
    pub(super) words: Option<&'c CellWords>,
    pub(super) for_spreadsheets: bool,
    /// Rows that are left out.
    pub(super) first: u64,
    /// Whether records are deleted that the file does not have, so that it must be whole.
    pub(super) deletes_missing: bool,
    pub(super) mode: ImportMode,
}

impl RowReader<'_> {
    /// Sends batch after batch, until the last one or until nobody takes them.
    pub(super) fn run(&self, batches: &SyncSender<Result<Batch, Halt>>) {
        if let Err(halt) = self.read(batches) {
            // what was read of the file broke off where the job is to end
            let halt = self.context.go_on().err().unwrap_or(halt);
            // who no longer takes any knows why
            let _ = batches.send(Err(halt));
        }
    }

    fn read(&self, batches: &SyncSender<Result<Batch, Halt>>) -> Result<(), Halt> {
        let read_bytes = Arc::new(AtomicU64::new(0));
        let permit = self.context.permit(self.verbs)?;
        let (mut records, head) = self.open(&permit, read_bytes.clone())?;
        if let Some(why) = self.unfit(&permit, &records, &head) {
            let schema = &permit.schema().current().schema;
            let below = has_no_name(&records).then(|| names_below(&mut records, schema));
            let why = below.flatten().map_or(why, |line| {
                format!(
                    "the first row has no name of a field, but line {line} has; take away the lines before it"
                )
            });
            // what the file was read as is told all the same
            let _ = batches.send(Ok(Batch::of_no_rows(permit, head)));
            return Err(Halt::Failed(why));
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

    /// Why no row of a file can be taken.
    fn unfit(
        &self,
        permit: &DatasetPermit,
        records: &Records<'_>,
        head: &FileHead,
    ) -> Option<String> {
        let lost = records.lost_columns();
        let has_key = permit.schema().current().schema.primary_key().is_some();
        // that it has none is no more than a guess, by which no record that is there may change or go
        let is_guessed =
            self.options.header.is_none() && records.header().is_none() && records.width() > 0;
        if has_no_name(records) || is_guessed && self.mode != ImportMode::Create {
            Some(no_names(lost))
        } else if has_two_ids(lost) {
            Some(TWO_IDS.to_owned())
        } else if self.deletes_missing && head.is_marked {
            Some(IS_PART.to_owned())
        } else if self.mode != ImportMode::Create && !has_key && head.lacks_ids {
            Some(NO_IDS.to_owned())
        } else {
            None
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
        let file = File::open(&path).map_err(sent_failed(FILE, unreadable))?;
        let source = WatchedFile::new(file, read_bytes, self.context);
        let bytes_max = self.unpacked_bytes_max(&path)?;
        let options = self.surveyed(&path, bytes_max)?;
        let options = self.options_of(&path, bytes_max, options);
        let reader = Reader::open_within(source, options, bytes_max);
        let reader = reader.map_err(|error| unreadable(&error))?;
        let read_as = ReadAs::of(&reader, self.for_spreadsheets);
        let schema = &permit.schema().current().schema;
        let settings = Settings {
            mappings: self.mappings,
            split: self.split,
            decimal_mark: self.decimal_mark,
            date_reading: self.date_reading,
            words: self.words,
            for_spreadsheets: self.for_spreadsheets,
            lookups: None,
        };
        // as they were called when it was asked for, whatever they are called by now
        let names = permit.schema().version(self.context.job.schema_version);
        let names = names.map_or(schema, |version| &version.schema);
        let records = Records::named_by(schema, names, reader, settings);
        let records = records.map_err(|error| match error {
            OpenError::Read(error) => unreadable(&error),
            OpenError::Mapping(wrong) => Halt::Failed(format!("a column can't be mapped: {wrong}")),
            OpenError::Schema(_) => Halt::Failed("the schema contradicts itself".to_owned()),
        })?;
        let head = FileHead::of(schema, &records, read_as);
        Ok((records, head))
    }

    /// What is known of a file once all of it was looked at; it is not counted as read by that.
    fn surveyed(&self, path: &Path, bytes_max: u64) -> Result<Options<'_>, Halt> {
        let file = File::open(path).map_err(sent_failed(FILE, unreadable))?;
        let file = WatchedFile::new(file, Arc::default(), self.context);
        let surveyed = self.options.surveyed(file, bytes_max);
        surveyed.map_err(|error| unreadable(&error))
    }

    /// What the file may unpack to.
    fn unpacked_bytes_max(&self, path: &Path) -> Result<u64, Halt> {
        let bytes = std::fs::metadata(path).map(|it| it.len());
        let bytes = bytes.map_err(sent_failed(FILE, unreadable))?;
        let settings = self.context.service.settings();
        Ok(settings.jobs.unpacked_bytes_max(bytes))
    }

    /// What is known of a file. One of rows that could not be stored has names, whatever is said of the one they came from.
    fn options_of<'o>(&self, path: &Path, bytes_max: u64, options: Options<'o>) -> Options<'o> {
        if options.header != Some(false) {
            return options;
        }
        let named = Options {
            header: Some(true),
            ..options
        };
        match self.first_cells(path, bytes_max, named) {
            Ok(Some(names)) if is_marked(&names) => named,
            // what can't be read is told when the rows are
            _ => options,
        }
    }

    fn first_cells(
        &self,
        path: &Path,
        bytes_max: u64,
        options: Options<'_>,
    ) -> io::Result<Option<Vec<String>>> {
        let file = File::open(path)?;
        let source = WatchedFile::new(file, Arc::default(), self.context);
        let mut reader = Reader::open_within(source, options, bytes_max)?;
        reader.header(|_| true)
    }

    /// The next rows, and whether they are the last.
    fn batch(
        &self,
        permit: &DatasetPermit,
        records: &mut Records<'_>,
        head: &FileHead,
    ) -> Result<(Vec<Row>, bool), Halt> {
        let (mut read, mut bytes) = (Vec::new(), 0);
        let no_files = KnownFiles::default();
        let codes = lookups(permit, &no_files);
        let is_last = loop {
            if read.len() >= ROWS_MAX || bytes >= BYTES_MAX {
                break false;
            }
            let body = records.next_body(Some(&codes));
            let Some(body) = body.map_err(|error| unreadable(&error))? else {
                break true;
            };
            let mut row = ReadRow::of(&body, head);
            row.numbers = records.take_number_texts();
            row.dates = records.take_date_texts();
            row.has_quote_after_blank = records.take_quote_after_blank();
            if self.deletes_missing && row.is_marked {
                return Err(Halt::Failed(IS_PART.to_owned()));
            }
            bytes += row.raw.len() + row.body.len();
            read.push(row);
        };
        let service = &self.context.service;
        let bodies: Vec<&[u8]> = read.iter().map(ReadRow::text).collect();
        let files = self.context.wait(service.known_files(permit, &bodies))?;
        let checker = &permit.schema().current().checker;
        let lookups = lookups(permit, &files);
        let keeps_bodies = matches!(self.mode, ImportMode::Update | ImportMode::Upsert);
        let rows = read.into_iter().map(|row| {
            let judged = if let Some(ref reason) = row.fault {
                Err(reason.clone())
            } else {
                let judged = checker.check_with(row.text(), Some(&lookups));
                judged.map_err(|rejected| rejection(&rejected))
            };
            let body = match (keeps_bodies, row.body.is_empty()) {
                (false, _) => Vec::new(),
                (true, true) => row.raw.clone(),
                (true, false) => row.body,
            };
            Row {
                line: row.line,
                raw: row.raw,
                cells: row.cells,
                is_blank: row.is_blank,
                body,
                id: row.id,
                version: row.version,
                numbers: row.numbers,
                dates: row.dates,
                has_quote_after_blank: row.has_quote_after_blank,
                encoding_sample: row.encoding_sample,
                judged,
            }
        });
        Ok((rows.collect(), is_last))
    }
}

/// Whether none of the columns that a file names has the name of a field.
fn has_no_name(records: &Records<'_>) -> bool {
    let names = records.header();
    names.is_some_and(|names| names.len() == records.lost_columns().len())
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
    // of a thousand values of one array that are none, one is told
    let alike = items.chunk_by(|one, next| (one.code, &one.name) == (next.code, &next.name));
    let told = alike.filter_map(<[_]>::first).take(10);
    let texts = told.map(|item| match &item.name {
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
