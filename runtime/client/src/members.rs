//! The members of a JSON object as text, untouched: a number keeps the token that the service wrote.

use schema::json::{Member, write_string};

/// A JSON object of members whose values are JSON text.
pub(crate) fn object<'a>(members: impl Iterator<Item = (&'a str, &'a str)>) -> String {
    let mut out = String::from("{");
    for (key, value) in members {
        if out.len() > 1 {
            out.push(',');
        }
        write_string(&mut out, key);
        out.push(':');
        out.push_str(value);
    }
    out.push('}');
    out
}

/// The field values of a data object that was read from `text`: what is no system property.
pub(crate) fn field_values(text: &str, members: &[Member<'_>]) -> String {
    let values = members
        .iter()
        .filter(|member| !member.key.starts_with('_'))
        .map(|member| (&*member.key, &text[member.value.start..member.value.end]));
    object(values)
}
