//! Users.

use crate::admin::sent::{Base, body};
use crate::http::call::Call;
use crate::http::error::Failure;
use crate::http::shape;
use axum::response::Response;
use service::manage::Noun as _;
use service::manage::{NewUser, UserContent};
use store::records::Shelf;

type Answer = Result<Response, Failure>;

pub(super) async fn list(call: Call) -> Answer {
    shape::value(
        &call
            .service
            .users()
            .list(&call.caller, "", Shelf::Live, &call.page())?,
    )
}

pub(super) async fn create(mut call: Call) -> Answer {
    let content: NewUser = body(&mut call).await?;
    let made = call.service.users().register(&call.caller, content).await?;
    Base::of(&call).created(["users", &made.id], &made.view())
}

pub(super) async fn get(call: Call<String>) -> Answer {
    shape::value(&call.service.users().get(&call.caller, &call.ids)?.view())
}

pub(super) async fn update(mut call: Call<String>) -> Answer {
    let content: UserContent = body(&mut call).await?;
    let changed = call
        .service
        .users()
        .change(&call.caller, &call.ids, content)
        .await?;
    shape::value(&changed.view())
}

pub(super) async fn delete(call: Call<String>) -> Answer {
    call.service.users().delete(&call.caller, &call.ids).await?;
    Ok(shape::no_content())
}

pub(super) async fn enable(call: Call<String>) -> Answer {
    let changed = call
        .service
        .users()
        .set_active(&call.caller, &call.ids, true)
        .await?;
    shape::value(&changed.view())
}

pub(super) async fn disable(call: Call<String>) -> Answer {
    let changed = call
        .service
        .users()
        .set_active(&call.caller, &call.ids, false)
        .await?;
    shape::value(&changed.view())
}
