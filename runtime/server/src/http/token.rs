//! Endpoint 1: client credentials become an access token. As JSON, as the interface says, and as RFC 6749
//! writes it: a form, the secret in the body or in Basic. Its errors are OAuth's beside being the interface's.

use super::body::FORM;
use super::call::PublicCall;
use super::error::{Failure, of_token};
use super::header::single;
use super::incident::mark;
use super::response;
use axum::http::header::{AUTHORIZATION, CACHE_CONTROL, HeaderMap, HeaderValue};
use axum::response::Response;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use percent_encoding::percent_decode_str;
use service::{About, Refusal};
use store::StoreError;
use store::catalog::AuditAction;
use url::form_urlencoded;
use wire::TokenAnswer;
use wire::TokenErrorCode as Code;

/// The credentials of a client.
struct Credentials {
    id: String,
    secret: String,
}

pub(super) async fn issue(call: PublicCall) -> Response {
    let is_basic = !matches!(basic(&call.parts().headers), Basic::Absent);
    let issued = answer(call, is_basic).await;
    issued.unwrap_or_else(|failure| of_token(failure, is_basic))
}

async fn answer(mut call: PublicCall, is_basic: bool) -> Result<Response, Failure> {
    if call.service.settings().read_only {
        return Err(Refusal::Store(StoreError::ReadOnly).into());
    }
    let (body, settings) = (call.body(), call.service.settings());
    let credentials = if body.media_type().as_deref() == Some(FORM) {
        let headers = body.headers().clone();
        of_form(&headers, &body.bytes(settings).await?)?
    } else {
        of_json(&body.json(settings).await?)?
    };
    call.note_client(&credentials.id);
    let issued = call
        .service
        .issue_token(&credentials.id, &credentials.secret)
        .await;
    let issued = match issued {
        Ok(issued) => issued,
        Err(refusal @ Refusal::Unauthenticated) => {
            let response = of_token(refusal.into(), is_basic);
            let about = About::App(credentials.id);
            return Ok(mark(response, AuditAction::SignInFailed, about));
        }
        Err(refusal) => return Err(refusal.into()),
    };
    let mut response = response::value(&TokenAnswer {
        access_token: issued.token,
        expires_in: issued.expires_in,
        token_type: "Bearer".to_owned(),
    })?;
    response
        .headers_mut()
        .insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    Ok(response)
}

fn of_json(body: &[u8]) -> Result<Credentials, Failure> {
    #[derive(serde::Deserialize)]
    struct Body {
        client_id: String,
        client_secret: String,
    }
    const WRONG: &str = "the body must be a JSON object with `client_id` and `client_secret`, both strings that are not empty";
    // serde takes an array for a struct
    if !body.trim_ascii_start().starts_with(b"{") {
        return Err(Failure::Token(Code::InvalidRequest, WRONG));
    }
    let body: Body =
        serde_json::from_slice(body).map_err(|_| Failure::Token(Code::InvalidRequest, WRONG))?;
    if body.client_id.is_empty() || body.client_secret.is_empty() {
        return Err(Failure::Token(Code::InvalidRequest, WRONG));
    }
    Ok(Credentials {
        id: body.client_id,
        secret: body.client_secret,
    })
}

fn of_form(headers: &HeaderMap, body: &[u8]) -> Result<Credentials, Failure> {
    let (mut grant, mut id, mut secret) = (None, None, None);
    for (name, value) in form_urlencoded::parse(body) {
        let slot = match &*name {
            "grant_type" => &mut grant,
            "client_id" => &mut id,
            "client_secret" => &mut secret,
            _ => continue,
        };
        if slot.replace(value.into_owned()).is_some() {
            let text = "a parameter stands twice; send each once";
            return Err(Failure::Token(Code::InvalidRequest, text));
        }
    }
    // a parameter without a value is as good as none
    let full = |text: &String| !text.is_empty();
    if grant.as_deref() != Some("client_credentials") {
        let code = match grant.filter(full) {
            Some(_) => Code::UnsupportedGrantType,
            None => Code::InvalidRequest,
        };
        let text = "`grant_type` must be `client_credentials`";
        return Err(Failure::Token(code, text));
    }
    let missing = Failure::Token(
        Code::InvalidRequest,
        "`client_id` and `client_secret` are required, in the body or in a Basic `Authorization`",
    );
    match (id.filter(full), secret.filter(full), basic(headers)) {
        (Some(id), Some(secret), Basic::Absent) => Ok(Credentials { id, secret }),
        (_, Some(_), Basic::Credentials(_) | Basic::Unreadable) => Err(Failure::Token(
            Code::InvalidRequest,
            "the secret stands in the body and in `Authorization`; send it once",
        )),
        (None, None, Basic::Credentials(basic)) => Ok(basic),
        (Some(id), None, Basic::Credentials(basic)) if id == basic.id => Ok(basic),
        (_, None, Basic::Credentials(_) | Basic::Unreadable) => {
            Err(Failure::Refused(Refusal::Unauthenticated))
        }
        _ => Err(missing),
    }
}

/// What a Basic header holds.
enum Basic {
    Absent,
    Unreadable,
    Credentials(Credentials),
}

fn basic(headers: &HeaderMap) -> Basic {
    let value = single(headers, &AUTHORIZATION).and_then(|value| value.to_str().ok());
    match value.and_then(|value| value.split_once(' ')) {
        Some((scheme, pair)) if scheme.eq_ignore_ascii_case("basic") => {
            pair_of(pair).map_or(Basic::Unreadable, Basic::Credentials)
        }
        _ => Basic::Absent,
    }
}

fn pair_of(text: &str) -> Option<Credentials> {
    let pair = String::from_utf8(STANDARD.decode(text.trim()).ok()?).ok()?;
    let (id, secret) = pair.split_once(':')?;
    // RFC 6749 writes both as in a form
    let plain = |text: &str| {
        let spaced = text.replace('+', " ");
        Some(percent_decode_str(&spaced).decode_utf8().ok()?.into_owned())
    };
    Some(Credentials {
        id: plain(id)?,
        secret: plain(secret)?,
    })
}
