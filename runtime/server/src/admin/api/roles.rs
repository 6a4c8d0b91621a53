//! Roles.

use crate::admin::request::body;
use crate::admin::response::created;
use crate::http::call::Call;
use crate::http::error::Failure;
use crate::http::response;
use axum::response::Response;
use service::manage::View;
use service::manage::{RoleContent, RoleView};

type Answer = Result<Response, Failure>;

pub(super) async fn list(call: Call) -> Answer {
    response::value(&call.service.roles(&call.caller, &call.page())?)
}

pub(super) async fn create(mut call: Call) -> Answer {
    let content: RoleContent = body(&mut call).await?;
    let made = call.service.create_role(&call.caller, content).await?;
    created(&call, ["roles", &made.id], &RoleView::of(&made))
}

pub(super) async fn get(call: Call<String>) -> Answer {
    response::value(&RoleView::of(&*call.service.role(&call.caller, &call.ids)?))
}

pub(super) async fn update(mut call: Call<String>) -> Answer {
    let content: RoleContent = body(&mut call).await?;
    let changed = call
        .service
        .update_role(&call.caller, &call.ids, content)
        .await?;
    response::value(&RoleView::of(&changed))
}

pub(super) async fn delete(call: Call<String>) -> Answer {
    call.service.delete_role(&call.caller, &call.ids).await?;
    Ok(response::no_content())
}
