//! Invitations of users: a code is shown by the answer that makes it, and never again; who shows it chooses the password.

use super::nouns::Answer;
use crate::admin::request::body;
use crate::admin::response::{MadeInvitation, created_among, no_store};
use crate::http::call::{Call, PublicCall};
use crate::http::response;
use crate::http::route::Route;
use crate::openapi::Operation as O;
use serde::Deserialize;
use service::manage::{Invitee, NewInvitation, Noun as _, Password};
use wire::manage::limits::{PASSWORD_BYTES_MAX, PASSWORD_LENGTH_MIN};

/// What is done by whoever manages users.
pub(super) fn routes() -> Vec<Route> {
    let invite = O::management("inviteUser", "Create a user with an invitation")
        .takes::<Invitee>()
        .gives::<MadeInvitation>(201)
        .refuses(&[409, 429]);
    let again = O::management("inviteUserAgain", "Give a user an invitation")
        .gives::<MadeInvitation>(200)
        .refuses(&[429]);
    let sign_out = O::management("endSessionsOfUser", "End all sessions of a user").gives_nothing();
    vec![
        Route::post("/invitations", self::invite, invite),
        Route::post("/users/{id}/invitation", invite_again, again),
        Route::delete("/users/{id}/sessions", end_sessions, sign_out),
    ]
}

/// What is done by whoever is invited.
pub(super) fn routes_for_everyone() -> Vec<Route> {
    let accept = O::management("acceptInvitation", "Choose a password with an invitation")
        .takes::<Acceptance>()
        .gives_nothing()
        .refuses(&[404, 429])
        .only_codes(403, &[])
        .never(&[401, 403])
        .for_everyone();
    vec![Route::post("/invitations/accept", self::accept, accept)]
}

/// What whoever is invited sends.
#[derive(Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Acceptance {
    /// The code of the invitation.
    invitation: String,
    /// The password there is to be.
    #[schemars(with = "String", length(min = PASSWORD_LENGTH_MIN, max = PASSWORD_BYTES_MAX))]
    password: Password,
}

pub(super) async fn invite(mut call: Call) -> Answer {
    let invitee: Invitee = body(&mut call).await?;
    let made = call.service.users().invite(&call.caller, invitee).await?;
    created_among(&call, "users", &made.user.id, &with_code(&made)).map(no_store)
}

pub(super) async fn invite_again(call: Call<String>) -> Answer {
    let users = call.service.users();
    let made = users.invite_again(&call.caller, &call.ids).await?;
    response::value(&with_code(&made)).map(no_store)
}

pub(super) async fn end_sessions(call: Call<String>) -> Answer {
    let users = call.service.users();
    users.end_sessions(&call.caller, &call.ids).await?;
    Ok(response::no_content())
}

pub(super) async fn accept(mut call: PublicCall) -> Answer {
    let sent: Acceptance = body(&mut call).await?;
    let service = &call.service;
    let accepted = service.accept_invitation(&sent.invitation, &sent.password);
    accepted.await?;
    Ok(response::no_content())
}

fn with_code(made: &NewInvitation) -> MadeInvitation {
    MadeInvitation {
        noun: made.user.view(),
        invitation: made.code.clone(),
    }
}
