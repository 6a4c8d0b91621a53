//! Copies the contents of uploaded files from one folder to another, each compared with the checksum that it was uploaded
//! with. What is there already and right is left as it is.

use super::{ROWS_AT_FIRST, next_page};
use crate::hex::hex;
use crate::watch::Watch;
use anyhow::Context as _;
use service::files::FileStorage;
use sha2::{Digest as _, Sha256};
use std::io::Write as _;
use std::path::Path;
use store::files::StoredFile;
use store::folders::{make_folder, sync_folder};
use store::transfer::{Part, TransferRow, TransferSource};

/// What became of contents.
#[derive(Default)]
pub(crate) struct Contents {
    /// How many are there.
    pub(crate) files: u64,
    /// What the source lacks or has damaged, in words.
    pub(crate) problems: Vec<String>,
}

/// Sees to it that the contents of all files of a store are in `to`, a folder of files. Without `to`, they stay where they
/// are, and are looked for there; without `from`, there are none.
pub(crate) async fn move_contents(
    source: &dyn TransferSource,
    from: Option<&FileStorage>,
    to: Option<&Path>,
    watch: &mut Watch,
) -> anyhow::Result<Contents> {
    let (mut after, mut max, mut done) = (None, ROWS_AT_FIRST, Contents::default());
    loop {
        let rows = source.rows(Part::Files, after, max).await?;
        let Some(last) = rows.last() else {
            return Ok(done);
        };
        (after, max) = (Some(last.key()), next_page(&rows));
        // no folder is made where there is no file
        let target = to.map(FileStorage::folder).transpose()?;
        for row in &rows {
            let TransferRow::File { document, .. } = row else {
                continue;
            };
            let file: StoredFile = serde_json::from_str(document)?;
            let problem = match (from, to, &target) {
                (None, ..) => Ok(Some("its content is not there".to_owned())),
                (Some(from), Some(folder), Some(target)) => {
                    move_content(&file, from, target, folder).await
                }
                (Some(from), ..) => problem(&file, from, false).await,
            };
            match problem.with_context(|| format!("the file {}", file.id))? {
                Some(problem) => done
                    .problems
                    .push(format!("the file {}: {problem}", file.id)),
                None => done.files += 1,
            }
            watch.tell(&format!("contents of files: {} moved", done.files));
        }
    }
}

async fn problem(
    file: &StoredFile,
    storage: &FileStorage,
    is_read: bool,
) -> anyhow::Result<Option<String>> {
    let found = storage.content_problem(file, is_read).await?;
    Ok(found.map(|problem| problem.to_string()))
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
    let mut out = tempfile::NamedTempFile::new_in(&folder)?;
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
