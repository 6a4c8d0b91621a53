//! Where a sign-in comes from: the address, the browser that signed in before, the session it has.

use crate::http::call::PublicCall;
use crate::http::cookies::Cookies;
use crate::http::header::cookie;
use service::manage::SignInOrigin;

/// A sign-in's origin.
pub(super) fn of_sign_in(call: &PublicCall) -> SignInOrigin {
    let headers = &call.parts().headers;
    let cookies = Cookies::of(call.service.settings());
    SignInOrigin {
        address: call.client_address(),
        browser: cookie(headers, cookies.browser()).map(str::to_owned),
        session: cookie(headers, cookies.session()).map(str::to_owned),
        code: None,
    }
}
