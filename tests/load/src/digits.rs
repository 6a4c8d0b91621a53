//! Whole numbers as people read them. It rounds, and knows no unit.

use std::fmt::Display;

/// A whole number with a comma before each three digits.
pub(crate) fn grouped(number: impl Display) -> String {
    let digits = format!("{number:.0}");
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_numbers_are_grouped() {
        let numbers = [0.0, 999.4, 1000.0, 1_234_567.0].map(grouped);
        assert_eq!(numbers, ["0", "999", "1,000", "1,234,567"]);
        assert_eq!(grouped(100_000_u64), "100,000");
    }
}
