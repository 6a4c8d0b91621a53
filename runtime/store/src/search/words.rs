//! Texts as searchable words: without case, accents and punctuation. What is stored and what is asked
//! for come through here alike, so that they always meet. It knows no query language and no index.

use sha2::{Digest as _, Sha256};
use unicode_normalization::UnicodeNormalization as _;
use unicode_normalization::char::is_combining_mark;

/// How many characters of a word count; what is behind them is not seen.
const WORD_CHARS_MAX: usize = 128;

/// The words of a text, in order. Scripts that are written without spaces give one word a character,
/// so that a part of a sentence is found as a phrase.
pub fn words(text: &str) -> Vec<String> {
    let mut out = String::new();
    write_words(text, &mut out);
    out.split_terminator(' ').map(str::to_owned).collect()
}

/// What the mark of a whole text begins with. No word of a text has it, so nobody asks for a mark by typing it.
const MARK: char = '≡';
/// What its letters are, each of five bits.
const MARK_LETTERS: [char; 32] = [
    'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k', 'l', 'm', 'n', 'o', 'p', 'q', 'r', 's',
    't', 'u', 'v', 'w', 'x', 'y', 'z', '2', '3', '4', '5', '6', '7',
];
/// How many of them it has. Only texts that end in the same words are told apart by these 35 bits: of a thousand of them, one
/// has the mark of another with a chance of 1 in 30 million. A longer mark would cost each value a byte a letter.
const MARK_LENGTH: usize = 7;

/// The words of a text and its mark, by which it is told from texts of the same words: they stand in a row in a value that
/// is this text, with its case, accents and signs.
pub fn whole_text(text: &str) -> Vec<String> {
    let mut words = words(text);
    let mut mark = String::new();
    write_mark(text, &mut mark);
    words.push(mark);
    words
}

/// Whether a word is the mark of a whole text.
pub fn is_mark(word: &str) -> bool {
    word.starts_with(MARK)
}

fn write_mark(text: &str, out: &mut String) {
    let digest = Sha256::digest(text.as_bytes());
    out.push(MARK);
    let letters = digest.iter().take(MARK_LENGTH);
    out.extend(letters.map(|byte| MARK_LETTERS[usize::from(byte % 32)]));
}

/// The words of a field's values. They stand in one text, which costs less than a text for each: a space
/// ends a word, and a line break a value.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FieldWords(String);

impl FieldWords {
    /// Adds the words of a value. One without words is no value.
    pub fn push(&mut self, value: &str) {
        let before = self.0.len();
        write_words(value, &mut self.0);
        if self.0.len() > before {
            self.0.push('\n');
        }
    }

    /// Adds the words of a value and, after them, its mark.
    pub fn push_marked(&mut self, value: &str) {
        write_words(value, &mut self.0);
        write_mark(value, &mut self.0);
        self.0.push_str(" \n");
    }

    /// Whether there is no word.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Writes each word with something before it and a space behind it; where there are several values, something stands
    /// behind each of them.
    pub fn write(&self, before: &str, behind_value: &str, out: &mut String) {
        let has_several = self.0.find('\n').is_some_and(|at| at + 1 < self.0.len());
        let mut start = 0;
        for (at, byte) in self.0.bytes().enumerate() {
            match byte {
                b' ' => {
                    out.push_str(before);
                    out.push_str(&self.0[start..=at]);
                }
                b'\n' if has_several => out.push_str(behind_value),
                b'\n' => {}
                _ => continue,
            }
            start = at + 1;
        }
    }

    /// The words of each value.
    pub fn values(&self) -> impl Iterator<Item = impl Iterator<Item = &str>> {
        let values = self.0.split_terminator('\n');
        values.map(|words| words.split_terminator(' '))
    }
}

/// Appends the words of a text, each with a space behind it.
fn write_words(text: &str, out: &mut String) {
    if text.is_ascii() {
        write_ascii_words(text, out);
        return;
    }
    let mut writer = Writer { out, chars: 0 };
    for c in text
        .chars()
        .nfkd()
        .filter(|c| !is_accent(*c))
        .flat_map(char::to_lowercase)
        // some capitals fall apart when they become small
        .nfkd()
        .filter(|c| !is_accent(*c))
        .nfc()
    {
        if is_word_of_its_own(c) {
            writer.end();
            writer.push(c);
            writer.end();
        } else if c.is_alphanumeric() || (is_combining_mark(c) && writer.chars > 0) {
            match folded(c) {
                Some(letters) => letters.chars().for_each(|c| writer.push(c)),
                None => writer.push(c),
            }
        } else {
            writer.end();
        }
    }
    writer.end();
}

