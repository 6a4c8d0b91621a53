//! A few hits that are shown once: as many as are wanted, whichever are found first, and no count of them.

use crate::engines::{each, wait};
use crate::finder::{Finder, aim, document, not, of_field, place, prefix, text};
use runtime::store::search::{Aim, Expression, Search, SearchPage};
use std::time::{Duration, Instant};

/// More words that begin alike than an index looks for one by one.
const RECORDS: u64 = 300;
/// One whose word is far behind the first ones.
const RARE: u64 = 250;

fn few(finder: &Finder, expression: Expression, aims: &[Aim], limit: usize) -> SearchPage {
    let search = Search {
        expression,
        aims: aims.to_vec(),
        sort: Vec::new(),
        after: None,
        limit,
        total_max: 0,
        unordered: true,
        deadline: Instant::now() + Duration::from_secs(60),
    };
    wait(async { finder.index.find(search).await })
}

/// Two datasets: each record of the first has a word of its own, and one that every second shares; the second has two.
fn each_filled(story: impl Fn(&Finder, &[Aim])) {
    each(|folder| {
        let finder = Finder {
            index: folder.index(),
        };
        let first = (1..=RECORDS).map(|sequence| {
            let shared = if sequence % 2 == 0 { "amber" } else { "basalt" };
            let name = format!("k{sequence:03} {shared}");
            let note = if sequence == RARE { "rare" } else { "usual" };
            document(place(1, sequence), "s", &[("n", &[&*name]), ("o", &[note])])
        });
        let mut documents: Vec<_> = first.collect();
        for sequence in [1, 2] {
            let fields: [(&str, &[&str]); 1] = [("n", &["amber zinc"])];
            documents.push(document(place(2, sequence), "s", &fields));
        }
        finder.put(documents);
        let aims = [1, 2].map(|dataset| aim(dataset, "s", &[("Name", "n"), ("Note", "o")]));
        story(&finder, &aims);
    });
}

#[test]
fn a_few_hits_are_those_of_a_page_and_are_not_counted() {
    each_filled(|finder, aims| {
        let asked = [
            prefix("amb"),
            text("amber"),
            of_field("name", "amber"),
            not(text("basalt")),
            Expression::All(vec![text("usual"), prefix("am")]),
            Expression::All(vec![prefix("am"), not(prefix("k00"))]),
            Expression::Any(vec![prefix("zi"), text("rare")]),
            prefix("nothing"),
        ];
        for expression in asked {
            let shown = format!("{expression:?}");
            let page = finder.page(expression.clone(), aims, None, 5);
            let found = few(finder, expression, aims, 5);
            assert_eq!(found.places, page.places, "{shown}");
            assert_eq!(found.total, 0, "nobody asked: {shown}");
        }
    });
}

#[test]
fn a_few_hits_of_a_beginning_that_many_words_have_are_as_many_as_are_wanted() {
    each_filled(|finder, aims| {
        let found = few(finder, prefix("k"), aims, 5).places;
        assert_eq!(found.len(), 5);
        assert!(found.iter().all(|place| place.dataset == 1), "{found:?}");
        // the words that are looked for first have too few
        let rare = || Expression::All(vec![text("rare"), prefix("k")]);
        assert_eq!(few(finder, rare(), aims, 5).places, [place(1, RARE)]);
        let all = few(finder, prefix("k"), aims, 1_000).places;
        assert_eq!(all.len() as u64, RECORDS);
    });
}
