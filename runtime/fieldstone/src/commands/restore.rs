//! `fieldstone restore`: makes a data folder of a backup.

use crate::backup;
use crate::bucket_options::BucketOptions;
use crate::encryption_options::DecryptionOptions;
use crate::output;
use crate::settings::{Common, Format};
use crate::watch::Watch;
use clap::Args;
use serde::Serialize;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

#[derive(Args)]
pub(crate) struct RestoreOptions {
    /// The backup: a file, a folder, an object of S3-compatible storage, `s3://BUCKET/NAME`, or `-` for standard input
    #[arg(value_name = "FILE|DIR|s3://BUCKET/NAME")]
    from: PathBuf,

    #[command(flatten)]
    decryption: DecryptionOptions,

    #[command(flatten)]
    storage: BucketOptions,
}

/// What was restored, as programs read it.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Made<'a> {
    data: &'a Path,
    from: &'a Path,
    files: usize,
    problems: &'a [String],
}

pub(crate) async fn run(common: &Common, options: RestoreOptions) -> anyhow::Result<ExitCode> {
    crate::engine::refuse_database(
        &common.database,
        "restoring",
        "bring the database back by its own means (`pg_restore`), or leave the database away to restore into a data folder",
    )?;
    let opener = options.decryption.opener()?;
    let mut watch = Watch::new(common.format);
    watch.begin(&format!("restoring {}", options.from.display()));
    let fetched = match backup::bucket_of(&options.from) {
        Some((bucket, name)) => {
            let storage = options.storage.bucket_for_backups(bucket, "").await?;
            Some(backup::from_bucket(&storage, name).await?)
        }
        None => None,
    };
    let from = fetched.as_ref().map_or(&*options.from, |file| file.path());
    let (from, data) = (from.to_owned(), common.data.clone());
    let secret_file = common.signing_secret_file();
    let work =
        tokio::task::spawn_blocking(move || backup::restore(&from, &opener, &data, &secret_file));
    let restored = work.await?;
    watch.end()?;
    let contents = restored?;
    let (data, from, files) = (&common.data, &options.from, contents.files());
    match common.format {
        Format::Json => output::show_json(&Made {
            data,
            from,
            files,
            problems: &contents.problems,
        })?,
        Format::Text => {
            let mut out = std::io::stdout().lock();
            writeln!(
                out,
                "restored {} from {}: {files} files; the store is sound",
                data.display(),
                from.display(),
            )?;
        }
    }
    for problem in &contents.problems {
        eprintln!("note: the backup lacks something: {problem}");
    }
    Ok(ExitCode::SUCCESS)
}
