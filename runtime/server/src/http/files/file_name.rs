//! The name that a part of a form gives its file. `filename*=UTF-8''Gr%C3%BC%C3%9Fe.txt` goes before `filename`, where it
//! can be read (RFC 6266 and RFC 8187): who sends both has the second for readers that don't know the first. In
//! `filename` a quote and the ends of lines are `%22`, `%0D` and `%0A`, as browsers write them.

use axum::http::header::CONTENT_DISPOSITION;
use percent_encoding::percent_decode_str;

/// The name of a part's file; empty where it has none.
pub(crate) fn file_name(part: &multer::Field<'_>) -> String {
    // the reader of forms looks for `filename` alone, and no further than an extended name before it
    let disposition = part.headers().get(CONTENT_DISPOSITION);
    let text = disposition.and_then(|value| std::str::from_utf8(value.as_bytes()).ok());
    name_in(text.unwrap_or_default())
}

fn name_in(disposition: &str) -> String {
    let parameters = parameters(disposition);
    let values = |wanted: &'static str| {
        parameters.iter().filter_map(move |parameter| {
            let (name, value) = parameter.split_once('=')?;
            let is_wanted = name.trim().eq_ignore_ascii_case(wanted);
            is_wanted.then_some(value.trim())
        })
    };
    let extended = values("filename*").find_map(extended);
    extended.unwrap_or_else(|| values("filename").next().map(plain).unwrap_or_default())
}

/// A name in quotes or without, as browsers write it.
fn plain(value: &str) -> String {
    let name = match value.strip_prefix('"') {
        Some(rest) => rest.strip_suffix('"').unwrap_or(rest).replace("\\\"", "\""),
        None => value.split(' ').next().unwrap_or(value).to_owned(),
    };
    let name = name.replace("%22", "\"");
    name.replace("%0D", "\r").replace("%0A", "\n")
}

/// The parts between semicolons that do not stand within quotes.
fn parameters(text: &str) -> Vec<&str> {
    let (mut is_quoted, mut is_escaped) = (false, false);
    let parts = text.split(|c: char| {
        let ends = c == ';' && !is_quoted;
        is_quoted ^= c == '"' && !is_escaped;
        is_escaped = is_quoted && c == '\\' && !is_escaped;
        ends
    });
    parts.collect()
}

/// A name behind its coding and language: `UTF-8'en'%E2%82%AC`.
fn extended(value: &str) -> Option<String> {
    let (coding, rest) = value.split_once('\'')?;
    let (_, name) = rest.split_once('\'')?;
    if name.is_empty() || !coding.eq_ignore_ascii_case("utf-8") || !is_encoded(name) {
        return None;
    }
    let name = percent_decode_str(name).decode_utf8().ok()?;
    Some(name.into_owned())
}

/// Whether it has nothing but what stands for itself and bytes behind percent signs.
fn is_encoded(name: &str) -> bool {
    let mut pieces = name.split('%');
    let is_plain = |text: &str| {
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$&+-.^_`|~".contains(&byte);
        text.bytes().all(plain)
    };
    let first = pieces.next().unwrap_or_default();
    is_plain(first)
        && pieces.all(|piece| {
            let byte = piece.split_at_checked(2);
            byte.is_some_and(|(digits, rest)| {
                digits.bytes().all(|digit| digit.is_ascii_hexdigit()) && is_plain(rest)
            })
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_extended_name_is_the_one_that_can_be_read() {
        let check = |disposition: &str, expected: &str| {
            assert_eq!(name_in(disposition), expected, "{disposition}");
        };
        check("form-data; filename*=UTF-8''%e2%82%ac.txt", "€.txt");
        check(
            "form-data; name=\"file\"; filename=\"a.txt\"; FileName* = utf-8'de'Gr%C3%BC%C3%9Fe.pdf",
            "Grüße.pdf",
        );
        check("form-data; filename*=UTF-8''b; filename=\"a\"", "b");
        // what stands within quotes is no parameter
        let within = "; filename*=UTF-8''b";
        check(&format!("form-data; filename=\"{within}\""), within);
        check(
            "form-data; filename=\"a\\\"; filename*=UTF-8''b\"",
            "a\"; filename*=UTF-8''b",
        );
        check("form-data; filename=\"\\\\\"; filename*=UTF-8''b", "b");
        for unreadable in [
            "b.txt",
            "UTF-8'b.txt",
            "UTF-8''",
            "UTF-8''b c",
            "UTF-8''%E2%82",
            "UTF-8''%4",
            "UTF-8''%+41",
            "UTF-8''€",
            "latin-1''%FC",
            "\"UTF-8''b\"",
        ] {
            let before = format!("form-data; filename*={unreadable}; filename=\"a\"");
            check(&before, "a");
        }
        check("form-data; filename*=UTF-8''%FF; filename*=UTF-8''b", "b");
    }

    #[test]
    fn a_plain_name_is_read_as_browsers_write_it() {
        for (value, meant) in [
            ("\"a %22b%22.txt\"", "a \"b\".txt"),
            ("\"a%0D%0Ab\"", "a\r\nb"),
            ("\"a\\\"b; c\"", "a\"b; c"),
            ("\"100%25 %2f %zz\"", "100%25 %2f %zz"),
            ("\"=?utf-8?B?R3LDtg==?=\"", "=?utf-8?B?R3LDtg==?="),
            ("a.txt", "a.txt"),
            ("\"\"", ""),
        ] {
            let found = name_in(&format!("form-data; name=\"file\"; filename={value}"));
            assert_eq!(found, meant, "{value}");
        }
        assert_eq!(name_in("form-data; name=\"filename=x\""), "");
    }
}