/// The same for letters of ASCII alone, word by word.
fn write_ascii_words(text: &str, out: &mut String) {
    out.reserve(text.len() + 1);
    let mut start = 0;
    for (at, byte) in text.bytes().chain([b' ']).enumerate() {
        if byte.is_ascii_alphanumeric() {
            continue;
        }
        if at > start {
            let word = out.len();
            out.push_str(&text[start..at.min(start + WORD_CHARS_MAX)]);
            out[word..].make_ascii_lowercase();
            out.push(' ');
        }
        start = at + 1;
    }
}

/// Whether a text ends inside a word: only then can more of the word follow.
pub fn ends_in_word(text: &str) -> bool {
    text.chars()
        .next_back()
        .is_some_and(|c| c.is_alphanumeric() || is_combining_mark(c))
}

struct Writer<'o> {
    out: &'o mut String,
    /// How many characters the word under way has.
    chars: usize,
}

impl Writer<'_> {
    fn push(&mut self, c: char) {
        if self.chars < WORD_CHARS_MAX {
            self.out.push(c);
            self.chars += 1;
        }
    }

    fn end(&mut self) {
        if self.chars > 0 {
            self.out.push(' ');
            self.chars = 0;
        }
    }
}

/// Marks that readers take for the same letter: Latin, Greek and Cyrillic accents, Hebrew points, Arabic
/// vowel signs. Marks that make another letter (as in Indic scripts and kana) stay.
fn is_accent(c: char) -> bool {
    matches!(c,
        '\u{0300}'..='\u{036F}' | '\u{0483}'..='\u{0487}' | '\u{0591}'..='\u{05BD}' | '\u{05BF}'
        | '\u{05C1}' | '\u{05C2}' | '\u{05C4}' | '\u{05C5}' | '\u{05C7}' | '\u{0610}'..='\u{061A}'
        | '\u{0640}' | '\u{064B}'..='\u{065F}' | '\u{0670}' | '\u{1AB0}'..='\u{1AFF}'
        | '\u{1DC0}'..='\u{1DFF}' | '\u{20D0}'..='\u{20FF}' | '\u{FE20}'..='\u{FE2F}')
}

/// Letters with a stroke or tied together, which have no decomposition.
fn folded(c: char) -> Option<&'static str> {
    Some(match c {
        'ß' => "ss",
        'æ' => "ae",
        'œ' => "oe",
        'ø' => "o",
        'ł' => "l",
        'đ' | 'ð' => "d",
        'ħ' => "h",
        'ŧ' => "t",
        'þ' => "th",
        'ı' => "i",
        'ς' => "σ",
        _ => return None,
    })
}

