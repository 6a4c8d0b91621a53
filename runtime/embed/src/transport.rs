//! The client's transport in process: an operation becomes a call of the service, a refusal the client's error.
//! There is no HTTP, so no status code either.

use client::transport::{ContentKind, NewFile, Operation, Transport, TransportFuture};
use client::{Bytes, Cause, ClientError, DatasetPath, Download, Search, ServiceRefusal};
use futures_core::Stream;
use serde::Serialize;
use service::files::{Contents, Link, Upload};
use service::manage::Operator;
use service::search::SearchRequest;
use service::{Caller, ChangesRequest, DatasetPermit, PageRequest, Refusal, Service};
use std::future::poll_fn;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;
use store::catalog::{Resource, Verb};
use wire::FieldError;

/// How often a delete is tried when others write the same record.
const DELETE_TRIES_MAX: u32 = 4;

/// How much of a file is read into memory at once.
const BYTES_MAX: usize = 64 << 20;

/// Who the client is to the service.
#[derive(Clone)]
pub(super) enum Identity {
    Operator {
        operator: Operator,
        tenant: Arc<str>,
    },
    Credential(String),
}

/// The way to a service in this process.
pub(super) struct ServiceTransport {
    pub(super) service: Arc<Service>,
    pub(super) identity: Identity,
}

impl Transport for ServiceTransport {
    fn run(
        self: Arc<Self>,
        operation: Operation,
        page_key: Option<String>,
    ) -> TransportFuture<Option<String>> {
        Box::pin(async move {
            let page = PageRequest {
                key: page_key,
                size: None,
            };
            self.answer(operation, page).await.map_err(error)
        })
    }

    fn upload(self: Arc<Self>, file: NewFile) -> TransportFuture<String> {
        Box::pin(async move { self.receive(file).await })
    }

    fn download(self: Arc<Self>, link: String) -> TransportFuture<Download> {
        Box::pin(async move {
            let (id, query) = link.split_once('?').ok_or(ClientError::NoLink)?;
            let mut link = Link {
                id: id.to_owned(),
                ..Link::default()
            };
            for (name, value) in query.split('&').filter_map(|pair| pair.split_once('=')) {
                link.set(name, value);
            }
            let download = self.service.download(&link, |_, _| Ok(None)).await;
            let download = download.map_err(error)?;
            Ok(Download {
                media_type: Some(download.file.media_type),
                size: Some(download.file.size),
                pieces: Box::pin(DownloadStream(download.content)),
                bytes_max: BYTES_MAX,
            })
        })
    }
}

/// A content on its way out of the service.
struct DownloadStream(Contents);

impl Stream for DownloadStream {
    type Item = Result<Bytes, ClientError>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let piece = std::task::ready!(self.0.as_mut().poll_next(context));
        let failed = |error| ClientError::Store(Box::new(error));
        Poll::Ready(piece.map(|piece| piece.map_err(failed)))
    }
}

impl ServiceTransport {
    fn caller(&self) -> Result<Caller, Refusal> {
        match &self.identity {
            Identity::Credential(credential) => self.service.authenticate(credential),
            Identity::Operator { operator, tenant } => self
                .service
                .operator(operator, tenant)
                .ok_or_else(|| Refusal::no_such("tenant")),
        }
    }

    async fn receive(&self, file: NewFile) -> Result<String, ClientError> {
        let DatasetPath {
            area,
            schema,
            dataset,
        } = &*file.dataset;
        let caller = self.caller().map_err(error)?;
        let permit = caller.permit_upload([area, schema, dataset]);
        let permit = permit.map_err(error)?;
        let mut upload = self
            .service
            .begin_upload(&permit, &file.name)
            .map_err(error)?;
        let received = fill(&mut upload, file.content.into_kind()).await;
        if let Err(failed) = received {
            upload.give_up().await;
            return Err(failed);
        }
        Ok(json(&upload.finish().await.map_err(error)?))
    }

    fn permit(&self, verb: Verb, path: &DatasetPath) -> Result<DatasetPermit, Refusal> {
        let DatasetPath {
            area,
            schema,
            dataset,
        } = path;
        self.caller()?
            .permit_dataset(Resource::Records, verb, [area, schema, dataset])
    }

    async fn answer(
        &self,
        operation: Operation,
        page: PageRequest,
    ) -> Result<Option<String>, Refusal> {
        let service = &self.service;
        let caller = || self.caller();
        Ok(match operation {
            Operation::Areas => Some(json(&service.list_areas(&caller()?, &page)?)),
            Operation::Schemas { area } => {
                let permit = caller()?.permit_area(Resource::Schemas, Verb::View, &area)?;
                Some(json(&service.list_schemas(&permit, &page).await?))
            }
            Operation::Schema { area, schema } => {
                let permit =
                    caller()?.permit_schema(Resource::Schemas, Verb::View, &area, &schema)?;
                Some(service.schema_detail(&permit))
            }
            Operation::Datasets { area, schema } => {
                let permit =
                    caller()?.permit_schema(Resource::Datasets, Verb::View, &area, &schema)?;
                Some(json(&service.list_datasets(&permit, &page).await?))
            }
            Operation::Records(path) => {
                let permit = self.permit(Verb::View, &path)?;
                let page = service.list_records(&permit, &page).await?.json;
                Some(String::from_utf8_lossy(&page).into_owned())
            }
            Operation::ByKey(path, key) => {
                service
                    .record_by_key(&self.permit(Verb::View, &path)?, &key)
                    .await?
            }
            Operation::Create(path, body) => {
                let permit = self.permit(Verb::Add, &path)?;
                Some(service.create_record(&permit, body.as_bytes()).await?.json)
            }
            Operation::Update(path, id, body) => {
                let permit = self.permit(Verb::Edit, &path)?;
                service.update_record(&permit, &id, body.as_bytes()).await?;
                None
            }
            Operation::Delete(path, id) => {
                self.delete(&path, &id).await?;
                None
            }
            Operation::Changes {
                dataset,
                after,
                wait,
            } => Some(self.changes(&dataset, after, wait).await?),
            Operation::Search(search) => Some(self.search(&search, page).await?),
        })
    }

