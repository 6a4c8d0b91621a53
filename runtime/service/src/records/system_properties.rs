//! The system properties of a change: which version it was made from, and that it is about the record of its
//! address. Whether the record has that version is judged where the record is.

use crate::Refusal;
use engine::validate::SystemProperty;
use wire::FieldError;

/// How much of a version is told: more than any that a record can have.
const VERSION_CHARS_MAX: usize = 64;

/// The version a change was made from: a JSON integer, which is written without point and exponent. One that is larger
/// than any version can be is the largest: no record has it.
pub(super) fn sent_version(property: Option<&SystemProperty>) -> Result<i64, Refusal> {
    let invalid = |errors| invalid("_version", errors);
    let Some(SystemProperty { json, .. }) = property else {
        return Err(invalid(
            "is required: send the version that the record had when you read it",
        ));
    };
    let digits = json.strip_prefix('-').unwrap_or(json);
    let is_integer = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    let is_zero = digits.bytes().all(|byte| byte == b'0');
    if !is_integer || (digits.len() < json.len() && !is_zero) {
        return Err(invalid(
            "must be a whole number, 0 or more, written without point and exponent",
        ));
    }
    Ok(digits.parse().unwrap_or(i64::MAX))
}

/// The version as it was sent.
pub(super) fn told_version(property: Option<&SystemProperty>) -> String {
    let sent = property.map_or("", |property| property.json.as_str());
    match sent.get(..VERSION_CHARS_MAX) {
        Some(begin) if begin.len() < sent.len() => format!("{begin}…"),
        _ => sent.to_owned(),
    }
}

/// A change may repeat the id of the record it changes, and no other.
pub(super) fn same_id(property: Option<&SystemProperty>, id: &str) -> Result<(), Refusal> {
    let Some(SystemProperty { json, .. }) = property else {
        return Ok(());
    };
    if serde_json::from_str(json).is_ok_and(|sent: String| sent == id) {
        return Ok(());
    }
    Err(invalid("_dataObjectId", "must be the id in the address"))
}

fn invalid(property: &str, errors: &str) -> Refusal {
    Refusal::InvalidBody {
        message: format!("`{property}` {errors}"),
        fields: vec![FieldError {
            name: property.into(),
            errors: errors.into(),
        }],
    }
}
