//! Contents of uploaded files: copied from one folder to another, each compared with the checksum that it was uploaded with,
//! and looked for where the target's servers will. What is there already and right is left as it is.

use super::{ROWS_AT_FIRST, next_page};
use crate::hex::hex;
use crate::watch::Watch;
use anyhow::Context as _;
use service::files::FileStorage;
use sha2::{Digest as _, Sha256};
use std::collections::BTreeMap;
use std::io::{ErrorKind, Write as _};
use std::path::Path;
use store::files::StoredFile;
use store::folders::{make_folder, sync_folder};
use store::transfer::{Part, RowKey, TransferRow, TransferSource};
use tempfile::NamedTempFile;

/// How many of those that are missing are named.
const NAMED_MAX: usize = 100;

/// Contents that could not be copied: why, by the ids of their files.
pub(crate) type Uncopied = BTreeMap<String, String>;

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

/// Copies the contents of all files of a store into `to`, a folder of files; those that could not be.
pub(crate) async fn move_contents(
    source: &dyn TransferSource,
    from: &FileStorage,
    to: &Path,
    watch: &mut Watch,
) -> anyhow::Result<Uncopied> {
    let (mut pages, mut uncopied, mut done) = (FilePages::of(source), Uncopied::new(), 0_u64);
    while let Some(files) = pages.next().await? {
        // no folder is made where there is no file
        let target = FileStorage::folder(to)?;
        for file in files {
            let problem = move_content(&file, from, &target, to).await;
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
    storage: Option<&FileStorage>,
    uncopied: &Uncopied,
    watch: &mut Watch,
) -> anyhow::Result<Contents> {
    let (mut pages, mut found) = (FilePages::of(target), Contents::default());
    while let Some(files) = pages.next().await? {
        for file in files {
            let problem = match storage {
                Some(storage) => problem(&file, storage, false).await,
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

async fn problem(
    file: &StoredFile,
    storage: &FileStorage,
    is_read: bool,
) -> anyhow::Result<Option<String>> {
    let found = storage.content_problem(file, is_read).await?;
    Ok(found.map(|problem| problem.to_string()))
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
    folder: &Path,
) -> anyhow::Result<Option<String>> {
    if problem(file, target, true).await?.is_none() {
        return Ok(None);
    }
    if let Some(problem) = problem(file, from, false).await? {
        return Ok(Some(problem));
    }
    let folder = folder.join(&file.dataset);
    make_folder(&folder)?;
    let mut out = unfinished(&folder, file)?;
    let (mut content, mut hash) = (from.content(file).await?, Sha256::new());
    while let Some(piece) = content.next().await? {
        hash.update(&piece);
        out.write_all(&piece)?;
    }
    if hex(&hash.finalize()) != file.sha256 {
        return Ok(Some(
            "its content is not as it was uploaded: the checksum differs".to_owned(),
        ));
    }
    out.as_file().sync_all()?;
    out.persist(folder.join(&file.id))?;
    sync_folder(&folder)?;
    Ok(None)
}
