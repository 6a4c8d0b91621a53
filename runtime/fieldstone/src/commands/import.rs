//! `fieldstone import`: rows of files become records of a dataset, each file by a job of its own.

use super::export::OTHER_ENDINGS;
use crate::control::{self, Api, Sent, ServerArgs};
use crate::dataset_path::DatasetPath;
use crate::failure::usage;
use crate::job_report;
use crate::job_watch::JobWatch;
use crate::out_file::OutFile;
use crate::pieces::Pieces;
use crate::settings::Common;
use crate::standard_input::require_read_once;
use crate::standard_output::standard_output;
use crate::web_address::segment;
use anyhow::{Context as _, anyhow};
use axum::http::Method;
use clap::{Args, ValueEnum};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use wire::manage::{
    DataFormat, DateReading, DecimalMark, ImportMode, ImportOptions, JobFile, JobState, JobView,
};

/// The examples under `fieldstone import --help`.
const EXAMPLES: &str = "\
Examples:
  fieldstone import customers.csv --into Sales/Customer/Customers --dry-run
                                  what would become of it, and which faults it has, by field and rule
  fieldstone import customers.csv --into Sales/Customer/Customers --mode upsert --map \"Kundennr=Customer No\"
                                  new records, and those that are there, by primary key
  fieldstone import customers.xlsx --sheet 2026 --into Sales/Customer/Customers --rejects mend.csv
                                  a sheet of an Excel file; rows that can't be stored, to be mended and sent again
  zcat dump.ndjson.gz | fieldstone import - --into Sales/Customer/Customers
                                  standard input; packed files are read as they are, too

Ctrl-C cancels the import; rows that were stored until then stay. The job goes on without the command with --detach.
Exit codes: 0 all rows stored, 1 not done to its end, 2 wrong usage, 3 done, and rows or a deletion were left out";

#[derive(Args)]
#[command(after_help = EXAMPLES)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of its own")]
pub(crate) struct Options {
    /// Files: CSV, NDJSON, a JSON array or Excel (.xlsx), also packed with gzip or zstd; `-` for standard input
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,

    /// The dataset: AREA/SCHEMA/DATASET, each by name or id, or its id
    #[arg(long, value_name = "DATASET")]
    into: DatasetPath,

    /// What becomes of records that are there
    #[arg(long, value_enum, value_name = "MODE", default_value = "create")]
    mode: Mode,

    /// With `--mode replace`: delete the records that the file does not have, all others where it was exported by a query;
    /// `--dry-run` tells how many. Refused with a file of `--rejects`
    #[arg(long)]
    delete_missing: bool,

    /// Take rows whatever their `_version`. Without it, a row whose `_version` is not the record's any more is left out
    #[arg(long)]
    ignore_version: bool,

    /// Judge everything and write nothing
    #[arg(long)]
    dry_run: bool,

    /// Write the rows that can't be stored to this file, with line and reason, in the format they came in, those of Excel as
    /// CSV, not packed. It takes its place when the import has ended; a file that is read is refused
    #[arg(long, value_name = "FILE")]
    rejects: Option<PathBuf>,

    /// The field that a column, or a member of JSON, is for; `COLUMN=` leaves it out; may be given several times
    #[arg(long = "map", value_name = "COLUMN=FIELD", value_parser = mapping)]
    mappings: Vec<String>,

    /// How rows stand in the file, if not found by its content
    #[arg(long, value_enum, value_name = "FORMAT")]
    input_format: Option<InputFormat>,

    /// What parts the cells of a CSV file, if not found; `tab` for a tab
    #[arg(long, value_name = "CHAR", value_parser = super::letter)]
    delimiter: Option<char>,

    /// What stands around the cells of a CSV file that hold a delimiter, if not found
    #[arg(long, value_name = "CHAR", value_parser = ["\"", "'"])]
    quote: Option<String>,

    /// How its text is encoded, if not found by the whole file: a name of the Encoding Standard, such as utf-8, utf-16le,
    /// windows-1250, iso-8859-2, koi8-r or macintosh, or cp437 or cp850
    #[arg(long, value_name = "ENCODING", value_parser = super::encoding)]
    encoding: Option<String>,

    /// Whether the first row of a CSV file or a sheet has the names of its columns, if not found
    #[arg(long, value_name = "YES|NO", value_parser = ["yes", "no"])]
    header: Option<String>,

