//! `fieldstone backup`: makes a backup of the data folder, also beside the server that has it.

use crate::backup::{self, DatabasePlace, Incoming, KeptBackup, Room, Source, Store};
use crate::bucket_options::BucketOptions;
use crate::control;
use crate::database_options::require_store;
use crate::failure::{self, Exit, usage};
use crate::output;
use crate::outside::require_outside;
use crate::plain_links::PlainLinks;
use crate::settings::{Common, Format};
use crate::signing_secrets;
use crate::standard_output::{of_cut, standard_output};
use crate::stop_signal;
use crate::watch::Watch;
use clap::Args;
use manifest::failure::{Failure, FailureCode};
use serde::Serialize;
use service::files::FileStorage;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use store::StoreError;

#[derive(Args)]
pub(crate) struct BackupOptions {
    /// The new file that it becomes (.tar.zst), a folder that is empty or ends with a slash, or an object of S3-compatible
    /// storage, `s3://BUCKET/NAME`, by the same settings as files; `-` for standard output
    #[arg(value_name = "FILE|DIR|s3://BUCKET/NAME")]
    to: PathBuf,

    #[command(flatten)]
    storage: BucketOptions,
}

/// What was made, as programs read it.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct BackupOutput<'a> {
    data: &'a str,
    to: &'a Path,
    bytes: u64,
    files: usize,
    problems: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<&'a Failure>,
}

/// Where a backup goes: to a bucket (`B`) as it is named, and then as it is opened.
enum Target<B> {
    StandardOutput,
    /// An object of S3-compatible storage.
    Bucket(B),
    Folder(PathBuf),
    File,
}

/// A bucket, and the name of the backup in it.
type Named<'o> = (&'o str, &'o str);
type Opened<'o> = (FileStorage, &'o str);

impl<'o> Target<Named<'o>> {
    fn of(to: &'o Path) -> anyhow::Result<Self> {
        if to == Path::new("-") {
            return Ok(Target::StandardOutput);
        }
        Ok(match backup::object_of(to)? {
            Some(named) => Target::Bucket(named),
            None => backup::folder_of(to).map_or(Target::File, Target::Folder),
        })
    }

    /// The same with its bucket opened.
    async fn opened(
        self,
        storage: &BucketOptions,
        links: PlainLinks,
    ) -> anyhow::Result<Target<Opened<'o>>> {
        Ok(match self {
            Target::StandardOutput => Target::StandardOutput,
            Target::Bucket((bucket, name)) => {
                let opened = storage.bucket_for_backups(bucket, "", links);
                Target::Bucket((opened.await?, name))
            }
            Target::Folder(folder) => Target::Folder(folder),
            Target::File => Target::File,
        })
    }
}

impl<B> Target<B> {
    /// Refuses a place in the data folder, and one where something is.
    fn require_free(&self, to: &Path, data: &Path) -> anyhow::Result<()> {
        match self {
            Target::StandardOutput | Target::Bucket(_) => Ok(()),
            Target::Folder(folder) => {
                require_outside(None, to, data)?;
                backup::require_empty(folder)
            }
            Target::File => {
                require_outside(None, to, data)?;
                backup::refuse_what_is_there(to)
            }
        }
    }

    /// Room for what it is made of meanwhile.
    fn room(&self, to: &Path) -> anyhow::Result<Option<Room>> {
        match self {
            // a server gives it without
            Target::StandardOutput => Ok(backup::room_elsewhere().ok()),
            Target::Bucket(_) => backup::room_elsewhere().map(Some),
            Target::Folder(folder) => backup::room_for_folder(folder).map(Some),
            Target::File => backup::room_beside(to).map(Some),
        }
    }
}

pub(crate) async fn run(common: &Common, options: BackupOptions) -> anyhow::Result<ExitCode> {
    let to = &options.to;
    let target = Target::of(to)?;
    if matches!(target, Target::StandardOutput) && crate::io::standard_output().is_terminal() {
        return Err(usage(
            "a backup is no text for a terminal; name a file, or lead it on: fieldstone backup - | …",
        ));
    }
    let target = target.opened(&options.storage, common.plain_links).await?;
    target.require_free(to, &common.data)?;
    stop_signal::clean_before_end(backup::take_away_rooms)?;
    let room = target.room(to)?;
    let mut watch = Watch::new(common.format);
    watch.begin(&format!("backing up {}", shown(common)));
    let kept = async {
        let incoming = begin(common, &options, room.as_ref()).await?;
        match &target {
            Target::StandardOutput => to_standard_output(incoming).await.map(|()| None),
            Target::Bucket((storage, name)) => {
                backup::to_bucket(incoming, storage, name).await.map(Some)
            }
            Target::Folder(folder) => backup::to_folder(incoming, folder).await.map(Some),
            Target::File => backup::to_file(incoming, to).await.map(Some),
        }
    };
    let kept = kept.await;
    watch.end()?;
    match kept? {
        Some(kept) => tell(common, to, &kept),
        None => Ok(Exit::Done.into()),
    }
}

