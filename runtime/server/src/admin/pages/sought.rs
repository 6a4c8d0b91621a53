//! The words of a query in the texts that it found: where they stand, so that they are marked, and of a long text the part around
//! the first of them. Which words of a query are looked for, the service says.

use service::search::{SoughtWord, sought, words};
use std::ops::Range;

/// Places that are marked in a text, at most: a long one may have a word in every sentence.
const MARKS_MAX: usize = 3;
/// Characters of the part that is around a word, and of those before it.
const AROUND_CHARS: usize = 80;
const BEFORE_CHARS: usize = 20;

/// A piece of a text, and whether it is a word that was looked for.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Piece {
    pub(super) text: String,
    pub(super) is_found: bool,
}

/// The words that are looked for, without case and accents.
pub(super) struct Sought {
    words: Vec<SoughtWord>,
}

impl Sought {
    /// Those of a query.
    pub(super) fn of(query: &str) -> Self {
        Sought {
            words: sought(query),
        }
    }

    /// Whether there are none.
    pub(super) fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// Whether a text has one of them.
    pub(super) fn is_in(&self, text: &str) -> bool {
        self.places(text).next().is_some()
    }

    /// A text with the first of them marked.
    pub(super) fn pieces(&self, text: &str) -> Vec<Piece> {
        let (mut pieces, mut from) = (Vec::new(), 0);
        let mut add = |text: &str, is_found| {
            if !text.is_empty() {
                let text = text.to_owned();
                pieces.push(Piece { text, is_found });
            }
        };
        for place in self.places(text).take(MARKS_MAX) {
            add(&text[from..place.start], false);
            add(&text[place.clone()], true);
            from = place.end;
        }
        add(&text[from..], false);
        pieces
    }

    /// The part of a text around the first of them; nothing where it has none.
    pub(super) fn around(&self, text: &str) -> Option<Vec<Piece>> {
        let first = self.places(text).next()?;
        let before = text[..first.start].char_indices().rev();
        let begin = before
            .take(BEFORE_CHARS)
            .last()
            .map_or(first.start, |(at, _)| at);
        let end = text[begin..].char_indices().nth(AROUND_CHARS);
        let end = end.map_or(text.len(), |(at, _)| begin + at);
        let signs = [begin > 0, end < text.len()].map(|is_cut| if is_cut { "…" } else { "" });
        let part = format!("{}{}{}", signs[0], &text[begin..end], signs[1]);
        Some(self.pieces(&part))
    }

    /// Where a text has them.
    fn places(&self, text: &str) -> impl Iterator<Item = Range<usize>> {
        let own = if self.is_empty() { "" } else { text };
        words_in(own).filter(move |place| {
            let there = words(&text[place.clone()]);
            there.iter().any(|there| self.is_sought(there))
        })
    }

    fn is_sought(&self, there: &str) -> bool {
        self.words.iter().any(|word| {
            if word.is_begun {
                there.starts_with(&word.text)
            } else {
                there == word.text
            }
        })
    }
}

/// Where the words of a text stand.
fn words_in(text: &str) -> impl Iterator<Item = Range<usize>> {
    let mut from = 0;
    std::iter::from_fn(move || {
        let rest = &text[from..];
        let begin = from + rest.find(char::is_alphanumeric)?;
        let behind = &text[begin..];
        let length = behind.find(|sign: char| !is_of_word(sign));
        let end = begin + length.unwrap_or(behind.len());
        from = end;
        Some(begin..end)
    })
}

/// Whether a sign stands within a word: an accent may stand behind its letter.
fn is_of_word(sign: char) -> bool {
    sign.is_alphanumeric() || ('\u{300}'..='\u{36f}').contains(&sign)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A text in which what is found stands in brackets.
    fn told(pieces: Vec<Piece>) -> String {
        let told = pieces.into_iter().map(|piece| {
            if piece.is_found {
                format!("[{}]", piece.text)
            } else {
                piece.text
            }
        });
        told.collect()
    }

    #[test]
    fn words_of_a_query_are_marked_whole_without_case_and_accents() {
        for (query, text, marked) in [
            ("munich", "Munich Airport", "[Munich] Airport"),
            ("munchen", "aus München, Bayern", "aus [München], Bayern"),
            ("mun", "Munich", "Munich"),
            ("mun*", "Munich", "[Munich]"),
            ("City:munich", "Munich City", "[Munich] City"),
            ("\"main street\"", "1 Main Street", "1 [Main] [Street]"),
            ("a OR (b NOT c)", "a or b", "[a] or [b]"),
            ("is:faulty", "faulty", "faulty"),
            ("fault:Phone/type", "Phone type", "Phone type"),
            (
                "\"Main Street\":munich",
                "Main Street, Munich",
                "Main Street, [Munich]",
            ),
            (
                "fault:\"Phone Number\"/type",
                "Phone Number",
                "Phone Number",
            ),
            ("12:30", "12:30", "[12]:[30]"),
            ("munich NOT airport", "Munich Airport", "[Munich] Airport"),
            ("Phone:none", "none", "none"),
            ("x", "x x x x", "[x] [x] [x] x"),
            ("", "a", "a"),
        ] {
            assert_eq!(told(Sought::of(query).pieces(text)), marked, "{query}");
        }
        assert!(Sought::of("is:faulty").is_empty() && !Sought::of("a").is_empty());
        assert!(!Sought::of("").is_in("a") && Sought::of("a").is_in("b a"));
    }

    #[test]
    fn of_a_long_text_the_part_around_the_first_word_is_shown() {
        let text = format!("{} Custer {}", "ä".repeat(30), "b ".repeat(60));
        let around = told(Sought::of("cust*").around(&text).unwrap());
        assert!(around.starts_with("…ää") && around.contains(" [Custer] b "));
        assert!(around.ends_with('…'), "{around}");
        assert_eq!(around.chars().count(), AROUND_CHARS + 4);
        let short = Sought::of("b").around("a b c").map(told);
        assert_eq!(short.as_deref(), Some("a [b] c"));
        assert_eq!(Sought::of("d").around("a b c"), None);
    }
}
