//! What an export has of a record beside its fields, where that is asked for: its id, and what is wrong with it, in words. They
//! are members of the record's text like any other, so that each kind of file writes them as it writes texts.

use schema::json::write_string;
use serde::Deserialize;
use std::borrow::Cow;
use tabular::{ERRORS_COLUMN, ID_COLUMN};
use wire::manage::ExportOptions;

/// Characters of what is wrong, at most: a cell of a sheet has no room for more than 32,767.
const ERRORS_CHARS_MAX: usize = 30_000;

/// What is wrong with a field, as it is stored.
#[derive(Deserialize)]
struct Wrong<'e> {
    #[serde(borrow)]
    name: Cow<'e, str>,
    #[serde(borrow)]
    errors: Cow<'e, str>,
}

/// The text of a record, with what an export has of it beside its fields; `errors` is `None` for one that is clean.
pub(super) fn with_system_members<'b>(
    options: &ExportOptions,
    (id, body, errors): (impl FnOnce() -> String, &'b str, Option<&str>),
) -> Result<Cow<'b, str>, serde_json::Error> {
    let mut members = Vec::new();
    if options.with_ids {
        members.push((ID_COLUMN, id()));
    }
    if let Some(errors) = errors.filter(|_| options.with_errors) {
        members.push((ERRORS_COLUMN, told(errors)?));
    }
    // INVARIANT: a body is an object in its normal form
    let rest = body.strip_prefix('{').unwrap_or(body);
    if members.is_empty() {
        return Ok(Cow::Borrowed(body));
    }
    let mut out = String::with_capacity(body.len() + 100);
    for (name, value) in members {
        out.push(if out.is_empty() { '{' } else { ',' });
        write_string(&mut out, name);
        out.push(':');
        write_string(&mut out, &value);
    }
    if rest != "}" {
        out.push(',');
    }
    out.push_str(rest);
    Ok(Cow::Owned(out))
}

/// What is wrong with a record, field by field.
fn told(errors: &str) -> Result<String, serde_json::Error> {
    let wrong: Vec<Wrong<'_>> = serde_json::from_str(errors)?;
    let all = wrong
        .iter()
        .map(|Wrong { name, errors }| format!("{name}: {errors}"));
    let mut text = all.collect::<Vec<_>>().join("; ");
    if let Some((end, _)) = text.char_indices().nth(ERRORS_CHARS_MAX) {
        text.truncate(end);
        text.push('…');
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_asked_for_stands_before_the_fields() {
        let wrong = r#"[{"name":"A\"b","errors":"x; y"},{"name":"C","errors":"z"}]"#;
        let both = r#"{"_dataObjectId":"i","_errors":"A\"b: x; y; C: z","C":1}"#;
        for (with_ids, with_errors, body, errors, expected) in [
            (false, false, r#"{"C":1}"#, Some(wrong), r#"{"C":1}"#),
            (true, true, r#"{"C":1}"#, Some(wrong), both),
            (false, true, r#"{"C":1}"#, None, r#"{"C":1}"#),
            (true, true, "{}", None, r#"{"_dataObjectId":"i"}"#),
        ] {
            let options = ExportOptions {
                with_ids,
                with_errors,
                ..ExportOptions::default()
            };
            let record = (|| "i".to_owned(), body, errors);
            let text = with_system_members(&options, record).expect("a text");
            assert_eq!(text, expected);
        }
    }

    #[test]
    fn what_is_wrong_has_room_in_a_cell_of_a_sheet() {
        let long = "ä".repeat(ERRORS_CHARS_MAX);
        let errors = format!(r#"[{{"name":"A","errors":"{long}"}}]"#);
        let told = told(&errors).expect("a text");
        assert_eq!(told.chars().count(), ERRORS_CHARS_MAX + 1);
        assert!(told.ends_with("ä…"));
    }
}
