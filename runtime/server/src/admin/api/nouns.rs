//! What every noun of the catalogue is asked alike: each handler reads, calls the one engine of the service, and
//! shapes. What is a noun's own stands in its file.

use crate::admin::request::{body, shelf};
use crate::admin::response::created;
use crate::http::call::Call;
use crate::http::error::Failure;
use crate::http::response;
use axum::response::Response;
use serde::de::DeserializeOwned;
use service::manage::{Noun, Restorable, Switchable};
use std::sync::Arc;
use store::records::Shelf;

/// What a handler gives.
pub(super) type Answer = Result<Response, Failure>;

/// The tenant's nouns of a kind.
pub(super) async fn list<N: Noun>(call: Call) -> Answer {
    list_of::<N>(call, Shelf::Live).await
}

/// The same, or those that were deleted.
pub(super) async fn list_with_deleted<N: Restorable>(call: Call) -> Answer {
    let shelf = shelf(&call)?;
    list_of::<N>(call, shelf).await
}

/// A page may be large, and nobody is to wait for its text.
async fn list_of<N: Noun>(call: Call, shelf: Shelf) -> Answer {
    response::beside(move || {
        let nouns = call.service.nouns::<N>();
        response::text(&nouns.list(&call.caller, N::TOP, shelf, &call.page())?)
    })
    .await
}

/// A new one.
pub(super) async fn create<N: Noun<New: DeserializeOwned>>(mut call: Call) -> Answer {
    let new: N::New = body(&mut call).await?;
    let nouns = call.service.nouns::<N>();
    let made = nouns.create(&call.caller, N::TOP, new).await?;
    created(&call, made.key(), &made.view())
}

/// A new one below the noun of the path.
pub(super) async fn create_below<N: Noun<New: DeserializeOwned>>(mut call: Call<String>) -> Answer {
    let new: N::New = body(&mut call).await?;
    let nouns = call.service.nouns::<N>();
    let made = nouns.create(&call.caller, &call.ids, new).await?;
    created(&call, made.key(), &made.view())
}

/// One as it is.
pub(super) async fn get<N: Noun>(call: Call<String>) -> Answer {
    let nouns = call.service.nouns::<N>();
    response::open_value(&nouns.show(&call.caller, &call.ids)?)
}

/// One as it is to be.
pub(super) async fn update<N: Noun<Content: DeserializeOwned>>(mut call: Call<String>) -> Answer {
    let content: N::Content = body(&mut call).await?;
    let nouns = call.service.nouns::<N>();
    shown(&nouns.update(&call.caller, &call.ids, content).await?)
}

/// One that is to go.
pub(super) async fn delete<N: Noun>(call: Call<String>) -> Answer {
    let nouns = call.service.nouns::<N>();
    nouns.delete(&call.caller, &call.ids).await?;
    Ok(response::no_content())
}

/// One that was deleted.
pub(super) async fn restore<N: Restorable>(call: Call<String>) -> Answer {
    let nouns = call.service.nouns::<N>();
    shown(&nouns.restore(&call.caller, &call.ids).await?)
}

/// Switches one on.
pub(super) async fn enable<N: Switchable>(call: Call<String>) -> Answer {
    let nouns = call.service.nouns::<N>();
    shown(&nouns.set_active(&call.caller, &call.ids, true).await?)
}

/// Switches one off.
pub(super) async fn disable<N: Switchable>(call: Call<String>) -> Answer {
    let nouns = call.service.nouns::<N>();
    shown(&nouns.set_active(&call.caller, &call.ids, false).await?)
}

/// A noun as it is shown.
pub(super) fn shown<N: Noun>(noun: &Arc<N>) -> Answer {
    response::open_value(&noun.view())
}
