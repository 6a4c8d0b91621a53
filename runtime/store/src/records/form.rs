//! The form of what stands in rows. A database whose rows have no checksums of ours may have been changed by hand: what does
//! not follow its form is then told as what is not as it was written, and never shown.

use super::{LogEntry, StoredRecord};
use serde::de::IgnoredAny;

/// Whether a text is JSON that begins with this sign.
fn is_json(text: &str, sign: char) -> bool {
    text.starts_with(sign) && serde_json::from_str::<IgnoredAny>(text).is_ok()
}

/// Whether a text is a JSON object, as all values are kept.
pub fn is_object(text: &str) -> bool {
    is_json(text, '{')
}

fn is_list(text: &str) -> bool {
    is_json(text, '[')
}

/// Whether what a record is kept as has its form: values and hidden ones are JSON objects, and errors a list.
pub fn have_form(body: &str, errors: Option<&str>, hidden: Option<&str>) -> bool {
    is_object(body) && errors.is_none_or(is_list) && hidden.is_none_or(is_object)
}

impl StoredRecord {
    /// Whether its texts [have their form](have_form).
    pub fn has_form(&self) -> bool {
        have_form(&self.body, self.errors.as_deref(), self.hidden.as_deref())
    }
}

impl LogEntry {
    /// Whether values before and after it, hidden ones too, are JSON objects, and errors a list.
    pub fn has_form(&self) -> bool {
        let values = [&self.before, &self.after, &self.hidden];
        values.into_iter().flatten().all(|text| is_object(text))
            && self.errors.as_deref().is_none_or(is_list)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::{RecordId, RecordPlace};

    fn record(body: &str, errors: Option<&str>, hidden: Option<&str>) -> StoredRecord {
        StoredRecord {
            id: RecordId {
                place: RecordPlace {
                    dataset: 1,
                    sequence: 1,
                },
                nonce: 0,
            },
            version: 0,
            schema_version: 1,
            body: body.to_owned(),
            errors: errors.map(str::to_owned),
            hidden: hidden.map(str::to_owned),
            deleted: false,
        }
    }

    #[test]
    fn a_record_has_its_form_where_each_text_can_be_read() {
        let odd = r#"{"a":1.50,"b":1e400,"c":"\u0001 \" ü 😀","d":[ ]}"#;
        for (body, errors, hidden) in [
            ("{}", None, None),
            (odd, Some("[]"), Some("{}")),
            (
                "{}",
                Some(r#"[{"name":"a","errors":"x"}]"#),
                Some(r#"{"f":1}"#),
            ),
        ] {
            assert!(record(body, errors, hidden).has_form(), "{body}");
        }
        for (body, errors, hidden) in [
            ("", None, None),
            ("ü", None, None),
            ("[]", None, None),
            ("{}{}", None, None),
            (" {}", None, None),
            (r#"{"a":"b"#, None, None),
            ("{#a#:#b#}", None, None),
            ("{}", Some(""), None),
            ("{}", Some("{}"), None),
            ("{}", None, Some("[]")),
        ] {
            assert!(!record(body, errors, hidden).has_form(), "{body}");
        }
    }
}
