//! Names that are alike: the same but for case and punctuation, or nearly so. It decides nothing.

/// How alike a proposed name is at least, from 0 to 1.
const LIKENESS_MIN: f64 = 0.75;

/// The name that is most like this one, if any is.
pub(crate) fn nearest<'n>(name: &str, names: impl Iterator<Item = &'n str>) -> Option<String> {
    let plain = plain(name);
    let alike = names.map(|other| (likeness(&plain, &self::plain(other)), other));
    // of equals the first
    let best = alike.reduce(|best, next| if next.0 > best.0 { next } else { best });
    let (likeness, nearest) = best?;
    (likeness >= LIKENESS_MIN).then(|| nearest.to_owned())
}

/// How alike two plain names are, from 0 to 1: by their beginnings, which abbreviations share, or by how many letters
/// would have to change.
fn likeness(one: &str, other: &str) -> f64 {
    if one.is_empty() || other.is_empty() {
        return 0.0;
    }
    let by_letters = strsim::normalized_damerau_levenshtein(one, other);
    strsim::jaro_winkler(one, other).max(by_letters)
}

/// A folded name as it would be written without umlauts.
fn plain(name: &str) -> String {
    let mut out = String::new();
    for letter in fold(name).chars() {
        match letter {
            'ä' => out.push_str("ae"),
            'ö' => out.push_str("oe"),
            'ü' => out.push_str("ue"),
            'ß' => out.push_str("ss"),
            _ => out.push(letter),
        }
    }
    out
}

/// A name without case and punctuation.
pub(crate) fn fold(name: &str) -> String {
    let letters = name.chars().filter(|letter| letter.is_alphanumeric());
    letters.flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn likeness_passes_over_case_space_and_umlauts() {
        for (name, near) in [
            ("GROESSE", Some("Größe")),
            ("grosse", Some("Größe")),
            ("Strasse 1", Some("Straße")),
            ("Kundennr.", Some("Kundennummer")),
            ("", None),
            ("???", None),
        ] {
            let names = ["Größe", "Straße", "Kundennummer", "--"];
            assert_eq!(nearest(name, names.into_iter()).as_deref(), near, "{name}");
        }
    }
}
