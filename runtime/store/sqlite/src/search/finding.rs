//! A page of hits, and how many there are: dataset after dataset, in order of places. Sorted pages are
//! `sorting`'s, a few hits that nobody counts `few`'s.

use super::columns::Columns;
use super::compile::{compile, is_any_word, is_text, is_word};
use super::few::any_by_text;
use super::looking::Looking;
use super::sorting;
use super::sql_key::places_of;
use super::streams::{PLACES, Stream};
use crate::error::Failure;
use rusqlite::{Connection, params};
use std::cell::Cell;
use store::records::RecordPlace;
use store::search::{Search, SearchPage};

const COUNT: &str = "SELECT count(*) FROM (SELECT 1 FROM words WHERE words MATCH ?1 LIMIT ?2)";

/// In so many datasets, a word is looked for by the thread that answers.
const QUICK_AIMS_MAX: usize = 4;

/// Whether a search costs less than to hand it to another thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Quickness {
    /// It does: it finds a word in a few datasets, and reads no more places than it counts.
    Always,
    /// It does unless many records have the word where it is not looked for, which nothing tells beforehand.
    MostOften,
    Never,
}

pub(super) fn quickness(search: &Search, columns: &Columns) -> Quickness {
    let Search {
        aims, expression, ..
    } = search;
    if !search.sort.is_empty() || aims.len() > QUICK_AIMS_MAX || !is_word(expression) {
        return Quickness::Never;
    }
    let mut aims = aims.iter();
    if aims.all(|aim| is_any_word(expression, aim, columns)) {
        Quickness::Always
    } else {
        Quickness::MostOften
    }
}

/// Page and total as of one moment.
pub(super) fn find(
    connection: &Connection,
    columns: &Columns,
    search: &Search,
) -> Result<SearchPage, Failure> {
    let is_by_text = search.sort.is_empty() && is_text(&search.expression);
    // one question is of one moment by itself: the page that counts as well, of one dataset
    let is_one_look = search.aims.len() == 1 && search.after.is_none() && !search.unordered;
    let is_one_question = is_by_text && is_one_look;
    let _moment = (!is_one_question)
        .then(|| connection.unchecked_transaction())
        .transpose()?;
    let looking = Looking {
        connection,
        columns,
        deadline: search.deadline,
        looks: Cell::new(0),
    };
    let with_records;
    let search = if search.aims.len() > 1 {
        with_records = Search {
            aims: looking.with_records(&search.aims)?,
            ..search.clone()
        };
        &with_records
    } else {
        search
    };
    if is_by_text && search.unordered {
        any_by_text(&looking, search)
    } else if is_by_text {
        by_text(&looking, search)
    } else if search.sort.is_empty() {
        by_streams(&looking, search)
    } else {
        sorting::find(&looking, search)
    }
}

/// Where places go on the page from: the first number.
fn start(search: &Search) -> i64 {
    let after = search.after.as_ref();
    let after = after.and_then(|after| after.place.number());
    after.map_or(0, |after| after + 1)
}

fn limit_of(rest: u64) -> i64 {
    i64::try_from(rest).unwrap_or(i64::MAX)
}

/// What the full-text index finds alone.
fn by_text(looking: &Looking<'_>, search: &Search) -> Result<SearchPage, Failure> {
    let mut page = looking.connection.prepare_cached(PLACES)?;
    let mut count = looking.connection.prepare_cached(COUNT)?;
    let mut result = SearchPage::default();
    // from the start, one walk both fills the page and counts
    let is_counted = search.after.is_none();
    for aim in &search.aims {
        let Some(text) = compile(&search.expression, aim, looking.columns) else {
            continue;
        };
        let wanted = search.limit - result.places.len();
        let rest = search.total_max.saturating_sub(result.total);
        if is_counted || (wanted > 0 && is_behind(search, aim.dataset)) {
            let wanted_rows = i64::try_from(wanted).unwrap_or(i64::MAX);
            let rows_max = if is_counted {
                wanted_rows.max(limit_of(rest))
            } else {
                wanted_rows
            };
            let mut rows = page.query(params![text, start(search), rows_max])?;
            while let Some(row) = rows.next()? {
                // who is counted alone tells nothing else: for a common word, that is nine of ten
                if result.places.len() < search.limit {
                    result.places.push(RecordPlace::of_number(row.get(0)?));
                }
                result.total += u64::from(is_counted);
            }
        }
        if !is_counted {
            let counted: i64 = count.query_row(params![text, limit_of(rest)], |row| row.get(0))?;
            result.total += counted.cast_unsigned();
        }
        if is_full(&result, search) {
            break;
        }
    }
    result.total = result.total.min(search.total_max);
    Ok(result)
}

