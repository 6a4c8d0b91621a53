//! Where a sign-in comes from: the address, what the browser calls itself, the browser that signed in before, the session it has.

use crate::http::cookies::Cookies;
use crate::http::header::cookie;
use axum::http::HeaderMap;
use axum::http::header::USER_AGENT;
use service::Settings;
use service::manage::SignInOrigin;
use std::net::IpAddr;

/// A sign-in's origin: of a request with these headers, from this address.
pub(super) fn of_sign_in(
    headers: &HeaderMap,
    address: Option<IpAddr>,
    settings: &Settings,
) -> SignInOrigin {
    let cookies = Cookies::of(settings);
    let user_agent = headers.get(USER_AGENT).and_then(|own| own.to_str().ok());
    SignInOrigin {
        address,
        user_agent: user_agent.map(str::to_owned),
        browser: cookie(headers, cookies.browser()).map(str::to_owned),
        session: cookie(headers, cookies.session()).map(str::to_owned),
        code: None,
    }
}
