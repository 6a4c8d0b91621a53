//! Texts whose patterns have `{}` for what is filled in, read back. It knows no pattern.

/// What stands in a text where its pattern has `{}`; none where it is a text of another one.
pub fn values_within<'t>(pattern: &str, text: &'t str) -> Option<Vec<&'t str>> {
    let mut parts = pattern.split("{}");
    let mut rest = text.strip_prefix(parts.next()?)?;
    let mut values = Vec::new();
    let mut parts = parts.peekable();
    while let Some(part) = parts.next() {
        let at = match parts.peek() {
            Some(_) => rest.find(part)?,
            None => rest.strip_suffix(part)?.len(),
        };
        values.push(&rest[..at]);
        rest = &rest[at + part.len()..];
    }
    rest.is_empty().then_some(values)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_known_by_what_stands_around_its_values() {
        let values = |pattern: &str, text: &'static str| values_within(pattern, text);
        assert_eq!(values("a {} b {} c", "a 1 b 2 c").unwrap(), ["1", "2"]);
        assert_eq!(values("{} is", "it is").unwrap(), ["it"]);
        assert_eq!(values("as it is", "as it is").unwrap(), [""; 0]);
        for (pattern, other) in [("a {} b", "a 1 c"), ("a", "ab"), ("a {}", "b 1")] {
            assert_eq!(values(pattern, other), None, "{pattern} {other}");
        }
    }
}
