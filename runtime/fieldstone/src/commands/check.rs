//! `fieldstone check`: verifies the store and the contents of files, reading only, so that it may run beside a server.

use crate::bucket_options::BucketOptions;
use crate::database_options::no_store;
use crate::failure::{self, Exit};
use crate::output;
use crate::settings::{Common, Format};
use crate::signing_secrets;
use crate::standard_output::{is_unread, standard_output, tell_line};
use crate::watch::Watch;
use anyhow::Context as _;
use clap::{ArgAction, Args};
use manifest::failure::{Failure, FailureCode};
use postgres::{PostgresStore, PostgresTransfer};
use serde::Serialize;
use service::files::{ContentProblem, FileStorage};
use sqlite::{FolderCheck, SqliteStore};
use std::io::Write as _;
use std::path::Path;
use std::process::ExitCode;
use store::files::StoredFile;
use store::transfer::{Part, RowKey, TransferRow, TransferSource as _};
use store::{Catalogs as _, Records as _, StoreError};
use tokio::task::JoinSet;

/// How many files are read from the store at a time.
const FILES_AT_A_TIME: usize = 1000;
/// How many contents are looked at at the same time: a bucket takes its time for each.
const CONTENTS_AT_A_TIME: usize = 16;

/// What to do about an index that is damaged.
const INDEX_ADVICE: &str = "the search index is damaged, and what it is made of is sound: `fieldstone index rebuild` has it made anew, also beside a server; or remove search.db while no server runs";
/// What to do about secrets that no server would begin with.
const SECRETS_ADVICE: &str = "the signing secrets can't be had, and what else was looked at is sound: bring back their file, which is in each backup, or remove what is there: the next start makes a new one, and links that are out stop working";

/// What to do where no content of a file was found.
const CONTENTS_ADVICE: &str = "the contents of all files are missing, and what else was looked at is sound: mount their folder, or name where they are, and check again; what is lost comes back from a backup";

/// What contradicts in a store and beside it.
struct Contradictions {
    rows: FolderCheck,
    /// That all contents of files are missing where they were looked for.
    contents: Option<String>,
    /// What is wrong with the signing secrets.
    secrets: Option<String>,
}

impl Contradictions {
    fn is_nothing(&self) -> bool {
        let FolderCheck { store, index } = &self.rows;
        let is_beside = self.contents.is_some() || self.secrets.is_some();
        store.is_empty() && index.is_empty() && !is_beside
    }

    /// All of it, the store's first.
    fn into_all(self) -> Vec<String> {
        let FolderCheck { store, index } = self.rows;
        let store = store.into_iter().chain(self.contents);
        store.chain(index).chain(self.secrets).collect()
    }
}

/// What was found, as programs read it.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Verdict<'a> {
    data: &'a str,
    is_sound: bool,
    contradictions: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<&'a Failure>,
}

#[derive(Args)]
pub(crate) struct CheckOptions {
    /// Read the contents of all files, and compare them with their checksums (SHA-256); without it, only their sizes
    /// are compared
    #[arg(long, action = ArgAction::SetTrue)]
    contents: bool,

    #[command(flatten)]
    storage: BucketOptions,
}

pub(crate) async fn run(common: &Common, options: CheckOptions) -> anyhow::Result<ExitCode> {
    let mut watch = Watch::new(common.format);
    let address = common.database.address();
    let place = address.map_or_else(|| common.data.display().to_string(), postgres::shown);
    watch.begin(&format!("checking the store in {place}"));
    let found = match address {
        Some(address) => find_in_database(common, address, options).await,
        None => find_in_folder(common, options).await,
    };
    watch.end()?;
    let found = found?;
    let (head, failure) = (head(&place, &found), failure_of(&found));
    let found = found.into_all();
    let written = match common.format {
        Format::Json => output::show_json(&Verdict {
            data: &place,
            is_sound: found.is_empty(),
            contradictions: &found,
            error: failure.as_ref(),
        }),
        Format::Text => write_text(head.as_ref(), &found),
    };
    let Some(failure) = failure else {
        return match written {
            // who has seen enough, as `head`, changes nothing of the verdict
            Err(error) if !is_unread(&error) => Err(error),
            _ => Ok(Exit::Done.into()),
        };
    };
    failure::tell(&failure);
    Ok(Exit::Failed.into())
}

