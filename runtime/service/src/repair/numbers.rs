//! Numbers that people write otherwise than the interface, read again: with the separators of another country, with a
//! currency or a unit beside them, below zero in the ways of accounts. What is more than a number is none: nothing is
//! proposed that means another one.

/// What may stand before or behind a number, such as a currency or a unit: characters.
const BESIDE_MAX: usize = 4;
/// Words behind a number by which it is many times as large.
const MULTIPLES: [&str; 8] = ["k", "th", "tn", "tsd", "mio", "mn", "mrd", "bn"];

/// The numbers that a text may mean, as the interface writes numbers; what is likeliest first. None where it says more of a
/// number than can be written, such as that it is a share or about as large.
pub(super) fn numbers(text: &str) -> Vec<String> {
    let (Some(first), Some(last)) = (
        text.find(|c: char| c.is_ascii_digit()),
        text.rfind(|c: char| c.is_ascii_digit()),
    ) else {
        return Vec::new();
    };
    let (before, number, after) = (&text[..first], &text[first..=last], &text[last + 1..]);
    let Some(is_negative) = is_negative(before, after) else {
        return Vec::new();
    };
    let sign = if is_negative { "-" } else { "" };
    let readings = readings(number).into_iter();
    readings.map(|reading| format!("{sign}{reading}")).collect()
}

/// Whether a number is below zero by what stands around it: a minus before or behind it, or parentheses, as accounts write it.
/// `None` where that is not only a currency or a unit.
fn is_negative(before: &str, after: &str) -> Option<bool> {
    let is_minus = |c: char| matches!(c, '-' | '\u{2212}' | '\u{2013}');
    let is_more = |c: char| {
        c.is_numeric()
            || matches!(c, '%' | '\u{2030}' | '/' | '*' | '^' | '=' | '<' | '>')
            || matches!(
                c,
                '~' | '\u{b1}' | '\u{2248}' | '\u{2264}' | '\u{2265}' | '\u{2014}'
            )
    };
    // the first digits of `.5` are its decimals
    if is_decimal_mark_alone(before) {
        return None;
    }
    let (before, after) = (before.trim(), after.trim());
    let is_around =
        |c: char| c.is_whitespace() || is_minus(c) || matches!(c, '(' | ')' | ',' | '.');
    let is_long = |beside: &str| beside.trim_matches(is_around).chars().count() > BESIDE_MAX;
    if is_long(before) || is_long(after) || before.contains(is_more) || after.contains(is_more) {
        return None;
    }
    let mut words = after.split(|c: char| !c.is_alphabetic());
    if words.any(|word| MULTIPLES.contains(&&*word.to_lowercase())) {
        return None;
    }
    // `5,-` has no decimals, and is not below zero
    let after = match after.strip_prefix([',', '.']) {
        Some(rest) => rest.trim_start_matches(is_minus),
        None => after,
    };
    let mut behind = after.chars();
    let is_before_word =
        behind.next().is_some_and(is_minus) && behind.next().is_some_and(char::is_alphanumeric);
    let count = |text: &str, is: &dyn Fn(char) -> bool| text.chars().filter(|c| is(*c)).count();
    let opened = count(before, &|c| c == '(');
    let is_enclosed = opened == 1 && count(after, &|c| c == ')') == 1;
    let parentheses =
        count(before, &|c| matches!(c, '(' | ')')) + count(after, &|c| matches!(c, '(' | ')'));
    if is_before_word || parentheses != 2 * usize::from(is_enclosed) {
        return None;
    }
    let signs = count(before, &is_minus) + count(after, &is_minus) + usize::from(is_enclosed);
    (signs <= 1).then_some(signs == 1)
}

/// Whether what stands before a number ends with a mark of decimals that no word goes with, as in `€ .50`.
fn is_decimal_mark_alone(before: &str) -> bool {
    let rest = before.strip_suffix([',', '.']);
    rest.is_some_and(|rest| !rest.ends_with(char::is_alphabetic))
}

