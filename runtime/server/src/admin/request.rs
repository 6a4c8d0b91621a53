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
        Some((_, expected)) if text.starts_with("invalid") => {
            format!("expected {}", in_words(expected))
        }
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

/// What is expected, with numbers by no name of Rust's.
fn in_words(expected: &str) -> String {
    let kind = expected.split(' ').next().unwrap_or_default();
    let number = match kind {
        "i8" | "i16" | "i32" | "i64" => "a whole number",
        "u8" | "u16" | "u32" | "u64" | "usize" => "a whole number of 0 or more",
        _ => return expected.to_owned(),
    };
    [number, &expected[kind.len()..]].concat()
}

/// The value of a parameter, where it is there.
///
/// # Errors
/// That it stands twice.
pub(super) fn parameter<P, C>(call: &Call<P, C>, name: &str) -> Result<Option<String>, Failure> {
    let parameters = form_urlencoded::parse(call.query().as_bytes());
    let mut values = parameters.filter(|(own, _)| own == name);
    let first = values.next().map(|(_, value)| value.into_owned());
    if values.next().is_some() {
        return Err(Failure::from(Refusal::repeated(name).of_management()));
    }
    Ok(first)
}

/// Whether a list of those that were deleted is asked for: `deleted`.
///
/// # Errors
/// That it says neither, or stands twice.
pub(super) fn shelf<P>(call: &Call<P>) -> Result<Shelf, Failure> {
    match parameter(call, "deleted")?.as_deref() {
        None | Some("false") => Ok(Shelf::Live),
        Some("true") => Ok(Shelf::Deleted),
        Some(_) => Err(Failure::from(Refusal::Invalid(vec![Problem::new(
            "query",
            "`deleted` must be `true` or `false`",
        )]))),
    }
}

#[cfg(test)]
mod tests {
    use super::in_words;

    #[test]
    fn a_number_is_expected_by_no_name_that_rust_has_for_it() {
        for (expected, told) in [
            (
                "i64 at line 1 column 9",
                "a whole number at line 1 column 9",
            ),
            ("u32 at line 1", "a whole number of 0 or more at line 1"),
            ("u32", "a whole number of 0 or more"),
            ("a string at line 1", "a string at line 1"),
        ] {
            assert_eq!(in_words(expected), told);
        }
    }
}
