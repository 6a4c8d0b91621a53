//! Uploads: content goes to the object store as it comes, and is measured on the way. The file is there
//! once everything is: an upload that breaks off leaves nothing. Memory and quota are asked before each piece.

use super::upload_places::UploadPlace;
use super::{FileBackend, FileStorage, hex, sniff, stored};
use crate::quota_rooms::HeldRoom;
use crate::{DatasetPermit, Permit as _, Refusal, Reservation, Service, ids};
use bytes::Bytes;
use object_store::ObjectStoreExt as _;
use object_store::buffered::BufWriter;
use sha2::{Digest as _, Sha256};
use store::files::StoredFile;
use tokio::io::AsyncWriteExt as _;
use tracing::Instrument as _;
use wire::FileItem;

/// The size of a part that a storage elsewhere gets; S3 takes no smaller ones. Less than that is written in one go.
const PART_BYTES: usize = 5 << 20;
/// The same for a folder, which takes pieces of any size.
const PIECE_BYTES: usize = 64 << 10;
/// How many parts are in memory at once: one on its way, and one that fills meanwhile.
const PARTS_MAX: usize = 2;
/// When to come back where too many uploads are under way.
const RETRY_SECONDS: u64 = 2;
/// How long a file's name may be.
const NAME_CHARS_MAX: usize = 200;

/// An upload that is under way.
pub struct Upload<'s> {
    service: &'s Service,
    backend: &'s FileBackend,
    writer: BufWriter,
    hash: Sha256,
    head: Vec<u8>,
    id: String,
    dataset: String,
    name: String,
    size: u64,
    /// The memory of what is not written yet, and of the head.
    memory: Reservation,
    /// What of that is not written yet, at most.
    buffer_bytes_max: usize,
    /// The quota's bytes so far; none of a dataset that is gone.
    quota_room: Option<HeldRoom>,
    _place: UploadPlace<'s>,
}

impl Service {
    /// Begins an upload to the permit's dataset.
    ///
    /// # Errors
    /// [`Refusal::NotReady`] when the service has no place for files, [`Refusal::NoRoom`] when the caller or its tenant has too
    /// many uploads under way.
    pub fn begin_upload(&self, permit: &DatasetPermit, name: &str) -> Result<Upload<'_>, Refusal> {
        let backend = self.file_backend()?;
        let id = ids::new_id(self.now(), self.entropy());
        let dataset = permit.dataset().id.clone();
        let path = FileStorage::path_of(&dataset, &id);
        let caller = permit.caller();
        let place = self.upload_places.take(caller.tenant(), caller.id());
        let place = place.ok_or(Refusal::NoRoom {
            seconds: RETRY_SECONDS,
        })?;
        let part_bytes = match backend.storage.folder {
            Some(_) => PIECE_BYTES,
            None => PART_BYTES,
        };
        Ok(Upload {
            service: self,
            backend,
            writer: BufWriter::with_capacity(backend.storage.objects.clone(), path, part_bytes)
                .with_max_concurrency(PARTS_MAX),
            hash: Sha256::new(),
            head: Vec::new(),
            id,
            dataset,
            name: plain_name(name),
            size: 0,
            memory: self.memory().take(caller.owner(), 0),
            buffer_bytes_max: part_bytes * PARTS_MAX,
            quota_room: None,
            _place: place,
        })
    }

    /// Bytes a file has at most.
    pub fn file_bytes_max(&self) -> u64 {
        self.file_backend
            .get()
            .map_or(0, |backend| backend.settings.bytes_max)
    }
}