/// What stands before all that was found, for people.
fn head(place: &str, found: &Contradictions) -> Option<String> {
    if !found.rows.store.is_empty() || found.contents.is_some() {
        return None;
    }
    let but_for = match (found.rows.index.is_empty(), &found.secrets) {
        (true, None) => "",
        (false, None) => ", but for its search index:",
        (true, Some(_)) => ", but for its signing secrets:",
        (false, Some(_)) => ", but for its search index and its signing secrets:",
    };
    Some(format!("the store in {place} is sound{but_for}"))
}

/// What is to be done about what was found; `None` where nothing was.
fn failure_of(found: &Contradictions) -> Option<Failure> {
    let (store, index) = (found.rows.store.len(), found.rows.index.len());
    let contents = usize::from(found.contents.is_some());
    let secrets = usize::from(found.secrets.is_some());
    let message = match (store + contents, index, secrets) {
        (0, 0, 0) => return None,
        (0, _, 0) => INDEX_ADVICE.to_owned(),
        (0, 0, _) => SECRETS_ADVICE.to_owned(),
        (0, ..) => format!("{INDEX_ADVICE}; {SECRETS_ADVICE}"),
        (1, 0, 0) if contents == 1 => CONTENTS_ADVICE.to_owned(),
        _ => format!(
            "{} contradictions; restore a backup, or ask for help with this output",
            store + contents + index + secrets
        ),
    };
    Some(Failure::new(FailureCode::Unsound, message))
}

/// Everything that contradicts in a database, and in the contents of its files.
async fn find_in_database(
    common: &Common,
    address: &str,
    check: CheckOptions,
) -> anyhow::Result<Contradictions> {
    let options = common.database.options()?;
    let shown = postgres::shown(address);
    let store = PostgresStore::open_if_there(address, &options).await;
    let store = store.with_context(|| format!("can't open {shown}"))?;
    let store = store.ok_or_else(|| no_store(&shown))?;
    let rows = FolderCheck {
        store: store.check().await?,
        index: store.check_index().await?,
    };
    let file = common.signing_secret_file.as_deref();
    let mut secrets = signing_secrets::problem(file, &store.catalog());
    if file.is_none()
        && let Some(problem) = secrets.take()
    {
        // the servers may have a file, on machines of their own
        tell_line(format_args!("note: {problem}"));
    }
    let found = Contradictions {
        rows,
        contents: None,
        secrets,
    };
    drop(store);
    let transfer = PostgresTransfer::open(address, &options).await;
    let transfer = transfer.with_context(|| format!("can't open {shown}"))?;
    let found = with_contents(found, &Rows::Database(&transfer), common, check).await;
    transfer.release().await;
    found
}

/// Everything that contradicts in a folder, and in the contents of its files.
async fn find_in_folder(common: &Common, check: CheckOptions) -> anyhow::Result<Contradictions> {
    let folder = &common.data;
    let rows = SqliteStore::check_folder_in_parts(folder)?;
    // a catalog that can't be read is told already
    let catalog = SqliteStore::catalog_in_folder(folder).unwrap_or_default();
    let file = common.signing_secret_file();
    let secrets = signing_secrets::problem(Some(&file), &catalog);
    let found = Contradictions {
        rows,
        contents: None,
        secrets,
    };
    with_contents(found, &Rows::Folder(folder), common, check).await
}

/// What was found, and what is wrong with the contents of files, which are in a bucket or in this folder.
async fn with_contents(
    mut found: Contradictions,
    rows: &Rows<'_>,
    common: &Common,
    check: CheckOptions,
) -> anyhow::Result<Contradictions> {
    let (folder, links) = (&common.data, common.plain_links);
    let bucket = check.storage.bucket(links).await?;
    let is_bucket = bucket.is_some();
    let storage = match bucket {
        Some(bucket) => Some(bucket),
        // the look is to change nothing
        None => FileStorage::in_data_folder_as_it_is(folder)?,
    };
    let contents = Contents {
        rows,
        storage,
        is_read: check.contents,
    };
    let looked = match contents.look().await {
        // what was found is told all the same
        Err(error) if !found.is_nothing() => {
            let told = format!("the contents of files: {error:#}");
            found.rows.store.push(told);
            Looked::default()
        }
        looked => looked?,
    };
    if looked.is_nothing_there() && !is_bucket {
        // one line for all: mostly a folder is not mounted, or a place not named
        found.contents = Some(format!(
            "of {} files no content is in the data folder {}; if they are in another one, give --data, if in a bucket, --s3-bucket and what belongs to it",
            looked.files,
            folder.display()
        ));
    } else {
        found.rows.store.extend(looked.problems);
    }
    Ok(found)
}

