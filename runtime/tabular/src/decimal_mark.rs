//! Numbers that stand as text, as JSON writes them, and the sign before their decimals. It judges nothing: a text that is no
//! number by the sign that was said stays as it is.
//!
//! | text | with a comma | with a point | where nothing was said |
//! | - | - | - | - |
//! | `2,50` | `2.50` | – | – |
//! | `1.234,50` | `1234.50` | – | – |
//! | `1,234.50` | – | `1234.50` | – |
//! | `1 234,50`, `1'234,50`, `12,50-`, `(12,50)`, `€ 12,50` | `1234.50`, `1234.50`, `-12.50`, `-12.50`, `12.50` | – | – |
//! | `12.000` | `12000` | `12.000` | `12.000`; in a field of whole numbers or money it stays text |

use schema::json::{Scanner, Token};
use schema::{DataType, Schema};
use std::borrow::Cow;

/// What stands before the decimals of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DecimalMark {
    /// `1,234.50`
    Point,
    /// `1.234,50`
    Comma,
}

/// What a sign is in a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NumberSign {
    /// It stands before the decimals.
    Decimals,
    /// It may stand between the thousands.
    Thousands,
}

impl DecimalMark {
    /// Every mark.
    pub const ALL: [DecimalMark; 2] = [DecimalMark::Point, DecimalMark::Comma];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            DecimalMark::Point => "point",
            DecimalMark::Comma => "comma",
        }
    }

    /// The sign itself.
    pub fn sign(self) -> char {
        match self {
            DecimalMark::Point => '.',
            DecimalMark::Comma => ',',
        }
    }

    /// The sign that may stand between thousands.
    fn thousands_sign(self) -> char {
        match self {
            DecimalMark::Point => ',',
            DecimalMark::Comma => '.',
        }
    }

    /// The first field of several numbers whose cells would be parted within a number, and by which sign of it: with a comma as the
    /// mark, `2,5` and `12.000` are one number or two, and nobody can tell. Where no mark was said, a point stands before
    /// decimals and may stand between thousands.
    pub fn parted_by(
        mark: Option<Self>,
        split: Option<char>,
        schema: &Schema,
    ) -> Option<(&str, NumberSign)> {
        let split = split?;
        let first = |is_cut: fn(DataType) -> bool| {
            let mut fields = schema.active_fields();
            fields.find(|it| it.is_multivalue() && is_cut(it.data_type))
        };
        let decimals = mark.unwrap_or(DecimalMark::Point).sign();
        let thousands = mark.map_or('.', DecimalMark::thousands_sign);
        let has_decimals = first(|it| it.is_number() && !it.is_whole());
        if let Some(field) = has_decimals.filter(|_| split == decimals) {
            return Some((field.name.as_str(), NumberSign::Decimals));
        }
        let may_part = split == thousands || mark.is_some() && THOUSANDS_SIGNS.contains(&split);
        let field = first(DataType::is_number).filter(|_| may_part)?;
        Some((field.name.as_str(), NumberSign::Thousands))
    }

    /// The mark of a name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|mark| mark.name() == name)
    }

    /// The number as JSON has it but for zeros and a `+` before it: without what stands between thousands, and with a point.
    /// `None` where the mark itself tells that the text is none; whether it is one otherwise, who writes it tells.
    pub(crate) fn plain(self, text: &str) -> Option<Cow<'_, str>> {
        match without_dress(text)? {
            Cow::Borrowed(text) => self.bare(text),
            Cow::Owned(text) => Some(self.bare(&text)?.into_owned().into()),
        }
    }

    /// The same of a number with nothing around it.
    fn bare(self, text: &str) -> Option<Cow<'_, str>> {
        let mark = self.sign();
        let is_between = |sign: &char| THOUSANDS_SIGNS.contains(sign);
        let between = text.chars().find(is_between);
        let between = between.unwrap_or(self.thousands_sign());
        let is_known = |sign: char| {
            sign.is_ascii_digit() || "+-eE".contains(sign) || sign == mark || sign == between
        };
        if !text.chars().all(is_known) {
            return None;
        }
        let end = text.find([mark, 'e', 'E']).unwrap_or(text.len());
        let (whole, rest) = text.split_at(end);
        let has_thousands = whole.contains(between);
        if rest.contains(between) || has_thousands && !is_grouped(whole, between) {
            return None;
        }
        if !has_thousands && mark == '.' {
            return Some(Cow::Borrowed(text));
        }
        let mut plain = whole.replace(between, "");
        plain.push_str(&rest.replace(mark, "."));
        Some(plain.into())
    }
}

/// Signs that may stand between thousands whatever stands before the decimals: blanks that part no line, and apostrophes.
const THOUSANDS_SIGNS: [char; 6] = [' ', '\u{a0}', '\u{2009}', '\u{202f}', '\'', '\u{2019}'];

