//! What users change of themselves, each with the password they have: password, e-mail address, second factor, and
//! the proof that a session is still theirs.

use crate::admin::request::body;
use crate::admin::response::no_store;
use crate::http::call::{Call, Own, OwnCall};
use crate::http::error::Failure;
use crate::http::response;
use axum::response::Response;
use serde::Deserialize;
use service::manage::Password;

type Answer = Result<Response, Failure>;

#[derive(Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct PasswordChange {
    password: Password,
    new_password: Password,
}

pub(super) async fn change_password(mut call: OwnCall) -> Answer {
    let change: PasswordChange = body(&mut call).await?;
    let Own(caller) = &call.caller;
    let changed = call
        .service
        .change_own_password(caller, &change.password, &change.new_password);
    changed.await?;
    Ok(response::no_content())
}

#[derive(Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct EmailChange {
    password: Password,
    email: String,
}

pub(super) async fn change_email(mut call: Call) -> Answer {
    let change: EmailChange = body(&mut call).await?;
    let changed = call
        .service
        .change_own_email(&call.caller, &change.password, &change.email);
    changed.await?;
    Ok(response::no_content())
}

#[derive(Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Proof {
    password: Password,
    /// A code of the user's second factor or a recovery code, where it has one.
    #[serde(default)]
    code: Option<String>,
}

pub(super) async fn prove(mut call: Call) -> Answer {
    let proof: Proof = body(&mut call).await?;
    let proved = call
        .service
        .prove_session(&call.caller, &proof.password, proof.code.as_deref());
    proved.await?;
    Ok(response::no_content())
}

pub(super) async fn begin_second_factor(call: Call) -> Answer {
    let begun = call.service.begin_second_factor(&call.caller).await?;
    Ok(no_store(response::value(&begun)?))
}

#[derive(Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Confirmation {
    /// The code that the authenticator shows.
    code: String,
}

pub(super) async fn confirm_second_factor(mut call: Call) -> Answer {
    let sent: Confirmation = body(&mut call).await?;
    let confirmed = call.service.confirm_second_factor(&call.caller, &sent.code);
    Ok(no_store(response::value(&confirmed.await?)?))
}

pub(super) async fn remove_second_factor(call: Call) -> Answer {
    call.service.remove_own_second_factor(&call.caller).await?;
    Ok(response::no_content())
}
