//! Schemas: sent and shown as schema-detail documents.

use crate::admin::sent::{Base, Ids, OnShelf, Sent};
use crate::http::error::Failure;
use crate::http::shape;
use crate::service::manage::{NewSchema, SchemaContent, SchemaView};
use crate::service::{Caller, PageRequest, Service};
use axum::extract::State;
use axum::response::Response;
use serde::Deserialize;
use serde_json::value::RawValue;
use std::sync::Arc;

type Answer = Result<Response, Failure>;

/// A schema as it is sent: the document, and what stands beside it.
#[derive(Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct SchemaBody {
    #[schemars(with = "crate::openapi::SchemaDocument")]
    document: Box<RawValue>,
    #[serde(default = "draft")]
    state: String,
    #[serde(default = "yes")]
    active: bool,
    #[serde(default)]
    version: Option<i64>,
}

fn draft() -> String {
    "draft".to_owned()
}

fn yes() -> bool {
    true
}

impl From<SchemaBody> for SchemaContent {
    fn from(body: SchemaBody) -> Self {
        SchemaContent {
            document: body.document.get().to_owned(),
            state: body.state,
            active: body.active,
            version: body.version,
        }
    }
}

pub(super) async fn list(
    State(service): State<Arc<Service>>,
    caller: Caller,
    Ids(parent): Ids<String>,
    OnShelf(shelf): OnShelf,
    page: PageRequest,
) -> Answer {
    shape::value(&service.schemas(&caller, &parent, shelf, &page)?)
}

pub(super) async fn create(
    State(service): State<Arc<Service>>,
    caller: Caller,
    base: Base,
    Ids(area): Ids<String>,
    Sent(body): Sent<SchemaBody>,
) -> Answer {
    let new = NewSchema {
        area,
        content: body.into(),
    };
    let made = service.create_schema(&caller, new).await?;
    base.created(["schemas", &made.id], &SchemaView::of(&made))
}

pub(super) async fn get(
    State(service): State<Arc<Service>>,
    caller: Caller,
    Ids(id): Ids<String>,
) -> Answer {
    shape::value(&SchemaView::of(&*service.schema(&caller, &id)?))
}

pub(super) async fn update(
    State(service): State<Arc<Service>>,
    caller: Caller,
    Ids(id): Ids<String>,
    Sent(body): Sent<SchemaBody>,
) -> Answer {
    let changed = service.update_schema(&caller, &id, body.into()).await?;
    shape::value(&SchemaView::of(&changed))
}

pub(super) async fn delete(
    State(service): State<Arc<Service>>,
    caller: Caller,
    Ids(id): Ids<String>,
) -> Answer {
    service.delete_schema(&caller, &id).await?;
    Ok(shape::no_content())
}

pub(super) async fn restore(
    State(service): State<Arc<Service>>,
    caller: Caller,
    Ids(id): Ids<String>,
) -> Answer {
    let restored = service.restore_schema(&caller, &id).await?;
    shape::value(&SchemaView::of(&restored))
}
