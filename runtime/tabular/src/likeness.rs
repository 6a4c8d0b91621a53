//! Names that are alike: the same but for case and punctuation, a slip of a letter, or a name and its abbreviation. It
//! decides nothing.

use unicode_normalization::UnicodeNormalization as _;

/// Letters that a name and its abbreviation begin with alike, at least.
const BEGINNING_MIN: usize = 3;
/// Letters of a name in which one may be another.
const SLIP_LENGTH_MIN: usize = 4;
/// One letter of so many may be another in longer names.
const LETTERS_PER_SLIP: usize = 5;
/// How names say that they are numbers, in English and German; the last one stands for all.
const NUMBERS: [&str; 5] = ["number", "nummer", "num", "nr", "no"];

/// The name that is most like this one, if any is.
pub(crate) fn nearest<'n>(name: &str, names: impl Iterator<Item = &'n str>) -> Option<String> {
    let plain = plain(name);
    let pairs = names.map(|other| (self::plain(other), other));
    let alike = pairs.filter(|(other, _)| is_alike(&plain, other));
    let alike = alike.map(|(own, other)| (likeness(&plain, &own), other));
    // of equals the first
    let best = alike.reduce(|best, next| if next.0 > best.0 { next } else { best });
    best.map(|(_, nearest)| nearest.to_owned())
}

/// Whether two plain names are alike at all.
fn is_alike(one: &str, other: &str) -> bool {
    let (one, other) = (with_one_number(one), with_one_number(other));
    if one.is_empty() || other.is_empty() || says_other_digits(&one, &other) {
        return false;
    }
    one == other || is_slip(&one, &other) || abbreviates(&one, &other) || abbreviates(&other, &one)
}

/// A name that ends with a word for numbers, with the same word for all of them.
fn with_one_number(plain: &str) -> String {
    let same = NUMBERS[NUMBERS.len() - 1];
    let rest = NUMBERS.iter().find_map(|word| plain.strip_suffix(word));
    rest.map_or_else(|| plain.to_owned(), |rest| format!("{rest}{same}"))
}

/// Whether both have digits, and not the same ones: the second line of an address is not like the first one.
fn says_other_digits(one: &str, other: &str) -> bool {
    let digits = |name: &str| -> String { name.chars().filter(char::is_ascii_digit).collect() };
    let (one, other) = (digits(one), digits(other));
    !one.is_empty() && !other.is_empty() && one != other
}

/// Whether so few letters differ that it can be a slip; another first letter makes another word.
fn is_slip(one: &str, other: &str) -> bool {
    let begins_alike = one.chars().next() == other.chars().next();
    if !begins_alike && !one.ends_with(other) && !other.ends_with(one) {
        return false;
    }
    let longer = one.chars().count().max(other.chars().count());
    let slips_max = if longer < SLIP_LENGTH_MIN {
        0
    } else {
        (longer / LETTERS_PER_SLIP).max(1)
    };
    strsim::damerau_levenshtein(one, other) <= slips_max
}

/// Whether a name can stand for a longer one: both begin alike, and its other letters follow there in their order.
fn abbreviates(short: &str, long: &str) -> bool {
    let (of_short, of_long) = (short.chars(), long.chars());
    let alike = of_short
        .zip(of_long)
        .take_while(|(one, other)| one == other);
    let mut rest = long.chars();
    alike.count() >= BEGINNING_MIN && short.chars().all(|letter| rest.any(|it| it == letter))
}

/// How alike two plain names are, from 0 to 1: by their beginnings, which abbreviations share, or by how many letters
/// would have to change.
fn likeness(one: &str, other: &str) -> f64 {
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

/// A name without case and punctuation, in which a letter and its mark are one: some programs write `ü` as two characters.
pub(crate) fn fold(name: &str) -> String {
    let letters = name.nfc().filter(|letter| letter.is_alphanumeric());
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
            ("Gro\u{308}sse", Some("Größe")),
            ("Strasse 1", Some("Straße")),
            ("Kundennr.", Some("Kundennummer")),
            ("", None),
            ("???", None),
        ] {
            let names = ["Größe", "Straße", "Kundennummer", "--"];
            assert_eq!(nearest(name, names.into_iter()).as_deref(), near, "{name}");
        }
    }

    fn are_near(one: &str, other: &str) -> bool {
        nearest(one, [other].into_iter()).is_some() && nearest(other, [one].into_iter()).is_some()
    }

    #[test]
    fn slips_and_abbreviations_are_alike() {
        for (one, other) in [
            ("Nome", "Name"),
            ("Nmae", "Name"),
            ("Colour", "Color"),
            ("Adress", "Address"),
            ("E-Mail", "Mail"),
            ("Autor", "Author"),
            ("Peoples", "People"),
            ("Name 2", "Name"),
            ("Tel.", "Telefon"),
            ("Str.", "Straße"),
            ("Bez.", "Bezeichnung"),
            ("Phone", "Phone number"),
            ("Cust. No", "Customer No"),
            ("Customer Num", "Customer No"),
            ("Customer Number", "Customer No"),
            ("Kundennr", "Kundennummer"),
            ("Kunden-Nr.", "Kundennummer"),
            ("Geburtsdat.", "Geburtsdatum"),
            ("Nr.", "Nummer"),
        ] {
            assert!(are_near(one, other), "{one} {other}");
        }
    }

    #[test]
    fn names_of_other_things_are_not_alike() {
        for (one, other) in [
            ("Shoe", "Phone"),
            ("Height", "Weight"),
            ("Rate", "Date"),
            ("Mode", "Code"),
            ("Customer Name", "Customer No"),
            ("First name", "Last name"),
            ("Valid from", "Valid to"),
            ("Street 1", "Street 2"),
            ("Colour", "Name"),
            ("Id", "Ip"),
            ("Preis", "Kreis"),
            ("Ort", "Art"),
            ("Vorname", "Nachname"),
            ("Telefon", "Telefax"),
            ("Gültig ab", "Gültig bis"),
            ("Menge", "Länge"),
            ("Breite", "Weite"),
            ("Kundennr", "Customer No"),
            ("Straße", "Stadt"),
        ] {
            assert!(!are_near(one, other), "{one} {other}");
        }
    }

    #[test]
    fn of_names_that_are_alike_the_nearest_one_is_told() {
        let names = ["Customer Name", "Customer No", "Customer Note"];
        let near = nearest("Customer Nr", names.into_iter());
        assert_eq!(near.as_deref(), Some("Customer No"));
    }
}
