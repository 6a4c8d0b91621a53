//! Backups in a bucket of S3-compatible storage: each is one object, written when all of it was compared here, and read
//! again from there. Nothing is overwritten, and what is not as it was written does not stay.

use super::archive::Contents;
use super::keeping::{self, Incoming, KeptBackup};
use super::names::mark_of;
use super::room::Room;
use crate::failure::{conflict, usage};
use crate::hex::hex;
use anyhow::{Context as _, bail};
use service::files::FileStorage;
use service::{Clock as _, SystemClock};
use sha2::{Digest as _, Sha256};
use std::io::{Read, Write as _};
use std::path::Path;
use tempfile::NamedTempFile;

/// What addresses of buckets begin with.
const SCHEME: &str = "s3://";
/// Bytes that are read from the disk at a time.
const PIECE_BYTES: usize = 1 << 20;

/// The bucket and the name within it that a path means, if it means a bucket.
pub(crate) fn bucket_of(path: &Path) -> Option<(&str, &str)> {
    let address = path.to_str()?.strip_prefix(SCHEME)?;
    let (bucket, name) = address.split_once('/').unwrap_or((address, ""));
    Some((bucket, name.trim_matches('/')))
}

/// The same of one backup.
///
/// # Errors
/// When it names a bucket alone, or a folder.
pub(crate) fn object_of(path: &Path) -> anyhow::Result<Option<(&str, &str)>> {
    let Some((bucket, name)) = bucket_of(path) else {
        return Ok(None);
    };
    if bucket.is_empty() || name.is_empty() {
        return Err(usage("name the backup in the bucket: s3://BUCKET/NAME"));
    }
    let shown = path.display().to_string();
    if shown.ends_with('/') {
        return Err(usage(format!(
            "{shown} ends as a folder does, and in a bucket a backup is one object; name that, such as {shown}monday.tar.zst"
        )));
    }
    Ok(Some((bucket, name)))
}

/// The hash of an object.
type Hash = sha2::digest::Output<Sha256>;

/// Keeps a backup as a new object. While it is written, its name is its own: another one that comes meanwhile is refused, so that
/// none of them takes the other's object for its own.
pub(crate) async fn to_bucket(
    incoming: Incoming,
    storage: &FileStorage,
    name: &str,
) -> anyhow::Result<KeptBackup> {
    require_free(storage, name).await?;
    let room = keeping::room_elsewhere()?;
    let looked = keeping::received_and_looked(incoming, &room).await?;
    let is_claimed = claim(storage, name).await?;
    // one that was on its way until now is there now
    let kept = match require_free(storage, name).await {
        Ok(()) => put(looked, storage, name).await,
        Err(error) => Err(error),
    };
    if is_claimed {
        take_back(storage, &claim_of(name)).await;
    }
    let (kept, _) = kept?;
    Ok(kept)
}

/// Keeps a backup that a server makes by itself: its checksum stands beside it once it was compared, so that none passes for a
/// backup whose server ended before.
pub(super) async fn to_bucket_with_mark(
    incoming: Incoming,
    storage: &FileStorage,
    name: &str,
) -> anyhow::Result<KeptBackup> {
    let (kept, hash) = keep(incoming, storage, name).await?;
    // as `sha256sum --check` reads it
    let mark = format!("{}  {name}\n", hex(&hash));
    let mut object = storage.begin_object(&mark_of(name));
    let marked = match object.write(mark.as_bytes()).await {
        Ok(()) => object.finish().await,
        Err(error) => {
            object.give_up().await;
            Err(error)
        }
    };
    if let Err(error) = marked {
        take_back(storage, name).await;
        return Err(error)
            .with_context(|| format!("can't write {} into the bucket", mark_of(name)));
    }
    Ok(kept)
}

/// Keeps a backup as a new object; its hash, too.
async fn keep(
    incoming: Incoming,
    storage: &FileStorage,
    name: &str,
) -> anyhow::Result<(KeptBackup, Hash)> {
    require_free(storage, name).await?;
    let room = keeping::room_elsewhere()?;
    let looked = keeping::received_and_looked(incoming, &room).await?;
    put(looked, storage, name).await
}

/// Refuses a name that something in the bucket has.
async fn require_free(storage: &FileStorage, name: &str) -> anyhow::Result<()> {
    if storage.has_object(name).await? {
        return Err(conflict(format!(
            "{name} is in the bucket, and nothing is overwritten; choose another name"
        )));
    }
    Ok(())
}

/// What stands in the bucket while a backup is written.
fn claim_of(name: &str) -> String {
    format!("{name}.begun")
}

