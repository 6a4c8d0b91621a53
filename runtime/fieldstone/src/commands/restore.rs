//! `fieldstone restore`: makes a data folder of a backup.

use super::move_store::{Files, into};
use crate::backup::{self, Contents, Unpacked};
use crate::bucket_options::BucketOptions;
use crate::moving::{ContentPlace, Place, Secrets};
use crate::output;
use crate::owner;
use crate::settings::{Common, Format};
use crate::standard_input::require_read_once;
use crate::standard_output::{standard_output, tell_line};
use crate::stop_signal;
use crate::watch::Watch;
use clap::Args;
use serde::Serialize;
use service::files::FileStorage;
use service::signing::SIGNING_SECRET_FILE;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

#[derive(Args)]
pub(crate) struct RestoreOptions {
    /// The backup: a file, a folder, an object of S3-compatible storage, `s3://BUCKET/NAME`, or `-` for standard input
    #[arg(value_name = "FILE|DIR|s3://BUCKET/NAME")]
    from: PathBuf,

    #[command(flatten)]
    storage: BucketOptions,
}

/// What was restored, as programs read it.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct RestoreOutput<'a> {
    data: &'a str,
    from: &'a Path,
    files: usize,
    problems: &'a [String],
}

pub(crate) async fn run(common: &Common, options: RestoreOptions) -> anyhow::Result<ExitCode> {
    let secrets = [
        common.database.password_file(),
        options.storage.secret_file(),
    ];
    let secrets = secrets.into_iter().flatten();
    require_read_once(secrets.chain([options.from.as_path()]))?;
    owner::require_own(&common.data)?;
    stop_signal::clean_before_end(backup::take_away_rooms)?;
    let mut watch = Watch::new(common.format);
    watch.begin(&format!("restoring {}", options.from.display()));
    let fetched = match backup::object_of(&options.from)? {
        Some((bucket, name)) => {
            let storage = options
                .storage
                .bucket_for_backups(bucket, "", common.plain_links)
                .await?;
            Some(backup::from_bucket(&storage, name).await?)
        }
        None => None,
    };
    let fetched = fetched.as_ref().map(|(_room, file)| file.path());
    let from = fetched.unwrap_or(&options.from);
    let restored = if let Some(address) = common.database.address() {
        let bucket = options.storage.bucket(common.plain_links).await?;
        let to = Place::Database(address.to_owned());
        into_database(common, from, (&to, bucket), &mut watch).await
    } else {
        let secret_file = common.signing_secret_file();
        backup::restore(from, &common.data, secret_file).await
    };
    watch.end()?;
    let contents = restored?;
    let data = match common.database.address() {
        Some(address) => postgres::shown(address),
        None => common.data.display().to_string(),
    };
    let (from, files) = (&options.from, contents.files());
    match common.format {
        Format::Json => output::show_json(&RestoreOutput {
            data: &data,
            from,
            files,
            problems: &contents.problems,
        })?,
        Format::Text => {
            let mut out = standard_output();
            writeln!(
                out,
                "restored {data} from {}: {files} files; the store is sound",
                from.display(),
            )?;
        }
    }
    for problem in &contents.problems {
        tell_line(format_args!("note: the backup lacks something: {problem}"));
    }
    Ok(ExitCode::SUCCESS)
}

/// Restores into a database: into a folder first, which is moved from there and goes again.
async fn into_database(
    common: &Common,
    from: &Path,
    (to, bucket): (&Place, Option<FileStorage>),
    watch: &mut Watch,
) -> anyhow::Result<Contents> {
    let options = common.database.options()?;
    let target = to.open_target(&options).await?;
    let (data, named) = (&common.data, &common.signing_secret_file);
    let mut unpacked = Unpacked::of(from, data).await?;
    let folder = unpacked.folder();
    let its_secrets = folder.join(SIGNING_SECRET_FILE);
    let secrets = match named {
        Some(named) => Secrets::IntoFile(its_secrets, named.clone()),
        None => Secrets::IntoDatabase(its_secrets),
    };
    let mut contents = std::mem::take(&mut unpacked.contents);
    let source = Place::Folder(folder.clone()).open_source(&options).await?;
    let files = Files {
        from: ContentPlace::Folder(folder.join("files")),
        to: bucket.map_or_else(
            || ContentPlace::Folder(data.join("files")),
            ContentPlace::Bucket,
        ),
        // what the backup lacks was told when it was made
        may_be_missing: true,
    };
    let moved = into(&source, &target, &files, &secrets, watch).await;
    source.close().await?;
    target.close().await?;
    let moved = moved?;
    moved.compared.require_same()?;
    for problem in moved.contents.problems {
        if !contents.problems.contains(&problem) {
            contents.problems.push(problem);
        }
    }
    Ok(contents)
}
