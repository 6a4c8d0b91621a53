//! Many at once: words of a query, datasets that it looks into, of which most are empty, and words of one field.

use crate::engines::{StoreFolder, each, wait};
use crate::finder::{Finder, aim, document, not, place, prefix, text};
use runtime::service::search::WAIT_MAX;
use runtime::store::search::{Aim, Expression, Search, SearchPage};
use std::time::Instant;

const DATASETS: u32 = 900;
/// The one that has records.
const FILLED: u32 = 700;
/// Words of a phrase that is about as long as a query may be.
const PHRASE_WORDS: usize = 62;

fn finder(folder: &StoreFolder) -> Finder {
    Finder {
        index: folder.index(),
    }
}

/// Datasets of one schema.
fn aims() -> Vec<Aim> {
    let first = aim(1, "s", &[("Name", "n"), ("Note", "o")]);
    let of = |dataset| Aim {
        dataset,
        fields: first.fields.clone(),
    };
    (1..=DATASETS).map(of).collect()
}

/// What a search finds that takes no longer than one may.
fn in_time(finder: &Finder, expression: Expression, aims: &[Aim]) -> SearchPage {
    let search = Search {
        expression,
        aims: aims.to_vec(),
        sort: Vec::new(),
        after: None,
        limit: 10,
        total_max: 1_001,
        unordered: false,
        deadline: Instant::now() + WAIT_MAX,
    };
    wait(async { finder.index.find(search).await })
}

#[test]
fn many_words_are_found_in_time_among_many_datasets_of_which_most_are_empty() {
    each(|folder| {
        let finder = finder(folder);
        let words: Vec<String> = (0..PHRASE_WORDS)
            .map(|number| format!("{}{number:02}", "w".repeat(27)))
            .collect();
        let phrase = words.join(" ");
        finder.put(vec![
            document(place(FILLED, 1), "s", &[("n", &[&*phrase])]),
            document(place(FILLED, 2), "s", &[("n", &["nothing of it"])]),
        ]);
        let aims = aims();
        let each_word = || words.iter().map(|word| text(word));
        let reversed: Vec<&str> = words.iter().rev().map(|word| &**word).collect();
        let begun = words.iter().map(|word| prefix(&word[..28]));
        let asked = [
            (text(&phrase), vec![1]),
            (prefix(&phrase), vec![1]),
            (text(&reversed.join(" ")), vec![]),
            (Expression::All(each_word().collect()), vec![1]),
            (Expression::Any(each_word().collect()), vec![1]),
            (Expression::All(begun.collect()), vec![1]),
            (Expression::All(each_word().map(not).collect()), vec![2]),
        ];
        for (expression, expected) in asked {
            let told = format!("{expression:?}");
            let found = in_time(&finder, expression, &aims);
            let expected: Vec<_> = expected.into_iter().map(|at| place(FILLED, at)).collect();
            assert_eq!(found.places, expected, "{told}");
            assert_eq!(found.total, expected.len() as u64, "{told}");
        }
    });
}

#[test]
fn all_words_of_a_field_are_found_however_many_different_ones_it_has() {
    const WORDS: usize = 150_000;
    each(|folder| {
        let finder = finder(folder);
        let words: Vec<String> = (0..WORDS).map(|number| format!("w{number:06}")).collect();
        let all = words.join(" ");
        let fields: [(&str, &[&str]); 2] = [("n", &[&*all]), ("o", &["behind them"])];
        finder.put(vec![document(place(1, 1), "s", &fields)]);
        let aims = &aims()[..1];
        let phrase = |from: usize| text(&words[from..from + 100].join(" "));
        let mut asked: Vec<Expression> = (0..WORDS - 100).step_by(14_950).map(phrase).collect();
        asked.extend([
            phrase(WORDS - 100),
            text(&words[WORDS - 1]),
            prefix("w14999"),
            text("behind them"),
            Expression::All(vec![text(&words[0]), text(&words[WORDS - 1])]),
        ]);
        for expression in asked {
            let found = in_time(&finder, expression, aims);
            assert_eq!(found.places, [place(1, 1)]);
        }
        let apart = format!("{} {}", words[0], words[WORDS - 1]);
        assert_eq!(in_time(&finder, text(&apart), aims).total, 0);
        finder.put(vec![document(place(1, 1), "s", &[("n", &["few"])])]);
        assert_eq!(in_time(&finder, text(&words[WORDS - 1]), aims).total, 0);
    });
}
