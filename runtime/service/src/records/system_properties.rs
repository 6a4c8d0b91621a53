//! The system properties of a change: which version it was made from, and that it is about the record of its
//! address. Whether the record has that version is judged where the record is.

use crate::Refusal;
use engine::validate::SystemProperty;
use schema::Number;
use wire::FieldError;

/// The version a change was made from.
pub(super) fn sent_version(property: Option<&SystemProperty>) -> Result<i64, Refusal> {
    let invalid = |errors| invalid("_version", errors);
    let Some(SystemProperty { json, .. }) = property else {
        return Err(invalid(
            "is required: send the version that the record had when you read it",
        ));
    };
    let is_number = json.starts_with(|c: char| c == '-' || c.is_ascii_digit());
    let number = is_number.then(|| Number::of(json).to_i64().ok()).flatten();
    number
        .filter(|number| *number >= 0)
        .ok_or_else(|| invalid("must be a whole number from 0 to 9223372036854775807"))
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
