//! Business areas.

use crate::admin::sent::{Base, body, shelf};
use crate::http::call::Call;
use crate::http::error::Failure;
use crate::http::shape;
use axum::response::Response;
use service::manage::AreaContent;
use service::manage::Noun as _;

type Answer = Result<Response, Failure>;

pub(super) async fn list(call: Call) -> Answer {
    shape::value(
        &call
            .service
            .areas()
            .list(&call.caller, "", shelf(&call)?, &call.page())?,
    )
}

pub(super) async fn create(mut call: Call) -> Answer {
    let content: AreaContent = body(&mut call).await?;
    let made = call
        .service
        .areas()
        .create(&call.caller, "", content)
        .await?;
    Base::of(&call).created(["areas", &made.id], &made.view())
}

pub(super) async fn get(call: Call<String>) -> Answer {
    shape::value(&call.service.areas().get(&call.caller, &call.ids)?.view())
}

pub(super) async fn update(mut call: Call<String>) -> Answer {
    let content: AreaContent = body(&mut call).await?;
    let changed = call
        .service
        .areas()
        .update(&call.caller, &call.ids, content)
        .await?;
    shape::value(&changed.view())
}

pub(super) async fn delete(call: Call<String>) -> Answer {
    call.service.areas().delete(&call.caller, &call.ids).await?;
    Ok(shape::no_content())
}

pub(super) async fn restore(call: Call<String>) -> Answer {
    let restored = call
        .service
        .areas()
        .restore(&call.caller, &call.ids)
        .await?;
    shape::value(&restored.view())
}
