//! The full-text index: what is put in is found by its words, where it is looked for and nowhere else,
//! and the progress that came with it is remembered with it.

use crate::engines::{each, try_wait, wait};
use crate::finder::{Finder, aim, document, gone, not, of_field, place, prefix, progress, text};
use runtime::store::StoreError;
use runtime::store::search::{Aim, Expression, Progress, Search, SearchPage};
use std::time::{Duration, Instant};

impl Finder {
    /// The records of the first dataset that are found.
    #[track_caller]
    fn check(&self, expression: Expression, expected: &[u64]) {
        let shown = format!("{expression:?}");
        let found = self.find(expression, &[first()]);
        let sequences: Vec<u64> = found.places.iter().map(|at| at.sequence).collect();
        assert_eq!(sequences, expected, "{shown}");
        assert_eq!(found.total, expected.len() as u64, "{shown}");
    }
}

/// The first dataset: its fields are called Name, Big Tag and Note.
fn first() -> Aim {
    aim(1, "s", &[("Name", "n"), ("Big Tag", "t"), ("Note", "o")])
}

/// Tells a story of an index with four records in the first dataset.
fn each_filled(story: impl Fn(&Finder)) {
    each(|folder| {
        let finder = Finder {
            index: folder.index(),
        };
        finder.put(vec![
            document(
                place(1, 1),
                "s",
                &[("n", &["New York"]), ("t", &["big apple", "old town"])],
            ),
            document(place(1, 2), "s", &[("n", &["York New"]), ("t", &["new"])]),
            document(
                place(1, 5),
                "s",
                &[("n", &["Zürich 東京"]), ("o", &["apple pie"])],
            ),
            document(place(1, 9), "s", &[]),
        ]);
        story(&finder);
    });
}

#[test]
fn an_index_that_was_told_nothing_knows_nothing() {
    each(|folder| {
        let finder = Finder {
            index: folder.index(),
        };
        assert_eq!(finder.index.progress(), None);
        finder.check(text("york"), &[]);
        finder.check(not(text("york")), &[]);
        assert_eq!(finder.find(text("york"), &[]), SearchPage::default());
    });
}

#[test]
fn words_phrases_and_beginnings_are_found() {
    each_filled(|finder| {
        finder.check(text("york"), &[1, 2]);
        finder.check(text("new york"), &[1]);
        finder.check(text("yo"), &[]);
        finder.check(prefix("yo"), &[1, 2]);
        finder.check(prefix("new yo"), &[1]);
        finder.check(prefix("york new"), &[2]);
        finder.check(text("ZURICH"), &[5]);
        finder.check(text("東京"), &[5]);
        finder.check(text("京東"), &[]);
        finder.check(text("nowhere"), &[]);
    });
}

#[test]
fn a_phrase_stands_in_one_value() {
    each_filled(|finder| {
        finder.check(text("big apple"), &[1]);
        finder.check(text("apple old"), &[]);
        finder.check(text("york big"), &[]);
        finder.check(prefix("apple ol"), &[]);
        finder.check(prefix("york b"), &[]);
    });
}

#[test]
fn conditions_join() {
    use Expression::{All, Any};
    each_filled(|finder| {
        let york = || text("york");
        finder.check(All(vec![york(), text("apple")]), &[1]);
        finder.check(Any(vec![text("pie"), york()]), &[1, 2, 5]);
        finder.check(Any(vec![text("nowhere"), text("pie")]), &[5]);
        finder.check(All(vec![text("nowhere"), text("pie")]), &[]);
        finder.check(not(york()), &[5, 9]);
        finder.check(not(text("nowhere")), &[1, 2, 5, 9]);
        finder.check(not(not(york())), &[1, 2]);
        finder.check(All(vec![not(york()), not(text("pie"))]), &[9]);
        finder.check(All(vec![text("apple"), not(york())]), &[5]);
        finder.check(Any(vec![not(york()), text("big")]), &[1, 5, 9]);
        let either = Any(vec![york(), text("pie")]);
        finder.check(All(vec![not(either), not(text("nowhere"))]), &[9]);
    });
}

#[test]
fn a_field_is_asked_by_the_words_of_its_name() {
    each_filled(|finder| {
        finder.check(of_field("name", "new"), &[1, 2]);
        finder.check(of_field("BIG-TAG", "new"), &[2]);
        finder.check(of_field("big tag", "old town"), &[1]);
        finder.check(of_field("note", "apple"), &[5]);
        finder.check(of_field("tag", "new"), &[]);
        finder.check(not(of_field("nowhere", "new")), &[1, 2, 5, 9]);
        // as the fields are named today, and those alone that are seen today
        let renamed = [aim(1, "s", &[("Title", "n"), ("Name", "t")])];
        let sequences = |expression: Expression| {
            let found = finder.find(expression, &renamed).places;
            found.iter().map(|at| at.sequence).collect::<Vec<_>>()
        };
        assert_eq!(sequences(of_field("name", "new")), [2]);
        assert_eq!(sequences(of_field("title", "new")), [1, 2]);
        assert_eq!(sequences(text("apple")), [1], "the note is not seen");
        assert_eq!(sequences(not(text("apple"))), [2, 5, 9]);
        // a field that no record has words of yet
        let wider = [aim(1, "s", &[("Name", "n"), ("New", "x")])];
        assert_eq!(finder.find(of_field("new", "york"), &wider).total, 0);
        assert_eq!(finder.find(text("york"), &wider).total, 2);
    });
}

