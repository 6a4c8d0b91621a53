//! Downloads: by a link alone. A link that ran out and one that was never issued are refused alike.

use super::links::SignedBy;
use super::{FileStorage, Link, stored};
use crate::{Refusal, Service};
use bytes::Bytes;
use futures_core::stream::BoxStream;
use object_store::{GetOptions, GetRange, ObjectStore as _};
use std::ops::Range;
use store::catalog::Catalog;
use store::files::StoredFile;
use tracing::Instrument as _;

/// The bytes of a content, piece by piece.
pub type Contents = BoxStream<'static, Result<Bytes, object_store::Error>>;

/// A content on its way out.
pub struct Download {
    /// What is known of the file.
    pub file: StoredFile,
    /// Which bytes come, where a part was asked for.
    pub range: Option<Range<u64>>,
    /// Seconds the link still works.
    pub seconds_left: i64,
    /// The bytes.
    pub content: Contents,
}

impl Service {
    /// Judges a link; seconds it still works.
    ///
    /// # Errors
    /// [`Refusal::LinkRefused`].
    fn judge_link(&self, link: &Link) -> Result<i64, Refusal> {
        let signed_by = self.links.signed_by(link).ok_or(Refusal::LinkRefused)?;
        let expires: i64 = link.expires.parse().map_err(|_| Refusal::LinkRefused)?;
        let left = expires - self.now().millis().div_euclid(1000);
        let is_in_time = match signed_by {
            SignedBy::SecretInUse => true,
            // what ends later than any link of that moment, the one who took the secret has made
            SignedBy::SecretRetiredAt(moment) => {
                let last = moment.plus_seconds(self.link_seconds());
                expires <= last.millis().div_euclid(1000)
            }
        };
        if left > 0 && is_in_time {
            Ok(left)
        } else {
            Err(Refusal::LinkRefused)
        }
    }

    /// The file that a link is for; `range` picks bytes of it, once it is known, and for how many seconds the link still works:
    /// none is all, and what it refuses is not read.
    ///
    /// # Errors
    /// [`Refusal::LinkRefused`] for a link that does not work, [`Refusal::NotFound`] when the file, its
    /// dataset or what that hangs under is gone, or where servers share a store, its content is not here; the object
    /// store's; that of `range`.
    pub async fn download<E: From<Refusal>>(
        &self,
        link: &Link,
        range: impl FnOnce(&StoredFile, i64) -> Result<Option<Range<u64>>, E>,
    ) -> Result<Download, E> {
        let seconds_left = self.judge_link(link)?;
        let span =
            tracing::trace_span!("files.download", file.id = link.id, dataset = link.dataset);
        let opened = async {
            let file = self.linked_file(link).await?;
            let range = range(&file, seconds_left)?;
            let content = self.open_content(&file, range.clone()).await?;
            Ok(Download {
                file,
                range,
                seconds_left,
                content,
            })
        };
        opened.instrument(span).await
    }

    /// The file of a link that works.
    async fn linked_file(&self, link: &Link) -> Result<StoredFile, Refusal> {
        let backend = self.file_backend()?;
        let row = backend.files.file(&link.id).await?;
        let row = row.filter(|row| row.file.dataset == link.dataset);
        let file = row.ok_or_else(|| Refusal::no_such("file"))?.file;
        if !is_there(&self.store().catalog(), &file.dataset) {
            return Err(Refusal::no_such("file"));
        }
        Ok(file)
    }

    /// What a file holds, or a part of it.
    async fn open_content(
        &self,
        file: &StoredFile,
        range: Option<Range<u64>>,
    ) -> Result<Contents, Refusal> {
        let options = GetOptions {
            range: range.map(GetRange::Bounded),
            ..GetOptions::default()
        };
        let storage = &self.file_backend()?.storage;
        let path = FileStorage::path(file);
        match storage.objects.get_opts(&path, options).await {
            // it is where the server keeps its files that took it
            Err(error @ object_store::Error::NotFound { .. }) if self.store().shares_limits() => {
                tracing::error!(
                    error = &error as &dyn std::error::Error,
                    file.id = file.id,
                    "the content of a file is not where this server keeps files: servers that share a database must share \
                     their folder of files, too, or a bucket; or it is lost"
                );
                Err(Refusal::no_such("file"))
            }
            found => Ok(found.map_err(stored)?.into_stream()),
        }
    }
}

/// Whether a dataset can be found: neither it nor what it hangs under is deleted.
fn is_there(catalog: &Catalog, dataset: &str) -> bool {
    let dataset = catalog.datasets.get(dataset).filter(|it| !it.deleted);
    let schema = dataset.and_then(|dataset| catalog.schemas.get(&dataset.schema));
    let schema = schema.filter(|it| !it.deleted);
    let area = schema.and_then(|schema| catalog.areas.get(&schema.area));
    area.is_some_and(|area| !area.deleted)
}
