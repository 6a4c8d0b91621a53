//! Texts that people write otherwise than a field takes them, read again: dates in another order, numbers of telephones
//! with letters between, addresses. It judges nothing: whether a reading is what the field takes, the judgement says.

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

/// The number of a telephone that a text may mean: the country's code behind a `+`, without signs that the type does not read.
pub(super) fn phone(text: &str) -> Option<String> {
    if text.chars().any(char::is_alphabetic) {
        return None;
    }
    // whether a zero that a bracket begins with is dialled depends on the country, which the type knows
    let has_digit = |text: &str| text.contains(|c: char| c.is_ascii_digit());
    let trunk = text.find("(0").filter(|at| has_digit(&text[..*at]));
    let (before, rest) = text.split_at(trunk.unwrap_or(text.len()));
    let spaced = |part: &str, signs: &str| {
        part.replace(|c: char| !c.is_ascii_digit() && !signs.contains(c), " ")
    };
    let plain = squeezed(&(spaced(before, "+") + &spaced(rest, "+()")));
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

/// The address of a page that a text may mean, where it names no other scheme.
pub(super) fn url(text: &str) -> Option<String> {
    let folded = text.to_ascii_lowercase();
    for scheme in ["https", "http"] {
        let rest = folded.strip_prefix(scheme);
        if rest.is_some_and(|rest| rest.starts_with([':', '/'])) {
            let rest = text[scheme.len()..].trim_start_matches([':', '/', '\\']);
            return (!rest.is_empty()).then(|| format!("{scheme}://{rest}"));
        }
    }
    let host = text.split(['/', '?', '#']).next().unwrap_or_default();
    let is_port = |port: &str| !port.is_empty() && port.bytes().all(|byte| byte.is_ascii_digit());
    let is_host = match host.split_once(':') {
        Some((name, port)) => name.contains('.') && is_port(port),
        None => !host.is_empty(),
    };
    (is_host && !host.contains('@')).then(|| format!("https://{text}"))
}

/// The letters and digits of a text alone; `None` where what stands between them is part of a number.
pub(super) fn alphanumeric(text: &str) -> Option<String> {
    let chars: Vec<char> = text.trim().chars().collect();
    let is_digit = |at: usize| chars.get(at).is_some_and(char::is_ascii_digit);
    let is_part = |at: usize| match chars[at] {
        '.' | ',' | ':' | '/' => at > 0 && is_digit(at - 1) && is_digit(at + 1),
        '-' | '+' | '\u{2212}' => at == 0 && is_digit(1),
        '%' => true,
        _ => false,
    };
    let is_number = (0..chars.len()).any(is_part);
    let plain = chars.iter().filter(|c| c.is_alphanumeric());
    (!is_number).then(|| plain.collect())
}

/// A text without white space at its ends, and with one space where it had several.
pub(super) fn squeezed(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_gets_the_scheme_that_it_lacks_and_no_second_one() {
        for (text, expected) in [
            ("example.org", Some("https://example.org")),
            ("example.org:8080/x", Some("https://example.org:8080/x")),
            ("http:/x.de", Some("http://x.de")),
            ("HTTP//x.de", Some("http://x.de")),
            ("https:x.de", Some("https://x.de")),
            ("mailto:ada@example.org", None),
            ("ada@example.org", None),
            ("ftp:x.de", None),
            ("https:", None),
        ] {
            assert_eq!(url(text).as_deref(), expected, "{text}");
        }
    }

    #[test]
    fn letters_and_digits_never_run_together_to_another_number() {
        for (text, expected) in [
            ("A-1", Some("A1")),
            ("978-3-16", Some("978316")),
            ("12.50", None),
            ("12:30", None),
            ("-5", None),
            ("A. 5", Some("A5")),
        ] {
            assert_eq!(alphanumeric(text).as_deref(), expected, "{text}");
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
        assert_eq!(
            phone("0049 (0)30/12345").as_deref(),
            Some("+49 (0)30 12345")
        );
        assert_eq!(
            phone("0049 (030)/12345").as_deref(),
            Some("+49 (030) 12345")
        );
        assert_eq!(phone("(0049) 30/12345").as_deref(), Some("+49 30 12345"));
        assert_eq!(phone("+49-30-12345").as_deref(), Some("+49 30 12345"));
        assert_eq!(phone("ask reception"), None);
        assert_eq!(email(" mailto:ada(at)example.org; "), "ada@example.org");
        assert_eq!(email("ada @example.org"), "ada@example.org");
    }
}