/// The backup on its way: from the server that has the folder, else from here, by a copy in this room.
async fn begin(
    common: &Common,
    options: &BackupOptions,
    room: Option<&Room>,
) -> anyhow::Result<Incoming> {
    let folder = &common.data;
    let storage = match options.storage.bucket(common.plain_links).await? {
        Some(bucket) => Some(bucket),
        // a backup is to change nothing
        None => FileStorage::in_data_folder_as_it_is(folder)?,
    };
    let room = room.map(|room| room.path().to_owned());
    let source = match common.database.address() {
        Some(address) => Source {
            storage,
            // without a file of their own, servers have their secret in the database
            secret_file: common.signing_secret_file.clone().unwrap_or_default(),
            store: Store::InDatabase(database(common, address, room).await?, None),
        },
        None => Source {
            storage,
            secret_file: common.signing_secret_file(),
            store: Store::Closed(folder.clone(), room),
        },
    };
    match source.begin().await {
        Ok(pieces) => Ok(Incoming::Own(pieces)),
        Err(error) if matches!(error.downcast_ref(), Some(StoreError::InUse(_))) => {
            match control::backup_of_server(folder).await? {
                Some(answer) => Ok(Incoming::OfServer(answer)),
                None => Err(error),
            }
        }
        Err(error) => Err(error),
    }
}

/// The database that is backed up; one without a store is not given one.
async fn database(
    common: &Common,
    address: &str,
    room: Option<PathBuf>,
) -> anyhow::Result<DatabasePlace> {
    let options = common.database.options()?;
    require_store(address, &options).await?;
    Ok(DatabasePlace {
        address: address.to_owned(),
        options,
        room,
    })
}

/// What is backed up, as it may be shown.
fn shown(common: &Common) -> String {
    match common.database.address() {
        Some(address) => postgres::shown(address),
        None => common.data.display().to_string(),
    }
}

async fn to_standard_output(mut incoming: Incoming) -> anyhow::Result<()> {
    let mut out = standard_output();
    while let Some(piece) = incoming.next().await? {
        out.write_all(&piece).map_err(cut)?;
    }
    out.flush().map_err(cut)
}

/// What is told of a backup that its reader did not take to the end.
fn cut(error: impl Into<anyhow::Error>) -> anyhow::Error {
    of_cut("backup", error)
}

/// What is told as an error, where something is missing in the store itself.
fn failure_of(problems: &[String]) -> Option<Failure> {
    let first = problems.first()?;
    let is_of_secrets = |problem: &&String| signing_secrets::is_of_secrets(problem);
    let of_secrets = problems.iter().filter(is_of_secrets).count();
    let files = problems.len() - of_secrets;
    let of_files = format!("{files} files, whose contents the store lacks");
    let lacks = match (of_secrets, files) {
        (0, _) => of_files,
        (_, 0) => "the signing secrets".to_owned(),
        _ => format!("the signing secrets, and {of_files}"),
    };
    Some(Failure {
        message: format!("the backup is whole but for {lacks}"),
        causes: vec![first.clone()],
        code: FailureCode::Unsound,
    })
}

fn tell(common: &Common, to: &Path, kept: &KeptBackup) -> anyhow::Result<ExitCode> {
    let problems = &kept.contents.problems;
    let failure = failure_of(problems);
    let files = kept.contents.files();
    match common.format {
        Format::Json => output::show_json(&BackupOutput {
            data: &shown(common),
            to,
            bytes: kept.bytes,
            files,
            problems,
            error: failure.as_ref(),
        })?,
        Format::Text => {
            let mut out = standard_output();
            writeln!(
                out,
                "backed up {} to {}: {} bytes, {files} files; read again and compared",
                shown(common),
                to.display(),
                kept.bytes,
            )?;
        }
    }
    let Some(failure) = failure else {
        return Ok(Exit::Done.into());
    };
    failure::tell(&failure);
    Ok(Exit::Failed.into())
}
