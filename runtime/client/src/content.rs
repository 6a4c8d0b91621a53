//! Contents of files: on their way to the service, and on their way from it.

use crate::ClientError;
use crate::path::DatasetPath;
use bytes::Bytes;
use futures_core::Stream;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

/// What stands before the id in a file's download address.
pub(crate) const FILES_PATH: &str = "/v1/files/";

/// Why a stream broke off.
pub type BoxError = Box<dyn std::error::Error + Send + Sync>;
/// Pieces of a content.
pub type Pieces<E> = Pin<Box<dyn Stream<Item = Result<Bytes, E>> + Send>>;

/// The content of a file to upload: bytes, or a [stream](Self::stream) of them.
pub struct Content(ContentKind);

/// What a content is made of.
pub enum ContentKind {
    /// All bytes at once.
    Whole(Bytes),
    /// Pieces that come one after the other, once.
    Stream(Pieces<BoxError>),
}

impl Content {
    /// A content that is read while it is uploaded. It can be read once only, so an upload that fails is
    /// not tried again.
    pub fn stream<E: Into<BoxError>>(
        pieces: impl Stream<Item = Result<Bytes, E>> + Send + 'static,
    ) -> Self {
        let pieces = Errors(Box::pin(pieces));
        Content(ContentKind::Stream(Box::pin(pieces)))
    }
}

/// A stream whose errors lose their type.
struct Errors<S>(Pin<Box<S>>);

impl<S: Stream<Item = Result<Bytes, E>>, E: Into<BoxError>> Stream for Errors<S> {
    type Item = Result<Bytes, BoxError>;

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
    pub dataset: Arc<DatasetPath>,
    /// Its name.
    pub name: String,
    /// What its sender says it is.
    pub media_type: String,
    /// Its content.
    pub content: Content,
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