impl Upload<'_> {
    /// Takes the next piece. After an error the upload is to be [given up](Self::give_up).
    ///
    /// # Errors
    /// [`Refusal::TooLarge`], [`Refusal::NoRoom`], [`Refusal::QuotaExceeded`]; the object store's.
    pub async fn write(&mut self, piece: Bytes) -> Result<(), Refusal> {
        self.size += piece.len() as u64;
        let bytes_max = self.backend.settings.bytes_max;
        if self.size > bytes_max {
            return Err(Refusal::TooLarge { bytes_max });
        }
        let wanted = sniff::head_bytes_max(&self.head).saturating_sub(self.head.len());
        let wanted = wanted.min(piece.len());
        let size = usize::try_from(self.size).unwrap_or(usize::MAX);
        let buffered = size.min(self.buffer_bytes_max);
        self.memory.grow_to(buffered + self.head.len() + wanted)?;
        self.take_quota(piece.len() as u64).await?;
        self.hash.update(&piece);
        self.head.extend_from_slice(&piece[..wanted]);
        // copied: pieces may be tiny, and each would keep a buffer of its own alive
        let written = self.writer.write_all(&piece).await;
        Ok(written.map_err(stored)?)
    }

    async fn take_quota(&mut self, bytes: u64) -> Result<(), Refusal> {
        let more = self.service.require_file_room(&self.dataset, bytes).await?;
        match (&mut self.quota_room, more) {
            (Some(room), Some(more)) => room.join(more),
            (room @ None, more) => *room = more,
            (Some(_), None) => {}
        }
        Ok(())
    }

    /// Ends the upload: from now on the file is there.
    ///
    /// # Errors
    /// A file without content; the object store's and the store's.
    pub async fn finish(self) -> Result<FileItem, Refusal> {
        let span = tracing::debug_span!("files.upload", file.id = self.id, dataset = self.dataset);
        self.put().instrument(span).await
    }

    async fn put(mut self) -> Result<FileItem, Refusal> {
        if self.size == 0 {
            self.give_up().await;
            return Err(Refusal::Parameter(
                "the file is empty; send its content".into(),
            ));
        }
        let media_type = sniff::media_type(&self.head);
        let is_image = media_type.starts_with("image/");
        let pixels = is_image.then(|| sniff::pixels(&self.head)).flatten();
        let sha256 = hex(&std::mem::take(&mut self.hash).finalize());
        let file = StoredFile {
            id: self.id,
            dataset: self.dataset,
            name: self.name,
            media_type: media_type.to_owned(),
            size: self.size,
            width: pixels.map(|(width, _)| width),
            height: pixels.map(|(_, height)| height),
            sha256,
            created_at: self.service.now(),
        };
        self.writer.shutdown().await.map_err(stored)?;
        let path = FileStorage::path(&file);
        if let Err(refusal) = self.service.put_file(&self.backend.files, &file).await {
            // what can't be taken back now, the cleaning finds later
            let _ = self.backend.storage.objects.delete(&path).await;
            return Err(refusal);
        }
        Ok(FileItem {
            url: self.service.link(&file.dataset, &file.id),
            file_id: file.id,
            name: file.name,
            media_type: file.media_type,
            size: file.size,
            width: file.width,
            height: file.height,
            sha256: file.sha256,
        })
    }

    /// Takes back what was written.
    pub async fn give_up(mut self) {
        // what can't be taken back now, the cleaning finds later
        let _ = self.writer.abort().await;
    }
}

/// The last part of a name, without what could steer a terminal, a header or a file system.
fn plain_name(name: &str) -> String {
    let last = name.rsplit(['/', '\\']).next().unwrap_or(name);
    let plain: String = last
        .chars()
        .filter(|c| !c.is_control() && !turns_text(*c))
        .take(NAME_CHARS_MAX)
        .collect();
    match plain.trim() {
        "" | "." | ".." => "file".to_owned(),
        name => name.to_owned(),
    }
}

/// Whether a character only says which way the text around it runs: a name could look like another.
fn turns_text(c: char) -> bool {
    matches!(c, '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_its_last_part_without_control_characters() {
        for (sent, kept) in [
            ("a b.png", "a b.png"),
            ("../../etc/passwd", "passwd"),
            ("C:\\Users\\x.doc", "x.doc"),
            ("x\r\nSet-Cookie: y", "xSet-Cookie: y"),
            ("..", "file"),
            ("", "file"),
            ("Grüße.txt", "Grüße.txt"),
            ("x\u{202E}gpj.exe", "xgpj.exe"),
        ] {
            assert_eq!(plain_name(sent), kept, "{sent:?}");
        }
        assert_eq!(
            plain_name(&"ä".repeat(1000)).chars().count(),
            NAME_CHARS_MAX
        );
    }
}
