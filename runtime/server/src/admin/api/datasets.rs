//! Datasets.

use crate::admin::request::{body, shelf};
use crate::admin::response::created;
use crate::http::call::Call;
use crate::http::error::Failure;
use crate::http::response;
use axum::response::Response;
use service::manage::View;
use service::manage::{DatasetContent, DatasetView};

type Answer = Result<Response, Failure>;

pub(super) async fn list(call: Call<String>) -> Answer {
    let (shelf, page) = (shelf(&call)?, call.page());
    let found = call.service.datasets(&call.caller, &call.ids, shelf, &page);
    response::value(&found.await?)
}

pub(super) async fn create(mut call: Call<String>) -> Answer {
    let content: DatasetContent = body(&mut call).await?;
    let made = call
        .service
        .create_dataset(&call.caller, &call.ids, content)
        .await?;
    created(&call, ["datasets", &made.id], &DatasetView::of(&made))
}

pub(super) async fn get(call: Call<String>) -> Answer {
    response::value(&DatasetView::of(
        &*call.service.dataset(&call.caller, &call.ids)?,
    ))
}

pub(super) async fn update(mut call: Call<String>) -> Answer {
    let content: DatasetContent = body(&mut call).await?;
    let changed = call
        .service
        .update_dataset(&call.caller, &call.ids, content)
        .await?;
    response::value(&DatasetView::of(&changed))
}

pub(super) async fn delete(call: Call<String>) -> Answer {
    call.service.delete_dataset(&call.caller, &call.ids).await?;
    Ok(response::no_content())
}

pub(super) async fn restore(call: Call<String>) -> Answer {
    let restored = call
        .service
        .restore_dataset(&call.caller, &call.ids)
        .await?;
    response::value(&DatasetView::of(&restored))
}
