//! What users change of themselves, each with the password they have: password, e-mail address, second factor, and
//! the proof that a session is still theirs.

use crate::admin::request::body;
use crate::admin::response::no_store;
use crate::http::call::{Call, EnrolCall, Enrolling, Own, OwnCall};
use crate::http::error::Failure;
use crate::http::incident::mark;
use crate::http::response;
use crate::http::route::Route;
use crate::openapi::Operation as O;
use axum::response::{IntoResponse as _, Response};
use serde::Deserialize;
use service::manage::{Password, RecoveryCodes, SecondFactorSetup};
use service::{About, Refusal};
use store::catalog::AuditAction;
use wire::ErrorCode;
use wire::manage::limits::{EMAIL_BYTES_MAX, PASSWORD_BYTES_MAX, PASSWORD_LENGTH_MIN};

type Answer = Result<Response, Failure>;

/// What users change of themselves, and their sessions.
pub(super) fn routes() -> Vec<Route> {
    const FACTOR: &str = "/session/second-factor";
    const ENROLLING: [ErrorCode; 2] = [ErrorCode::PasswordChangeRequired, ErrorCode::ProofRequired];
    let change_password = O::management(
        "changePassword",
        "Change your own password; this ends all your sessions",
    )
    .takes::<PasswordChange>()
    .gives_nothing()
    .only_codes(403, &[])
    .refuses(&[409, 429]);
    let change_email = O::management("changeEmail", "Change your own e-mail address")
        .takes::<EmailChange>()
        .gives_nothing()
        .refuses(&[409, 429]);
    let prove = O::management(
        "proveSession",
        "Confirm your password again, for changes that need a recent confirmation",
    )
    .takes::<Proof>()
    .gives_nothing()
    .only_codes(
        403,
        &[
            ErrorCode::PasswordChangeRequired,
            ErrorCode::SecondFactorRequired,
        ],
    )
    .refuses(&[429]);
    let begin = O::management(
        "beginSecondFactor",
        "Get the secret for a second factor; a code then confirms it",
    )
    .gives::<SecondFactorSetup>(200)
    .only_codes(403, &ENROLLING)
    .refuses(&[409]);
    let confirm = O::management(
        "confirmSecondFactor",
        "Switch on your second factor; gives the recovery codes",
    )
    .takes::<Confirmation>()
    .gives::<RecoveryCodes>(200)
    .only_codes(403, &ENROLLING)
    .refuses(&[409]);
    let remove = O::management("removeSecondFactor", "Remove your second factor")
        .gives_nothing()
        .needs_proof()
        .refuses(&[409]);
    vec![
        Route::put("/session/password", self::change_password, change_password),
        Route::put("/session/email", self::change_email, change_email),
        Route::post("/session/proof", self::prove, prove),
        Route::post(FACTOR, begin_second_factor, begin),
        Route::post(format!("{FACTOR}/confirm"), confirm_second_factor, confirm),
        Route::delete(FACTOR, remove_second_factor, remove),
    ]
}

/// The answer to a change that took the password or a code; a wrong one is marked for the trail.
fn done(changed: Result<(), Refusal>) -> Response {
    const GUESSED: [&str; 2] = ["$.password", "$.code"];
    let Err(refusal) = changed else {
        return response::no_content();
    };
    let is_wrong = matches!(&refusal, Refusal::Invalid(problems)
        if problems.iter().any(|problem| GUESSED.contains(&&*problem.path)));
    let response = Failure::from(refusal).into_response();
    if is_wrong {
        return mark(response, AuditAction::SignInFailed, About::Caller);
    }
    response
}

/// A password in place of the one there is.
#[derive(Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct PasswordChange {
    /// The one there is.
    #[schemars(with = "String")]
    password: Password,
    /// The one there is to be.
    #[schemars(with = "String", length(min = PASSWORD_LENGTH_MIN, max = PASSWORD_BYTES_MAX))]
    new_password: Password,
}

pub(super) async fn change_password(mut call: OwnCall) -> Answer {
    let change: PasswordChange = body(&mut call).await?;
    let Own(caller) = &call.caller;
    let changed = call
        .service
        .change_own_password(caller, &change.password, &change.new_password);
    Ok(done(changed.await))
}

/// An e-mail address in place of the one there is.
#[derive(Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct EmailChange {
    /// The user's password.
    #[schemars(with = "String")]
    password: Password,
    /// The address there is to be.
    #[schemars(email, length(max = EMAIL_BYTES_MAX))]
    email: String,
}

pub(super) async fn change_email(mut call: Call) -> Answer {
    let change: EmailChange = body(&mut call).await?;
    let changed = call
        .service
        .change_own_email(&call.caller, &change.password, &change.email);
    Ok(done(changed.await))
}

/// What shows that a session is still its user's.
#[derive(Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Proof {
    /// The user's password.
    #[schemars(with = "String")]
    password: Password,
    /// A code of the user's second factor or a recovery code, where it has one.
    #[serde(default)]
    code: Option<String>,
}

pub(super) async fn prove(mut call: EnrolCall) -> Answer {
    let proof: Proof = body(&mut call).await?;
    let Enrolling(caller) = &call.caller;
    let proved = call
        .service
        .prove_session(caller, &proof.password, proof.code.as_deref());
    Ok(done(proved.await))
}

pub(super) async fn begin_second_factor(call: EnrolCall) -> Answer {
    let begun = call.service.begin_second_factor(&call.caller.0).await?;
    Ok(no_store(response::value(&begun)?))
}

/// What shows that an authenticator has the secret.
#[derive(Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Confirmation {
    /// The code that the authenticator shows.
    code: String,
}

pub(super) async fn confirm_second_factor(mut call: EnrolCall) -> Answer {
    let sent: Confirmation = body(&mut call).await?;
    let Enrolling(caller) = &call.caller;
    let confirmed = call.service.confirm_second_factor(caller, &sent.code);
    Ok(no_store(response::value(&confirmed.await?)?))
}

pub(super) async fn remove_second_factor(call: Call) -> Answer {
    call.service.remove_own_second_factor(&call.caller).await?;
    Ok(response::no_content())
}
