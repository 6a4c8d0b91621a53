//! What came of imports and exports, as it is printed: text for people, JSON for programs.

use crate::failure::{self, Exit};
use crate::output::show_json;
use crate::settings::Format;
use crate::standard_output::{standard_output, tell_line};
use manifest::failure::{Failure, FailureCode};
use serde::Serialize;
use service::Mapping;
use std::io::{self, Write};
use wire::manage::{
    DateTexts, FoundFile, ImportResult, JobKind, JobState, JobView, LeftRecord, NumberTexts,
    Packing, RevisionResult, RowCount, RowSample, TextSample, UnusedColumn,
};

/// Samples of a fault that people are shown.
const SAMPLES_MAX: usize = 3;

/// Jobs, as programs read them.
#[derive(Serialize)]
struct Report<'a> {
    jobs: &'a [JobView],
    /// Why not all of it was done.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<&'a Failure>,
}

/// Prints what came of jobs that ended; `other` is what went wrong beside them.
pub(crate) fn report(
    jobs: &[JobView],
    format: Format,
    other: Option<anyhow::Error>,
    out: &mut impl Write,
) -> anyhow::Result<Exit> {
    let failure = match other {
        Some(error) => Some(failure::of(&error)),
        None => jobs.iter().find_map(failure_of),
    };
    if format == Format::Json {
        let printed = failure.as_ref().map(Failure::printed);
        show_json(&Report {
            jobs,
            error: printed.as_ref(),
        })?;
    } else {
        for job in jobs {
            write_job(out, job)?;
        }
        for job in jobs {
            warn(job);
        }
    }
    if let Some(failure) = &failure {
        failure::tell(failure);
        return Ok(failure::exit(failure));
    }
    Ok(if jobs.iter().any(left_something_out) {
        Exit::LeftOut
    } else {
        Exit::Done
    })
}

/// Tells people what a job's log has: what did not go as one may think, and never how far it was.
fn warn(job: &JobView) {
    for line in &job.log {
        tell_line(format_args!("warning: {}: {}", name_of(job), line.text));
    }
}

/// Whether an import that is done left rows out, or the deletion that was asked for, which a file without rows never makes.
fn left_something_out(job: &JobView) -> bool {
    let options = job.import_options.as_ref();
    let is_to_delete = options.is_some_and(|it| it.delete_missing);
    let is_undone = |it: &ImportResult| it.rejected > 0 || (is_to_delete && it.rows == 0);
    job.state == JobState::Done && job.import_result.as_ref().is_some_and(is_undone)
}

/// Why a job was not done to its end.
fn failure_of(job: &JobView) -> Option<Failure> {
    let message = match job.state {
        // one that goes on has not failed
        JobState::Done | JobState::Queued | JobState::Running => return None,
        JobState::Cancelled => format!(
            "the {} was cancelled; what it did until then stays",
            job.kind.as_str()
        ),
        JobState::Failed => {
            let why = job.failure.as_deref().unwrap_or("it does not say why");
            format!("the {} failed: {why}", job.kind.as_str())
        }
    };
    Some(Failure::new(FailureCode::Failed, message))
}

/// The name that people know a job's work by.
fn name_of(job: &JobView) -> &str {
    let options = job.import_options.as_ref();
    let name = options.and_then(|options| options.file_name.as_deref());
    name.unwrap_or(match job.kind {
        JobKind::Import => "import",
        JobKind::Export => "export",
        JobKind::Repair => "repair",
        JobKind::Revalidate => "judgement",
        JobKind::Effects => "judgement by a draft",
        JobKind::Undo => "undoing",
        JobKind::Bulk => "request of many writes",
    })
}

/// Prints a job for people.
pub(crate) fn write_job(out: &mut impl Write, job: &JobView) -> io::Result<()> {
    if !job.state.has_ended() {
        let (name, id) = (name_of(job), &job.job_id);
        return writeln!(
            out,
            "{name} goes on as the job {id}; `fieldstone jobs show {id}` tells how far it is"
        );
    }
    if let Some(result) = &job.import_result {
        write_import(out, name_of(job), result, job.is_dry_run)?;
        if job.is_purged {
            writeln!(
                out,
                "    what it told of rows and columns is not kept: a record of the dataset was purged"
            )?;
        }
        if job.is_dry_run {
            writeln!(out, "nothing was written: a dry run")?;
        }
    }
    if let Some(result) = &job.export_result {
        writeln!(out, "{} records, {} bytes", result.records, result.bytes)?;
    }
    if let Some(result) = &job.revision_result {
        write_revision(out, name_of(job), result)?;
        if job.is_dry_run {
            writeln!(out, "nothing was written: a dry run")?;
        }
    }
    if let Some(result) = &job.undo_result {
        writeln!(
            out,
            "undoing: {} records: {} as before, {} deleted, {} restored, {} left alone",
            result.records, result.reverted, result.deleted, result.restored, result.left
        )?;
        write_left(out, &result.left_records)?;
    }
    Ok(())
}

