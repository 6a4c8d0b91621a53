//! Where a sign-in comes from: the address, the browser that signed in before, the session it has.

use crate::http::access::SESSION_COOKIE;
use crate::http::call::PublicCall;
use crate::http::header::cookie;
use service::manage::SignInOrigin;

/// The cookie of a browser in which someone signed in.
pub(super) const BROWSER_COOKIE: &str = "fieldstone_browser";

/// A sign-in's origin.
pub(super) fn of_sign_in(call: &PublicCall) -> SignInOrigin {
    let headers = &call.parts().headers;
    SignInOrigin {
        address: call.client_address(),
        browser: cookie(headers, BROWSER_COOKIE).map(str::to_owned),
        session: cookie(headers, SESSION_COOKIE).map(str::to_owned),
        code: None,
    }
}
