//! Users.

use crate::admin::request::body;
use crate::admin::response::created;
use crate::http::call::Call;
use crate::http::error::Failure;
use crate::http::response;
use axum::response::Response;
use service::manage::View;
use service::manage::{NewUser, UserContent, UserView};

type Answer = Result<Response, Failure>;

pub(super) async fn list(call: Call) -> Answer {
    response::value(&call.service.users(&call.caller, &call.page())?)
}

pub(super) async fn create(mut call: Call) -> Answer {
    let content: NewUser = body(&mut call).await?;
    let made = call.service.create_user(&call.caller, content).await?;
    created(&call, ["users", &made.id], &UserView::of(&made))
}

pub(super) async fn get(call: Call<String>) -> Answer {
    response::value(&UserView::of(&*call.service.user(&call.caller, &call.ids)?))
}

pub(super) async fn update(mut call: Call<String>) -> Answer {
    let content: UserContent = body(&mut call).await?;
    let changed = call
        .service
        .update_user(&call.caller, &call.ids, content)
        .await?;
    response::value(&UserView::of(&changed))
}

pub(super) async fn delete(call: Call<String>) -> Answer {
    call.service.delete_user(&call.caller, &call.ids).await?;
    Ok(response::no_content())
}

pub(super) async fn enable(call: Call<String>) -> Answer {
    let changed = call
        .service
        .set_user_active(&call.caller, &call.ids, true)
        .await?;
    response::value(&UserView::of(&changed))
}

pub(super) async fn disable(call: Call<String>) -> Answer {
    let changed = call
        .service
        .set_user_active(&call.caller, &call.ids, false)
        .await?;
    response::value(&UserView::of(&changed))
}
