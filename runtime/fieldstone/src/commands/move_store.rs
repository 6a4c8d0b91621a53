//! `fieldstone move`: copies a whole deployment from a data folder into a database, back, or to another of its kind, and
//! compares both.

use crate::backup::{Unpacked, is_backup, take_away_rooms};
use crate::bucket_options::BucketOptions;
use crate::database_options;
use crate::failure::{self, Exit, usage};
use crate::moving::{
    Compared, ContentPlace, Contents, Copied, OpenStore, Place, Secrets, Uncopied, compare, copy,
    look_for_contents, move_contents, occupied, refuse_shown_password, refuse_work_under_way,
};
use crate::output;
use crate::owner;
use crate::settings::{Common, Format};
use crate::signing_secrets::is_of_secrets;
use crate::standard_output::{standard_output, tell_line};
use crate::stop_signal;
use crate::watch::Watch;
use clap::{ArgAction, Args};
use manifest::failure::{Failure, FailureCode};
use postgres::PostgresOptions;
use serde::Serialize;
use service::signing::SIGNING_SECRET_FILE;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use store::StoreError;

/// The folder of contents of files in a data folder.
const FILES: &str = "files";
/// How many contents that are missing the error names; the notes name more.
const NAMED_MAX: usize = 3;

#[derive(Args)]
pub(crate) struct MoveOptions {
    /// What is moved: a data folder, a database (`postgres://USER@HOST/NAME`), or a backup, which is a file or a folder. It
    /// keeps all that it has, and nobody may write it meanwhile; a folder or database of an earlier program gets this one's
    /// tables first
    #[arg(id = "move-from", long = "from", value_name = "DIR|URL")]
    from: String,

    /// Where it goes: a folder or a database that is empty, or that the same move began to fill. Uploaded files of a
    /// database's store are in the folder `--data`, or in the bucket, into which those of a folder are copied
    #[arg(id = "move-to", long = "to", value_name = "DIR|URL")]
    to: String,

    /// A file with the password of the database that is moved, `-` for standard input; without it, that of
    /// `--database-password-file`
    #[arg(long, value_name = "FILE")]
    from_password_file: Option<PathBuf>,

    /// A file with the password of the database where it goes, in the same way
    #[arg(long, value_name = "FILE")]
    to_password_file: Option<PathBuf>,

    /// End the move though contents of files are missing in the target: they are lost, and links to them lead nowhere
    #[arg(long = "without-missing-files", action = ArgAction::SetTrue)]
    without_missing_files: bool,

    /// Copy uploaded files out of the bucket into the folder of the target, which then needs no bucket; otherwise they stay
    /// in it
    #[arg(long = "files-from-bucket", action = ArgAction::SetTrue)]
    files_from_bucket: bool,

    #[command(flatten)]
    storage: BucketOptions,
}

/// What was moved, as programs read it.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Moved<'a> {
    from: &'a str,
    to: &'a str,
    is_same: bool,
    was_there: bool,
    rows: u64,
    files: u64,
    missing_files: u64,
    parts: &'a Compared,
    problems: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<&'a Failure>,
}

pub(crate) async fn run(common: &Common, options: MoveOptions) -> anyhow::Result<ExitCode> {
    let (from, to) = (Place::parse(&options.from), Place::parse(&options.to));
    refuse_shown_password(&from)?;
    refuse_shown_password(&to)?;
    if options.from == options.to {
        return Err(usage("--from and --to are the same; name another one"));
    }
    stop_signal::clean_before_end(take_away_rooms)?;
    let mut watch = Watch::new(common.format);
    let moved = between(common, &options, (&from, &to), &mut watch).await;
    watch.end()?;
    let moved = moved?;
    let failure = failure_of(&moved, options.without_missing_files);
    let places = (&*from.shown(), &*to.shown());
    tell(common.format, places, &moved, failure)
}

