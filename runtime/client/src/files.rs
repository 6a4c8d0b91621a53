//! Files of a dataset: uploaded before a record names them, downloaded by the link that a record shows.

use crate::ClientError;
use crate::client::Client;
use crate::content::{Content, Download, FILES_PATH, NewFile};
use crate::dataset::Dataset;
use crate::raw::RawDataset;
use engine::Record;
use engine::value::FileRef;
use wire::FileItem;

impl RawDataset {
    /// Uploads a file, for a field of this dataset's records to name
    /// ([`FileItem::reference`]). The service judges by the content: name and media type are what people
    /// see. A file that no record names goes after a while, so an upload of bytes that got no answer is
    /// tried again.
    ///
    /// # Errors
    /// [`Cause::TooLarge`](crate::Cause::TooLarge), [`ClientError::Content`] when the stream fails; the
    /// service's and the connection's.
    pub async fn upload(
        &self,
        name: &str,
        media_type: &str,
        content: impl Into<Content>,
    ) -> Result<FileItem, ClientError> {
        let file = NewFile {
            dataset: self.shared_path(),
            name: name.to_owned(),
            media_type: media_type.to_owned(),
            content: content.into(),
        };
        let text = self.client().transport().upload(file).await?;
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
    /// [`ClientError::NoLink`] for an id; [`Cause::LinkRefused`](crate::Cause::LinkRefused) when the
    /// link's time is over; [`Cause::NotFound`](crate::Cause::NotFound) when the file is gone; the
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
        self.transport().download(rest.to_owned()).await
    }
}