/// What digits with commas, dots, spaces and apostrophes may mean.
fn readings(number: &str) -> Vec<String> {
    let is_mark = |c: char| !c.is_ascii_digit();
    let groups: Vec<&str> = number.split(is_mark).collect();
    let marks = number.chars().filter(|c| is_mark(*c));
    let marks: Vec<char> = marks
        .map(|c| match c {
            '\u{2019}' => '\'',
            c if c.is_whitespace() => ' ',
            c => c,
        })
        .collect();
    let (Some((last, others)), Some((decimals, whole))) = (marks.split_last(), groups.split_last())
    else {
        return vec![number.to_owned()];
    };
    if marks
        .iter()
        .any(|mark| !matches!(mark, ' ' | '\'' | ',' | '.'))
    {
        return Vec::new();
    }
    let mut found = Vec::new();
    if others.iter().all(|mark| mark == last) && is_grouped(&groups) {
        found.push(groups.concat());
    }
    // the last one parts the decimals, where it is the only one of its kind
    let is_one_kind = others.windows(2).all(|pair| pair[0] == pair[1]);
    let is_whole = others.is_empty() || (is_one_kind && is_grouped(whole));
    if matches!(last, ',' | '.') && !others.contains(last) && is_whole {
        let text = format!("{}.{decimals}", whole.concat());
        // without zeros at the end it is the same number, and can't be taken for thousands
        found.push(match decimals.len() {
            3 => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
            _ => text,
        });
    }
    found
}

/// Whether digits stand in groups of thousands.
fn is_grouped(groups: &[&str]) -> bool {
    let Some((first, others)) = groups.split_first() else {
        return false;
    };
    let is_first = (1..=3).contains(&first.len()) && !first.starts_with('0');
    is_first && others.iter().all(|group| group.len() == 3)
}

/// A number with two decimals in place of more, where it is written without an exponent.
pub(super) fn rounded(number: &str) -> Option<String> {
    let (whole, decimals) = number.split_once('.')?;
    let (sign, whole) = match whole.strip_prefix('-') {
        Some(whole) => ("-", whole),
        None => ("", whole),
    };
    if decimals.len() <= 2 || !decimals.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let (two, more) = decimals.split_at(2);
    let hundredths: u128 = format!("{whole}{two}").parse().ok()?;
    let hundredths = hundredths.saturating_add(u128::from(more >= "5"));
    Some(format!(
        "{sign}{}.{:02}",
        hundredths / 100,
        hundredths % 100
    ))
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
            ("0.500", vec!["0.5"]),
            ("1.234.567,80", vec!["1234567.80"]),
            ("Rs.500", vec!["500"]),
        ] {
            assert_eq!(numbers(text), read, "{text}");
        }
    }

    #[test]
    fn a_number_below_zero_stays_below_zero_however_it_is_written() {
        for (text, read) in [
            ("(1.250,00)", vec!["-1250.00"]),
            ("(99.50)", vec!["-99.50"]),
            ("(5 EUR)", vec!["-5"]),
            ("5-", vec!["-5"]),
            ("5 -", vec!["-5"]),
            ("5- EUR", vec!["-5"]),
            ("1.250-", vec!["-1250", "-1.25"]),
            ("-\u{20ac}5", vec!["-5"]),
            ("\u{2013}5", vec!["-5"]),
            ("5,-", vec!["5"]),
            ("5,-- \u{20ac}", vec!["5"]),
            ("(-5)", vec![]),
            ("-5-", vec![]),
            ("5)", vec![]),
            ("5-km", vec![]),
        ] {
            assert_eq!(numbers(text), read, "{text}");
        }
    }

    #[test]
    fn what_says_more_than_a_number_is_none() {
        for text in [
            "12%",
            "12 %",
            "1.5.2",
            "12 34",
            "1,00,000",
            "~5",
            "<5",
            "\u{b1}5",
            "5/7",
            "2\u{bd}",
            "5k",
            "5 Mio.",
            "5 Tsd",
            ".5",
            "\u{20ac} ,50",
            "5e3",
            "1.234 567",
        ] {
            assert_eq!(numbers(text), Vec::<String>::new(), "{text}");
        }
    }

    #[test]
    fn a_number_is_rounded_to_two_decimals_by_its_digits() {
        for (number, expected) in [
            ("12.345", Some("12.35")),
            ("-1.005", Some("-1.01")),
            ("0.994", Some("0.99")),
            ("9.999", Some("10.00")),
            ("12.34", None),
            ("12", None),
            ("1.2345e3", None),
        ] {
            assert_eq!(rounded(number).as_deref(), expected, "{number}");
        }
    }
}
