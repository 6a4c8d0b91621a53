//! Imports: rows of a file become records of a dataset. One thread reads and judges rows (`rows.rs`, each as `read_row.rs` has
//! it; what is known of the file before them, `file_head.rs`; its bytes, `source.rs`) while the batch before is planned
//! (`plan.rs`; which record a row is of, `meant.rs`) and committed (`batch.rs`); a batch's records, its counts and where to go on
//! are one transaction. Rows that can't be stored go into a file of their own (`rejects.rs`), of which a step commits how much it
//! has. At last, where that is asked for, records go that the file does not have (`missing.rs`), unless
//! it is such a file itself (`part.rs`). A dry run names rows that have
//! the key of one before (`repeats.rs`).

mod batch;
mod file_head;
mod marks;
mod meant;
mod missing;
mod names_below;
mod part;
mod places;
mod plan;
mod read_row;
mod reading_notes;
mod rejects;
mod repeats;
mod rows;
mod source;
mod tally;

pub(super) use part::require_whole;

use super::context::{Halt, JobContext, Worked, file_failed};
use super::folder::stem;
use super::growing_file::length_of;
use super::options::{self, FileOptions};
use super::shown::{cursor_document, document, read_document};
use places::Places;
use rejects::Rejects;
use repeats::Repeats;
use rows::{Batch, RowReader};
use serde::{Deserialize, Serialize};
use std::sync::mpsc::{Receiver, sync_channel};
use store::catalog::Verb;
use store::jobs::{JobFile, JobFilePart, JobFileRow, JobProgress, JobUpdate};
use tally::Tally;
use wire::manage::{ImportOptions, ImportResult};

/// Batches that are judged and wait to be committed.
const BATCHES_WAITING: usize = 1;
/// How often the file is read on anew because the schema or its data domains changed.
const BEGINNINGS_MAX: u32 = 32;

const OVERTAKEN: &str = "the schema or its data domains changed again and again while it was imported; send the file anew";

const THE_REJECTS: &str = "the file of rows that can't be stored";

/// Where an import goes on.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct Cursor {
    /// Rows that are done.
    rows: u64,
    /// The parts of the file of rows that can't be stored.
    rejects_parts: Vec<JobFilePart>,
    /// Whether all rows are done.
    is_read: bool,
    /// Which of the dataset's records were looked at for those that the file does not have.
    missing_after: u64,
}

/// An import under way.
struct Import<'c> {
    context: &'c JobContext,
    options: ImportOptions,
    verbs: Vec<Verb>,
    cursor: Cursor,
    tally: Tally,
    progress: JobProgress,
    rejects: Rejects,
    /// Records that the file has, where others are to be deleted.
    places: Places,
    /// The keys of rows, of a dry run.
    repeats: Repeats,
    /// How many rows a step has at most: fewer where others write the same records, so that a step is over before they do.
    step_rows: usize,
}

/// Why rows are not read on.
enum End {
    /// There are no more.
    Read,
    /// The schema is another one now, or its data domains are.
    SchemaChanged,
}

pub(super) fn run(context: &JobContext) -> Worked {
    let begun = Import::begin(context);
    let mut import = match begun {
        Ok(import) => import,
        Err(halt) => return Worked::halted(halt),
    };
    let worked = Worked::without_files(import.all());
    if worked.goes_on(context) {
        return worked;
    }
    match import.close() {
        Ok(files) => Worked { files, ..worked },
        Err(halt) => Worked::without_files(worked.ended.and(Err(halt))),
    }
}

impl<'c> Import<'c> {
    fn begin(context: &'c JobContext) -> Result<Self, Halt> {
        context.require_input()?;
        let job = &context.job;
        let options: ImportOptions = read_document(Some(&job.options))?.unwrap_or_default();
        let last: Option<Cursor> = read_document(job.cursor.as_ref())?;
        // what was only tried is tried anew: which rows came before is not kept
        let kept = last.filter(|_| !options.dry_run);
        let result: Option<ImportResult> =
            read_document(job.result.as_ref().filter(|_| kept.is_some()))?;
        let cursor = kept.unwrap_or_default();
        Ok(Import {
            verbs: options::verbs(&options),
            rejects: Rejects::new(cursor.rejects_parts.clone()),
            tally: Tally::of(result.unwrap_or_default()),
            progress: job.progress,
            places: Places::default(),
            repeats: Repeats::default(),
            step_rows: usize::MAX,
            context,
            options,
            cursor,
        })
    }