    async fn changes(
        &self,
        dataset: &DatasetPath,
        after: Option<String>,
        wait: u32,
    ) -> Result<String, Refusal> {
        let permit = self.permit(Verb::View, dataset)?;
        let request = ChangesRequest {
            after,
            size: None,
            wait: Some(wait.to_string()),
        };
        let page = self.service.changes(&permit, &request).await?;
        Ok(String::from_utf8_lossy(&page).into_owned())
    }

    async fn search(&self, search: &Search, page: PageRequest) -> Result<String, Refusal> {
        let request = SearchRequest {
            query: Some(search.query.clone()),
            area: search.area.clone(),
            schema: search.schema.clone(),
            dataset: search.dataset.clone(),
            sort: search.sort.clone(),
            page,
            ..SearchRequest::default()
        };
        self.service.search(&self.caller()?, &request).await
    }

    /// Deletes; a write that lands at the same moment leaves the record as it is, so it is tried again.
    async fn delete(&self, path: &DatasetPath, id: &str) -> Result<(), Refusal> {
        let mut tries = 1;
        loop {
            let permit = self.permit(Verb::Delete, path)?;
            match self.service.delete_record(&permit, id).await {
                Err(Refusal::Concurrent) if tries < DELETE_TRIES_MAX => tries += 1,
                result => return result,
            }
        }
    }
}

async fn fill(upload: &mut Upload<'_>, content: ContentKind) -> Result<(), ClientError> {
    let mut pieces = match content {
        ContentKind::Whole(bytes) => return upload.write(bytes).await.map_err(error),
        ContentKind::Stream(pieces) => pieces,
    };
    while let Some(piece) = poll_fn(|context| pieces.as_mut().poll_next(context)).await {
        let piece = piece.map_err(ClientError::Content)?;
        upload.write(piece).await.map_err(error)?;
    }
    Ok(())
}

fn json(value: &impl Serialize) -> String {
    // INVARIANT: the items of lists are texts and numbers, which always have a JSON form
    serde_json::to_string(value).unwrap_or_default()
}

/// A refusal as the client's error.
fn error(refusal: Refusal) -> ClientError {
    let code = refusal.code();
    let field = refusal.field().map(str::to_owned);
    let (cause, message) = match &refusal {
        Refusal::Unauthenticated => (Cause::Unauthenticated, "the credential is not valid"),
        Refusal::Forbidden(_) => (Cause::Forbidden, "its roles or areas do not allow this"),
        Refusal::NotFound(_) => (Cause::NotFound, "the place does not exist"),
        Refusal::RecordNotFound => (
            Cause::RecordNotFound,
            "the dataset has no data object of this id",
        ),
        Refusal::PrimaryKeyRequired { .. } => {
            (Cause::PrimaryKeyRequired, "the primary key has no value")
        }
        Refusal::DuplicateKey { .. } => (
            Cause::DuplicateKey,
            "another data object has this primary key",
        ),
        Refusal::PositionLost | Refusal::PositionOfOtherEpoch => (Cause::Gone, ""),
        Refusal::Concurrent => (
            Cause::Concurrent,
            "another request changed it at the same moment",
        ),
        Refusal::PasswordChangeRequired
        | Refusal::ProofRequired
        | Refusal::SecondFactorRequired
        | Refusal::SecondFactorSetupRequired
        | Refusal::QuotaExceeded { .. } => (Cause::Forbidden, ""),
        Refusal::LinkRefused => (Cause::LinkRefused, "the link is not valid any more"),
        Refusal::NotReady { .. } => (Cause::Service, "what would answer is not ready yet"),
        Refusal::TooLong { .. } => (Cause::Service, "the search took longer than it may"),
        Refusal::NoRoom { .. } => (Cause::Service, "there is no memory to spare for it now"),
        Refusal::TooLarge { .. } => (Cause::TooLarge, ""),
        Refusal::VersionConflict { .. } => (Cause::VersionConflict, ""),
        Refusal::InvalidBody { .. } => (Cause::InvalidBody, ""),
        Refusal::Parameter(_)
        | Refusal::Conflict(_)
        | Refusal::Invalid(_)
        | Refusal::TooOften { .. } => (Cause::Other, ""),
        Refusal::Store(_) | Refusal::Unready { .. } => (Cause::Service, ""),
    };
    let mut told = ServiceRefusal::new(cause, message);
    match refusal {
        Refusal::Store(error) => return ClientError::Store(error.into()),
        Refusal::InvalidBody { message, fields } => {
            told.message = message;
            told.fields = fields;
        }
        Refusal::TooLarge { bytes_max } => {
            told.message = format!("it is larger than {bytes_max} bytes");
        }
        Refusal::VersionConflict { sent, stored } => {
            told.message = format!("the version sent is {sent} and the stored one {stored}");
        }
        Refusal::NotReady { seconds }
        | Refusal::TooLong { seconds }
        | Refusal::NoRoom { seconds } => {
            told.retry_after = Some(Duration::from_secs(seconds));
        }
        other if message.is_empty() => told.message = other.to_string(),
        _ => {}
    }
    if let Some(name) = field {
        let errors = told.message.clone();
        told.fields = vec![FieldError { name, errors }];
    }
    told.code = code.map(|code| code.as_str().to_owned());
    told.into()
}
