//! The client's door in process: a question becomes a call of the service, a refusal the client's error.
//! There is no HTTP, so no status code either.

use client::door::{Answer, Ask, ContentKind, Door, NewFile};
use client::{Bytes, Cause, ClientError, Download, Place, Refused};
use futures_core::Stream;
use serde::Serialize;
use service::files::{Contents, Link, Upload};
use service::manage::Operator;
use service::search::SearchRequest;
use service::{Caller, DatasetPermit, PageRequest, Refusal, Service};
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

/// Who asks.
#[derive(Clone)]
pub(super) enum Asker {
    Operator {
        operator: Operator,
        tenant: Arc<str>,
    },
    Credential(String),
}

/// The door to a service in this process.
pub(super) struct ServiceDoor {
    pub(super) service: Arc<Service>,
    pub(super) asker: Asker,
}

impl Door for ServiceDoor {
    fn ask(self: Arc<Self>, ask: Ask, page_key: Option<String>) -> Answer<Option<String>> {
        Box::pin(async move {
            let page = PageRequest {
                key: page_key,
                size: None,
            };
            self.answer(ask, page).await.map_err(error)
        })
    }

    fn upload(self: Arc<Self>, file: NewFile) -> Answer<String> {
        Box::pin(async move { self.receive(file).await })
    }

    fn download(self: Arc<Self>, link: String) -> Answer<Download> {
        Box::pin(async move {
            let (id, query) = link.split_once('?').ok_or(ClientError::NoLink)?;
            let mut link = Link {
                id: id.to_owned(),
                ..Link::default()
            };
            for (name, value) in query.split('&').filter_map(|pair| pair.split_once('=')) {
                link.set(name, value);
            }
            let found = self.service.download(&link, |_| None).await;
            let found = found.map_err(error)?;
            Ok(Download {
                media_type: Some(found.file.media_type),
                size: Some(found.file.size),
                pieces: Box::pin(Coming(found.content)),
                bytes_max: BYTES_MAX,
            })
        })
    }
}

/// A content on its way out of the service.
struct Coming(Contents);

impl Stream for Coming {
    type Item = Result<Bytes, ClientError>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let piece = std::task::ready!(self.0.as_mut().poll_next(context));
        let failed = |error| ClientError::Store(Box::new(error));
        Poll::Ready(piece.map(|piece| piece.map_err(failed)))
    }
}

impl ServiceDoor {
    fn caller(&self) -> Result<Caller, Refusal> {
        match &self.asker {
            Asker::Credential(credential) => self.service.authenticate(credential),
            Asker::Operator { operator, tenant } => self
                .service
                .operator(operator, tenant)
                .ok_or_else(|| Refusal::no_such("tenant")),
        }
    }

