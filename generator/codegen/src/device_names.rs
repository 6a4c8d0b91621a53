//! Names that Windows keeps for devices, whatever the ending of a file that has one is. It looks at no file.

/// Whether a name, in small letters and without an ending, is a device's.
pub fn is_device(name: &str) -> bool {
    let port = name
        .strip_prefix("com")
        .or_else(|| name.strip_prefix("lpt"));
    let is_port = |number: &str| {
        let mut characters = number.chars();
        let digit = characters.next();
        let is_digit = digit.is_some_and(|it| it.is_ascii_digit() || "¹²³".contains(it));
        is_digit && characters.next().is_none()
    };
    matches!(name, "aux" | "con" | "nul" | "prn") || port.is_some_and(is_port)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn devices_are_four_and_ports_of_one_digit() {
        for name in ["con", "nul", "com1", "lpt9", "com0", "lpt²"] {
            assert!(is_device(name), "{name}");
        }
        for name in ["", "com", "com10", "coma", "con_", "lpt⁴", "console"] {
            assert!(!is_device(name), "{name}");
        }
    }
}
