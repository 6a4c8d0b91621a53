//! What callers of management send, read into what the service asks for.

use crate::http::call::Call;
use crate::http::error::Failure;
use serde::de::DeserializeOwned;
use service::Refusal;
use service::manage::Problem;
use store::records::Shelf;
use url::form_urlencoded;

/// A JSON body, read.
pub(super) async fn body<T: DeserializeOwned, P, C>(call: &mut Call<P, C>) -> Result<T, Failure> {
    let body = call.body();
    let bytes = body.json(call.service.settings()).await?;
    // serde takes an array for a struct
    if bytes.trim_ascii_start().starts_with(b"[") {
        return Err(Failure::from(Refusal::Invalid(vec![Problem::new(
            "$",
            "the body can't be read: expected an object, not an array",
        )])));
    }
    let mut reader = serde_json::Deserializer::from_slice(&bytes);
    let read = serde_path_to_error::deserialize(&mut reader).map_err(|error| {
        let path = error.path().to_string();
        unreadable(&path, error.inner())
    });
    let read = read.and_then(|read| {
        let ended = reader.end().map_err(|error| unreadable(".", &error));
        ended.map(|()| read)
    });
    Ok(read?)
}

/// What is wrong with a body, without what it holds: that could be a secret.
fn unreadable(path: &str, error: &serde_json::Error) -> Refusal {
    let text = error.to_string();
    let message = match text.split_once(", expected ") {
        Some((_, expected)) if text.starts_with("invalid") => format!("expected {expected}"),
        _ => text,
    };
    // a question mark stands for a member that can't be told
    let path = match path {
        "." | "?" => "$".to_owned(),
        path => format!("$.{}", path.trim_end_matches(".?")),
    };
    let message = format!("the body can't be read: {message}");
    Refusal::Invalid(vec![Problem::new(path, message)])
}

/// Whether a list of those that were deleted is asked for: `deleted`.
pub(super) fn shelf<P>(call: &Call<P>) -> Result<Shelf, Failure> {
    let parameters = form_urlencoded::parse(call.query().as_bytes());
    let mut values = parameters.filter(|(name, _)| name == "deleted");
    let first = values.next().map(|(_, value)| value);
    match (first.as_deref(), values.next()) {
        (None | Some("false"), None) => Ok(Shelf::Live),
        (Some("true"), None) => Ok(Shelf::Deleted),
        _ => Err(Failure::from(Refusal::Invalid(vec![Problem::new(
            "query",
            "`deleted` must be `true` or `false`, once",
        )]))),
    }
}
