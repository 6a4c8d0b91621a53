//! `fieldstone export`: the records of a dataset as a file, by a job whose file is downloaded.

use crate::control::{self, Api, Sent, ServerArgs};
use crate::dataset_path::DatasetPath;
use crate::failure::usage;
use crate::job_report;
use crate::job_watch::JobWatch;
use crate::out_file::OutFile;
use crate::settings::Common;
use crate::standard_output::{of_cut, standard_output};
use crate::web_address::segment;
use anyhow::Context as _;
use axum::http::Method;
use clap::{Args, ValueEnum};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use wire::RawJson;
use wire::manage::{DataFormat, ExportOptions, JobFile, JobState, JobView, Packing};

/// Endings of names by which files of other kinds are opened, and what is in them would not be found.
pub(super) const OTHER_ENDINGS: [&str; 12] = [
    "7z", "bz2", "html", "ods", "pdf", "rar", "xls", "xlsb", "xlsm", "xml", "xz", "zip",
];

/// The examples under `fieldstone export --help`.
const EXAMPLES: &str = "\
Examples:
  fieldstone export Sales/Customer/Customers customers.csv
                                  CSV, by the name of the file; NDJSON otherwise
  fieldstone export Sales/Customer/Customers customers.csv --for-spreadsheets --split ';' --delimiter ';'
                                  for Excel: no text becomes a formula; import takes the same flags
  fieldstone export Sales/Customer/Customers customers.ndjson.zst
                                  packed with zstd, or with gzip (.gz)
  fieldstone export Sales/Customer/Customers | jq .Name
                                  standard output

What is exported is imported as it was: `fieldstone import FILE --into … --mode replace`, with the same flags.
Ctrl-C cancels the export; no file is left.";

#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Options {
    /// The dataset: AREA/SCHEMA/DATASET, each by name or id, or its id
    #[arg(value_name = "DATASET")]
    dataset: DatasetPath,

    /// The file; without it, and for `-`, standard output. It takes its place when it is whole
    #[arg(value_name = "FILE")]
    file: Option<PathBuf>,

    /// How rows stand in the file, if its name does not tell
    #[arg(long = "as", value_enum, value_name = "FORMAT")]
    form: Option<Form>,

    /// How it is packed, if its name does not tell
    #[arg(long, value_enum, value_name = "PACKING")]
    pack: Option<Pack>,

    /// The fields, in this order; may be given several times. Without it, all
    #[arg(long = "field", value_name = "NAME")]
    fields: Vec<String>,

    /// Only the records that a query finds, as a search has them, such as `is:faulty`
    #[arg(long, value_name = "QUERY")]
    query: Option<String>,

    /// Put the ids of records before their fields, as `_dataObjectId`: an import finds by them what its rows change
    #[arg(long)]
    with_ids: bool,

    /// Put what is wrong with records before their fields, as `_errors`; an import passes it over
    #[arg(long)]
    with_errors: bool,

    /// What parts the cells of CSV; `tab` for a tab
    #[arg(long, value_name = "CHAR", value_parser = super::letter)]
    delimiter: Option<char>,

    /// What parts the values of a cell of CSV that has several; without it, they are a JSON array. `tab` for a tab
    #[arg(long, value_name = "CHAR", value_parser = super::letter)]
    split: Option<char>,

    /// In CSV and Excel, put ' before texts that a spreadsheet would take for a formula; a CSV file begins with the mark by
    /// which it is taken for UTF-8
    #[arg(long)]
    for_spreadsheets: bool,

    /// The tenant; needed where there are several
    #[arg(long, value_name = "NAME")]
    tenant: Option<String>,

    #[command(flatten)]
    server: ServerArgs,
}

#[derive(Clone, Copy, ValueEnum)]
enum Form {
    Csv,
    Ndjson,
    Parquet,
    Xlsx,
}

#[derive(Clone, Copy, ValueEnum)]
enum Pack {
    None,
    Gzip,
    Zstd,
}

impl Options {
    /// How the name of the file ends, and how it is packed by that.
    fn ending(&self) -> (String, Packing) {
        let name = self.file.as_deref().and_then(Path::file_name);
        let name = name
            .unwrap_or_default()
            .to_string_lossy()
            .to_ascii_lowercase();
        let (name, packing) = match name.strip_suffix(".gz") {
            Some(rest) => (rest, Packing::Gzip),
            None => match name.strip_suffix(".zst") {
                Some(rest) => (rest, Packing::Zstd),
                None => (&*name, Packing::None),
            },
        };
        let ending = Path::new(name).extension().and_then(|end| end.to_str());
        (ending.unwrap_or_default().to_owned(), packing)
    }