fn write_revision(out: &mut impl Write, name: &str, result: &RevisionResult) -> io::Result<()> {
    writeln!(
        out,
        "{name}: {} records: {} changed, {} left alone; {} faulty before, {} after",
        result.records, result.changed, result.left, result.faulty_before, result.faulty_after
    )?;
    for fault in &result.faults {
        let (field, rule) = (&fault.field, &fault.rule);
        writeln!(
            out,
            "    {field:?}: {rule}: {} come, {} gone",
            fault.come, fault.gone
        )?;
    }
    for sample in &result.samples {
        let (id, before, after) = (&sample.data_object_id, &sample.before, &sample.after);
        writeln!(out, "    {id}: {before} becomes {after}")?;
    }
    write_left(out, &result.left_records)
}

fn write_left(out: &mut impl Write, left: &[LeftRecord]) -> io::Result<()> {
    for record in left {
        writeln!(
            out,
            "    {} left alone: {}",
            record.data_object_id, record.reason
        )?;
    }
    Ok(())
}

/// What a file was read as.
fn write_found(out: &mut impl Write, found: &FoundFile) -> io::Result<()> {
    write!(out, "    read as {}", found.format.as_str())?;
    match found.packing {
        Some(Packing::Gzip) => write!(out, ", packed with gzip")?,
        Some(Packing::Zstd) => write!(out, ", packed with zstd")?,
        Some(Packing::None) | None => {}
    }
    if let Some(sheet) = &found.sheet {
        write!(out, ", sheet {sheet:?}")?;
    }
    if let Some(count) = found.sheet_count.filter(|count| *count > 1) {
        write!(out, " of {count}")?;
    }
    if let Some(encoding) = &found.encoding {
        write!(out, ", {encoding}")?;
    }
    if let Some(delimiter) = found.delimiter {
        write!(out, ", delimiter {delimiter:?}")?;
    }
    if let Some(quote) = found.quote.filter(|it| *it != '"') {
        write!(out, ", quote {quote}")?;
    }
    match found.header {
        Some(true) => writeln!(out, ", the first row has the names"),
        Some(false) => writeln!(out, ", columns in the order of the fields"),
        None => writeln!(out),
    }
}

fn write_import(
    out: &mut impl Write,
    name: &str,
    result: &ImportResult,
    is_dry_run: bool,
) -> io::Result<()> {
    let ImportResult {
        rows,
        created,
        updated,
        unchanged,
        deleted,
        rejected,
        faulty,
        faults,
        rejections,
        found,
        ..
    } = result;
    write!(
        out,
        "{name}: {rows} rows: {created} new, {updated} changed, {unchanged} as they were, {rejected} left out"
    )?;
    match (*deleted, is_dry_run) {
        (0, _) => {}
        (1, true) => write!(out, "; 1 record would be deleted")?,
        (1, false) => write!(out, "; 1 record deleted")?,
        (_, true) => write!(out, "; {deleted} records would be deleted")?,
        (_, false) => write!(out, "; {deleted} records deleted")?,
    }
    match faulty {
        0 => writeln!(out)?,
        1 => writeln!(out, "; 1 row has faults")?,
        faulty => writeln!(out, "; {faulty} rows have faults")?,
    }
    if let Some(found) = found {
        write_found(out, found)?;
    }
    write_readings(out, result)?;
    for fault in faults {
        writeln!(
            out,
            "    {} × {:?}: {}",
            fault.count, fault.field, fault.rule
        )?;
        write_samples(out, &fault.samples, fault.count)?;
    }
    for rejection in rejections {
        writeln!(
            out,
            "    {} left out: {}",
            rejection.count, rejection.reason
        )?;
        write_samples(out, &rejection.samples, rejection.count)?;
    }
    Ok(())
}

/// Writes what is to be checked of how a file was read.
fn write_readings(out: &mut impl Write, result: &ImportResult) -> io::Result<()> {
    write_encoding(out, result.found.as_ref(), &result.encoding_samples)?;
    write_unused(out, &result.unused_columns)?;
    write_numbers(out, &result.numbers)?;
    write_dates(out, &result.dates)?;
    if let Some(RowCount { rows, first_line }) = result.quotes_after_blanks {
        let rows = match rows {
            1 => "1 row has".to_owned(),
            rows => format!("{rows} rows have"),
        };
        writeln!(
            out,
            "    {rows} a quote after a blank, which quotes nothing and is a part of the text, first on line {first_line}; take the blank away"
        )?;
    }
    for row in &result.first_rows {
        let values = row.values.iter();
        let values = values.map(|it| format!("{}: {}", it.field, it.value));
        let values = values.collect::<Vec<_>>().join(", ");
        writeln!(out, "    line {} as it would be stored: {values}", row.line)?;
    }
    Ok(())
}