    /// The sheet of an Excel file, by its name; without it, the first that is not hidden
    #[arg(long, value_name = "NAME")]
    sheet: Option<String>,

    /// What parts the values of a cell of a field with several, beside JSON arrays; `tab` for a tab
    #[arg(long, value_name = "CHAR", value_parser = super::letter)]
    split: Option<char>,

    /// What stands before the decimals of numbers that are text: `comma` for 1.234,50, `point` for 1,234.50. Without it a
    /// point does, and 12.000 is neither a whole number nor a currency
    #[arg(long, value_enum, value_name = "MARK")]
    decimal_mark: Option<Mark>,

    /// How days and times are written that are text; without it, as their fields have them or as ISO 8601
    #[arg(long, value_enum, value_name = "FORMAT")]
    date_format: Option<Dates>,

    /// Words of cells that stand for true, with commas between them, as in `yes,ja`
    #[arg(long, value_name = "WORDS")]
    true_words: Option<String>,

    /// Words of cells that stand for false
    #[arg(long, value_name = "WORDS")]
    false_words: Option<String>,

    /// Words of cells that stand for no value, as in `NULL,\N`
    #[arg(long, value_name = "WORDS")]
    null_words: Option<String>,

    /// The file was exported with --for-spreadsheets: the `'` before what a spreadsheet takes for a formula goes
    #[arg(long)]
    for_spreadsheets: bool,

    /// Make the jobs and don't wait for them; takes a server
    #[arg(long, conflicts_with = "rejects")]
    detach: bool,

    /// The tenant; needed where there are several
    #[arg(long, value_name = "NAME")]
    tenant: Option<String>,

    #[command(flatten)]
    server: ServerArgs,
}

#[derive(Clone, Copy, ValueEnum)]
enum Mode {
    /// Each row is a new record; one whose key is taken is left out
    Create,
    /// Each row changes the record with its key; what it has no column for stays, an empty cell clears
    Update,
    /// As update, and a row with a new key is a new record
    Upsert,
    /// As upsert, and what a row has no column for is cleared
    Replace,
}

#[derive(Clone, Copy, ValueEnum)]
enum InputFormat {
    Csv,
    Ndjson,
    Json,
    Xlsx,
}

#[derive(Clone, Copy, ValueEnum)]
enum Mark {
    Point,
    Comma,
}

#[derive(Clone, Copy, ValueEnum)]
enum Dates {
    /// As their fields have them, or 2024-04-03
    Field,
    /// Month first: 4/3/2024, 4/3/2024 5:06 PM
    Us,
    /// Day first: 3.4.2024, 3/4/2024 17:06
    European,
    /// With time and zone: 2024-04-03 10:00:00.000, 2024-04-03 10:00:00+02; midnight where a field has no time
    Timestamp,
    /// Digits alone: 20240403, 20240403T100000Z
    Compact,
}

fn mapping(text: &str) -> Result<String, String> {
    if text.contains('=') {
        return Ok(text.to_owned());
    }
    Err("a column, `=` and a field".to_owned())
}

impl Options {
    /// What the job is told.
    fn of_job(&self, file: &Path) -> ImportOptions {
        ImportOptions {
            mode: match self.mode {
                Mode::Create => ImportMode::Create,
                Mode::Update => ImportMode::Update,
                Mode::Upsert => ImportMode::Upsert,
                Mode::Replace => ImportMode::Replace,
            },
            delete_missing: self.delete_missing,
            ignore_version: self.ignore_version,
            dry_run: self.dry_run,
            format: self.input_format.map(|format| match format {
                InputFormat::Csv => DataFormat::Csv,
                InputFormat::Ndjson => DataFormat::Ndjson,
                InputFormat::Json => DataFormat::Json,
                InputFormat::Xlsx => DataFormat::Xlsx,
            }),
            encoding: self.encoding.clone(),
            delimiter: self.delimiter,
            quote: self.quote.as_deref().and_then(|it| it.chars().next()),
            header: self.header.as_deref().map(|word| word == "yes"),
            sheet: self.sheet.clone(),
            map: self.mappings.clone(),
            split: self.split,
            decimal_mark: self.decimal_mark.map(|mark| match mark {
                Mark::Point => DecimalMark::Point,
                Mark::Comma => DecimalMark::Comma,
            }),
            date_format: self.date_format.map(|format| match format {
                Dates::Field => DateReading::Field,
                Dates::Us => DateReading::Us,
                Dates::European => DateReading::European,
                Dates::Timestamp => DateReading::Timestamp,
                Dates::Compact => DateReading::Compact,
            }),
            true_words: self.true_words.clone(),
            false_words: self.false_words.clone(),
            null_words: self.null_words.clone(),
            for_spreadsheets: self.for_spreadsheets,
            file_name: Some(shown(file)),
            file_of: None,
        }
    }

