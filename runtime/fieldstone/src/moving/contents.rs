//! Contents of uploaded files: copied between folders and a bucket, each compared with the checksum that it was uploaded with,
//! and looked for where the target's servers will. What is there already and right is left as it is.

use super::{ROWS_AT_FIRST, next_page};
use crate::hex::hex;
use crate::watch::Watch;
use anyhow::Context as _;
use service::files::{ContentProblem, FileStorage, ObjectWriter};
use sha2::{Digest as _, Sha256};
use std::collections::BTreeMap;
use std::io::{ErrorKind, Write as _};
use std::path::{Path, PathBuf};
use store::StoreError;
use store::files::StoredFile;
use store::folders::{make_folder, sync_folder};
use store::transfer::{Part, RowKey, TransferRow, TransferSource};
use tempfile::NamedTempFile;

/// How many of those that are missing are named.
const NAMED_MAX: usize = 100;

/// Contents that could not be copied: why, by the ids of their files.
pub(crate) type Uncopied = BTreeMap<String, String>;

/// Where contents are, or are to be.
pub(crate) enum ContentPlace {
    /// A folder of files.
    Folder(PathBuf),
    Bucket(FileStorage),
}

impl ContentPlace {
    /// What is there, where there is such a place. Who looks makes no folder.
    fn opened(&self) -> anyhow::Result<Option<FileStorage>> {
        match self {
            ContentPlace::Folder(folder) if !folder.is_dir() => Ok(None),
            ContentPlace::Folder(_) | ContentPlace::Bucket(_) => self.made().map(Some),
        }
    }

    /// The same for what is to come there: a folder is made.
    fn made(&self) -> anyhow::Result<FileStorage> {
        match self {
            ContentPlace::Folder(folder) => Ok(FileStorage::folder(folder)?),
            ContentPlace::Bucket(bucket) => Ok(bucket.clone()),
        }
    }

    fn is_same_folder(&self, other: &ContentPlace) -> bool {
        matches!((self, other), (ContentPlace::Folder(one), ContentPlace::Folder(two)) if one == two)
    }
}

/// Contents, as they are in the target.
#[derive(Default)]
pub(crate) struct Contents {
    /// How many are there, in their length.
    pub(crate) files: u64,
    /// How many are not.
    pub(crate) missing: u64,
    /// The first of those, in words.
    pub(crate) problems: Vec<String>,
}

/// The files of a store, page by page.
struct FilePages<'s> {
    source: &'s dyn TransferSource,
    after: Option<RowKey>,
    max: usize,
}

impl<'s> FilePages<'s> {
    fn of(source: &'s dyn TransferSource) -> Self {
        FilePages {
            source,
            after: None,
            max: ROWS_AT_FIRST,
        }
    }

    /// The next ones; none behind the last page.
    async fn next(&mut self) -> anyhow::Result<Option<Vec<StoredFile>>> {
        let after = self.after.take();
        let rows = self.source.rows(Part::Files, after, self.max).await?;
        let Some(last) = rows.last() else {
            return Ok(None);
        };
        (self.after, self.max) = (Some(last.key()), next_page(&rows));
        let mut files = Vec::with_capacity(rows.len());
        for row in &rows {
            if let TransferRow::File { document, .. } = row {
                files.push(serde_json::from_str(document)?);
            }
        }
        Ok(Some(files))
    }
}

/// Copies the contents of all files of a store from one place to another; those that could not be.
pub(crate) async fn move_contents(
    source: &dyn TransferSource,
    (from, to): (&ContentPlace, &ContentPlace),
    watch: &mut Watch,
) -> anyhow::Result<Uncopied> {
    let (mut pages, mut uncopied, mut done) = (FilePages::of(source), Uncopied::new(), 0_u64);
    if from.is_same_folder(to) {
        return Ok(uncopied);
    }
    let Some(from) = from.opened()? else {
        return Ok(uncopied);
    };
    while let Some(files) = pages.next().await? {
        // no folder is made where there is no file
        let target = to.made()?;
        for file in files {
            let problem = move_content(&file, &from, &target, to).await;
            match problem.with_context(|| format!("the file {}", file.id))? {
                Some(problem) if uncopied.len() < NAMED_MAX => {
                    uncopied.insert(file.id, problem);
                }
                Some(_) => {}
                None => done += 1,
            }
            watch.tell(&format!("contents of files: {done} moved"));
        }
    }
    Ok(uncopied)
}

