//! Exports: all records of a dataset as rows of a file. Pages follow one another by key, each as of the moment it is
//! read, so a record that is there throughout comes exactly once, in the order of creation. The file grows in pieces
//! that are whole by themselves, packed ones too, so it goes on behind the last one that was committed. All of it is of
//! one version of the schema: where that changes, it begins anew.

use super::context::{Halt, JobContext, Step, Worked, file_failed};
use super::folder::{GrowingFile, plain_name};
use super::options::{self, ExportForm};
use super::shown::{document, read};
use crate::records::current;
use crate::{DatasetPermit, Refusal};
use serde::{Deserialize, Serialize};
use store::StoreError;
use store::catalog::Verb;
use store::jobs::{JobFile, JobFileRow, JobProgress, JobUpdate};
use store::records::{PageLimit, Shelf};
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
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
struct Cursor {
    /// The sequence of the last record in the file.
    after: u64,
    records: u64,
    bytes: u64,
    /// The version of the schema that the file is of.
    schema_version: i64,
    /// Whether the last record is in it.
    is_whole: bool,
}

pub(super) fn run(context: &JobContext) -> Worked {
    match export(context) {
        Ok(file) => Worked {
            ended: Ok(()),
            files: vec![file],
        },
        Err(halt) => {
            // half an export is of no use; the folder is cleaned later, if not now
            if !matches!(halt, Halt::Stopping | Halt::Lost)
                && let Ok(folder) = context.folder()
            {
                let _ = folder.remove(&context.job.id, super::folder::Part::Made(JobFile::Export));
            }
            Worked {
                ended: Err(halt),
                files: Vec::new(),
            }
        }
    }
}

fn export(context: &JobContext) -> Result<JobFileRow, Halt> {
    let job = &context.job;
    let options: ExportOptions = read(true, Some(&job.options))?.unwrap_or_default();
    let mut cursor: Cursor = read(true, job.cursor.as_ref())?.unwrap_or_default();
    for _ in 0..BEGINNINGS_MAX {
        let permit = context.permit(&[Verb::View])?;
        let version = permit.schema().current().number;
        if cursor.schema_version != version {
            cursor = Cursor {
                schema_version: version,
                ..Cursor::default()
            };
        }
        let form = options::of_export(&options, &permit.schema().current().schema)?;
        if let Some(cursor) = write_all(context, &form, cursor)? {
            let name = plain_name(&permit.dataset().name);
            return Ok(JobFileRow {
                file: JobFile::Export,
                name: format!("{name}{}", form.ending),
                bytes: cursor.bytes,
            });
        }
    }
    let text = "the schema changed again and again while it was exported; ask for it anew";
    Err(Halt::Failed(text.to_owned()))
}

/// Writes the file to its end; `None` when the schema changed meanwhile.
fn write_all(
    context: &JobContext,
    form: &ExportForm,
    mut cursor: Cursor,
) -> Result<Option<Cursor>, Halt> {
    let folder = context.folder()?;
    let file = GrowingFile::open(folder, &context.job.id, JobFile::Export, cursor.bytes);
    let mut file = file.map_err(file_failed(THE_FILE))?;
    let mut text = String::new();
    if cursor.bytes == 0 {
        form.writer.header(&mut text);
    }
    while !cursor.is_whole {
        context.go_on()?;
        let permit = context.permit(&[Verb::View])?;
        if permit.schema().current().number != cursor.schema_version {
            return Ok(None);
        }
        if !add_page(context, &permit, form, &mut cursor, &mut text)? {
            return Ok(None);
        }
        if text.len() < PIECE_BYTES && !cursor.is_whole {
            continue;
        }
        let is_nothing = text.is_empty() && cursor.bytes > 0;
        let piece = if is_nothing {
            Vec::new()
        } else {
            let piece = form.packing.piece(text.as_bytes());
            piece.map_err(file_failed(THE_FILE))?
        };
        text.clear();
        cursor.bytes = file.write(&piece).map_err(file_failed(THE_FILE))?;
        match context.step(Vec::new(), update(context, cursor)?, Vec::new())? {
            Step::Done(_) | Step::Refused(_) => file.commit(cursor.bytes),
        }
    }
    file.close().map_err(file_failed(THE_FILE))?;
    Ok(Some(cursor))
}

/// Adds the records of the next page; `false` when the schema changed meanwhile.
fn add_page(
    context: &JobContext,
    permit: &DatasetPermit,
    form: &ExportForm,
    cursor: &mut Cursor,
    text: &mut String,
) -> Result<bool, Halt> {
    let store = context.service.store();
    let dataset = permit.dataset().number;
    let page = context.wait(store.page(dataset, Shelf::Live, cursor.after, PAGE))?;
    for record in &page.records {
        let current = match current(permit.schema(), record) {
            Err(Refusal::Store(StoreError::Overtaken)) => return Ok(false),
            current => current?,
        };
        form.writer.record(&current.body, text).map_err(|error| {
            let place = record.id.place.sequence;
            tracing::error!(%error, dataset, place, "a stored record can't be read");
            Halt::Failed("a stored record can't be read; run `fieldstone check`".to_owned())
        })?;
    }
    cursor.records += page.records.len() as u64;
    if let Some(last) = page.records.last() {
        cursor.after = last.id.place.sequence;
    }
    cursor.is_whole = page.behind.is_none();
    Ok(true)
}

fn update(context: &JobContext, cursor: Cursor) -> Result<JobUpdate, Halt> {
    let result = ExportResult {
        records: cursor.records,
        bytes: cursor.bytes,
    };
    Ok(JobUpdate {
        cursor: Some(document(&cursor)?),
        progress: JobProgress {
            rows: cursor.records,
            rows_total: context.job.progress.rows_total,
            bytes: cursor.bytes,
            bytes_total: None,
        },
        result: Some(document(&result)?),
    })
}