/// Han, kana, and the scripts of South-East Asia that set no spaces between words.
fn is_word_of_its_own(c: char) -> bool {
    matches!(c,
        '\u{0E00}'..='\u{0EFF}' | '\u{1000}'..='\u{109F}' | '\u{1780}'..='\u{17FF}'
        | '\u{3005}'..='\u{3007}' | '\u{3040}'..='\u{30FF}' | '\u{31F0}'..='\u{31FF}'
        | '\u{3400}'..='\u{4DBF}' | '\u{4E00}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}'
        | '\u{20000}'..='\u{3FFFF}')
        && (c.is_alphanumeric() || is_combining_mark(c))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        assert_eq!(words(text), expected, "{text}");
    }

    #[test]
    fn case_accents_and_punctuation_do_not_count() {
        check("Hello, WORLD!", &["hello", "world"]);
        check(
            "Zürich ZÜRICH zu\u{308}rich",
            &["zurich", "zurich", "zurich"],
        );
        check("Straße STRASSE", &["strasse", "strasse"]);
        check("Łódź Ærø Đà Nẵng", &["lodz", "aero", "da", "nang"]);
        check("ΟΔΥΣΣΕΥΣ Οδυσσεύς", &["οδυσσευσ", "οδυσσευσ"]);
        check("İstanbul ISTANBUL", &["istanbul", "istanbul"]);
        check("ﬁne ① ½", &["fine", "1", "1", "2"]);
        check("Ёлка Й", &["елка", "и"]);
        check("", &[]);
        check(" -- ¿? ☃", &[]);
    }

    #[test]
    fn numbers_addresses_and_codes_fall_into_their_parts() {
        check("-1.50", &["1", "50"]);
        check("ada@example.org", &["ada", "example", "org"]);
        check("AB-12_c", &["ab", "12", "c"]);
    }

    #[test]
    fn scripts_without_spaces_give_a_word_a_character() {
        check("東京都 Tokyo", &["東", "京", "都", "tokyo"]);
        check("がく", &["が", "く"]);
        check("서울 서울", &["서울", "서울"]);
        check("नमस्ते", &["नमस्ते"]);
    }

    #[test]
    fn a_word_beyond_the_limit_is_cut_alike_everywhere() {
        let long = "x".repeat(1000);
        assert_eq!(words(&long), words(&format!("{long}yz")));
        assert_eq!(
            words(&format!("ä{long}"))[0].chars().count(),
            WORD_CHARS_MAX
        );
    }

    #[test]
    fn values_keep_their_words_apart_and_those_without_words_are_none() {
        let mut field = FieldWords::default();
        field.push("--");
        assert!(field.is_empty());
        for value in ["Große Stadt\nam Fluss", "", "東京", "1.5"] {
            field.push(value);
        }
        let values: Vec<Vec<&str>> = field.values().map(Iterator::collect).collect();
        let expected: [&[&str]; 3] = [
            &["grosse", "stadt", "am", "fluss"],
            &["東", "京"],
            &["1", "5"],
        ];
        assert_eq!(values, expected);
        let mut written = String::new();
        field.write("7_", "| ", &mut written);
        assert_eq!(
            written,
            "7_grosse 7_stadt 7_am 7_fluss | 7_東 7_京 | 7_1 7_5 | "
        );
        let mut one = FieldWords::default();
        one.push("Große Stadt");
        written.clear();
        one.write("7_", "| ", &mut written);
        assert_eq!(written, "7_grosse 7_stadt ");
    }

    #[test]
    fn the_mark_of_a_text_stands_after_its_words_and_tells_case_accents_and_signs_apart() {
        let mut field = FieldWords::default();
        field.push_marked("Große Stadt");
        field.push_marked("★★★");
        let values: Vec<Vec<&str>> = field.values().map(Iterator::collect).collect();
        let whole = ["Große Stadt", "★★★"].map(whole_text);
        assert_eq!(values, whole);
        assert_eq!(whole[0][..2], ["grosse", "stadt"]);
        let texts = ["A", "A+", "A-", "a", "Ä", " A", "A ", "", "+"];
        let all: std::collections::BTreeSet<_> = texts.map(whole_text).into();
        assert_eq!(all.len(), texts.len());
        assert!(
            all.iter()
                .flatten()
                .all(|word| !is_mark(word) || word.chars().count() == 8)
        );
    }

    proptest! {
        #[test]
        fn no_text_has_a_mark_among_its_words(text in "\\PC{0,40}", other in "\\PC{0,40}") {
            let typed = text + &whole_text(&other).concat();
            prop_assert!(!words(&typed).iter().any(|word| is_mark(word)));
        }

        #[test]
        fn words_hold_letters_digits_and_marks_only_and_are_their_own_words(text in "\\PC{0,40}") {
            for word in words(&text) {
                prop_assert!(!word.is_empty());
                prop_assert!(word.chars().all(|c| c.is_alphanumeric() || is_combining_mark(c)), "{word:?}");
            }
        }

        #[test]
        fn case_makes_no_difference(text in "[a-zA-ZäöüÄÖÜéÉñÑßøØœŒ0-9 .,-]{0,40}") {
            prop_assert_eq!(words(&text.to_uppercase()), words(&text));
            prop_assert_eq!(words(&text.to_lowercase()), words(&text));
        }

        #[test]
        fn composed_and_decomposed_texts_are_the_same(text in "\\PC{0,40}") {
            let (composed, decomposed): (String, String) = (text.nfc().collect(), text.nfd().collect());
            prop_assert_eq!(words(&composed), words(&decomposed));
        }
    }
}
