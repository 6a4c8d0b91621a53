//! Texts of a length: `"a"` at the lower bound of none, `"ada@example.org"`, `"https://example.org/a"`.

use super::quoted;
use crate::at::At;
use crate::chance::{Chance, one_in, pick};
use schema::{Bounds, DataType, Field};

/// The longest text, in characters.
pub(crate) const LENGTH_MAX: u64 = 65_536;

/// Bytes of a primary key's text. docs/rules.md, "Primary keys".
const KEY_MAX: u64 = 1024;

/// How much longer than the shortest a random text is, at most.
const RANDOM_MORE: u64 = 24;

/// How much longer the longest is where the field names no bound.
const UNBOUNDED_MORE: u64 = 100;

const LETTERS: &[u8] = b"abcdefghijklmnopqrstuvwxyz";
const SIGNS: &[char] = &[
    'a',
    'Z',
    '7',
    ' ',
    '-',
    '\'',
    '"',
    '\\',
    '/',
    ',',
    ';',
    '\u{e4}',
    '\u{df}',
    '\u{4e16}',
    '\u{1f3d9}',
];

/// What a text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// Anything, in every script.
    Any,
    /// Nothing but ASCII letters and digits.
    Alphanumeric,
    Email,
    Url,
}

/// The texts of a field.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Texts {
    pub(crate) form: Form,
    /// Characters, from the shortest that is not blank.
    pub(crate) length: Bounds<u64>,
    /// Whether each character is one byte.
    plain: bool,
}

impl Form {
    /// The shortest and the longest text of the form.
    pub(crate) fn lengths(self) -> Bounds<u64> {
        let (min, max) = match self {
            Form::Any | Form::Alphanumeric => (1, LENGTH_MAX),
            Form::Email => ("a@b.c".len() as u64, 254),
            Form::Url => ("http://a".len() as u64, LENGTH_MAX),
        };
        Bounds { min, max }
    }

    /// A text of the form with this many characters, which the form allows; letters are those that chance picks.
    pub(crate) fn text(self, length: u64, mut letter: impl FnMut() -> char) -> String {
        let mut filled = |head: &str, tail: &str| {
            let fixed = (head.len() + tail.len()) as u64;
            let middle: String = (fixed..length).map(|_| letter()).collect();
            format!("{head}{middle}{tail}")
        };
        match self {
            Form::Any | Form::Alphanumeric => filled("", ""),
            Form::Email if length > "@example.org".len() as u64 => filled("", "@example.org"),
            Form::Email => filled("", "@b.c"),
            Form::Url if length >= "https://example.org/".len() as u64 => {
                filled("https://example.org/", "")
            }
            Form::Url => filled("http://", ""),
        }
    }
}

impl Texts {
    /// `None` where no text is long or short enough.
    pub(super) fn of(field: &Field, length: Bounds<u64>) -> Option<Self> {
        let form = match field.data_type {
            DataType::Email => Form::Email,
            DataType::Url => Form::Url,
            _ if field.is_alphanumeric() => Form::Alphanumeric,
            _ => Form::Any,
        };
        let own = form.lengths();
        let most = if field.primary_key {
            own.max.min(KEY_MAX)
        } else {
            own.max
        };
        let min = length.min.max(own.min);
        let max = match length.max {
            u64::MAX => min.saturating_add(UNBOUNDED_MORE),
            max => max,
        };
        let length = Bounds {
            min,
            max: max.min(most),
        };
        let is_any = length.min <= length.max;
        is_any.then_some(Texts {
            form,
            length,
            plain: field.primary_key || form != Form::Any,
        })
    }

    pub(super) fn one(&self, at: At, chance: &mut dyn Chance) -> String {
        let Bounds { min, max } = self.length;
        let length = match at {
            At::Random => min + chance.below((max - min).min(RANDOM_MORE) + 1),
            At::Lowest => min,
            At::Highest => max,
        };
        let mut text = match at {
            At::Random => self.form.text(length, || letter(chance)),
            _ => self.form.text(length, || 'a'),
        };
        if at == At::Random && !self.plain && one_in(chance, 2) {
            text = varied(&text, chance);
        }
        quoted(&text)
    }
}

fn letter(chance: &mut dyn Chance) -> char {
    char::from(*pick(chance, LETTERS).unwrap_or(&b'a'))
}

/// The text with other signs within; the first and last character stay, so that it is never blank.
fn varied(text: &str, chance: &mut dyn Chance) -> String {
    let last = text.chars().count().saturating_sub(1);
    let vary = |(place, character): (usize, char)| {
        if place == 0 || place == last {
            character
        } else {
            *pick(chance, SIGNS).unwrap_or(&character)
        }
    };
    text.chars().enumerate().map(vary).collect()
}