    async fn receive(&self, file: NewFile) -> Result<String, ClientError> {
        let Place {
            area,
            schema,
            dataset,
        } = &*file.place;
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

    fn permit(&self, verb: Verb, place: &Place) -> Result<DatasetPermit, Refusal> {
        let Place {
            area,
            schema,
            dataset,
        } = place;
        self.caller()?
            .permit_dataset(Resource::Records, verb, [area, schema, dataset])
    }

    async fn answer(&self, ask: Ask, page: PageRequest) -> Result<Option<String>, Refusal> {
        let service = &self.service;
        let caller = || self.caller();
        Ok(match ask {
            Ask::Areas => Some(json(&service.list_areas(&caller()?, &page)?)),
            Ask::Schemas { area } => {
                let permit = caller()?.permit_area(Resource::Schemas, Verb::View, &area)?;
                Some(json(&service.list_schemas(&permit, &page)?))
            }
            Ask::Schema { area, schema } => {
                let permit =
                    caller()?.permit_schema(Resource::Schemas, Verb::View, &area, &schema)?;
                Some(service.schema_detail(&permit))
            }
            Ask::Datasets { area, schema } => {
                let permit =
                    caller()?.permit_schema(Resource::Datasets, Verb::View, &area, &schema)?;
                Some(json(&service.list_datasets(&permit, &page).await?))
            }
            Ask::Records(place) => {
                let permit = self.permit(Verb::View, &place)?;
                let page = service.list_records(&permit, &page).await?.json;
                Some(String::from_utf8_lossy(&page).into_owned())
            }
            Ask::ByKey(place, key) => {
                service
                    .record_by_key(&self.permit(Verb::View, &place)?, &key)
                    .await?
            }
            Ask::Create(place, body) => {
                let permit = self.permit(Verb::Add, &place)?;
                Some(service.create_record(&permit, body.as_bytes()).await?.json)
            }
            Ask::Update(place, id, body) => {
                let permit = self.permit(Verb::Edit, &place)?;
                service.update_record(&permit, &id, body.as_bytes()).await?;
                None
            }
            Ask::Delete(place, id) => {
                self.delete(&place, &id).await?;
                None
            }
            Ask::Search(search) => {
                let request = SearchRequest {
                    query: Some(search.query.clone()),
                    area: search.area.clone(),
                    schema: search.schema.clone(),
                    dataset: search.dataset.clone(),
                    page,
                };
                Some(service.search(&caller()?, &request).await?)
            }
        })
    }

    /// Deletes; a write that lands at the same moment leaves the record as it is, so it is tried again.
    async fn delete(&self, place: &Place, id: &str) -> Result<(), Refusal> {
        let mut tries = 1;
        loop {
            let permit = self.permit(Verb::Delete, place)?;
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
    use Cause as C;
    let refused = match refusal {
        Refusal::Unauthenticated => Refused::new(C::Unauthenticated, "the credential is not valid"),
        Refusal::Forbidden(_) => Refused::new(C::Forbidden, "its roles or areas do not allow this"),
        Refusal::NotFound(_) => Refused::new(C::NotFound, "the place does not exist"),
        refusal @ (Refusal::Parameter(_)
        | Refusal::Conflict(_)
        | Refusal::Invalid(_)
        | Refusal::TooOften { .. }) => Refused::new(C::Other, refusal.to_string()),
        Refusal::LinkRefused => Refused::new(C::LinkRefused, "the link is not valid any more"),
        Refusal::TooLarge { bytes_max } => {
            Refused::new(C::TooLarge, format!("it is larger than {bytes_max} bytes"))
        }
        Refusal::NotReady { seconds } => {
            let mut refused = Refused::new(C::Service, "what would answer is not ready yet");
            refused.retry_after = Some(Duration::from_secs(seconds));
            refused
        }
        Refusal::RecordNotFound => {
            let refused = Refused::new(
                C::RecordNotFound,
                "the dataset has no data object of this id",
            );
            coded(refused, "DATA_OBJECT_NOT_FOUND")
        }
        Refusal::InvalidBody { message, fields } => {
            let mut refused = Refused::new(C::InvalidBody, message);
            refused.fields = fields;
            coded(refused, "INVALID_REQUEST_BODY")
        }
        Refusal::PrimaryKeyRequired { field } => {
            let refused = Refused::new(C::PrimaryKeyRequired, "the primary key has no value");
            coded(about(refused, field), "PRIMARY_KEY_REQUIRED")
        }
        Refusal::DuplicateKey { field } => {
            let refused = Refused::new(C::DuplicateKey, "another data object has this primary key");
            coded(about(refused, field), "DUPLICATE_PRIMARY_KEY")
        }
        Refusal::VersionConflict { sent, stored } => {
            let text = format!("the version sent is {sent} and the stored one {stored}");
            let refused = about(
                Refused::new(C::VersionConflict, text),
                "_version".to_owned(),
            );
            coded(refused, "DATA_OBJECT_VERSION_CONFLICT")
        }
        Refusal::Concurrent => {
            let refused = Refused::new(
                C::Concurrent,
                "another request changed it at the same moment",
            );
            coded(refused, "DATA_OBJECT_CONCURRENT_MODIFICATION")
        }
        Refusal::Store(error) => return ClientError::Store(error.into()),
    };
    refused.into()
}

fn coded(mut refused: Refused, code: &str) -> Refused {
    refused.code = Some(code.to_owned());
    refused
}

/// A refusal about one field, whose entry says the same.
fn about(mut refused: Refused, name: String) -> Refused {
    let errors = refused.message.clone();
    refused.fields = vec![FieldError { name, errors }];
    refused
}
