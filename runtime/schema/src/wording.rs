//! What is said, as data: a code that stays and the values that stand in its text, so that whoever shows it may say it in
//! another language.

use std::fmt::Display;

/// What is said.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Wording {
    /// Its code: stable, for programs.
    pub code: &'static str,
    /// What stands in the text, in the order of its places.
    pub values: Vec<String>,
}

impl Wording {
    /// A code with its values.
    pub fn new(code: &'static str, values: &[&dyn Display]) -> Self {
        Wording {
            code,
            values: values.iter().map(ToString::to_string).collect(),
        }
    }
}

/// A text with a value in each of its places (`{0}`, `{1}`); what is filled in is not read again.
///
/// ```
/// assert_eq!(schema::fill("{1} of {0}", &["{1}".into(), "3".into()]), "3 of {1}");
/// ```
pub fn fill(text: &str, values: &[String]) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('{') {
        let (before, place) = rest.split_at(at);
        out.push_str(before);
        let number = place[1..].split_once('}');
        let number = number.and_then(|(number, behind)| Some((number.parse().ok()?, behind)));
        if let Some((number, behind)) = number {
            let _: usize = number;
            out.push_str(values.get(number).map_or("", String::as_str));
            rest = behind;
        } else {
            out.push('{');
            rest = &place[1..];
        }
    }
    out.push_str(rest);
    out
}