    /// Refuses what contradicts itself, before anything is opened.
    fn check(&self) -> anyhow::Result<()> {
        if self.delete_missing && self.files.len() > 1 {
            let text =
                "--delete-missing takes one file: a second one would delete what the first one has";
            return Err(usage(text));
        }
        if self.rejects.is_some() && self.files.len() > 1 {
            let text = "--rejects takes the rows of one file, and there are several; import them one by one";
            return Err(usage(text));
        }
        if let Some(ending) = self.rejects.as_deref().and_then(packed_ending) {
            return Err(usage(format!(
                "no file of --rejects is written as `.{ending}`: it is plain text; name it .csv, or .ndjson"
            )));
        }
        if self.delete_missing && !matches!(self.mode, Mode::Replace) {
            return Err(usage("--delete-missing goes with --mode replace"));
        }
        // one that is not there is told before others are imported
        for file in self.files.iter().filter(|file| **file != Path::new("-")) {
            let unreadable = || format!("can't read {}", file.display());
            let found = std::fs::metadata(file).with_context(unreadable)?;
            // a folder can be opened, too, and would break off while it is sent
            if found.is_dir() {
                anyhow::bail!("can't read {}: it is a folder", file.display());
            }
            // who writes to a pipe would be gone when it is opened a second time
            if found.is_file() {
                std::fs::File::open(file).with_context(unreadable)?;
            }
        }
        Ok(())
    }
}

/// How the name of a file ends, where that is the name of one that is no plain text.
fn packed_ending(file: &Path) -> Option<String> {
    let ending = file.extension()?.to_str()?.to_ascii_lowercase();
    let is_packed = ["gz", "parquet", "xlsx", "zst"].contains(&&*ending);
    (is_packed || OTHER_ENDINGS.contains(&&*ending)).then_some(ending)
}

/// The name of a file, for people.
fn shown(file: &Path) -> String {
    if file == Path::new("-") {
        return "standard input".to_owned();
    }
    let name = file.file_name().unwrap_or(file.as_os_str());
    name.to_string_lossy().into_owned()
}

pub(crate) async fn run(common: &Common, options: Options) -> anyhow::Result<ExitCode> {
    let mut inputs = options.server.files();
    inputs.extend(common.database.password_file().map(Path::to_owned));
    inputs.extend(options.files.clone());
    require_read_once(&inputs)?;
    options.check()?;
    inputs.extend(common.config.clone());
    let rejects = options.rejects.as_deref();
    let rejects =
        rejects.map(|path| OutFile::create(Some("--rejects"), path, &inputs, &common.data));
    let rejects = rejects.transpose()?;
    let mut watch = JobWatch::new(common.format)?;
    let api = control::open_api(&options.server, options.tenant.as_deref(), common).await?;
    let mut jobs = Vec::new();
    let done = import_all(&api, &options, &mut watch, &mut jobs).await;
    let done = match (done, rejects, jobs.last()) {
        (Ok(()), Some(file), Some(job)) => download_rejects(&api, job, file).await,
        (done, ..) => done,
    };
    watch.end();
    let closed = api.close().await;
    let exit = job_report::report(
        &jobs,
        common.format,
        done.and(closed).err(),
        &mut standard_output(),
    )?;
    Ok(exit.into())
}

