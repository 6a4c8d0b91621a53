//! Users: made and changed with passwords, which are hashed on the way.

use super::noun::NounRoutes;
use super::nouns::{Answer, shown};
use crate::admin::request::body;
use crate::admin::response::created;
use crate::http::call::Call;
use crate::http::route::Route;
use crate::openapi::Operation as O;
use service::manage::{NewUser, Noun as _, UserContent, UserView};
use store::catalog::User;

/// Users.
pub(super) fn routes() -> Vec<Route> {
    // the last administrator stays
    let nouns = NounRoutes::<User>::at("/users", "User", "a user").may_stay();
    // a new password is costly, so only a few are made at a time
    let create = nouns.made::<NewUser, UserView>().refuses(&[429]);
    let update = nouns.changed::<UserContent, UserView>().refuses(&[429]);
    let mut routes = nouns.switchable(
        Route::post("/users", self::create, create),
        Route::put("/users/{id}", self::update, update),
    );
    let remove_factor = O::management(
        "removeSecondFactorOfUser",
        "Remove the second factor of a user who lost it",
    )
    .gives::<UserView>(200)
    .refuses(&[409]);
    routes.push(Route::delete(
        "/users/{id}/second-factor",
        remove_second_factor,
        remove_factor,
    ));
    routes
}

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
