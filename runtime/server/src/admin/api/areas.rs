//! Business areas.

use crate::admin::request::{body, shelf};
use crate::admin::response::created;
use crate::http::call::Call;
use crate::http::error::Failure;
use crate::http::response;
use axum::response::Response;
use service::manage::View;
use service::manage::{AreaContent, AreaView};

type Answer = Result<Response, Failure>;

pub(super) async fn list(call: Call) -> Answer {
    response::value(
        &call
            .service
            .areas(&call.caller, shelf(&call)?, &call.page())?,
    )
}

pub(super) async fn create(mut call: Call) -> Answer {
    let content: AreaContent = body(&mut call).await?;
    let made = call.service.create_area(&call.caller, content).await?;
    created(&call, ["areas", &made.id], &AreaView::of(&made))
}

pub(super) async fn get(call: Call<String>) -> Answer {
    response::value(&AreaView::of(&*call.service.area(&call.caller, &call.ids)?))
}

pub(super) async fn update(mut call: Call<String>) -> Answer {
    let content: AreaContent = body(&mut call).await?;
    let changed = call
        .service
        .update_area(&call.caller, &call.ids, content)
        .await?;
    response::value(&AreaView::of(&changed))
}

pub(super) async fn delete(call: Call<String>) -> Answer {
    call.service.delete_area(&call.caller, &call.ids).await?;
    Ok(response::no_content())
}

pub(super) async fn restore(call: Call<String>) -> Answer {
    let restored = call.service.restore_area(&call.caller, &call.ids).await?;
    response::value(&AreaView::of(&restored))
}
