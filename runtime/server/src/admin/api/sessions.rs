//! Signing in and out. A browser gets its session as a cookie that no script can read; a program asks
//! for it as a token instead.

use crate::admin::origin;
use crate::admin::request::body;
use crate::admin::response::no_store;
use crate::http::call::{Call, Own, OwnCall, PublicCall};
use crate::http::cookies::Cookies;
use crate::http::error::{Failure, wrong_sign_in};
use crate::http::incident::{self, mark};
use crate::http::response;
use crate::http::route::Route;
use crate::openapi::Operation as O;
use axum::http::header::SET_COOKIE;
use axum::response::IntoResponse as _;
use axum::response::Response;
use serde::{Deserialize, Serialize};
use service::manage::{Password, SessionView, SignInName, UserView, csrf_token};
use service::{About, Refusal};
use store::catalog::{Actor, AuditAction};
use wire::{ErrorCode, Page, Timestamp};

/// Seconds for which a browser is known.
const YEAR: u32 = 365 * 24 * 3600;

/// Who signs in, and with what.
#[derive(Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct SignIn {
    /// The tenant's name; may be left out where there is one tenant only.
    #[serde(default)]
    tenant: Option<String>,
    /// The name of the user.
    username: String,
    /// The user's password.
    #[schemars(with = "String")]
    password: Password,
    /// A code of the user's second factor or a recovery code, where it has one.
    #[serde(default)]
    code: Option<String>,
    /// Whether the session is wanted as a token for `Authorization`, not as a cookie.
    #[serde(default)]
    token: bool,
}

/// A session that began.
#[derive(Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Session {
    /// The session's credential for `Authorization`, where it was asked for; it is shown this once.
    #[serde(skip_serializing_if = "Option::is_none")]
    token: Option<String>,
    /// What a browser sends in `X-CSRF-Token` with every change, where the session is a cookie.
    #[serde(skip_serializing_if = "Option::is_none")]
    csrf_token: Option<String>,
    /// When it ends, however much it is used.
    expires_at: Timestamp,
    /// Who signed in.
    user: UserView,
}

/// The caller's own sessions.
pub(super) fn routes() -> Vec<Route> {
    let sign_in = O::management("signIn", "Sign in with a password")
        .takes::<SignIn>()
        .gives::<Session>(200)
        .refuses(&[429])
        .only_codes(
            403,
            &[ErrorCode::SecondFactorRequired, ErrorCode::QuotaExceeded],
        )
        .for_everyone();
    let who = O::management("whoAmI", "Show who the caller is")
        .gives::<Who<'static>>(200)
        .never(&[403]);
    let sign_out = O::management("signOut", "Sign out")
        .gives_nothing()
        .only_codes(403, &[]);
    let list =
        O::management("listSessions", "List your own sessions").gives::<Page<SessionView>>(200);
    let end = O::management("endSession", "End one of your own sessions").gives_nothing();
    let end_others = O::management(
        "endOtherSessions",
        "End all your sessions except the one that asks",
    )
    .gives_nothing();
    vec![
        Route::post("/sessions", self::sign_in, sign_in),
        Route::get("/session", self::who, who),
        Route::delete("/session", self::sign_out, sign_out),
        Route::get("/my/sessions", self::list, list),
        Route::delete("/my/sessions", self::end_others, end_others),
        Route::delete("/my/sessions/{id}", self::end, end),
    ]
}

/// The answer to who did not sign in, marked for the trail.
fn guessed_wrong(refusal: Refusal, about: About) -> Response {
    if matches!(refusal, Refusal::Unauthenticated) {
        return mark(wrong_sign_in(), AuditAction::SignInFailed, about);
    }
    incident::about(Failure::from(refusal).into_response(), about)
}

pub(super) async fn sign_in(mut call: PublicCall) -> Result<Response, Failure> {
    let (headers, settings) = (&call.parts().headers, call.service.settings());
    let mut origin = origin::of_sign_in(headers, call.client_address(), settings);
    let sent: SignIn = body(&mut call).await?;
    origin.code = sent.code;
    let service = &call.service;
    if sent.token {
        // the browser keeps the session that it has: it gets no other cookie
        origin.session = None;
    }
    let name = SignInName {
        tenant: sent.tenant.as_deref(),
        username: &sent.username,
    };
    let signed_in = service.sign_in(name, &sent.password, &origin);
    let signed_in = match signed_in.await {
        Ok(signed_in) => signed_in,
        Err(refusal) => {
            let about = About::Username {
                tenant: sent.tenant,
                username: sent.username,
            };
            return Ok(guessed_wrong(refusal, about));
        }
    };
    let (token, csrf) = if sent.token {
        (Some(signed_in.secret.clone()), None)
    } else {
        (None, Some(signed_in.csrf_token))
    };
    let mut response = response::value(&Session {
        token,
        csrf_token: csrf,
        expires_at: signed_in.expires_at,
        user: signed_in.user,
    })?;
    if !sent.token {
        let cookies = Cookies::of(service.settings());
        let session = cookies.set(cookies.session(), &signed_in.secret, None);
        let browser = cookies.set(cookies.browser(), &signed_in.browser, Some(YEAR));
        for cookie in [session, browser].into_iter().flatten() {
            response.headers_mut().append(SET_COOKIE, cookie);
        }
    }
    Ok(no_store(response))
}

/// Who asks.
#[derive(Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Who<'a> {
    /// The id of the caller's tenant.
    tenant_id: &'a str,
    /// The caller.
    actor: &'a Actor,
    /// Whether it has to choose another password before it may do anything else.
    must_change_password: bool,
    /// Whether it is a user of whom signing in asks a code as well.
    second_factor: bool,
    /// Whether it is a user of whom a second factor is required; without one it may do nothing but set one up.
    second_factor_required: bool,
    /// What a browser sends in `X-CSRF-Token` with every change, where the session is a cookie.
    #[serde(skip_serializing_if = "Option::is_none")]
    csrf_token: Option<String>,
}

pub(super) async fn who(call: OwnCall) -> Result<Response, Failure> {
    let Own(caller) = &call.caller;
    let response = response::value(&Who {
        tenant_id: caller.tenant(),
        actor: caller.actor(),
        must_change_password: caller.must_change_password(),
        second_factor: caller.has_second_factor(),
        second_factor_required: caller.is_second_factor_required(),
        csrf_token: call.session().map(csrf_token),
    })?;
    Ok(no_store(response))
}

pub(super) async fn sign_out(call: OwnCall) -> Result<Response, Failure> {
    if let Some(session) = call.session() {
        call.service.sign_out(session).await?;
    }
    let mut response = response::no_content();
    let cookies = Cookies::of(call.service.settings());
    cookies.end_session(response.headers_mut());
    Ok(response)
}

pub(super) async fn list(call: Call) -> Result<Response, Failure> {
    Ok(no_store(response::value(
        &call.service.own_sessions(&call.caller)?,
    )?))
}

pub(super) async fn end(call: Call<String>) -> Result<Response, Failure> {
    let ended = call.service.end_own_session(&call.caller, &call.ids);
    ended.await?;
    Ok(response::no_content())
}

pub(super) async fn end_others(call: Call) -> Result<Response, Failure> {
    call.service.end_other_sessions(&call.caller).await?;
    Ok(response::no_content())
}