fn is_behind(search: &Search, dataset: u32) -> bool {
    let after = search.after.as_ref();
    after.is_none_or(|after| dataset >= after.place.dataset)
}

fn is_full(result: &SearchPage, search: &Search) -> bool {
    result.total >= search.total_max && result.places.len() == search.limit
}

/// What several streams find together.
fn by_streams(looking: &Looking<'_>, search: &Search) -> Result<SearchPage, Failure> {
    let mut result = SearchPage::default();
    for aim in &search.aims {
        let Some((first, _)) = places_of(aim.dataset) else {
            continue;
        };
        let mut stream = Stream::of(looking, &search.expression, aim)?;
        let start = start(search);
        let mut from = first;
        while let Some(place) = stream.seek(from)? {
            let is_wanted = place >= start && result.places.len() < search.limit;
            let is_counted = result.total < search.total_max;
            if is_wanted {
                result.places.push(RecordPlace::of_number(place));
            }
            result.total += u64::from(is_counted);
            from = place + 1;
            if result.total >= search.total_max {
                if result.places.len() == search.limit {
                    break;
                }
                // the rest of the page may be far behind
                from = from.max(start);
            }
        }
        if is_full(&result, search) {
            break;
        }
    }
    Ok(result)
}

#[cfg(test)]
mod tests {
    use super::super::begun::{Begun, WORDS_MAX};
    use super::super::compile::compile_begun;
    use super::super::open;
    use super::*;
    use crate::access::ReadAccess;
    use std::sync::Arc;
    use std::time::{Duration, Instant};
    use store::search::{Aim, AimField, AimFields, Expression, FieldName, SortField, Term};

    fn search(word: &str, fields: &[&str]) -> Search {
        let active = fields.iter().map(|id| AimField {
            name: FieldName::of(id),
            id: Arc::from(*id),
            is_list: false,
            has_words: true,
            unknown_to: Arc::from([]),
        });
        let fields = AimFields {
            schema: "s".into(),
            active: active.collect(),
        };
        let expression = Expression::Term(Term {
            field: None,
            except: Vec::new(),
            words: vec![word.to_owned()],
            is_prefix: false,
        });
        Search {
            expression,
            aims: vec![Aim {
                dataset: 1,
                fields: Arc::new(fields),
            }],
            sort: Vec::new(),
            after: None,
            limit: 100,
            total_max: 1_000,
            unordered: false,
            deadline: Instant::now(),
        }
    }

    /// An index of records with these words in a field, and its columns.
    fn index(words: impl Iterator<Item = String>) -> (tempfile::TempDir, Connection, Columns) {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join(open::FILE);
        let mut columns = Columns::default();
        columns.put("s".into(), "name".into(), 0);
        let writer = open::writer_connection(&file).unwrap();
        let transaction = writer.unchecked_transaction().unwrap();
        for (sequence, word) in (1..).zip(words) {
            let place = RecordPlace {
                dataset: 1,
                sequence,
            };
            let put = "INSERT INTO words (rowid, c0) VALUES (?1, ?2)";
            transaction
                .execute(put, params![place.number(), format!("1_{word}")])
                .unwrap();
        }
        transaction.commit().unwrap();
        let reader = open::reader_connection(&file, ReadAccess::Shared).unwrap();
        (folder, reader, columns)
    }