    fn all(&mut self) -> Result<(), Halt> {
        let mut beginnings = 0;
        while !self.cursor.is_read || self.must_find_again() {
            beginnings += 1;
            if beginnings > BEGINNINGS_MAX {
                return Err(Halt::Failed(OVERTAKEN.to_owned()));
            }
            if let End::Read = self.rows()? {
                break;
            }
        }
        self.report_repeats()?;
        if self.options.delete_missing {
            self.delete_missing()?;
        }
        Ok(())
    }

    /// Whether the records that the file has are to be found once more: they are not kept from one start to the next.
    fn must_find_again(&self) -> bool {
        self.deletes() && self.cursor.rows > 0 && self.places.is_empty()
    }

    /// Whether records that the file does not have are still to be deleted.
    fn deletes(&self) -> bool {
        self.options.delete_missing && self.tally.result.rejected == 0
    }

    /// Reads rows from where the import is, judges and stores them.
    fn rows(&mut self) -> Result<End, Halt> {
        let permit = self.context.permit(&self.verbs)?;
        let version = permit.schema().current().number;
        let options = self.options.clone();
        let FileOptions {
            reader,
            mappings,
            decimal_mark,
            date_reading,
            words,
        } = options::of_import(&options, &permit.schema().current().schema)?;
        let first = if self.must_find_again() {
            0
        } else {
            self.cursor.rows
        };
        let verbs = self.verbs.clone();
        let rows = RowReader {
            context: self.context,
            verbs: &verbs,
            version,
            options: reader,
            mappings: &mappings,
            split: self.options.split,
            decimal_mark,
            date_reading,
            words: words.as_ref(),
            for_spreadsheets: self.options.for_spreadsheets,
            first,
            deletes_missing: self.options.delete_missing,
            mode: self.options.mode,
        };
        std::thread::scope(|scope| {
            let (sender, batches) = sync_channel(BATCHES_WAITING);
            let span = tracing::Span::current();
            scope.spawn(move || span.in_scope(|| rows.run(&sender)));
            self.take(batches)
        })
    }

    /// Takes batch after batch. Whoever reads ends when nobody takes any more.
    fn take(&mut self, batches: Receiver<Result<Batch, Halt>>) -> Result<End, Halt> {
        for batch in batches {
            let batch = batch?;
            if batch.is_overtaken {
                return Ok(End::SchemaChanged);
            }
            if !self.store(&batch)? {
                return Ok(End::SchemaChanged);
            }
            if batch.is_last {
                return Ok(End::Read);
            }
        }
        Err(Halt::Failed(
            "reading the file broke off by a mistake of the program; the log has the cause"
                .to_owned(),
        ))
    }

    /// What a step changes in the job's row.
    fn update(&self, cursor: &Cursor, tally: &Tally) -> Result<JobUpdate, Halt> {
        // what is only tried begins anew each time, however far it came
        let anew = Cursor::default();
        let cursor = if self.options.dry_run { &anew } else { cursor };
        Ok(JobUpdate {
            cursor: Some(cursor_document(cursor)?),
            progress: self.progress,
            result: Some(document(&tally.result)?),
        })
    }

    /// Ends the file of rows that could not be stored.
    fn close(&mut self) -> Result<Vec<JobFileRow>, Halt> {
        let context = self.context;
        let folder = context.folder()?;
        let closed = self
            .rejects
            .close(folder, (&context.job.id, &context.holder));
        let closed = closed.map_err(file_failed(THE_REJECTS))?;
        let name = self.options.file_name.as_deref().map(stem);
        let name = super::folder::plain_name(name.unwrap_or("import"));
        let row = closed.map(|(parts, ending)| JobFileRow {
            file: JobFile::Rejects,
            name: format!("{name}-rejects.{ending}"),
            bytes: length_of(&parts),
            parts,
        });
        Ok(row.into_iter().collect())
    }
}