async fn import_all(
    api: &Api,
    options: &Options,
    watch: &mut JobWatch,
    jobs: &mut Vec<JobView>,
) -> anyhow::Result<()> {
    if options.detach && !api.outlives_the_command() {
        return Err(usage(
            "--detach takes a server that goes on with the job; start one, or name one with --server",
        ));
    }
    let dataset = options.into.find(api).await?;
    for file in &options.files {
        let name = shown(file);
        let path = format!(
            "/datasets/{}/imports?{}",
            segment(&dataset),
            query(&options.of_job(file))
        );
        let taken = Arc::new(AtomicU64::new(0));
        let pieces = Pieces::of(file, taken.clone());
        let pieces = pieces.with_context(|| format!("can't read {}", file.display()))?;
        let bytes = file.metadata().ok().map(|it| it.len());
        let sending = api.ask::<JobView>(Method::POST, &path, Sent::File(pieces));
        let Some(job) = watch.sending(&name, bytes, &taken, sending).await? else {
            return Err(anyhow!(
                "stopped before {name} was sent; nothing of it was imported"
            ));
        };
        if options.detach {
            jobs.push(job);
            continue;
        }
        let job = match watch.follow(api, &name, &job).await {
            Ok(job) => job,
            Err(error) => {
                // where it goes on, it can be looked for by its id
                if api.outlives_the_command() {
                    jobs.push(job);
                }
                return Err(error);
            }
        };
        let is_done = job.state == JobState::Done;
        jobs.push(job);
        if !is_done {
            // the report tells why; what comes behind it may rest on it
            break;
        }
    }
    Ok(())
}

/// Takes the rows that could not be stored; without any, the file is one of nothing, and of an import that failed the one that is
/// there stays.
async fn download_rejects(api: &Api, job: &JobView, mut out: OutFile) -> anyhow::Result<()> {
    let rejected = job.import_result.as_ref().map_or(0, |it| it.rejected);
    let is_gone = job.is_purged && rejected > 0;
    anyhow::ensure!(
        !is_gone || !job.is_dry_run,
        "a record of the dataset was purged while the file was tried, so the rows that would be left out were removed, {rejected} of them; nothing was written, so try it again"
    );
    anyhow::ensure!(
        !is_gone,
        "a record of the dataset was purged while the file was imported, so the rows that were left out were removed, {rejected} of them; what could be stored is stored, and --dry-run with the same file tells of the others"
    );
    if job.files.iter().any(|file| file.file == JobFile::Rejects) {
        let path = format!("/jobs/{}/rejects", job.job_id);
        api.download(&path, &mut out, |_| {}).await?;
    } else if job.state != JobState::Done {
        return Ok(());
    }
    let path = out.path().display().to_string();
    out.end()
        .with_context(|| format!("the rows that were left out are not in {path}"))
}

/// Options as they stand behind the question mark.
fn query(options: &ImportOptions) -> String {
    let ImportOptions {
        mode,
        delete_missing,
        ignore_version,
        dry_run,
        format,
        encoding,
        delimiter,
        quote,
        header,
        sheet,
        map,
        split,
        decimal_mark,
        date_format,
        true_words,
        false_words,
        null_words,
        for_spreadsheets,
        file_name,
        file_of: _,
    } = options;
    let mode = match mode {
        ImportMode::Create => "create",
        ImportMode::Update => "update",
        ImportMode::Upsert => "upsert",
        ImportMode::Replace => "replace",
    };
    let flag = |said: &bool| said.then(|| "true".to_owned());
    let letter = |letter: &Option<char>| letter.map(String::from);
    let mut pairs = vec![
        ("mode", Some(mode.to_owned())),
        ("deleteMissing", flag(delete_missing)),
        ("ignoreVersion", flag(ignore_version)),
        ("dryRun", flag(dry_run)),
        ("format", format.map(|format| format.as_str().to_owned())),
        ("encoding", encoding.clone()),
        ("delimiter", letter(delimiter)),
        ("quote", letter(quote)),
        ("header", header.map(|is_there| is_there.to_string())),
        ("sheet", sheet.clone()),
        ("split", letter(split)),
        (
            "decimalMark",
            decimal_mark.map(|mark| mark.as_str().to_owned()),
        ),
        (
            "dateFormat",
            date_format.map(|format| format.as_str().to_owned()),
        ),
        ("trueWords", true_words.clone()),
        ("falseWords", false_words.clone()),
        ("nullWords", null_words.clone()),
        ("forSpreadsheets", flag(for_spreadsheets)),
        ("fileName", file_name.clone()),
    ];
    pairs.extend(map.iter().map(|one| ("map", Some(one.clone()))));
    let pairs = pairs.into_iter();
    let said = pairs.filter_map(|(name, value)| Some(format!("{name}={}", segment(&value?))));
    said.collect::<Vec<_>>().join("&")
}
