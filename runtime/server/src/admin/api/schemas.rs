//! Schemas: sent and shown as schema-detail documents.

use crate::admin::request::{body, shelf};
use crate::admin::response::created;
use crate::http::call::Call;
use crate::http::error::Failure;
use crate::http::response;
use axum::response::Response;
use serde::Deserialize;
use serde_json::value::RawValue;
use service::manage::View;
use service::manage::{NewSchema, SchemaContent, SchemaView};

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
    response::value(
        &call
            .service
            .schemas(&call.caller, &call.ids, shelf(&call)?, &call.page())?,
    )
}

pub(super) async fn create(mut call: Call<String>) -> Answer {
    let sent: SchemaBody = body(&mut call).await?;
    let new = NewSchema {
        area: call.ids.clone(),
        content: sent.into(),
    };
    let made = call.service.create_schema(&call.caller, new).await?;
    created(&call, ["schemas", &made.id], &SchemaView::of(&made))
}

pub(super) async fn get(call: Call<String>) -> Answer {
    response::value(&SchemaView::of(
        &*call.service.schema(&call.caller, &call.ids)?,
    ))
}

pub(super) async fn update(mut call: Call<String>) -> Answer {
    let sent: SchemaBody = body(&mut call).await?;
    let changed = call
        .service
        .update_schema(&call.caller, &call.ids, sent.into())
        .await?;
    response::value(&SchemaView::of(&changed))
}

pub(super) async fn delete(call: Call<String>) -> Answer {
    call.service.delete_schema(&call.caller, &call.ids).await?;
    Ok(response::no_content())
}

pub(super) async fn restore(call: Call<String>) -> Answer {
    let restored = call.service.restore_schema(&call.caller, &call.ids).await?;
    response::value(&SchemaView::of(&restored))
}