fn write_text(head: Option<&String>, found: &[String]) -> anyhow::Result<()> {
    let mut out = standard_output();
    for line in head.into_iter().chain(found) {
        writeln!(out, "{line}")?;
    }
    Ok(())
}

/// Where the rows of files are.
enum Rows<'r> {
    Folder(&'r Path),
    Database(&'r PostgresTransfer),
}

impl Rows<'_> {
    /// The files behind an id as they are now, some at a time.
    async fn behind(&self, id: &str) -> anyhow::Result<Vec<StoredFile>> {
        let transfer = match self {
            Rows::Folder(folder) => {
                return Ok(SqliteStore::files_in_folder(folder, id, FILES_AT_A_TIME)?);
            }
            Rows::Database(transfer) => transfer,
        };
        // what it reads is of one moment until it is let go
        transfer.release().await;
        let after = RowKey {
            texts: (id.to_owned(), String::new()),
            ..RowKey::default()
        };
        let rows = transfer.rows(Part::Files, Some(after), FILES_AT_A_TIME);
        let mut files = Vec::new();
        for row in rows.await? {
            if let TransferRow::File { document, .. } = row {
                files.push(serde_json::from_str(&document)?);
            }
        }
        Ok(files)
    }
}

/// The contents of files.
struct Contents<'r> {
    rows: &'r Rows<'r>,
    /// Where they are; `None` for nowhere.
    storage: Option<FileStorage>,
    is_read: bool,
}

/// What a look at all contents came to.
#[derive(Default)]
struct Looked {
    files: usize,
    missing: usize,
    problems: Vec<String>,
}

impl Looked {
    fn is_nothing_there(&self) -> bool {
        self.files > 0 && self.missing == self.files
    }
}

impl Contents<'_> {
    async fn look(&self) -> anyhow::Result<Looked> {
        let mut looked = Looked::default();
        let mut after = String::new();
        loop {
            let files = self.rows.behind(&after).await?;
            let Some(last) = files.last() else {
                return Ok(looked);
            };
            let last = last.id.clone();
            looked.files += files.len();
            let problems = self.problems(files).await?;
            if !problems.is_empty() {
                // a server beside may have removed some meanwhile
                let still = self.rows.behind(&after).await?;
                for (id, problem) in problems {
                    if still.iter().any(|file| file.id == id) {
                        looked.missing += usize::from(problem == ContentProblem::Missing);
                        looked.problems.push(format!("the file {id}: {problem}"));
                    }
                }
            }
            after = last;
        }
    }

    async fn problems(
        &self,
        files: Vec<StoredFile>,
    ) -> anyhow::Result<Vec<(String, ContentProblem)>> {
        let Some(storage) = &self.storage else {
            let missing = |file: StoredFile| (file.id, ContentProblem::Missing);
            return Ok(files.into_iter().map(missing).collect());
        };
        let (mut found, mut looks) = (Vec::new(), JoinSet::new());
        for file in files {
            if looks.len() >= CONTENTS_AT_A_TIME
                && let Some(looked) = looks.join_next().await
            {
                found.extend(looked??);
            }
            let (storage, is_read) = (storage.clone(), self.is_read);
            looks.spawn(async move {
                let problem = if is_read {
                    storage.content_problem(&file).await?
                } else {
                    storage.size_problem(&file).await?
                };
                Ok::<_, StoreError>(problem.map(|problem| (file.id, problem)))
            });
        }
        while let Some(looked) = looks.join_next().await {
            found.extend(looked??);
        }
        Ok(found)
    }
}
