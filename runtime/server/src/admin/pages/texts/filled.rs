//! What is filled into a text: numbers, names and the like, where the text has `{}`. Texts of other floors, whose values have kinds
//! of their own, are filled in by `coded.rs`.

/// A text with what stands for each `{}`, in their order.
pub(in crate::admin::pages) fn filled(text: &str, with: &[&str]) -> String {
    let mut parts = text.split("{}");
    let mut out = parts.next().unwrap_or_default().to_owned();
    for (index, part) in parts.enumerate() {
        out.push_str(with.get(index).copied().unwrap_or_default());
        out.push_str(part);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::filled;

    #[test]
    fn what_is_filled_in_stands_in_order_and_is_not_read_again() {
        assert_eq!(filled("from {} to {}", &["{}", "9"]), "from {} to 9");
        assert_eq!(filled("plain", &["9"]), "plain");
    }
}
