//! The client's door in process: a question becomes a call of the service, a refusal the client's error.
//! There is no HTTP, so no status code either.

use crate::client::{Answer, Ask, Cause, ClientError, Door, Place, Refused};
use crate::service::manage::Operator;
use crate::service::search::SearchRequest;
use crate::service::{Caller, PageRequest, Permit, Refusal, Service};
use crate::store::catalog::{Resource, Verb};
use crate::wire::FieldError;
use serde::Serialize;
use std::sync::Arc;
use std::time::Duration;

/// How often a delete is tried when others write the same record.
const DELETE_TRIES_MAX: u32 = 4;

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
}

impl ServiceDoor {
    fn caller(&self) -> Result<Caller, Refusal> {
        match &self.asker {
            Asker::Credential(credential) => self.service.authenticate(credential),
            Asker::Operator { operator, tenant } => self
                .service
                .operator(operator, tenant)
                .ok_or(Refusal::NotFound),
        }
    }

    fn permit(&self, verb: Verb, place: &Place) -> Result<Permit, Refusal> {
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
                Some(service.schema_detail(&permit)?)
            }
            Ask::Datasets { area, schema } => {
                let permit =
                    caller()?.permit_schema(Resource::Datasets, Verb::View, &area, &schema)?;
                Some(json(&service.list_datasets(&permit, &page).await?))
            }
            Ask::Records(place) => {
                let permit = self.permit(Verb::View, &place)?;
                Some(service.list_records(&permit, &page).await?.json)
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

fn json(value: &impl Serialize) -> String {
    // INVARIANT: the items of lists are texts and numbers, which always have a JSON form
    serde_json::to_string(value).unwrap_or_default()
}

/// A refusal as the client's error.
fn error(refusal: Refusal) -> ClientError {
    let about = |cause, code: &str, name: String, text: String| {
        let fields = vec![FieldError {
            name,
            errors: text.clone(),
        }];
        coded(cause, code, text, fields)
    };
    let refused = match refusal {
        Refusal::Unauthenticated => {
            Refused::new(Cause::Unauthenticated, "the credential is not valid")
        }
        Refusal::Forbidden => Refused::new(
            Cause::Forbidden,
            "the credential's roles or areas do not allow this",
        ),
        Refusal::NotFound => Refused::new(Cause::NotFound, "the place does not exist"),
        Refusal::RecordNotFound => {
            let text = "the dataset has no data object of this id".to_owned();
            coded(
                Cause::RecordNotFound,
                "DATA_OBJECT_NOT_FOUND",
                text,
                Vec::new(),
            )
        }
        Refusal::Parameter(message) | Refusal::Conflict(message) => {
            Refused::new(Cause::Other, message)
        }
        Refusal::InvalidBody { message, fields } => {
            coded(Cause::InvalidBody, "INVALID_REQUEST_BODY", message, fields)
        }
        Refusal::PrimaryKeyRequired { field } => {
            let text = "the primary key has no value".to_owned();
            about(
                Cause::PrimaryKeyRequired,
                "PRIMARY_KEY_REQUIRED",
                field,
                text,
            )
        }
        Refusal::DuplicateKey { field } => {
            let text = "another data object of the dataset has this primary key".to_owned();
            about(Cause::DuplicateKey, "DUPLICATE_PRIMARY_KEY", field, text)
        }
        Refusal::VersionConflict { sent, stored } => {
            let text = format!("the version sent is {sent} and the stored one {stored}");
            let name = "_version".to_owned();
            about(
                Cause::VersionConflict,
                "DATA_OBJECT_VERSION_CONFLICT",
                name,
                text,
            )
        }
        Refusal::Concurrent => {
            let text = "another request changed the data object at the same moment".to_owned();
            coded(
                Cause::Concurrent,
                "DATA_OBJECT_CONCURRENT_MODIFICATION",
                text,
                Vec::new(),
            )
        }
        Refusal::NotReady { seconds } => {
            let mut refused = Refused::new(Cause::Service, "what would answer is not ready yet");
            refused.retry_after = Some(Duration::from_secs(seconds));
            refused
        }
        Refusal::TooLarge { bytes_max } => {
            Refused::new(Cause::Other, format!("it is larger than {bytes_max} bytes"))
        }
        Refusal::LinkRefused => Refused::new(Cause::Forbidden, "the link is not valid any more"),
        Refusal::Store(error) => return ClientError::Store(error.into()),
    };
    refused.into()
}

fn coded(cause: Cause, code: &str, message: String, fields: Vec<FieldError>) -> Refused {
    let mut refused = Refused::new(cause, message);
    refused.code = Some(code.to_owned());
    refused.fields = fields;
    refused
}
