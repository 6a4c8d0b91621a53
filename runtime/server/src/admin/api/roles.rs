//! Roles.

use crate::admin::sent::{Base, body};
use crate::http::call::Call;
use crate::http::error::Failure;
use crate::http::shape;
use axum::response::Response;
use service::manage::Noun as _;
use service::manage::RoleContent;
use store::records::Shelf;

type Answer = Result<Response, Failure>;

pub(super) async fn list(call: Call) -> Answer {
    shape::value(
        &call
            .service
            .roles()
            .list(&call.caller, "", Shelf::Live, &call.page())?,
    )
}

pub(super) async fn create(mut call: Call) -> Answer {
    let content: RoleContent = body(&mut call).await?;
    let made = call
        .service
        .roles()
        .create(&call.caller, "", content)
        .await?;
    Base::of(&call).created(["roles", &made.id], &made.view())
}

pub(super) async fn get(call: Call<String>) -> Answer {
    shape::value(&call.service.roles().get(&call.caller, &call.ids)?.view())
}

pub(super) async fn update(mut call: Call<String>) -> Answer {
    let content: RoleContent = body(&mut call).await?;
    let changed = call
        .service
        .roles()
        .update(&call.caller, &call.ids, content)
        .await?;
    shape::value(&changed.view())
}

pub(super) async fn delete(call: Call<String>) -> Answer {
    call.service.roles().delete(&call.caller, &call.ids).await?;
    Ok(shape::no_content())
}
