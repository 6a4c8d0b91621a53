//! What a form says that a value was when the form was made: the value itself, or its mark where it is too long to go back and
//! forth; and what was filled in since.

use super::visit::Form;
use service::manage::mark;

/// Bytes of a value that stands in a form a second time, at most.
const BYTES_MAX: usize = 4 << 10;
/// Digits of a mark, which tells a long value from another one; no secret hangs on it.
const MARK_DIGITS: usize = 16;
/// What says of a field that the stored value stays.
const THEIRS: &str = "theirs";

/// A value as it was when a form was made.
pub(super) enum Original {
    Text(String),
    Mark(String),
}

impl Original {
    /// That of a field, by its id.
    pub(super) fn of(form: &Form, id: &str) -> Self {
        match form.get(&format!("m-{id}")) {
            Some(mark) => Original::Mark(mark.to_owned()),
            None => Original::Text(plain(form.text(&format!("w-{id}")))),
        }
    }

    /// Whether it was this, with the ends of lines that [`plain`] makes.
    pub(super) fn is(&self, text: &str) -> bool {
        match self {
            Original::Text(own) => own == text,
            Original::Mark(mark) => mark_of(text) == *mark,
        }
    }

    /// The value, where the form has it.
    pub(super) fn text(self) -> Option<String> {
        match self {
            Original::Text(text) => Some(text),
            Original::Mark(_) => None,
        }
    }
}

/// What was filled in for a field, by its id.
pub(super) fn sent(id: &str, form: &Form) -> Option<String> {
    // a proposal that was taken counts more than what stands in its input
    let taken = form.get(&format!("p-{id}"));
    taken.or_else(|| form.get(&format!("v-{id}"))).map(plain)
}

/// What a field held, and what was filled in otherwise.
pub(super) fn change(id: &str, form: &Form) -> Option<(Original, String)> {
    let now = sent(id, form)?;
    let was = Original::of(form, id);
    let is_left = form.text(&format!("c-{id}")) == THEIRS;
    // the same text is another value where a proposal says so, or the one value of a cell that is of another kind
    let is_said = |name: &str| form.get(&format!("{name}-{id}")).is_some();
    let is_changed = !was.is(&now) || is_said("p") || is_said("o");
    (is_changed && !is_left).then_some((was, now))
}

/// The mark of a value that is too long to go back and forth.
pub(super) fn mark_of(value: &str) -> String {
    short_mark(value, MARK_DIGITS)
}

/// The mark of a text, of so many digits.
pub(super) fn short_mark(text: &str, digits: usize) -> String {
    let mut mark = mark(&text);
    mark.truncate(digits);
    mark
}

/// The mark that a form has in place of a value that is too long.
pub(super) fn mark_in_place_of(value: &str) -> Option<String> {
    (value.len() > BYTES_MAX).then(|| mark_of(&plain(value)))
}

/// A text as it was before a browser sent it: in a form, each end of a line is CR and LF, whichever it was.
pub(super) fn plain(sent: &str) -> String {
    sent.replace("\r\n", "\n").replace('\r', "\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_value_is_told_from_others_by_its_mark_whatever_ends_its_lines() {
        let long = "a line\r\n".repeat(BYTES_MAX);
        let mark = mark_in_place_of(&long).expect("a mark");
        assert!(mark.len() < 100, "{mark}");
        let original = Original::Mark(mark);
        assert!(original.is(&plain(&long)));
        assert!(!original.is(&plain(&long[1..])) && !original.is(""));
        assert_eq!(original.text(), None);
        assert_eq!(mark_in_place_of("short"), None);
    }
}