    /// What is asked for.
    ///
    /// # Errors
    /// A name that tells of another kind of file, and a delimiter of what has none.
    fn of_job(&self) -> anyhow::Result<ExportOptions> {
        let (ending, by_name) = self.ending();
        let format = match (self.form, &*ending) {
            (Some(Form::Csv), _) | (None, "csv" | "tsv") => DataFormat::Csv,
            (Some(Form::Xlsx), _) | (None, "xlsx") => DataFormat::Xlsx,
            (Some(Form::Parquet), _) | (None, "parquet") => DataFormat::Parquet,
            (None, ending) if OTHER_ENDINGS.contains(&ending) => {
                return Err(usage(format!(
                    "no file is written as `.{ending}`: name it .csv, .xlsx, .parquet or .ndjson, also with .gz or .zst behind \
                     that, or say --as"
                )));
            }
            (Some(Form::Ndjson) | None, _) => DataFormat::Ndjson,
        };
        if self.delimiter.is_some() && format != DataFormat::Csv {
            return Err(usage(
                "--delimiter is for CSV: name the file .csv, or say --as csv",
            ));
        }
        let by_ending = (ending == "tsv" && format == DataFormat::Csv).then_some('\t');
        Ok(ExportOptions {
            query: self.query.clone(),
            records: Vec::new(),
            format: Some(format),
            packing: self.pack.map_or(by_name, |pack| match pack {
                Pack::None => Packing::None,
                Pack::Gzip => Packing::Gzip,
                Pack::Zstd => Packing::Zstd,
            }),
            delimiter: self.delimiter.or(by_ending),
            split: self.split,
            for_spreadsheets: self.for_spreadsheets,
            with_ids: self.with_ids,
            with_errors: self.with_errors,
            fields: self.fields.clone(),
        })
    }
}

pub(crate) async fn run(common: &Common, options: Options) -> anyhow::Result<ExitCode> {
    let said = RawJson::of(&options.of_job()?)?;
    let mut inputs = options.server.files();
    inputs.extend(common.config.clone());
    let file = options
        .file
        .as_deref()
        .filter(|file| *file != Path::new("-"));
    let file = file.map(|file| OutFile::create(None, file, &inputs, &common.data));
    let file = file.transpose()?;
    let is_to_stdout = file.is_none();
    let mut watch = JobWatch::new(common.format)?;
    let api = control::open_api(&options.server, options.tenant.as_deref(), common).await?;
    let mut jobs = Vec::new();
    let done = export(&api, (&options.dataset, said), &mut watch, &mut jobs, file).await;
    watch.end();
    let closed = api.close().await;
    let other = done.and(closed).err();
    if is_to_stdout && jobs.iter().all(|job| job.state == JobState::Done) {
        // standard output is the file
        let exit = match other {
            Some(error) => return Err(error),
            None => job_report::report(
                &jobs,
                crate::settings::Format::Text,
                None,
                &mut crate::io::standard_error(),
            ),
        };
        return Ok(exit?.into());
    }
    let exit = job_report::report(&jobs, common.format, other, &mut standard_output())?;
    Ok(exit.into())
}

async fn export(
    api: &Api,
    (dataset, said): (&DatasetPath, RawJson),
    watch: &mut JobWatch,
    jobs: &mut Vec<JobView>,
    file: Option<OutFile>,
) -> anyhow::Result<()> {
    let dataset = dataset.find(api).await?;
    let path = format!("/datasets/{}/exports", segment(&dataset));
    let job: JobView = api.ask(Method::POST, &path, Sent::Json(said)).await?;
    let job = watch.follow(api, "export", &job).await?;
    let is_done = job.state == JobState::Done;
    let path = format!("/jobs/{}/export", job.job_id);
    let made = job.files.iter().find(|file| file.file == JobFile::Export);
    let bytes = made.map(|file| file.bytes);
    let is_purged = job.is_purged;
    jobs.push(job);
    if !is_done {
        return Ok(());
    }
    anyhow::ensure!(
        !is_purged,
        "a record of the dataset was purged while it was exported, so the file was removed; export it again"
    );
    if let Some(mut file) = file {
        let seen = watch.receiving("the file", bytes);
        api.download(&path, &mut file, seen).await?;
        let path = file.path().display().to_string();
        file.end().with_context(|| format!("can't write {path}"))
    } else {
        watch.end();
        let mut out = standard_output();
        let sent = api.download(&path, &mut out, |_| {}).await;
        sent.map_err(|error| of_cut("export", error))?;
        out.flush().map_err(|error| of_cut("export", error))
    }
}