#[test]
fn only_the_datasets_that_are_named_are_searched() {
    each_filled(|finder| {
        let other = |dataset| aim(dataset, "s", &[("Name", "n")]);
        finder.put(vec![
            document(place(2, 1), "s", &[("n", &["York"])]),
            document(place(16, 3), "s", &[("n", &["York"])]),
            // the same field's id in another schema is another field
            document(place(3, 1), "z", &[("x", &["York"]), ("n", &["Bath"])]),
        ]);
        finder.check(text("york"), &[1, 2]);
        let both = finder.find(text("york"), &[first(), other(2), other(16)]);
        let expected = [place(1, 1), place(1, 2), place(2, 1), place(16, 3)];
        assert_eq!((both.places.as_slice(), both.total), (&expected[..], 4));
        let all = finder.find(not(text("york")), &[first(), other(2), other(16)]);
        assert_eq!(all.places, [place(1, 5), place(1, 9)]);
        let third = [aim(3, "z", &[("Name", "n"), ("Other", "x")])];
        assert_eq!(finder.find(of_field("name", "bath"), &third).total, 1);
        assert_eq!(finder.find(of_field("name", "york"), &third).total, 0);
        assert_eq!(finder.find(of_field("other", "york"), &third).total, 1);
        assert_eq!(finder.find(text("york"), &[]).total, 0);
    });
}

#[test]
fn a_document_takes_the_place_of_the_one_before_and_can_leave() {
    each_filled(|finder| {
        finder.put(vec![
            document(place(1, 1), "s", &[("n", &["Boston"])]),
            gone(place(1, 2)),
            gone(place(1, 77)),
        ]);
        finder.check(text("york"), &[]);
        finder.check(text("apple"), &[5]);
        finder.check(text("boston"), &[1]);
        finder.check(not(text("boston")), &[5, 9]);
        finder.put(vec![document(place(1, 2), "s", &[("n", &["York"])])]);
        finder.check(text("york"), &[2]);
    });
}

#[test]
fn progress_is_remembered_with_the_documents() {
    each(|folder| {
        let told = |applied: u64| Progress {
            walks: [(1, 0), (7, applied)].into(),
            versions: [("s".to_owned(), 3), ("z".to_owned(), i64::MAX)].into(),
            ..progress(applied)
        };
        let finder = Finder {
            index: folder.index(),
        };
        let one = document(place(1, 1), "s", &[("n", &["York"])]);
        finder.apply(vec![one], told(5));
        assert_eq!(finder.index.progress().as_deref(), Some(&told(5)));
        finder.apply(Vec::new(), told(6));
        assert_eq!(finder.index.progress().as_deref(), Some(&told(6)));
        let whole = Progress {
            walks: [].into(),
            ..told(7)
        };
        finder.apply(Vec::new(), whole.clone());
        drop(finder);
        let finder = Finder {
            index: folder.index(),
        };
        assert_eq!(finder.index.progress().as_deref(), Some(&whole));
        finder.check(text("york"), &[1]);
        finder.check(of_field("name", "york"), &[1]);
    });
}

#[test]
fn an_index_that_is_cleared_begins_again() {
    each_filled(|finder| {
        wait(async { finder.index.clear().await });
        assert_eq!(finder.index.progress(), None);
        finder.check(text("york"), &[]);
        finder.check(not(text("york")), &[]);
        // in another order, fields stand elsewhere
        finder.put(vec![document(
            place(1, 1),
            "s",
            &[("o", &["Bath"]), ("n", &["York"])],
        )]);
        finder.check(of_field("name", "york"), &[1]);
        finder.check(of_field("note", "york"), &[]);
    });
}

#[test]
fn a_search_whose_time_is_over_is_given_up_and_the_next_one_is_not() {
    each_filled(|finder| {
        let many = (10..30_000).map(|sequence| {
            let name = format!("common word{sequence}");
            document(place(1, sequence), "s", &[("n", &[name.as_str()])])
        });
        finder.put(many.collect());
        let find = |time: Duration| {
            let search = Search {
                expression: not(prefix("none")),
                aims: vec![first()],
                sort: Vec::new(),
                after: None,
                limit: 10,
                total_max: u64::MAX,
                unordered: false,
                deadline: Instant::now() + time,
            };
            try_wait(async { finder.index.find(search).await })
        };
        for time in [Duration::ZERO, Duration::from_millis(1)] {
            let given_up = find(time);
            assert!(
                matches!(given_up, Err(StoreError::TimedOut)),
                "{given_up:?}"
            );
        }
        let found = find(Duration::from_secs(60)).expect("a page");
        assert!(found.total > 29_000, "{}", found.total);
    });
}
