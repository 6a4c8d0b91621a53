//! Users: made and changed with passwords, which are hashed on the way.

use super::nouns::{Answer, shown};
use crate::admin::request::body;
use crate::admin::response::created;
use crate::http::call::Call;
use service::manage::{NewUser, Noun as _, UserContent};

pub(super) async fn create(mut call: Call) -> Answer {
    let new: NewUser = body(&mut call).await?;
    let made = call.service.users().register(&call.caller, new).await?;
    created(&call, &made.id, &made.view())
}

pub(super) async fn update(mut call: Call<String>) -> Answer {
    let content: UserContent = body(&mut call).await?;
    let users = call.service.users();
    shown(&users.change(&call.caller, &call.ids, content).await?)
}

pub(super) async fn remove_second_factor(call: Call<String>) -> Answer {
    let users = call.service.users();
    shown(&users.remove_second_factor(&call.caller, &call.ids).await?)
}
