//! Files that are written from their beginning to their end, since what is in them is told at the end: Excel and
//! Parquet. Work on one that was broken off begins anew.

use super::{Cursor, THE_FILE, add_page, unreadable, update};
use crate::jobs::context::{Halt, JobContext, file_failed, opening_failed};
use crate::jobs::growing_file::own_part;
use schema::Schema;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use store::catalog::Verb;
use store::jobs::JobFile;
use store::records::StoredRecord;
use tabular::{ParquetError, ParquetWriter, SheetCells, SheetError, SheetWriter};
use wire::manage::ExportOptions;

/// Bytes that are written at a time.
const PIECE_BYTES: usize = 1 << 20;

/// The file, a piece at a time.
pub(super) type Pieces<'p, 'f> = BufWriter<&'p mut Metered<'f>>;

/// What reads all records, page after page; `false` when the schema changed meanwhile.
pub(super) struct Pages<'p> {
    context: &'p JobContext,
    options: &'p ExportOptions,
    cursor: &'p mut Cursor,
}

/// Writes a file from its beginning; `None` when the schema changed meanwhile.
pub(super) fn write(
    context: &JobContext,
    options: &ExportOptions,
    mut cursor: Cursor,
    fill: impl FnOnce(Pages<'_>, &Schema, Pieces<'_, '_>) -> Result<bool, Halt>,
) -> Result<Option<Cursor>, Halt> {
    if cursor.is_whole {
        return Ok(Some(cursor));
    }
    cursor = cursor.begun();
    let permit = context.permit(&[Verb::View])?;
    let schema = &permit.schema().current().schema;
    let folder = context.folder()?;
    let (job, holder) = (&context.job.id, &context.holder);
    let file = folder.create_made(job, JobFile::Export, holder);
    let file = file.map_err(opening_failed(THE_FILE))?;
    let mut metered = Metered {
        context,
        file: &file,
        refused: None,
    };
    let pages = Pages {
        context,
        options,
        cursor: &mut cursor,
    };
    let filled = fill(
        pages,
        schema,
        BufWriter::with_capacity(PIECE_BYTES, &mut metered),
    );
    if let Some(halt) = metered.refused {
        return Err(halt);
    }
    if !filled? {
        return Ok(None);
    }
    let length = file.sync_all().and_then(|()| file.metadata());
    cursor.bytes = length.map_err(file_failed(THE_FILE))?.len();
    cursor.parts = vec![own_part(holder, cursor.bytes)];
    context.step(Vec::new(), update(context, &cursor)?, Vec::new())?;
    Ok(Some(cursor))
}

impl Pages<'_> {
    fn each(
        self,
        mut take: impl FnMut(&StoredRecord, &str) -> Result<(), Halt>,
    ) -> Result<bool, Halt> {
        while !self.cursor.is_whole {
            if !add_page(self.context, self.options, self.cursor, &mut take)? {
                return Ok(false);
            }
            // told how far it is, and nothing of it kept
            let mut update = update(self.context, &self.cursor.begun())?;
            update.progress.rows = self.cursor.records;
            self.context.step(Vec::new(), update, Vec::new())?;
        }
        Ok(true)
    }
}

/// Fills an Excel file.
pub(super) fn sheet(
    pages: Pages<'_>,
    (schema, fields): (&Schema, &[String]),
    out: Pieces<'_, '_>,
) -> Result<bool, Halt> {
    let failed = |error| match error {
        SheetError::Syntax(error) => unreadable(&error),
        SheetError::Write(error) => file_failed(THE_FILE)(error),
        error @ (SheetError::Full(_) | SheetError::TooLong { .. } | SheetError::Column(_)) => {
            Halt::Failed(error.to_string())
        }
    };
    let ids = &pages.context.service.ids;
    let cells = SheetCells {
        split: pages.options.split,
        for_spreadsheets: pages.options.for_spreadsheets,
    };
    let mut writer = SheetWriter::new(schema, fields, cells).map_err(failed)?;
    let is_all = pages.each(|stored, record| {
        writer.record(record).map_err(|error| match error {
            SheetError::TooLong { column } => {
                let id = ids.record(stored.id);
                Halt::Failed(format!(
                    "the record {id} has a text of more than 32,767 characters in {column:?}, and a cell of a sheet holds no more; write CSV instead"
                ))
            }
            error => failed(error),
        })
    })?;
    if is_all {
        writer.finish(out).map_err(failed)?;
    }
    Ok(is_all)
}

/// Fills a Parquet file.
pub(super) fn parquet(
    pages: Pages<'_>,
    (schema, fields): (&Schema, &[String]),
    out: Pieces<'_, '_>,
) -> Result<bool, Halt> {
    let failed = |error| match error {
        ParquetError::Syntax(error) => unreadable(&error),
        ParquetError::Write(error) => file_failed(THE_FILE)(error),
        error @ ParquetError::Column(_) => Halt::Failed(error.to_string()),
    };
    let mut writer = ParquetWriter::new(schema, fields, out).map_err(failed)?;
    let is_all = pages.each(|_, record| writer.record(record).map_err(failed))?;
    if is_all {
        writer.finish().map_err(failed)?;
    }
    Ok(is_all)
}

/// A file that asks for room before each piece.
pub(super) struct Metered<'f> {
    context: &'f JobContext,
    file: &'f File,
    /// Why there is no room for more.
    refused: Option<Halt>,
}

impl Write for Metered<'_> {
    fn write(&mut self, piece: &[u8]) -> io::Result<usize> {
        if let Err(halt) = self.context.require_room(piece.len()) {
            self.refused = Some(halt);
            return Err(io::ErrorKind::QuotaExceeded.into());
        }
        self.file.write_all(piece)?;
        Ok(piece.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}
