//! Exports: all records of a dataset as rows of a file. Pages follow one another by key, each as of the moment it is
//! read, so a record that is there throughout comes exactly once, in the order of creation. The file grows in pieces
//! that are whole by themselves, packed ones too, so it goes on behind the last one that was committed. All of it is of
//! one version of the schema: where that changes, it begins anew, and where what was written is not here. So does a file that
//! has an index at its end (Excel, Parquet) whenever the work was broken off.

mod anew;
mod beside;

use crate::jobs::asked_names::require_fields;
use crate::jobs::context::{Halt, JobContext, Step, Worked, file_failed, opening_failed};
use crate::jobs::folder::plain_name;
use crate::jobs::growing_file::{GrowingFile, length_of};
use crate::jobs::options::{self, ExportWriter};
use crate::jobs::selection::{named_page, query_count, query_page};
use crate::jobs::shown::{cursor_document, document, read_document};
use crate::records::current;
use crate::told_errors::masked_errors;
use crate::{Permit as _, Refusal};
use serde::{Deserialize, Serialize};
use store::StoreError;
use store::catalog::Verb;
use store::jobs::{JobFile, JobFilePart, JobFileRow, JobProgress, JobUpdate};
use store::records::{PageLimit, StoredRecord};
use tabular::{Packing, RecordWriter};
use wire::manage::{ExportOptions, ExportResult};

/// Records that are read at a time.
const PAGE: PageLimit = PageLimit {
    records: 1000,
    bytes: 1 << 20,
};
/// Bytes of text in a piece of the file, at least, but for the last.
const PIECE_BYTES: usize = 4 << 20;
/// How often an export begins anew because the schema changed.
const BEGINNINGS_MAX: u32 = 10;

const THE_FILE: &str = "the file of the export";

/// Where an export goes on.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct Cursor {
    /// The sequence of the last record in the file.
    after: u64,
    records: u64,
    bytes: u64,
    /// The parts of the file.
    parts: Vec<JobFilePart>,
    /// The version of the schema that the file is of.
    schema_version: i64,
    /// Whether its maker saw personal values when it was begun; else the file has none.
    sees_personal: bool,
    /// Whether the last record is in it.
    is_whole: bool,
    /// How many records the query found when it was begun; none without a query.
    total: Option<u64>,
}

impl Cursor {
    /// The same file, of which nothing is written.
    fn begun(&self) -> Self {
        Cursor {
            schema_version: self.schema_version,
            sees_personal: self.sees_personal,
            total: self.total,
            ..Cursor::default()
        }
    }
}

pub(super) fn run(context: &JobContext) -> Worked {
    match export(context) {
        Ok(file) => Worked {
            ended: Ok(()),
            files: vec![file],
        },
        // half an export is of no use: it is told of nowhere, and goes behind the job's end
        Err(halt) => Worked::halted(halt),
    }
}

fn export(context: &JobContext) -> Result<JobFileRow, Halt> {
    let job = &context.job;
    let options: ExportOptions = read_document(Some(&job.options))?.unwrap_or_default();
    let mut cursor: Cursor = read_document(job.cursor.as_ref())?.unwrap_or_default();
    let folder = context.folder()?;
    // in the folder of another server, or in none, as in a store that was restored from a backup
    let is_gone = |part: &JobFilePart| {
        let path = folder.made_path(&job.id, JobFile::Export, &part.holder);
        matches!(path.try_exists(), Ok(false))
    };
    if cursor.parts.iter().any(is_gone) {
        cursor = cursor.begun();
    }
    for _ in 0..BEGINNINGS_MAX {
        let permit = context.permit(&[Verb::View])?;
        let version = permit.schema().current().number;
        let sees_personal = permit.caller().sees_personal();
        if (cursor.schema_version, cursor.sees_personal) != (version, sees_personal) {
            cursor = Cursor {
                schema_version: version,
                sees_personal,
                ..Cursor::default()
            };
        }
        let query = options.query.as_deref();
        let query = query.filter(|query| !query.trim().is_empty());
        if let (Some(query), None, false) = (query, cursor.total, cursor.is_whole) {
            cursor.total = query_count(context, &permit, query)?;
        }
        require_fields(job, permit.schema(), &options.fields)?;
        let form = options::of_export(&options, &permit)?;
        let written = match &form.writer {
            ExportWriter::Text(writer) => {
                write_all(context, writer, (form.packing, &options), cursor.clone())?
            }
            ExportWriter::Sheet(fields) => {
                anew::write(context, &options, cursor.clone(), |pages, schema, out| {
                    anew::sheet(pages, (schema, fields), out)
                })?
            }
            ExportWriter::Parquet(fields) => {
                anew::write(context, &options, cursor.clone(), |pages, schema, out| {
                    anew::parquet(pages, (schema, fields), out)
                })?
            }
        };
        if let Some(cursor) = written {
            let name = plain_name(&permit.dataset().name);
            return Ok(JobFileRow {
                file: JobFile::Export,
                name: format!("{name}{}", form.ending),
                bytes: cursor.bytes,
                parts: cursor.parts,
            });
        }
    }
    let text = "the schema changed again and again while it was exported; ask for it anew";
    Err(Halt::Failed(text.to_owned()))
}

