//! What operations refer to beside shapes: headers of answers, and credentials.

use super::Site;
use serde_json::{Value, json};

/// The headers that answers refer to.
pub(super) fn headers() -> Value {
    let header = |what: &str, kind: &str, example: Value| {
        let shape = json!({"type": kind, "examples": [example]});
        json!({"description": what, "required": true, "schema": shape})
    };
    let id = json!("019f0a3c-58e2-7d41-9c0e-3f2b7a6d1e55");
    json!({
        "X-Request-Id": header("The request's id, which the log has too", "string", id),
        "Location": header("Where it is", "string", json!("/admin/api/v1/areas/019b7635-dc80-781a-9a51-5a766190a985")),
        "Retry-After": header("Seconds after which to try again", "integer", json!(5)),
    })
}

/// The credentials that operations refer to; those of people where there are operations for people.
pub(super) fn credentials(site: &Site, with_sessions: bool) -> Value {
    let mut credentials = json!({
        "credential": {
            "type": "apiKey", "in": "header", "name": "Authorization",
            "description": "An API key or an access token, without a prefix such as `Bearer`",
        },
    });
    if with_sessions {
        credentials["session"] = json!({
            "type": "apiKey", "in": "cookie", "name": "fieldstone_session",
            "description": "The session of someone signed in; under HTTPS its name is `__Host-fieldstone_session`",
        });
        credentials["sessionToken"] = json!({
            "type": "apiKey", "in": "header", "name": "X-CSRF-Token",
            "description": "The session's token, for changes by cookie",
        });
    }
    if site.accept_bearer {
        credentials["oauth"] = json!({
            "type": "oauth2",
            "description": "The client credentials of an application client, as RFC 6749 has them; the token is sent \
                with or without `Bearer`",
            "flows": {"clientCredentials": {"tokenUrl": site.address("/oauth2/token"), "scopes": {}}},
        });
    }
    credentials
}
