//! Data domains.

use crate::admin::sent::{Base, body};
use crate::http::call::Call;
use crate::http::error::Failure;
use crate::http::shape;
use axum::response::Response;
use service::manage::DomainContent;
use service::manage::Noun as _;
use store::records::Shelf;

type Answer = Result<Response, Failure>;

pub(super) async fn list(call: Call) -> Answer {
    shape::value(
        &call
            .service
            .domains()
            .list(&call.caller, "", Shelf::Live, &call.page())?,
    )
}

pub(super) async fn create(mut call: Call) -> Answer {
    let content: DomainContent = body(&mut call).await?;
    let made = call
        .service
        .domains()
        .create(&call.caller, "", content)
        .await?;
    Base::of(&call).created(["domains", &made.id], &made.view())
}

pub(super) async fn get(call: Call<String>) -> Answer {
    shape::value(&call.service.domains().get(&call.caller, &call.ids)?.view())
}

pub(super) async fn update(mut call: Call<String>) -> Answer {
    let content: DomainContent = body(&mut call).await?;
    let changed = call
        .service
        .domains()
        .update(&call.caller, &call.ids, content)
        .await?;
    shape::value(&changed.view())
}

pub(super) async fn delete(call: Call<String>) -> Answer {
    call.service
        .domains()
        .delete(&call.caller, &call.ids)
        .await?;
    Ok(shape::no_content())
}