/// Takes a name for one backup alone; whether the storage knows how.
async fn claim(storage: &FileStorage, name: &str) -> anyhow::Result<bool> {
    let claim = claim_of(name);
    let content = format!("{name} was begun at {}\n", SystemClock.now());
    match storage.put_new_object(&claim, content).await {
        Ok(true) => Ok(true),
        Ok(false) => Err(conflict(format!(
            "another backup is being written as {name}, or broke off there; choose another name, or, if none is under way, remove {claim} from the bucket and back up again"
        ))),
        Err(error) => {
            tracing::warn!(
                error = &error as &dyn std::error::Error,
                name,
                "the storage does not keep the name of a backup for one alone; see to it that no other is written as this one"
            );
            Ok(false)
        }
    }
}

/// Puts what was received and compared into the bucket. One that is not as it was written does not stay.
async fn put(
    (file, bytes, contents): (NamedTempFile, u64, Contents),
    storage: &FileStorage,
    name: &str,
) -> anyhow::Result<(KeptBackup, Hash)> {
    match write_and_compare(&file, storage, name).await {
        Ok(hash) => Ok((KeptBackup { contents, bytes }, hash)),
        Err(error) => {
            take_back(storage, name).await;
            Err(error)
        }
    }
}

/// Writes a file as an object, and reads that again; its hash.
async fn write_and_compare(
    file: &NamedTempFile,
    storage: &FileStorage,
    name: &str,
) -> anyhow::Result<Hash> {
    let written = write(file, storage, name).await?;
    let mut object = storage
        .object(name)
        .await?
        .context("the backup was written, and is not in the bucket")?;
    let mut hash = Sha256::new();
    while let Some(piece) = object.next().await? {
        hash.update(&piece);
    }
    if hash.finalize() != written {
        bail!("the backup in the bucket is not as it was written");
    }
    Ok(written)
}

/// Removes an object that is no backup, or stands for one no more, where it is there.
async fn take_back(storage: &FileStorage, name: &str) {
    if matches!(storage.has_object(name).await, Ok(false)) {
        return;
    }
    if let Err(error) = storage.remove_object(name).await {
        tracing::warn!(
            error = &error as &dyn std::error::Error,
            name,
            "what is in the bucket under this name is no backup, and can't be removed; remove it by hand"
        );
    }
}

/// Writes a file as an object; its hash.
async fn write(file: &NamedTempFile, storage: &FileStorage, name: &str) -> anyhow::Result<Hash> {
    let mut from = file.reopen()?;
    let mut hash = Sha256::new();
    let mut object = storage.begin_object(name);
    loop {
        let mut piece = Vec::with_capacity(PIECE_BYTES);
        Read::by_ref(&mut from)
            .take(PIECE_BYTES as u64)
            .read_to_end(&mut piece)?;
        if piece.is_empty() {
            break;
        }
        hash.update(&piece);
        if let Err(error) = object.write(&piece).await {
            object.give_up().await;
            return Err(error.into());
        }
    }
    object.finish().await?;
    Ok(hash.finalize())
}

/// A backup out of a bucket, on this machine's disk; it goes with the room that is returned.
pub(crate) async fn from_bucket(
    storage: &FileStorage,
    name: &str,
) -> anyhow::Result<(Room, NamedTempFile)> {
    let found = storage.object(name).await?;
    let mut object = found.with_context(|| format!("there is no {name} in the bucket"))?;
    let room = keeping::room_elsewhere()?;
    let mut file = NamedTempFile::new_in(room.path())?;
    while let Some(piece) = object.next().await? {
        file.write_all(&piece)?;
    }
    file.as_file().sync_all()?;
    Ok((room, file))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_names_a_bucket_and_what_is_in_it() {
        let of = |path: &str| bucket_of(Path::new(path)).map(|(a, b)| format!("{a} {b}"));
        assert_eq!(
            of("s3://attic/a/b.tar.zst").as_deref(),
            Some("attic a/b.tar.zst")
        );
        assert_eq!(of("s3://attic/").as_deref(), Some("attic "));
        assert_eq!(of("s3://attic").as_deref(), Some("attic "));
        assert_eq!(of("/backups/s3"), None);
    }

    #[test]
    fn a_backup_in_a_bucket_is_one_object_and_has_a_name() {
        let of = |path: &'static str| object_of(Path::new(path));
        let found = of("s3://attic/a/b.tar.zst").unwrap();
        assert_eq!(found, Some(("attic", "a/b.tar.zst")));
        assert_eq!(of("/backups/s3/").unwrap(), None);
        for (path, told) in [
            ("s3://attic", "s3://BUCKET/NAME"),
            ("s3://attic/", "s3://BUCKET/NAME"),
            ("s3:///a", "s3://BUCKET/NAME"),
            ("s3://attic/a/", "s3://attic/a/monday.tar.zst"),
        ] {
            let refused = of(path).unwrap_err().to_string();
            assert!(refused.contains(told), "{path}: {refused}");
        }
    }
}