/// Writes the file to its end; `None` when the schema changed meanwhile.
fn write_all(
    context: &JobContext,
    writer: &RecordWriter,
    (packing, options): (Packing, &ExportOptions),
    mut cursor: Cursor,
) -> Result<Option<Cursor>, Halt> {
    let folder = context.folder()?;
    let own = (JobFile::Export, &*context.holder);
    let file = GrowingFile::open(folder, &context.job.id, own, &cursor.parts);
    let mut file = file.map_err(opening_failed(THE_FILE))?;
    let mut text = String::new();
    if cursor.bytes == 0 {
        writer.header(&mut text);
    }
    while !cursor.is_whole {
        let read = add_page(context, options, &mut cursor, |_, record| {
            let written = writer.record(record, &mut text);
            written.map_err(|error| unreadable(&error))
        });
        if !read? {
            return Ok(None);
        }
        if text.len() < PIECE_BYTES && !cursor.is_whole {
            continue;
        }
        let is_nothing = text.is_empty() && cursor.bytes > 0;
        let piece = if is_nothing {
            Vec::new()
        } else {
            let piece = packing.piece(text.as_bytes());
            piece.map_err(file_failed(THE_FILE))?
        };
        text.clear();
        context.require_room(piece.len())?;
        cursor.parts = file.write(&piece).map_err(file_failed(THE_FILE))?;
        cursor.bytes = length_of(&cursor.parts);
        match context.step(Vec::new(), update(context, &cursor)?, Vec::new())? {
            Step::Done(_) | Step::Refused(_) => file.commit(&cursor.parts),
        }
    }
    Ok(Some(cursor))
}

/// Gives the records of the next page, each with what it shows; `false` when the schema changed meanwhile.
fn add_page(
    context: &JobContext,
    options: &ExportOptions,
    cursor: &mut Cursor,
    mut take: impl FnMut(&StoredRecord, &str) -> Result<(), Halt>,
) -> Result<bool, Halt> {
    context.go_on()?;
    let permit = context.permit(&[Verb::View])?;
    let is_as_begun = permit.schema().current().number == cursor.schema_version
        && permit.caller().sees_personal() == cursor.sees_personal;
    if !is_as_begun {
        return Ok(false);
    }
    let found = if options.records.is_empty() {
        let query = options.query.as_deref();
        query_page(context, &permit, query, cursor.after, PAGE)?
    } else {
        named_page(context, &permit, &options.records, cursor.after, PAGE)?
    };
    let masked = permit.caller().ever_masked_fields(permit.schema());
    for record in &found.records {
        context.service.require_form(record)?;
        let current = match current(permit.schema(), record) {
            Err(Refusal::Store(StoreError::Overtaken)) => return Ok(false),
            current => current?,
        };
        let id = || context.service.ids.record(record.id);
        let errors = current.errors.as_deref().filter(|_| options.with_errors);
        let errors = errors.map(|errors| masked_errors(errors, &masked));
        let errors = errors.transpose().map_err(|error| unreadable(&error))?;
        let own = (id, &*current.body, errors.as_deref());
        let text = beside::with_system_members(options, own);
        take(record, &text.map_err(|error| unreadable(&error))?)?;
    }
    cursor.records += found.records.len() as u64;
    cursor.after = found.after;
    cursor.is_whole = found.is_last;
    Ok(true)
}

fn unreadable(error: &(dyn std::error::Error + 'static)) -> Halt {
    tracing::error!(error, "a stored record can't be read");
    Halt::Failed("a stored record can't be read; run `fieldstone check`".to_owned())
}

fn update(context: &JobContext, cursor: &Cursor) -> Result<JobUpdate, Halt> {
    let result = ExportResult {
        records: cursor.records,
        bytes: cursor.bytes,
        may_have_personal_data: cursor.sees_personal,
    };
    Ok(JobUpdate {
        cursor: Some(cursor_document(cursor)?),
        progress: JobProgress {
            rows: cursor.records,
            rows_total: cursor.total.or(context.job.progress.rows_total),
            bytes: cursor.bytes,
            bytes_total: None,
        },
        result: Some(document(&result)?),
    })
}
