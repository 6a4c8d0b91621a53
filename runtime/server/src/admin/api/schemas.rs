//! Schemas: sent and shown as schema-detail documents.

use crate::admin::sent::{Base, body, shelf};
use crate::http::call::Call;
use crate::http::error::Failure;
use crate::http::shape;
use axum::response::Response;
use serde::Deserialize;
use serde_json::value::RawValue;
use service::manage::Noun as _;
use service::manage::SchemaContent;

type Answer = Result<Response, Failure>;

/// A schema as it is sent: the document, and what stands beside it.
#[derive(Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct SchemaBody {
    #[schemars(with = "wire::shapes::SchemaDocument")]
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

pub(super) async fn list(call: Call<String>) -> Answer {
    shape::value(&call.service.schemas().list_items(
        &call.caller,
        &call.ids,
        shelf(&call)?,
        &call.page(),
    )?)
}

pub(super) async fn create(mut call: Call<String>) -> Answer {
    let sent: SchemaBody = body(&mut call).await?;
    let new = sent.into();
    let made = call
        .service
        .schemas()
        .define(&call.caller, &call.ids, new)
        .await?;
    Base::of(&call).created(["schemas", &made.id], &made.view())
}

pub(super) async fn get(call: Call<String>) -> Answer {
    shape::value(&call.service.schemas().get(&call.caller, &call.ids)?.view())
}

pub(super) async fn update(mut call: Call<String>) -> Answer {
    let sent: SchemaBody = body(&mut call).await?;
    let changed = call
        .service
        .schemas()
        .redefine(&call.caller, &call.ids, sent.into())
        .await?;
    shape::value(&changed.view())
}

pub(super) async fn delete(call: Call<String>) -> Answer {
    call.service
        .schemas()
        .delete(&call.caller, &call.ids)
        .await?;
    Ok(shape::no_content())
}

pub(super) async fn restore(call: Call<String>) -> Answer {
    let restored = call
        .service
        .schemas()
        .restore(&call.caller, &call.ids)
        .await?;
    shape::value(&restored.view())
}
