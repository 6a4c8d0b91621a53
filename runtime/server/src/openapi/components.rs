//! What operations refer to beside shapes: headers of answers, and credentials.

use serde_json::{Value, json};

/// The headers that answers refer to.
pub(super) fn headers() -> Value {
    let header = |what: &str, kind: &str| json!({"description": what, "required": true, "schema": {"type": kind}});
    json!({
        "X-Request-Id": header("The request's id, which the log has too", "string"),
        "Location": header("Where it is", "string"),
        "Retry-After": header("Seconds after which to try again", "integer"),
    })
}

/// The credentials that operations refer to.
pub(super) fn credentials() -> Value {
    json!({
        "credential": {
            "type": "apiKey", "in": "header", "name": "Authorization",
            "description": "An API key or an access token, without a prefix such as `Bearer`",
        },
        "session": {"type": "apiKey", "in": "cookie", "name": "fieldstone_session", "description": "The session of someone signed in; under HTTPS its name is `__Host-fieldstone_session`"},
        "sessionToken": {"type": "apiKey", "in": "header", "name": "X-CSRF-Token", "description": "The session's token, for changes by cookie"},
    })
}
