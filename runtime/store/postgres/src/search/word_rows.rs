//! The words of a record as rows: what is looked up of them, and as they stand. A row has as many as PostgreSQL takes in one,
//! most often all.

use super::condition::lexeme;
use std::collections::{BTreeSet, VecDeque};
use std::sync::Arc;
use store::search::FieldWords;

/// Bytes of different words that are looked up in a row; PostgreSQL takes 1 MB. Of a field that has more, there are several.
const LEXEME_BYTES_MAX: usize = 900_000;
/// Bytes of words that such a row has in common with the one before, so that each phrase is whole in one of them: a query has
/// some thousand characters, and no character has words of more than 40 bytes.
const PHRASE_BYTES_MAX: usize = 100_000;
/// What stands between the texts of two fields; no word has it.
pub(super) const BETWEEN: &str = "\n\n";

/// Rows of a record's words.
#[derive(Default)]
pub(super) struct WordRows {
    pub(super) datasets: Vec<i64>,
    pub(super) sequences: Vec<i64>,
    pub(super) parts: Vec<i64>,
    pub(super) fields: Vec<String>,
    pub(super) words: Vec<String>,
    pub(super) lexemes: Vec<String>,
}

impl WordRows {
    /// Adds the words of a record: as few rows as take what is looked up of them.
    pub(super) fn push(&mut self, place: (i64, i64), fields: &[(Arc<str>, FieldWords)]) {
        let (mut part, mut row) = (0, WordRow::default());
        for (field, words) in fields {
            for piece in pieces(place.0, words) {
                if row.bytes > 0 && row.bytes + piece.bytes > LEXEME_BYTES_MAX {
                    self.push_row((place, part), std::mem::take(&mut row));
                    part += 1;
                }
                row.add(field, piece);
            }
        }
        if row.bytes > 0 {
            self.push_row((place, part), row);
        }
    }

    fn push_row(&mut self, (place, part): ((i64, i64), i64), row: WordRow<'_>) {
        self.datasets.push(place.0);
        self.sequences.push(place.1);
        self.parts.push(part);
        self.lexemes.push(lexemes(place.0, &row.different));
        self.fields.push(row.fields);
        self.words.push(row.text);
    }
}

/// What of a record stands in one row.
#[derive(Default)]
struct WordRow<'a> {
    fields: String,
    text: String,
    different: BTreeSet<&'a str>,
    /// Bytes of what is looked up, at most.
    bytes: usize,
}

impl<'a> WordRow<'a> {
    fn add(&mut self, field: &str, piece: Piece<'a>) {
        if !self.fields.is_empty() {
            self.fields.push_str(BETWEEN);
            self.text.push_str(BETWEEN);
        }
        self.fields.push_str(field);
        self.text.push_str(&piece.text);
        self.different.extend(piece.different);
        self.bytes += piece.bytes;
    }
}

/// As many words of a field as one row takes.
#[derive(Default)]
struct Piece<'w> {
    text: String,
    different: BTreeSet<&'w str>,
    /// Bytes of what is looked up.
    bytes: usize,
}

/// A word, and whether it is the first one of a value.
type ValueWord<'w> = (&'w str, bool);

impl<'w> Piece<'w> {
    /// Whether it has room for a word.
    fn takes(&self, dataset: i64, word: &str) -> bool {
        self.bytes + bytes_of(dataset, word) <= LEXEME_BYTES_MAX || self.different.contains(word)
    }

    fn add(&mut self, dataset: i64, (word, is_first): ValueWord<'w>) {
        if self.text.is_empty() {
            self.text.push(' ');
        } else if is_first {
            self.text.push_str("\n ");
        }
        self.text.push_str(word);
        self.text.push(' ');
        if self.different.insert(word) {
            self.bytes += bytes_of(dataset, word);
        }
    }
}

/// Writes the words of a field value by value, with a space on both sides of each.
fn write_text(words: &FieldWords, text: &mut String) {
    let mut is_first = true;
    for value in words.values() {
        if !is_first {
            text.push('\n');
        }
        is_first = false;
        text.push(' ');
        for word in value {
            text.push_str(word);
            text.push(' ');
        }
    }
}

/// Bytes that a word takes where it is looked up: beside its letters, PostgreSQL notes where each one begins.
fn bytes_of(dataset: i64, word: &str) -> usize {
    lexeme(dataset, word).len() + 4
}

