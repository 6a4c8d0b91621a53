//! What the generator's `fetch` is asked with which credential, and what it tells of one that is not good.

use runtime::service::manage::NewSecret;
use runtime::store::catalog::App;

/// What is asked with which credential, and what is told about it.
pub(crate) struct Case<'a> {
    pub(crate) credential: Vec<(&'a str, &'a str)>,
    pub(crate) arguments: Vec<&'a str>,
    pub(crate) told: Vec<&'a str>,
}

pub(crate) fn case<'a>(
    credential: &[(&'a str, &'a str)],
    arguments: Vec<&'a str>,
    told: &[&'a str],
) -> Case<'a> {
    Case {
        credential: credential.to_vec(),
        arguments,
        told: told.to_vec(),
    }
}

/// The environment that has a client's credentials.
pub(crate) fn client_credential(app: &NewSecret<App>) -> [(&str, &str); 2] {
    [
        ("FIELDSTONE_CLIENT_ID", app.noun.id.as_str()),
        ("FIELDSTONE_CLIENT_SECRET", app.secret.as_str()),
    ]
}

/// A good key, and a proxy that nobody is.
pub(crate) fn proxied(key: &str) -> [(&str, &str); 3] {
    [
        ("FIELDSTONE_API_KEY", key),
        ("ALL_PROXY", "http://me:geheim@127.0.0.1:1"),
        ("NO_PROXY", "elsewhere.example"),
    ]
}

pub(crate) fn without_a_good_credential(url: &str) -> Vec<Case<'_>> {
    const KEY: &str = "FIELDSTONE_API_KEY";
    const ID: &str = "FIELDSTONE_CLIENT_ID";
    const SECRET: &str = "FIELDSTONE_CLIENT_SECRET";
    let all = || vec![url, "--all"];
    vec![
        case(&[], all(), &["there is no credential", KEY]),
        case(&[(ID, "x")], all(), &["is missing"]),
        case(&[(KEY, "x"), (ID, "x")], all(), &["two credentials"]),
        case(
            &[(KEY, "geheim")],
            all(),
            &["does not accept", "(401)", "expired"],
        ),
        case(
            &[(ID, "x"), (SECRET, "geheim")],
            all(),
            &["does not accept", ID, "(401)"],
        ),
    ]
}
