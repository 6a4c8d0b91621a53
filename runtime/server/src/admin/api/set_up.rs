//! The set-up of a store that has no tenant yet: who shows the code that the program told at its start makes the first
//! tenant and its administrator, once.

use super::nouns::Answer;
use crate::admin::origin;
use crate::admin::request::body;
use crate::admin::response::no_store;
use crate::http::call::PublicCall;
use crate::http::response;
use crate::http::route::Route;
use crate::openapi::Operation as O;
use serde::Deserialize;
use service::manage::{FirstTenant, Noun as _, Password, UserView};
use wire::manage::limits::{PASSWORD_BYTES_MAX, PASSWORD_LENGTH_MIN};

/// What is done by whoever has the code.
pub(super) fn routes() -> Vec<Route> {
    let set_up = O::management("setUp", "Create the first tenant and its administrator")
        .takes::<SetUp>()
        .gives::<UserView>(200)
        .refuses(&[404, 409, 429])
        .only_codes(403, &[])
        .never(&[401])
        .for_everyone();
    vec![Route::post("/setup", self::set_up, set_up)]
}

/// What the store begins with.
#[derive(Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(super) struct SetUp {
    /// The code that the program showed when it was started.
    code: String,
    /// The name of the tenant there is to be.
    tenant: String,
    /// The user name of its administrator.
    username: String,
    /// The administrator's full name; the user name, where it is left out.
    #[serde(default)]
    full_name: String,
    /// The administrator's e-mail address.
    email: String,
    /// The administrator's password.
    #[schemars(with = "String", length(min = PASSWORD_LENGTH_MIN, max = PASSWORD_BYTES_MAX))]
    password: Password,
}

pub(super) async fn set_up(mut call: PublicCall) -> Answer {
    let (headers, settings) = (&call.parts().headers, call.service.settings());
    let origin = origin::of_sign_in(headers, call.client_address(), settings);
    let sent: SetUp = body(&mut call).await?;
    let first = FirstTenant {
        tenant: sent.tenant,
        username: sent.username,
        full_name: sent.full_name,
        email: sent.email,
        password: sent.password,
    };
    let made = call.service.set_up(&sent.code, first, &origin).await?;
    response::value(&made.view()).map(no_store)
}
