//! Texts that people write otherwise than a field takes them, read again: numbers with the separators of another
//! country, dates in another order, numbers of telephones with letters between. It judges nothing: whether a reading is
//! what the field takes, the judgement says.

/// What may stand before or behind a number, such as a currency or a unit: characters.
const BESIDE_MAX: usize = 4;

/// The numbers that a text may mean, as the interface writes numbers; what is likeliest first.
pub(super) fn numbers(text: &str) -> Vec<String> {
    let (Some(first), Some(last)) = (
        text.find(|c: char| c.is_ascii_digit()),
        text.rfind(|c: char| c.is_ascii_digit()),
    ) else {
        return Vec::new();
    };
    let (before, number, after) = (&text[..first], &text[first..=last], &text[last + 1..]);
    let is_long = |beside: &str| beside.trim().chars().count() > BESIDE_MAX;
    let is_gap = |c: char| c.is_whitespace() || matches!(c, '\'' | '\u{2019}');
    let is_known = |c: char| c.is_ascii_digit() || is_gap(c) || matches!(c, ',' | '.');
    if is_long(before) || is_long(after) || !number.chars().all(is_known) {
        return Vec::new();
    }
    let number: String = number.chars().filter(|c| !is_gap(*c)).collect();
    let sign = if before.trim_end().ends_with(['-', '\u{2212}']) {
        "-"
    } else {
        ""
    };
    let readings = readings(&number).into_iter();
    readings.map(|reading| format!("{sign}{reading}")).collect()
}

/// What digits with commas and dots may mean.
fn readings(number: &str) -> Vec<String> {
    let without = |mark: char| number.replace(mark, "");
    let (commas, dots) = (number.matches(',').count(), number.matches('.').count());
    match (commas, dots) {
        (0, 0) => vec![number.to_owned()],
        (0, 1) | (1, 0) => {
            let mark = if commas == 1 { ',' } else { '.' };
            let behind = number.rsplit(mark).next().map_or(0, str::len);
            let with_decimals = number.replace(mark, ".");
            if behind == 3 {
                // without zeros at the end it is the same number, and can't be taken for thousands
                let shorter = with_decimals.trim_end_matches('0').trim_end_matches('.');
                vec![without(mark), shorter.to_owned()]
            } else {
                vec![with_decimals]
            }
        }
        (_, 0) => vec![without(',')],
        (0, _) => vec![without('.')],
        // the last one parts the decimals
        (1, _) if number.rfind(',') > number.rfind('.') => {
            vec![without('.').replace(',', ".")]
        }
        (_, 1) if number.rfind('.') > number.rfind(',') => vec![without(',')],
        _ => Vec::new(),
    }
}

/// First letters of months, in English and in German.
const MONTHS: [&[&str]; 12] = [
    &["jan"],
    &["feb"],
    &["mar", "mär"],
    &["apr"],
    &["may", "mai"],
    &["jun"],
    &["jul"],
    &["aug"],
    &["sep"],
    &["oct", "okt"],
    &["nov"],
    &["dec", "dez"],
];

/// The days that a text may mean, as ISO 8601 writes them; the day stands before the month, where both may be.
pub(super) fn days(text: &str) -> Vec<String> {
    let is_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if text.len() == 8 && is_digits(text) {
        return vec![format!("{}-{}-{}", &text[..4], &text[4..6], &text[6..])];
    }
    let parts = text.split(|c: char| !c.is_alphanumeric());
    let parts: Vec<&str> = parts.filter(|part| !part.is_empty()).collect();
    let [one, two, three] = parts[..] else {
        return Vec::new();
    };
    let number = |part: &str| part.parse::<u32>().ok().filter(|_| part.len() <= 2);
    let year = |part: &str| part.parse::<u32>().ok().filter(|_| part.len() == 4);
    let day = |y: Option<u32>, m: Option<u32>, d: Option<u32>| {
        Some(format!("{:04}-{:02}-{:02}", y?, m?, d?))
    };
    let in_order = [
        day(year(one), number(two).or(month(two)), number(three)),
        day(year(three), month(two), number(one)),
        day(year(three), month(one), number(two)),
        day(year(three), number(two), number(one)),
        day(year(three), number(one), number(two)),
    ];
    in_order.into_iter().flatten().collect()
}

/// The number of a month by its name.
fn month(name: &str) -> Option<u32> {
    let beginning: String = name.to_lowercase().chars().take(3).collect();
    let at = MONTHS
        .iter()
        .position(|known| known.contains(&&*beginning))?;
    u32::try_from(at + 1).ok()
}

/// The number of a telephone that a text may mean: the country's code behind a `+`, without what is not dialled.
pub(super) fn phone(text: &str) -> Option<String> {
    if text.chars().any(char::is_alphabetic) {
        return None;
    }
    let dialled = text.replace("(0)", " ");
    let is_dialled = |c: char| c.is_ascii_digit() || c == '+';
    let spaced: String = dialled
        .chars()
        .map(|c| if is_dialled(c) { c } else { ' ' })
        .collect();
    let plain = squeezed(&spaced);
    Some(match plain.strip_prefix("00") {
        Some(rest) => format!("+{}", rest.trim_start()),
        None => plain,
    })
}

/// The e-mail address that a text may mean.
pub(super) fn email(text: &str) -> String {
    let text = text.trim().trim_end_matches(['.', ',', ';']);
    let text = text.strip_prefix("mailto:").unwrap_or(text);
    let at = ["(at)", "[at]", " at "];
    let dot = ["(dot)", "[dot]", " dot "];
    let text = at
        .into_iter()
        .fold(text.to_owned(), |text, word| text.replace(word, "@"));
    let text = dot
        .into_iter()
        .fold(text, |text, word| text.replace(word, "."));
    text.chars().filter(|c| !c.is_whitespace()).collect()
}

/// A text without white space at its ends, and with one space where it had several.
pub(super) fn squeezed(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_with_the_separators_of_any_country() {
        for (text, read) in [
            ("1.500,00", vec!["1500.00"]),
            ("1,500.00 EUR", vec!["1500.00"]),
            ("\u{20ac} -", vec![]),
            ("-1 234,5", vec!["-1234.5"]),
            ("1'234'567", vec!["1234567"]),
            ("1.500", vec!["1500", "1.5"]),
            ("12.000", vec!["12000", "12"]),
            ("0,5", vec!["0.5"]),
            ("12 km", vec!["12"]),
            ("1.2.3,4,5", vec![]),
            ("ask 2 people", vec![]),
            ("twelve", vec![]),
        ] {
            assert_eq!(numbers(text), read, "{text}");
        }
    }

    #[test]
    fn days_are_read_in_every_order() {
        for (text, read) in [
            ("7.05.1971", vec!["1971-05-07", "1971-07-05"]),
            ("1971/5/7", vec!["1971-05-07"]),
            ("19710507", vec!["1971-05-07"]),
            ("7. Mai 1971", vec!["1971-05-07"]),
            ("May 7, 1971", vec!["1971-05-07"]),
            ("7.5.71", vec![]),
            ("soon", vec![]),
        ] {
            assert_eq!(days(text), read, "{text}");
        }
    }

    #[test]
    fn telephones_and_addresses_are_read_without_what_is_only_for_people() {
        assert_eq!(phone("0049 (0)30/12345").as_deref(), Some("+49 30 12345"));
        assert_eq!(phone("+49-30-12345").as_deref(), Some("+49 30 12345"));
        assert_eq!(phone("ask reception"), None);
        assert_eq!(email(" mailto:ada(at)example.org; "), "ada@example.org");
        assert_eq!(email("ada @example.org"), "ada@example.org");
    }
}