    /// A few hits of a beginning, and the texts that FTS5 may be asked for it.
    fn few(connection: &Connection, columns: &Columns, word: &str) -> (SearchPage, Option<String>) {
        let mut search = search(word, &["name"]);
        let Expression::Term(term) = &mut search.expression else {
            panic!("it is a term");
        };
        term.is_prefix = true;
        search.unordered = true;
        search.limit = 5;
        search.deadline = Instant::now() + Duration::from_secs(60);
        let found = find(connection, columns, &search).unwrap();
        let looking = Looking {
            connection,
            columns,
            deadline: search.deadline,
            looks: Cell::new(0),
        };
        let aim = &search.aims[0];
        let begun = Begun::of(&looking, &search.expression, aim).unwrap();
        let text = begun.and_then(|it| compile_begun(&search.expression, aim, columns, it.words()));
        (found, text)
    }

    #[test]
    fn a_few_hits_of_a_beginning_are_of_its_words_and_nothing_is_counted() {
        let words = (0..3_000).map(|at| ["amber", "amethyst", "basalt"][at % 3].to_owned());
        let (_folder, connection, columns) = index(words);
        let sequences = |page: &SearchPage| {
            let places = page.places.iter().map(|place| place.sequence);
            places.collect::<Vec<_>>()
        };
        let (found, text) = few(&connection, &columns, "am");
        assert_eq!(sequences(&found), [1, 2, 4, 5, 7]);
        assert_eq!(found.total, 0, "nobody asked");
        let text = text.expect("words begin so");
        // a beginning has FTS5 read all places of all its words first
        assert_eq!(text, "(\"1_amber\" OR \"1_amethyst\")");
        let (found, text) = few(&connection, &columns, "c");
        assert_eq!((found, text), (SearchPage::default(), None));
    }

    #[test]
    fn a_few_hits_of_a_beginning_with_many_words_are_of_some_of_them() {
        let words = (0..3_000).map(|at| format!("k{at:04}"));
        let (_folder, connection, columns) = index(words);
        let (found, text) = few(&connection, &columns, "k");
        assert_eq!(found.places.len(), 5);
        let looked_for = text.expect("words begin so").matches("1_k").count();
        assert_eq!(looked_for, WORDS_MAX);
    }

    #[test]
    fn a_word_in_all_that_the_index_has_of_a_few_datasets_is_quick_and_in_a_part_of_it_most_often()
    {
        let mut columns = Columns::default();
        for (number, field) in ["name", "note"].into_iter().enumerate() {
            columns.put("s".into(), field.into(), u32::try_from(number).unwrap());
        }
        let both = || search("york", &["name", "note"]);
        assert_eq!(quickness(&both(), &columns), Quickness::Always);
        let with = |change: &dyn Fn(&mut Search)| {
            let mut search = both();
            change(&mut search);
            quickness(&search, &columns)
        };
        let term = |change: &dyn Fn(&mut Term)| {
            with(&|search| {
                let Expression::Term(term) = &mut search.expression else {
                    panic!("it is a term");
                };
                change(term);
            })
        };
        let never = [
            term(&|term| term.is_prefix = true),
            term(&|term| term.words.push("new".to_owned())),
            with(&|search| search.expression = Expression::Faulty),
            with(&|search| search.aims = vec![search.aims[0].clone(); QUICK_AIMS_MAX + 1]),
            with(&|search| {
                search.sort = vec![SortField {
                    field: FieldName::of("name"),
                    descending: false,
                }];
            }),
        ];
        assert_eq!(never, [Quickness::Never; 5]);
        let in_a_part = [
            term(&|term| term.field = Some(FieldName::of("name"))),
            quickness(&search("york", &["name"]), &columns),
        ];
        assert_eq!(
            in_a_part,
            [Quickness::MostOften; 2],
            "the note is passed over"
        );
    }
}
