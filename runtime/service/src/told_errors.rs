//! What is wrong with personal values, for who may not see them: `_errors` tell rules and bounds, and no value. What an earlier
//! release, or a hand, stored in other words may tell anything, so of that the rule alone is told. docs/interface.md, "Personal data".

use crate::nouns::MASK;
use engine::validate::told_by_rules;
use std::borrow::Cow;
use std::collections::BTreeSet;
use wire::FieldError;

/// The text of `_errors` for who does not see the values of these fields.
///
/// # Errors
/// What is no such text.
pub(crate) fn masked_errors<'e>(
    errors: &'e str,
    personal: &BTreeSet<&str>,
) -> Result<Cow<'e, str>, serde_json::Error> {
    if personal.is_empty() {
        return Ok(Cow::Borrowed(errors));
    }
    let mut entries: Vec<FieldError> = serde_json::from_str(errors)?;
    let own = entries.iter_mut();
    let mut is_other = false;
    for entry in own.filter(|entry| personal.contains(&*entry.name)) {
        let told = told_by_rules(&entry.errors, MASK);
        is_other |= told != entry.errors;
        entry.errors = told;
    }
    if !is_other {
        return Ok(Cow::Borrowed(errors));
    }
    serde_json::to_string(&entries).map(Cow::Owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_a_personal_value_no_words_are_told_that_are_not_those_of_now() {
        let personal = BTreeSet::from(["Name", "Age"]);
        let shown = |errors: &str| masked_errors(errors, &personal).map(Cow::into_owned);
        let now =
            r#"[{"name":"Age","errors":"must be at most 90"},{"name":"Town","errors":"no Ulm"}]"#;
        assert_eq!(shown(now).expect("errors"), now);
        let before = r#"[{"name":"Name","errors":"Smith is no name"},{"name":"Age","errors":"must be a whole number, not 1.5"}]"#;
        assert_eq!(
            shown(before).expect("errors"),
            r#"[{"name":"Name","errors":"***"},{"name":"Age","errors":"must be a whole number"}]"#
        );
        let all = masked_errors(before, &BTreeSet::new()).expect("errors");
        assert_eq!(all, before);
        assert!(shown("{}").is_err());
    }
}