/// Moves a store, and the contents of its files; both stores, compared.
async fn between(
    common: &Common,
    command: &MoveOptions,
    (from, to): (&Place, &Place),
    watch: &mut Watch,
) -> anyhow::Result<MoveOutcome> {
    let [of_source, of_target] = options_of(common, command)?;
    let bucket = command.storage.bucket(common.plain_links).await?;
    if command.files_from_bucket && bucket.is_none() {
        return Err(usage(
            "--files-from-bucket needs --s3-bucket; name the bucket",
        ));
    }
    if matches!(to, Place::Database(_)) {
        // contents of files come into it
        owner::require_own(&common.data)?;
    }
    watch.begin(&format!("moving {}", from.shown()));
    let unpacked = unpacked(common, (from, to)).await?;
    tell_of_secrets(unpacked.as_ref());
    let its_folder = unpacked.as_ref().map(|it| Place::Folder(it.folder()));
    let from = its_folder.as_ref().unwrap_or(from);
    let source = from.open_source(&of_source).await.map_err(in_use)?;
    if unpacked.is_none() {
        // who restores a backup has its jobs go on, too
        refuse_work_under_way(source.source()).await?;
    }
    let target = to.open_target(&of_target).await.map_err(in_use)?;
    let folder = |place: &Place| ContentPlace::Folder(folder_of_files(common, place));
    let (contents, goal) = match bucket.map(ContentPlace::Bucket) {
        None => (folder(from), folder(to)),
        Some(bucket) if command.files_from_bucket => (bucket, folder(to)),
        Some(bucket) => (folder(from), bucket),
    };
    let files = Files {
        from: contents,
        to: goal,
        may_be_missing: command.without_missing_files,
    };
    let secrets = secrets_of(common, (from, to), unpacked.is_some());
    let moved = into(&source, &target, &files, &secrets, watch).await;
    source.close().await?;
    target.close().await?;
    moved
}

/// How the database that is moved is opened, and the one where it goes: each by its own password or, where none is named
/// for it, by that of both.
fn options_of(common: &Common, command: &MoveOptions) -> anyhow::Result<[PostgresOptions; 2]> {
    let of_both = common.database.options()?;
    let with = |file: Option<&Path>| -> anyhow::Result<PostgresOptions> {
        let own = file.map(database_options::password).transpose()?;
        Ok(PostgresOptions {
            password: own.or_else(|| of_both.password.clone()),
            ..of_both.clone()
        })
    };
    Ok([
        with(command.from_password_file.as_deref())?,
        with(command.to_password_file.as_deref())?,
    ])
}

/// The backup that is moved, unpacked beside where it goes; `None` of a store. It may have been made beside servers, or be one
/// that is to be kept, so it is never opened where it lies.
async fn unpacked(
    common: &Common,
    (from, to): (&Place, &Place),
) -> anyhow::Result<Option<Unpacked>> {
    let backup = match from {
        Place::Folder(path) if is_backup(path) => path,
        Place::Folder(_) | Place::Database(_) => return Ok(None),
    };
    let beside = match to {
        Place::Database(_) => Some(&*common.data),
        Place::Folder(folder) => folder.parent(),
    };
    let beside = beside.filter(|it| !it.as_os_str().is_empty());
    let parent = beside.unwrap_or(Path::new("."));
    Ok(Some(Unpacked::of(backup, parent).await?))
}

/// Tells what is wrong with the signing secrets of a backup. What it lacks beside them, the target is looked through for.
fn tell_of_secrets(unpacked: Option<&Unpacked>) {
    let problems = unpacked.into_iter().flat_map(|it| &it.contents.problems);
    for problem in problems.filter(|it| is_of_secrets(it)) {
        tell_line(format_args!("note: the backup lacks something: {problem}"));
    }
}

/// Where contents of files are, and are to be.
pub(super) struct Files {
    pub(super) from: ContentPlace,
    pub(super) to: ContentPlace,
    /// Whether the move ends though some are missing.
    pub(super) may_be_missing: bool,
}

/// What becomes of the signing secrets.
fn secrets_of(common: &Common, (from, to): (&Place, &Place), is_backup: bool) -> Secrets {
    let own = |folder: &Path| folder.join(SIGNING_SECRET_FILE);
    match (&common.signing_secret_file, from, to) {
        (Some(named), Place::Folder(from), _) if is_backup => {
            Secrets::IntoFile(own(from), named.clone())
        }
        (None, Place::Folder(from), Place::Database(_)) => Secrets::IntoDatabase(own(from)),
        (None, Place::Folder(from), Place::Folder(to)) => Secrets::IntoFolder(own(from), own(to)),
        // a file that is named is named for both; from among the settings of a catalog, the first server takes them
        (Some(_), ..) | (None, Place::Database(_), _) => Secrets::Stay,
    }
}

/// Two stores and the contents of their files, compared.
pub(super) struct MoveOutcome {
    pub(super) compared: Compared,
    pub(super) contents: Contents,
    /// Whether an earlier move had brought all of it.
    pub(super) was_there: bool,
}