/// Looks for the contents of all files of a store where its servers will: whether each is there, in its length.
pub(crate) async fn look_for_contents(
    target: &dyn TransferSource,
    place: &ContentPlace,
    uncopied: &Uncopied,
    watch: &mut Watch,
) -> anyhow::Result<Contents> {
    let storage = place.opened()?;
    let (mut pages, mut found) = (FilePages::of(target), Contents::default());
    while let Some(files) = pages.next().await? {
        for file in files {
            let problem = match &storage {
                Some(storage) => told(storage.size_problem(&file).await),
                None => Ok(Some("its content is not there".to_owned())),
            };
            match problem.with_context(|| format!("the file {}", file.id))? {
                Some(problem) => {
                    found.missing += 1;
                    if found.problems.len() < NAMED_MAX {
                        let problem = uncopied.get(&file.id).unwrap_or(&problem);
                        let id = &file.id;
                        found.problems.push(format!("the file {id}: {problem}"));
                    }
                }
                None => found.files += 1,
            }
            watch.tell(&format!("contents of files: {} found", found.files));
        }
    }
    Ok(found)
}

/// What was found to be wrong, in words.
fn told(found: Result<Option<ContentProblem>, StoreError>) -> anyhow::Result<Option<String>> {
    Ok(found?.map(|problem| problem.to_string()))
}

/// A file for a content that is on its way, in place of one that a move left which was killed. It is named as those of
/// uploads, which servers clean.
fn unfinished(folder: &Path, file: &StoredFile) -> std::io::Result<NamedTempFile> {
    let name = format!("{}#0", file.id);
    match std::fs::remove_file(folder.join(&name)) {
        Err(error) if error.kind() != ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    let mut builder = tempfile::Builder::new();
    builder.prefix(&name).rand_bytes(0).tempfile_in(folder)
}

/// Copies a content, unless it is there; what is wrong with it, if anything is.
async fn move_content(
    file: &StoredFile,
    from: &FileStorage,
    target: &FileStorage,
    to: &ContentPlace,
) -> anyhow::Result<Option<String>> {
    let lack = told(from.size_problem(file).await)?;
    if lack.is_some() {
        // what can't be brought anew is not read: that takes as long as to bring it
        let is_there = target.size_problem(file).await?.is_none();
        return Ok(lack.filter(|_| !is_there));
    }
    if target.content_problem(file).await?.is_none() {
        return Ok(None);
    }
    let is_whole = match to {
        ContentPlace::Folder(folder) => into_folder(file, from, folder).await?,
        ContentPlace::Bucket(bucket) => into_bucket(file, from, bucket).await?,
    };
    Ok((!is_whole).then(|| ContentProblem::Checksum.to_string()))
}

/// Copies a content into a folder of files; whether it is as it was uploaded. One that is not does not come there.
async fn into_folder(file: &StoredFile, from: &FileStorage, folder: &Path) -> anyhow::Result<bool> {
    let folder = folder.join(&file.dataset);
    make_folder(&folder)?;
    let mut out = unfinished(&folder, file)?;
    let (mut content, mut hash) = (from.content(file).await?, Sha256::new());
    while let Some(piece) = content.next().await? {
        hash.update(&piece);
        out.write_all(&piece)?;
    }
    if hex(&hash.finalize()) != file.sha256 {
        return Ok(false);
    }
    out.as_file().sync_all()?;
    out.persist(folder.join(&file.id))?;
    sync_folder(&folder)?;
    Ok(true)
}

/// The same into a bucket.
async fn into_bucket(
    file: &StoredFile,
    from: &FileStorage,
    bucket: &FileStorage,
) -> anyhow::Result<bool> {
    let mut out = bucket.begin_content(file);
    match send(file, from, &mut out).await {
        Ok(true) => {
            out.finish().await?;
            Ok(true)
        }
        // parts that were sent before are taken back
        unfit => {
            out.give_up().await;
            unfit
        }
    }
}

/// Sends a content to a bucket; whether it is as it was uploaded.
async fn send(
    file: &StoredFile,
    from: &FileStorage,
    out: &mut ObjectWriter,
) -> anyhow::Result<bool> {
    let (mut content, mut hash) = (from.content(file).await?, Sha256::new());
    while let Some(piece) = content.next().await? {
        hash.update(&piece);
        out.write(&piece).await?;
    }
    Ok(hex(&hash.finalize()) == file.sha256)
}
