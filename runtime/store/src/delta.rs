//! An earlier text by what it has where a later one has something else: how far both begin and end alike, and what the
//! earlier one has between. One change of a record is told so in a few bytes; what the texts mean is not asked. So engines
//! keep in an entry of the change log what the record's row, or the next entry, does not have.

use std::fmt::Write as _;

/// What makes the earlier text of the later one. It begins with a digit, which no JSON object does.
pub fn back(earlier: &str, later: &str) -> String {
    let alike = |pair: &(u8, u8)| pair.0 == pair.1;
    let (old, new) = (earlier.as_bytes(), later.as_bytes());
    let pairs = old.iter().copied().zip(new.iter().copied());
    let mut first = pairs.take_while(alike).count();
    while !(earlier.is_char_boundary(first) && later.is_char_boundary(first)) {
        first -= 1;
    }
    let pairs = old[first..].iter().rev().zip(new[first..].iter().rev());
    let pairs = pairs.map(|(old, new)| (*old, *new));
    let mut last = pairs.take_while(alike).count();
    let is_boundary = |text: &str, last: usize| text.is_char_boundary(text.len() - last);
    while !(is_boundary(earlier, last) && is_boundary(later, last)) {
        last -= 1;
    }
    let between = &earlier[first..earlier.len() - last];
    let mut told = String::with_capacity(between.len() + 12);
    // INVARIANT: writing to a String cannot fail
    let _ = write!(told, "{first} {last} {between}");
    told
}

/// The earlier text again; one that was kept whole is itself. `None` where the later text is not the one it was told by.
pub fn earlier(told: &str, later: &str) -> Option<String> {
    if !told.starts_with(|c: char| c.is_ascii_digit()) {
        return Some(told.to_owned());
    }
    let mut parts = told.splitn(3, ' ');
    let first: usize = parts.next()?.parse().ok()?;
    let last: usize = parts.next()?.parse().ok()?;
    let between = parts.next()?;
    let begin = later.get(..first)?;
    let rest = later.len().checked_sub(last).filter(|at| *at >= first)?;
    let end = later.get(rest..)?;
    Some([begin, between, end].concat())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(old: &str, new: &str, told: &str) {
        assert_eq!(back(old, new), told);
        assert_eq!(earlier(told, new).as_deref(), Some(old));
    }

    #[test]
    fn an_earlier_text_is_told_by_what_differs_and_comes_back() {
        check(r#"{"a":1,"b":2}"#, r#"{"a":17,"b":2}"#, "6 7 ");
        check(r#"{"a":17,"b":2}"#, r#"{"a":1,"b":2}"#, "6 7 7");
        check(r#"{"a":"x y"}"#, r#"{"a":"z"}"#, "6 2 x y");
        check("{}", "{}", "2 0 ");
        check("{}", r#"{"a":1}"#, "1 1 ");
        check("aaa", "aaaaa", "3 0 ");
        check("", "{}", "0 0 ");
        // letters whose bytes begin or end alike
        check("{ä}", "{ü}", "1 1 ä");
        check("{\u{e9}}", "{\u{129}}", "1 1 \u{e9}");
    }

    #[test]
    fn any_two_texts_are_told_by_one_another() {
        let texts = [
            "",
            "{}",
            "ä",
            "ää",
            "aä",
            "äa",
            "日本",
            "日木",
            "{\"x\":\"äöü\"}",
        ];
        for old in texts {
            for new in texts {
                check(old, new, &back(old, new));
            }
        }
    }

    #[test]
    fn a_text_that_was_kept_whole_is_itself_and_one_of_another_is_none() {
        assert_eq!(earlier("{}", "whatever").as_deref(), Some("{}"));
        for told in [
            "1",
            "1 1",
            "9 0 ",
            "0 9 ",
            "2 2 x",
            "1 0 x",
            "99999999999999999999 0 ",
        ] {
            assert_eq!(earlier(told, "äb"), None, "{told}");
        }
    }
}