/// Fills a target, compares it, and ends the move where both are the same and the contents of files are there. A target that an
/// earlier move filled to its end is only compared.
pub(super) async fn into(
    source: &OpenStore,
    target: &OpenStore,
    files: &Files,
    secrets: &Secrets,
    watch: &mut Watch,
) -> anyhow::Result<MoveOutcome> {
    secrets.require_place()?;
    let copied = copy(source.source(), target.target(), secrets.rows()?, watch).await?;
    let was_there = copied == Copied::Before;
    let uncopied = if was_there {
        Uncopied::new()
    } else {
        let uncopied = move_contents(source.source(), (&files.from, &files.to), watch).await?;
        target.target().settle().await?;
        uncopied
    };
    watch.tell("comparing both stores");
    let compared = compare(source.source(), target.target(), watch).await?;
    let is_same = compared.differences().is_empty();
    if was_there && !is_same {
        return Err(occupied());
    }
    let contents = look_for_contents(target.target(), &files.to, &uncopied, watch).await?;
    let is_whole = contents.missing == 0 || files.may_be_missing;
    if is_same && is_whole && !was_there {
        secrets.bring()?;
        target.target().finish().await?;
    }
    Ok(MoveOutcome {
        compared,
        contents,
        was_there,
    })
}

/// The folder of the contents of files of a store that has no bucket.
fn folder_of_files(common: &Common, place: &Place) -> PathBuf {
    let folder: &Path = match place {
        Place::Folder(folder) => folder,
        Place::Database(_) => &common.data,
    };
    folder.join(FILES)
}

fn in_use(error: anyhow::Error) -> anyhow::Error {
    match error.downcast_ref() {
        Some(StoreError::InUse(folder)) => {
            let message = format!("a server has the data folder {folder}; stop it, and move again");
            Failure::new(FailureCode::FolderInUse, message).into()
        }
        _ => error,
    }
}

/// What is told as an error, where the move did not come to its end.
fn failure_of(moved: &MoveOutcome, may_be_missing: bool) -> Option<Failure> {
    let (differ, contents) = (moved.compared.differences(), &moved.contents);
    let message = if !differ.is_empty() {
        format!(
            "what came differs from what was moved: {}; no server opens the target: empty it, and move again",
            differ.join(", ")
        )
    } else if contents.missing > 0 && !may_be_missing {
        let named = contents.problems.iter().take(NAMED_MAX);
        let named: Vec<&str> = named.map(String::as_str).collect();
        let more = if contents.missing > NAMED_MAX as u64 {
            "; …"
        } else {
            ""
        };
        format!(
            "contents of {} of {} files are missing in the target ({}{more}), and no server opens it; bring them, or name the folder (--from, --data) or the bucket (--s3-bucket) that has them, and move again; if they are lost, move again with --without-missing-files",
            contents.missing,
            contents.missing + contents.files,
            named.join("; "),
        )
    } else {
        return None;
    };
    Some(Failure::new(FailureCode::Unsound, message))
}

fn tell(
    format: Format,
    (from, to): (&str, &str),
    moved: &MoveOutcome,
    failure: Option<Failure>,
) -> anyhow::Result<ExitCode> {
    let (compared, contents) = (&moved.compared, &moved.contents);
    let is_same = compared.differences().is_empty() && contents.missing == 0;
    if format == Format::Json {
        output::show_json(&Moved {
            from,
            to,
            is_same,
            was_there: moved.was_there,
            rows: compared.rows(),
            files: contents.files,
            missing_files: contents.missing,
            parts: compared,
            problems: &contents.problems,
            error: failure.as_ref(),
        })?;
    } else {
        show_table(compared)?;
        let mut out = standard_output();
        if failure.is_none() {
            let (rows, files) = (compared.rows(), contents.files);
            let verdict = match contents.missing {
                0 => "both are the same".to_owned(),
                missing => format!("contents of {missing} more are missing, all else is the same"),
            };
            let done = if moved.was_there {
                format!("{from} was moved to {to} before")
            } else {
                format!("moved {from} to {to}")
            };
            writeln!(
                out,
                "{done}: {rows} rows, contents of {files} files; {verdict}"
            )?;
        }
    }
    for problem in &contents.problems {
        tell_line(format_args!("note: missing in the target: {problem}"));
    }
    let unnamed = contents.missing - contents.problems.len() as u64;
    if unnamed > 0 {
        tell_line(format_args!(
            "note: missing in the target: contents of {unnamed} files more"
        ));
    }
    let Some(failure) = failure else {
        return Ok(Exit::Done.into());
    };
    failure::tell(&failure);
    Ok(Exit::Failed.into())
}

/// The parts of both stores, a line each.
fn show_table(compared: &Compared) -> anyhow::Result<()> {
    let mut out = standard_output();
    let widest = compared.parts.iter().map(|part| part.what.chars().count());
    let width = widest.max().unwrap_or(0);
    writeln!(out, "{:width$}  {:>12}  {:>12}  checksum", "", "from", "to")?;
    for part in &compared.parts {
        let (what, from, to) = (&part.what, &part.from, &part.to);
        let verdict = if part.is_same { "same" } else { "DIFFERS" };
        let sum = &from.checksum[..16];
        writeln!(
            out,
            "{what:width$}  {:>12}  {:>12}  {sum} {verdict}",
            from.rows, to.rows
        )?;
    }
    Ok(())
}
