//! Files of a dataset: uploaded before a record names them, downloaded by the link that a record shows.
//! Decisions section 6.

use super::{Client, ClientError, Dataset, Place, RawDataset};
use bytes::Bytes;
use engine::Record;
use engine::value::FileRef;
use futures_core::Stream;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use wire::FileItem;

/// What stands before the id in a file's download address.
pub(crate) const FILES_PATH: &str = "/v1/files/";

/// Why a stream broke off.
pub type Source = Box<dyn std::error::Error + Send + Sync>;
/// Pieces of a content.
pub type Pieces<E> = Pin<Box<dyn Stream<Item = Result<Bytes, E>> + Send>>;

/// The content of a file to upload: bytes, or a [stream](Self::stream) of them.
pub struct Content(ContentKind);

/// What a content is made of.
pub enum ContentKind {
    /// All bytes at once.
    Whole(Bytes),
    /// Pieces that come one after the other, once.
    Stream(Pieces<Source>),
}

impl Content {
    /// A content that is read while it is uploaded. It can be read once only, so an upload that fails is
    /// not tried again.
    pub fn stream<E: Into<Source>>(
        pieces: impl Stream<Item = Result<Bytes, E>> + Send + 'static,
    ) -> Self {
        let pieces = Errors(Box::pin(pieces));
        Content(ContentKind::Stream(Box::pin(pieces)))
    }
}

/// A stream whose errors lose their type.
struct Errors<S>(Pin<Box<S>>);

impl<S: Stream<Item = Result<Bytes, E>>, E: Into<Source>> Stream for Errors<S> {
    type Item = Result<Bytes, Source>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let piece = std::task::ready!(self.0.as_mut().poll_next(context));
        Poll::Ready(piece.map(|piece| piece.map_err(Into::into)))
    }
}

impl Content {
    /// What it is made of.
    pub fn into_kind(self) -> ContentKind {
        self.0
    }
}

impl std::fmt::Debug for Content {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Content").finish_non_exhaustive()
    }
}

impl<B: Into<Bytes>> From<B> for Content {
    fn from(bytes: B) -> Self {
        Content(ContentKind::Whole(bytes.into()))
    }
}

/// A file on its way to a dataset.
pub struct NewFile {
    /// The dataset it is for.
    pub place: Arc<Place>,
    /// Its name.
    pub name: String,
    /// What its sender says it is.
    pub media_type: String,
    /// Its content.
    pub content: Content,
}

impl RawDataset {
    /// Uploads a file, for a field of this dataset's records to name
    /// ([`FileItem::reference`]). The service judges by the content: name and media type are what people
    /// see. A file that no record names goes after a while, so an upload of bytes that got no answer is
    /// tried again.
    ///
    /// # Errors
    /// [`Cause::TooLarge`](super::Cause::TooLarge), [`ClientError::Content`] when the stream fails; the
    /// service's and the connection's.
    pub async fn upload(
        &self,
        name: &str,
        media_type: &str,
        content: impl Into<Content>,
    ) -> Result<FileItem, ClientError> {
        let file = NewFile {
            place: self.shared_place(),
            name: name.to_owned(),
            media_type: media_type.to_owned(),
            content: content.into(),
        };
        let text = self.client().door.clone().upload(file).await?;
        serde_json::from_str(&text)
            .map_err(|error| ClientError::Answer("an upload", error.to_string()))
    }

    /// The content of a file that a record of this dataset shows: [`Client::download`].
    ///
    /// # Errors
    /// As there.
    pub async fn download(&self, file: &FileRef) -> Result<Download, ClientError> {
        self.client().download(file).await
    }
}

impl<R: Record> Dataset<R> {
    /// Uploads a file, for a field of a record to name: [`RawDataset::upload`].
    ///
    /// # Errors
    /// As there.
    pub async fn upload(
        &self,
        name: &str,
        media_type: &str,
        content: impl Into<Content>,
    ) -> Result<FileItem, ClientError> {
        self.raw().upload(name, media_type, content).await
    }

    /// The content of a file that a record shows: [`Client::download`].
    ///
    /// # Errors
    /// As there.
    pub async fn download(&self, file: &FileRef) -> Result<Download, ClientError> {
        self.raw().download(file).await
    }
}

impl Client {
    /// The content of a file, by the link that a record shows or an upload answered. The link works for
    /// a while only, so read the record when the file is wanted. It is followed at this client's own
    /// service, whatever host it names, and without the credential.
    ///
    /// # Errors
    /// [`ClientError::NoLink`] for an id; [`Cause::LinkRefused`](super::Cause::LinkRefused) when the
    /// link's time is over; [`Cause::NotFound`](super::Cause::NotFound) when the file is gone; the
    /// connection's.
    pub async fn download(&self, file: &FileRef) -> Result<Download, ClientError> {
        let (_, rest) = file
            .as_str()
            .split_once(FILES_PATH)
            .ok_or(ClientError::NoLink)?;
        // nothing but one segment and a query follows
        let is_link = rest.split_once('?').is_some_and(|(id, _)| {
            !id.is_empty() && id.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-')
        });
        if !is_link {
            return Err(ClientError::NoLink);
        }
        self.door.clone().download(rest.to_owned()).await
    }
}

/// A content on its way in, read piece by piece: it is a [`Stream`], and can be read without one.
pub struct Download {
    /// What the content is.
    pub media_type: Option<String>,
    /// Its size in bytes.
    pub size: Option<u64>,
    /// Its pieces, one after the other.
    pub pieces: Pieces<ClientError>,
    /// How much of it may be read into memory at once, in bytes.
    pub bytes_max: usize,
}

impl Download {
    /// The next piece; `None` at the end.
    pub async fn next(&mut self) -> Option<Result<Bytes, ClientError>> {
        std::future::poll_fn(|context| self.pieces.as_mut().poll_next(context)).await
    }

    /// All that is left, if it is no longer than answers may be.
    ///
    /// # Errors
    /// [`ClientError::TooLong`]; the connection's.
    pub async fn bytes(mut self) -> Result<Vec<u8>, ClientError> {
        let limit = self.bytes_max;
        let mut all = Vec::new();
        while let Some(piece) = self.next().await {
            let piece = piece?;
            if all.len() + piece.len() > limit {
                return Err(ClientError::TooLong { limit });
            }
            all.extend_from_slice(&piece);
        }
        Ok(all)
    }
}

impl Stream for Download {
    type Item = Result<Bytes, ClientError>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.pieces.as_mut().poll_next(context)
    }
}

impl std::fmt::Debug for Download {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Download")
            .field("media_type", &self.media_type)
            .field("size", &self.size)
            .finish_non_exhaustive()
    }
}
