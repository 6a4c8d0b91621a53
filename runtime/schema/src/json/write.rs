//! Canonical JSON text: no white space, strings escaped minimally (as `serde_json` does it), number
//! tokens as they were. Appends to a `String`, never to a stream.

use super::scan::Scanner;
use super::text::Text;

/// Appends `text` as a JSON string, quotes included.
pub fn write_string(out: &mut String, text: &str) {
    out.push('"');
    let bytes = text.as_bytes();
    let mut start = 0;
    for (at, byte) in bytes.iter().enumerate() {
        let escape = match byte {
            b'"' => "\\\"",
            b'\\' => "\\\\",
            8 => "\\b",
            12 => "\\f",
            b'\n' => "\\n",
            b'\r' => "\\r",
            b'\t' => "\\t",
            0..=0x1F => "",
            _ => continue,
        };
        out.push_str(&text[start..at]);
        start = at + 1;
        if escape.is_empty() {
            out.push_str("\\u00");
            out.push(if byte >> 4 == 0 { '0' } else { '1' });
            out.push(char::from(b"0123456789abcdef"[usize::from(byte & 15)]));
        } else {
            out.push_str(escape);
        }
    }
    out.push_str(&text[start..]);
    out.push('"');
}

/// Appends a string that was read: copied where it has no escapes, written anew where it has.
#[inline]
pub fn write_text(out: &mut String, text: Text<'_>) {
    if text.escaped {
        write_string(out, &text.decode());
    } else {
        out.push('"');
        out.push_str(text.raw);
        out.push('"');
    }
}

/// Appends the well-formed JSON text `raw` without white space and with canonical strings.
pub fn compact(out: &mut String, raw: &str) {
    let mut scanner = Scanner::new(raw);
    let mut kept = 0;
    while let Some(byte) = scanner.peek() {
        let at = scanner.offset();
        match byte {
            b'"' => {
                out.push_str(scanner.slice(kept, at));
                if let Ok(text) = scanner.string() {
                    write_text(out, text);
                    kept = scanner.offset();
                } else {
                    kept = at;
                    break;
                }
            }
            b' ' | b'\n' | b'\t' | b'\r' => {
                out.push_str(scanner.slice(kept, at));
                scanner.skip_space();
                kept = scanner.offset();
            }
            _ => {
                scanner.take(byte);
            }
        }
    }
    out.push_str(&raw[kept..]);
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn compact_text_keeps_number_tokens_and_loses_only_space() {
        let mut out = String::new();
        compact(&mut out, "{ \"a\" : [ 1.50 , 1e+9,\"\\u0041 b\" ] }");
        assert_eq!(out, r#"{"a":[1.50,1e+9,"A b"]}"#);
    }

    proptest! {
        #[test]
        fn strings_are_written_as_serde_json_writes_them(text in any::<String>()) {
            let mut out = String::new();
            write_string(&mut out, &text);
            prop_assert_eq!(out, serde_json::to_string(&text).unwrap());
        }
    }
}