/// A number without a currency's sign, and with its minus before it, however it is shown; `None` where it has two of them.
fn without_dress(text: &str) -> Option<Cow<'_, str>> {
    let is_plain = |byte: u8| byte.is_ascii_digit() || b"+.,eE".contains(&byte);
    let begin = text.strip_prefix('-').unwrap_or(text);
    if begin.bytes().all(is_plain) {
        return Some(Cow::Borrowed(text));
    }
    let (mut rest, mut is_minus, mut has_currency) = (text, false, false);
    loop {
        let undressed = rest
            .strip_prefix(['-', '\u{2212}'])
            .or_else(|| rest.strip_suffix(['-', '\u{2212}']))
            .or_else(|| rest.strip_prefix('(')?.strip_suffix(')'));
        if let Some(undressed) = undressed {
            if std::mem::replace(&mut is_minus, true) {
                return None;
            }
            rest = undressed.trim();
            continue;
        }
        let undressed = rest
            .strip_prefix(is_currency)
            .or_else(|| rest.strip_suffix(is_currency));
        match undressed {
            Some(_) if std::mem::replace(&mut has_currency, true) => return None,
            Some(undressed) => rest = undressed.trim(),
            None => break,
        }
    }
    let has_digit = rest.starts_with(|first: char| first.is_ascii_digit() || ".,".contains(first));
    let is_signed = rest.starts_with('+') && !is_minus;
    (has_digit || is_signed).then(|| {
        let minus = if is_minus { "-" } else { "" };
        format!("{minus}{rest}").into()
    })
}

/// Whether a character is the sign of a currency.
fn is_currency(sign: char) -> bool {
    matches!(sign, '$' | '\u{a2}'..='\u{a5}' | '\u{20a0}'..='\u{20cf}')
}

/// Whether a text is digits of which each three but the first have this sign before them, as in `12.000`.
pub(crate) fn is_grouped(text: &str, between: char) -> bool {
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    let Some((first, rest)) = digits.split_once(between) else {
        return false;
    };
    let is_first = first.len() <= 3 && !first.starts_with('0') && is_digits(first);
    is_first
        && rest
            .split(between)
            .all(|group| group.len() == 3 && is_digits(group))
}

fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Appends a number as JSON writes it, digit by digit: a sign, digits, a point with digits, an exponent. What JSON
/// would refuse and means nothing goes: `+` and zeros before the first digit. `false`, and nothing, where the text
/// is no such number.
pub(crate) fn write_number(text: &str, out: &mut String) -> bool {
    let (sign, rest) = match text.as_bytes().first() {
        Some(b'-') => ("-", &text[1..]),
        Some(b'+') => ("", &text[1..]),
        _ => ("", text),
    };
    let zeros = rest.len() - rest.trim_start_matches('0').len();
    let rest = match rest.as_bytes().get(zeros) {
        Some(b'0'..=b'9') => &rest[zeros..],
        _ if zeros > 0 => &rest[zeros - 1..],
        _ => rest,
    };
    let zero = if rest.starts_with('.') { "0" } else { "" };
    let begin = out.len();
    out.extend([sign, zero, rest]);
    let is_number = {
        let mut scanner = Scanner::new(&out[begin..]);
        matches!(scanner.token(), Ok(Token::Number(_))) && scanner.peek().is_none()
    };
    if !is_number {
        out.truncate(begin);
    }
    is_number
}

/// How the numbers of a column are written that stand as text: how often each way was seen. Numbers without dot and
/// comma say nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NumberTexts {
    /// A dot stands before each three digits: thousands, or three decimals.
    pub thousands: u64,
    /// A comma stands before the decimals, and can stand for nothing else.
    pub commas: u64,
    /// Any other text with a dot or a comma.
    pub others: u64,
}

impl NumberTexts {
    /// Notes a text.
    pub(crate) fn note(&mut self, text: &str) {
        let text = text.trim();
        if !text.contains(['.', ',']) {
            return;
        }
        let count = if is_grouped(text, '.') {
            &mut self.thousands
        } else if has_decimal_comma(text) {
            &mut self.commas
        } else {
            &mut self.others
        };
        *count += 1;
    }

    /// Whether every dot may stand between thousands, and nothing tells.
    #[cfg(feature = "infer")]
    pub(crate) fn may_be_thousands(self) -> bool {
        self.thousands > 0 && self.commas == 0 && self.others == 0
    }
}

