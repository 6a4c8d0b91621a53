//! How long a page is that has a form in its inputs which was refused or held up: known before the page is made, so that its
//! room can be asked for. It makes no page.

/// Bytes of the markup around an input, and of what holds its value meanwhile.
const INPUT_BYTES: usize = 128;
/// Bytes that are told of a value at most: it stands in an input besides.
const TOLD_BYTES_MAX: usize = 2 << 10;

/// Bytes of a page that has these inputs, and tells them, at most.
pub(super) fn page_bytes(fields: &[(String, String)]) -> usize {
    let inputs = fields.iter().map(|(name, value)| {
        let value = bytes_in_page(value);
        bytes_in_page(name) + value + value.min(TOLD_BYTES_MAX) + INPUT_BYTES
    });
    inputs.sum()
}

/// Bytes of a page that has a form in its inputs which another form carries along as this text.
pub(super) fn carried_page_bytes(text: &str) -> usize {
    let inputs = text.split('&').count();
    bytes_in_page(text) + inputs * INPUT_BYTES
}

/// Bytes that a text has at most within a page, as it is or as a part of an address: some characters become several.
fn bytes_in_page(text: &str) -> usize {
    let in_page = |byte: u8| -> usize {
        match byte {
            b'"' | b'&' | b'\'' | b'<' | b'>' => 5,
            byte if byte.is_ascii_alphanumeric() || b" -._*".contains(&byte) => 1,
            _ => 3,
        }
    };
    text.bytes().map(in_page).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use url::form_urlencoded::Serializer;

    #[test]
    fn what_a_form_takes_within_a_page_is_known_before_the_page_is_made() {
        for value in ["a b", "\"\"&<'>", "ä%\n+", ""] {
            let fields = [("name".to_owned(), value.to_owned())];
            let escaped = value
                .replace('&', "&#38;")
                .replace(['"', '<', '>', '\''], "&#34;");
            let text = Serializer::new(String::new())
                .extend_pairs(&fields)
                .finish();
            let bytes = page_bytes(&fields);
            assert!(bytes >= 2 * escaped.len() && bytes >= text.len(), "{value}");
            assert!(carried_page_bytes(&text) >= escaped.len(), "{value}");
        }
    }
}