/// The words of a field in as few pieces as have room for them: most often one.
fn pieces(dataset: i64, words: &FieldWords) -> Vec<Piece<'_>> {
    let different: BTreeSet<&str> = words.values().flatten().collect();
    let bytes: usize = different.iter().map(|word| bytes_of(dataset, word)).sum();
    if bytes > LEXEME_BYTES_MAX {
        return several_pieces(dataset, words);
    }
    let mut text = String::new();
    write_text(words, &mut text);
    vec![Piece {
        text,
        different,
        bytes,
    }]
}

/// The same, each but the first with the last words of the one before.
fn several_pieces(dataset: i64, words: &FieldWords) -> Vec<Piece<'_>> {
    let (mut pieces, mut piece) = (Vec::new(), Piece::default());
    let (mut last, mut last_bytes) = (VecDeque::<ValueWord<'_>>::new(), 0);
    for value in words.values() {
        for (number, word) in value.enumerate() {
            if !piece.takes(dataset, word) {
                pieces.push(std::mem::take(&mut piece));
                for word in &last {
                    piece.add(dataset, *word);
                }
            }
            piece.add(dataset, (word, number == 0));
            last.push_back((word, number == 0));
            last_bytes += word.len() + 1;
            while last_bytes > PHRASE_BYTES_MAX {
                let gone = last.pop_front();
                last_bytes -= gone.map_or(last_bytes, |(word, _)| word.len() + 1);
            }
        }
    }
    pieces.push(piece);
    pieces
}

/// Words, as PostgreSQL reads them.
fn lexemes(dataset: i64, words: &BTreeSet<&str>) -> String {
    let mut text = String::new();
    for word in words {
        text.push_str(&lexeme(dataset, word));
        text.push(' ');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn field(name: &str, value: &str) -> (Arc<str>, FieldWords) {
        let mut words = FieldWords::default();
        words.push(value);
        (name.into(), words)
    }

    #[test]
    fn a_record_is_one_row_of_words_and_many_words_are_several() {
        let mut rows = WordRows::default();
        rows.push((7, 1), &[field("f1", "Blue Danube"), field("f2", "Blue")]);
        assert_eq!(rows.fields, ["f1\n\nf2"]);
        assert_eq!(rows.words, [" blue danube \n\n blue "]);
        assert_eq!(rows.lexemes, ["'7:blue' '7:danube' "]);
        let words: Vec<String> = (0..60_000).map(|number| format!("w{number:05}")).collect();
        let many = words.join(" ") + " ";
        let mut rows = WordRows::default();
        let large = [field("f1", &many), field("f2", &many), field("f3", "last")];
        rows.push((7, 2), &large);
        assert_eq!(rows.parts, [0, 1]);
        assert_eq!(rows.fields, ["f1", "f2\n\nf3"]);
        assert!(rows.lexemes.iter().all(|it| it.len() < 1_000_000));
    }

    #[test]
    fn a_field_of_more_words_than_a_row_takes_has_several_and_each_phrase_is_whole_in_one() {
        const WORDS: usize = 150_000;
        let words: Vec<String> = (0..WORDS).map(|number| format!("w{number:06}")).collect();
        let (first, second) = words.split_at(WORDS / 2);
        let mut field = FieldWords::default();
        field.push(&first.join(" "));
        field.push(&second.join(" "));
        let mut rows = WordRows::default();
        rows.push((7, 1), &[("f1".into(), field)]);
        assert_eq!(rows.parts, [0, 1, 2]);
        assert_eq!(rows.fields, ["f1"; 3]);
        assert!(rows.lexemes.iter().all(|it| it.len() < 1_000_000));
        let is_whole = |phrase: &str| {
            let mut rows = rows.words.iter().zip(&rows.lexemes);
            rows.any(|(text, lexemes)| {
                let ends = [phrase.split(' ').next(), phrase.split(' ').next_back()];
                let mut ends = ends.into_iter().flatten();
                text.contains(&format!(" {phrase} "))
                    && ends.all(|word| lexemes.contains(&format!("'7:{word}'")))
            })
        };
        for at in (0..WORDS - 1000).step_by(4_997) {
            let is_of_one = at + 1000 <= WORDS / 2 || at >= WORDS / 2;
            assert_eq!(is_whole(&words[at..at + 1000].join(" ")), is_of_one, "{at}");
        }
        assert!(is_whole(&words[WORDS - 1]));
    }
}