/// Writes that the encoding was guessed, with texts that show whether it is right.
fn write_encoding(
    out: &mut impl Write,
    found: Option<&FoundFile>,
    samples: &[TextSample],
) -> io::Result<()> {
    let guessed = found.filter(|it| it.is_encoding_guessed);
    let Some(encoding) = guessed.and_then(|it| it.encoding.as_deref()) else {
        return Ok(());
    };
    writeln!(
        out,
        "    the file is not UTF-8; it was read as {encoding}; another encoding: --encoding"
    )?;
    for TextSample { line, column, text } in samples {
        match column {
            Some(column) => writeln!(out, "        line {line}, {column:?}: {text}")?,
            None => writeln!(out, "        line {line}: {text}")?,
        }
    }
    Ok(())
}

/// Writes which columns go nowhere; those without a name, which stand behind the last one as a rule, together.
fn write_unused(out: &mut impl Write, columns: &[UnusedColumn]) -> io::Result<()> {
    let is_nameless = |column: &&UnusedColumn| column.column.trim().is_empty();
    match columns.iter().filter(is_nameless).count() {
        0 => {}
        1 => writeln!(out, "    a column without a name goes nowhere")?,
        _ => writeln!(out, "    columns without a name go nowhere")?,
    }
    for column in columns.iter().filter(|it| !is_nameless(it)) {
        let name = &column.column;
        match (&column.near, &column.field) {
            (Some(near), _) => writeln!(
                out,
                "    column {name:?} goes nowhere; if {near:?} is meant, say --map {:?}",
                Mapping::typed(name, near)
            )?,
            (None, Some(field)) => writeln!(
                out,
                "    column {name:?} is for {field:?} too; another one counts"
            )?,
            (None, None) => writeln!(out, "    column {name:?} goes nowhere")?,
        }
    }
    Ok(())
}

/// What is to be looked at twice of how numbers are written.
fn write_numbers(out: &mut impl Write, numbers: &[NumberTexts]) -> io::Result<()> {
    for own in numbers {
        let field = &own.field;
        if own.has_commas() {
            writeln!(
                out,
                "    {field:?} has decimals behind a comma; say --decimal-mark comma"
            )?;
        } else if own.may_be_thousands() {
            writeln!(
                out,
                "    {field:?} has dots before three digits alone, as in 12.000; say --decimal-mark comma if they stand between \
                 thousands, else --decimal-mark point"
            )?;
        }
    }
    Ok(())
}

/// How days and times would be read that their fields don't read.
fn write_dates(out: &mut impl Write, dates: &[DateTexts]) -> io::Result<()> {
    for own in dates {
        let Some(proposal) = own.proposed() else {
            continue;
        };
        let flags = proposal.formats.iter();
        let flags = flags.map(|it| format!("--date-format {}", it.as_str()));
        let flags = flags.collect::<Vec<_>>().join(" or ");
        let rows = |count| if count == 1 { "row" } else { "rows" };
        let (fixed, changed) = (proposal.fixed, proposal.changed);
        write!(
            out,
            "    {:?} is written otherwise; {flags} would fix {fixed} {}",
            own.field,
            rows(fixed)
        )?;
        if changed > 0 {
            let rows = rows(changed);
            let them = if changed == 1 { "it" } else { "them" };
            write!(
                out,
                ", but read {changed} {rows} as another day, or leave {them} out"
            )?;
        }
        writeln!(out)?;
    }
    Ok(())
}

fn write_samples(out: &mut impl Write, samples: &[RowSample], count: u64) -> io::Result<()> {
    let shown = &samples[..samples.len().min(SAMPLES_MAX)];
    for sample in shown {
        writeln!(out, "        line {}: {}", sample.line, sample.message)?;
    }
    let more = count.saturating_sub(shown.len() as u64);
    // where none is told, as of a job that a purge emptied, there are no others either
    if more > 0 && !shown.is_empty() {
        writeln!(out, "        and {more} more")?;
    }
    Ok(())
}

/// Jobs, one a line.
pub(crate) fn list(jobs: &[JobView], format: Format) -> anyhow::Result<()> {
    if format == Format::Json {
        return show_json(jobs);
    }
    let mut out = standard_output();
    for job in jobs {
        write_line(&mut out, job)?;
    }
    Ok(())
}

/// A job and all that is known of it.
pub(crate) fn show(job: &JobView, format: Format) -> anyhow::Result<()> {
    if format == Format::Json {
        return show_json(job);
    }
    let mut out = standard_output();
    write_line(&mut out, job)?;
    write_job(&mut out, job)?;
    if let Some(failure) = &job.failure {
        writeln!(out, "failed: {failure}")?;
    }
    for line in &job.log {
        writeln!(out, "{}  {}", line.at, line.text)?;
    }
    for file in &job.files {
        writeln!(
            out,
            "{}  {} bytes, until {}",
            file.name, file.bytes, file.until
        )?;
    }
    Ok(())
}

fn write_line(out: &mut impl Write, job: &JobView) -> io::Result<()> {
    let state = match (job.is_cancelling, job.state) {
        (true, JobState::Queued | JobState::Running) => "ending",
        (_, state) => state.as_str(),
    };
    let (id, kind, rows) = (&job.job_id, job.kind.as_str(), job.progress.rows);
    let (made, by) = (&job.created_date, &job.created_by.name);
    writeln!(out, "{id}  {state}  {kind}  {rows} rows  {made}  by {by}")
}
