//! Words that begin in some way, as the index has them. Asked for a beginning, FTS5 reads all places of all words that begin
//! so before it tells the first one; asked for the words themselves, it reads no more places than are taken. So whoever takes
//! a few hits asks for the words first. It reads no place.

use super::compile::{BegunWords, beginnings};
use super::looking::Looking;
use crate::error::Failure;
use rusqlite::OptionalExtension as _;
use store::search::{Aim, Expression};

/// The index's words in their order, for a connection that reads.
pub(super) const TABLE: &str =
    "CREATE VIRTUAL TABLE temp.index_words USING fts5vocab(main, words, instance);";
/// Each place of a word is a row of it, so the next word is looked for behind the last one.
const NEXT: &str = "SELECT term FROM temp.index_words WHERE term >= ?1 ORDER BY term LIMIT 1";

/// Every place of every word.
pub(super) const ALL_PLACES: &str = "SELECT term, doc, col, offset FROM temp.index_words";

/// So many words of a beginning are asked for, each by a look of its own.
pub(super) const WORDS_MAX: usize = 32;
/// In so many places a beginning is looked for: the fields of a wide schema share one, each behind its number.
const BEGINNINGS_MAX: usize = 4;
/// What stands before every character that a word has.
const BEFORE_ALL: char = '\u{1}';

/// The words of each beginning that an expression asks for in a dataset.
#[derive(Default)]
pub(super) struct Begun {
    words: BegunWords,
    /// Whether there are more of one of them.
    is_cut: bool,
}

impl Begun {
    /// Asks the index for them; `None` where the expression asks for none, or needs all of their places.
    pub(super) fn of(
        looking: &Looking<'_>,
        expression: &Expression,
        aim: &Aim,
    ) -> Result<Option<Self>, Failure> {
        let asked = beginnings(expression, aim, looking.columns).unwrap_or_default();
        if asked.is_empty() || asked.len() > BEGINNINGS_MAX {
            return Ok(None);
        }
        let mut begun = Begun::default();
        for beginning in asked {
            begun.read(looking, beginning)?;
        }
        Ok(Some(begun))
    }

    fn read(&mut self, looking: &Looking<'_>, beginning: String) -> Result<(), Failure> {
        let mut statement = looking.connection.prepare_cached(NEXT)?;
        let mut words: Vec<String> = Vec::new();
        let mut from = beginning.clone();
        loop {
            looking.look()?;
            let next = statement.query_row([&from], |row| row.get::<_, String>(0));
            let Some(next) = next.optional()?.filter(|it| it.starts_with(&beginning)) else {
                break;
            };
            if words.len() == WORDS_MAX {
                self.is_cut = true;
                break;
            }
            from = format!("{next}{BEFORE_ALL}");
            words.push(next);
        }
        self.words.insert(beginning, words);
        Ok(())
    }

    /// The words.
    pub(super) fn words(&self) -> &BegunWords {
        &self.words
    }

    /// Whether there are more words than these.
    pub(super) fn is_cut(&self) -> bool {
        self.is_cut
    }
}
