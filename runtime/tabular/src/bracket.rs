//! What a text is by its first sign: a bracket begins JSON, or stands around the name of a column. A guess, which can be
//! overruled by saying what it is.

use crate::format::Format;

/// JSON begins with a bracket, unless that stands around a name, as in `[Customer No],[Name]`. Where something was said that
/// cells alone have, it does only if a row of JSON, or nothing, may come behind it.
pub(crate) fn format_of(sample: &[u8], says_cells: bool) -> Format {
    let (format, end) = match sample.trim_ascii_start() {
        [b'{', ..] => (Format::Ndjson, b'}'),
        [b'[', ..] => (Format::JsonArray, b']'),
        _ => return Format::Csv,
    };
    let within = sample.trim_ascii_start()[1..].trim_ascii_start();
    let begins_no_row = |first: &u8| !b"{}[]\"'".contains(first);
    let is_of_cells = says_cells && within.first().is_some_and(begins_no_row);
    if is_of_cells || begins_as_name(within, end) {
        Format::Csv
    } else {
        format
    }
}

/// Whether a name stands before the bracket that ends it: what has no sign of JSON, and is no value of it.
fn begins_as_name(text: &[u8], end: u8) -> bool {
    let is_sign = |byte: &u8| b"{}[],:\"\r\n".contains(byte);
    let sign = text.iter().position(is_sign);
    let Some(sign) = sign.filter(|at| text[*at] == end) else {
        return false;
    };
    let name = text[..sign].trim_ascii_end();
    let begins_value = |first: &u8| first.is_ascii_digit() || matches!(first, b'-' | b'\'');
    let is_value = name.first().is_none_or(begins_value);
    !is_value && !matches!(name, b"true" | b"false" | b"null")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bracket_is_of_json_unless_it_stands_around_a_name() {
        for (text, format) in [
            ("[Customer No],[Name]\nB1,x\n", Format::Csv),
            (" [ Größe ];[b]\n", Format::Csv),
            ("[kg] weight\tName\n", Format::Csv),
            ("{id},{name}\n1,x\n", Format::Csv),
            ("[nullable]|[b]\n", Format::Csv),
            ("[{\"a\":1},", Format::JsonArray),
            ("[ ]", Format::JsonArray),
            ("[\n", Format::JsonArray),
            ("[[Name]]", Format::JsonArray),
            ("['a']", Format::JsonArray),
            ("[},2]", Format::JsonArray),
            ("[1]", Format::JsonArray),
            ("[-1]", Format::JsonArray),
            ("[null]", Format::JsonArray),
            ("[true, false]", Format::JsonArray),
            ("[a, b]", Format::JsonArray),
            ("[Name", Format::JsonArray),
            ("{}\n", Format::Ndjson),
            ("{\"a\":1}\n", Format::Ndjson),
            ("{'a': 1}\n", Format::Ndjson),
            ("{a: 1}\n", Format::Ndjson),
            ("{a\n", Format::Ndjson),
        ] {
            assert_eq!(format_of(text.as_bytes(), false), format, "{text:?}");
        }
    }

    #[test]
    fn a_bracket_is_of_json_whatever_is_said_of_cells_only_where_a_row_may_follow() {
        for (text, format) in [
            ("[1st],[2nd]\n", Format::Csv),
            ("[Name, first],[Name, last]\n", Format::Csv),
            ("{a: b};c\n", Format::Csv),
            ("[{\"a\":1}]", Format::JsonArray),
            ("[\n", Format::JsonArray),
            ("[]", Format::JsonArray),
            ("{\"a\":1}\n", Format::Ndjson),
            ("{}\n", Format::Ndjson),
        ] {
            assert_eq!(format_of(text.as_bytes(), true), format, "{text:?}");
        }
    }
}
