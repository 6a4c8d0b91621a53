//! Datasets.

use crate::admin::sent::{Base, body, shelf};
use crate::http::call::Call;
use crate::http::error::Failure;
use crate::http::shape;
use axum::response::Response;
use service::manage::DatasetContent;
use service::manage::Noun as _;

type Answer = Result<Response, Failure>;

pub(super) async fn list(call: Call<String>) -> Answer {
    let (shelf, page) = (shelf(&call)?, call.page());
    let found = call
        .service
        .datasets()
        .list_counted(&call.caller, &call.ids, shelf, &page);
    shape::value(&found.await?)
}

pub(super) async fn create(mut call: Call<String>) -> Answer {
    let content: DatasetContent = body(&mut call).await?;
    let made = call
        .service
        .datasets()
        .create(&call.caller, &call.ids, content)
        .await?;
    Base::of(&call).created(["datasets", &made.id], &made.view())
}

pub(super) async fn get(call: Call<String>) -> Answer {
    shape::value(&call.service.datasets().get(&call.caller, &call.ids)?.view())
}

pub(super) async fn update(mut call: Call<String>) -> Answer {
    let content: DatasetContent = body(&mut call).await?;
    let changed = call
        .service
        .datasets()
        .update(&call.caller, &call.ids, content)
        .await?;
    shape::value(&changed.view())
}

pub(super) async fn delete(call: Call<String>) -> Answer {
    call.service
        .datasets()
        .delete(&call.caller, &call.ids)
        .await?;
    Ok(shape::no_content())
}

pub(super) async fn restore(call: Call<String>) -> Answer {
    let restored = call
        .service
        .datasets()
        .restore(&call.caller, &call.ids)
        .await?;
    shape::value(&restored.view())
}