/// Whether a comma stands before decimals: `2,50`, `1.234,5`, `0,125`; one before three digits may part thousands.
fn has_decimal_comma(text: &str) -> bool {
    let Some((whole, decimals)) = text.split_once(',') else {
        return false;
    };
    let digits = whole.strip_prefix(['-', '+']).unwrap_or(whole);
    let is_whole = is_digits(digits) || is_grouped(whole, '.');
    is_whole && is_digits(decimals) && !is_grouped(text, ',')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_read_by_the_mark_that_was_said() {
        for (text, by_comma, by_point) in [
            ("12", Some("12"), Some("12")),
            ("2,50", Some("2.50"), None),
            ("-1.234,5", Some("-1234.5"), None),
            ("1.234.567", Some("1234567"), Some("1.234.567")),
            ("12.000", Some("12000"), Some("12.000")),
            ("1,234.50", None, Some("1234.50")),
            ("1,234", Some("1.234"), Some("1234")),
            ("1.5", None, Some("1.5")),
            ("0.125", None, Some("0.125")),
            ("1,5e3", Some("1.5e3"), None),
            ("1.23,4", None, None),
            ("12 €", Some("12"), Some("12")),
            ("1 234,50", Some("1234.50"), None),
            ("1\u{a0}234\u{a0}567,5", Some("1234567.5"), None),
            ("1\u{202f}234.50", None, Some("1234.50")),
            ("1\u{2009}234", Some("1234"), Some("1234")),
            ("1'234.50", None, Some("1234.50")),
            ("1\u{2019}234,50", Some("1234.50"), None),
            ("12,50-", Some("-12.50"), None),
            ("(12,50)", Some("-12.50"), None),
            ("\u{2212}12", Some("-12"), Some("-12")),
            ("€ 12,50", Some("12.50"), None),
            ("-$1,234.50", None, Some("-1234.50")),
            ("(€ 1.234,50)", Some("-1234.50"), None),
            ("12,50 €-", Some("-12.50"), None),
            (",5", Some(".5"), None),
            ("1 23,50", None, None),
            ("1 234'567", None, None),
            ("1.234 567,5", None, None),
            ("-12-", None, None),
            ("(-12)", None, None),
            ("€12$", None, None),
            ("()", None, None),
            ("€", None, None),
            ("-", Some("-"), Some("-")),
            ("12 EUR", None, None),
            ("12 %", None, None),
            ("[1,2]", None, None),
        ] {
            assert_eq!(
                DecimalMark::Comma.plain(text).as_deref(),
                by_comma,
                "{text}"
            );
            assert_eq!(
                DecimalMark::Point.plain(text).as_deref(),
                by_point,
                "{text}"
            );
        }
    }

    #[test]
    fn values_of_several_numbers_are_parted_by_no_sign_that_may_stand_in_one() {
        let several = |name: &str, data_type| {
            let mut field = schema::Field::new(name, name, data_type);
            field.multivalue = Some(true);
            field
        };
        let schema = |fields| Schema {
            fields,
            ..Schema::default()
        };
        let whole = schema(vec![several("Years", DataType::Integer)]);
        let both = schema(vec![
            several("Years", DataType::Integer),
            several("Weights", DataType::Float),
        ]);
        let mut none = schema(vec![several("Names", DataType::String)]);
        let alone = schema::Field::new("Weight", "Weight", DataType::Float);
        none.fields.push(alone);
        let (decimals, thousands) = (NumberSign::Decimals, NumberSign::Thousands);
        let (point, comma) = (Some(DecimalMark::Point), Some(DecimalMark::Comma));
        for (mark, split, of_both, of_whole) in [
            (
                None,
                '.',
                Some(("Weights", decimals)),
                Some(("Years", thousands)),
            ),
            (None, ',', None, None),
            (point, '.', Some(("Weights", decimals)), None),
            (
                point,
                ',',
                Some(("Years", thousands)),
                Some(("Years", thousands)),
            ),
            (comma, ',', Some(("Weights", decimals)), None),
            (
                comma,
                '.',
                Some(("Years", thousands)),
                Some(("Years", thousands)),
            ),
            (comma, '|', None, None),
            (None, ' ', None, None),
            (
                comma,
                ' ',
                Some(("Years", thousands)),
                Some(("Years", thousands)),
            ),
        ] {
            let found = |schema| DecimalMark::parted_by(mark, Some(split), schema);
            assert_eq!(found(&both), of_both, "{mark:?} {split}");
            assert_eq!(found(&whole), of_whole, "{mark:?} {split}");
            assert_eq!(found(&none), None, "{mark:?} {split}");
            assert_eq!(DecimalMark::parted_by(mark, None, &both), None);
        }
    }

    #[test]
    fn what_the_texts_of_a_column_say_of_their_mark_is_counted() {
        for (text, counts) in [
            ("12.000", (1, 0, 0)),
            (" -1.234.567 ", (1, 0, 0)),
            ("0.125", (0, 0, 1)),
            ("1234.567", (0, 0, 1)),
            ("2,50", (0, 1, 0)),
            ("0,125", (0, 1, 0)),
            ("1.234,567", (0, 1, 0)),
            ("1,234", (0, 0, 1)),
            ("48.137,11.575", (0, 0, 1)),
            ("12", (0, 0, 0)),
        ] {
            let mut texts = NumberTexts::default();
            texts.note(text);
            let found = (texts.thousands, texts.commas, texts.others);
            assert_eq!(found, counts, "{text}");
        }
    }
}
