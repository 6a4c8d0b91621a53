//! Data domains.

use crate::admin::request::body;
use crate::admin::response::created;
use crate::http::call::Call;
use crate::http::error::Failure;
use crate::http::response;
use axum::response::Response;
use service::manage::View;
use service::manage::{DomainContent, DomainView};

type Answer = Result<Response, Failure>;

pub(super) async fn list(call: Call) -> Answer {
    response::value(&call.service.domains(&call.caller, &call.page())?)
}

pub(super) async fn create(mut call: Call) -> Answer {
    let content: DomainContent = body(&mut call).await?;
    let made = call.service.create_domain(&call.caller, content).await?;
    created(&call, ["domains", &made.id], &DomainView::of(&made))
}

pub(super) async fn get(call: Call<String>) -> Answer {
    response::value(&DomainView::of(
        &*call.service.domain(&call.caller, &call.ids)?,
    ))
}

pub(super) async fn update(mut call: Call<String>) -> Answer {
    let content: DomainContent = body(&mut call).await?;
    let changed = call
        .service
        .update_domain(&call.caller, &call.ids, content)
        .await?;
    response::value(&DomainView::of(&changed))
}

pub(super) async fn delete(call: Call<String>) -> Answer {
    call.service.delete_domain(&call.caller, &call.ids).await?;
    Ok(response::no_content())
}
